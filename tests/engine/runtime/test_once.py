"""Attributes that are worked out once."""

from __future__ import annotations

import threading

from engine.runtime.once import once


class Counted:
    """Counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.is_working, self.may_end = threading.Event(), threading.Event()

    @once
    def number(self) -> int:
        """How often."""
        self.asked += 1
        return self.asked

    @once
    def slow(self) -> str:
        self.is_working.set()
        assert self.may_end.wait(60.0)
        return "slow"


def test_it_is_worked_out_once_for_each_object() -> None:
    first, second = Counted(), Counted()
    assert [first.number, first.number, second.number] == [1, 1, 1]
    assert first.asked == 1
    assert Counted.number.__doc__ == "How often."


def test_no_object_waits_for_another() -> None:
    first, second = Counted(), Counted()
    second.may_end.set()
    thread = threading.Thread(target=lambda: first.slow)
    thread.start()
    assert first.is_working.wait(60.0)
    assert second.slow == "slow", "while the other is still being worked out"
    assert "slow" not in first.__dict__
    first.may_end.set()
    thread.join()
    assert first.__dict__["slow"] == "slow"
