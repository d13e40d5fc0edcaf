"""That a large document is encoded without holding other threads up."""

from __future__ import annotations

import time

import pytest

from engine.project.copy_file import BREAK, GENTLE, Breaks, digest_parts
from tests.engine.project.test_texts import long_motion


def test_other_threads_have_a_break_after_each_half_millisecond_and_no_oftener(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = 0.0, list[float]()
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    monkeypatch.setattr(time, "sleep", slept.append)
    between = Breaks()
    for _ in range(100):
        now += GENTLE / 10.0
        between()
    assert 8 <= len(slept) <= 10
    assert set(slept) == {BREAK}


def test_each_part_that_is_digested_leaves_room_for_one() -> None:
    document, breaks = long_motion(), list[None]()
    digest_parts(document, lambda: breaks.append(None))
    assert len(breaks) > len(document.actors[0].layers[0].tracks) > 100
    breaks.clear()
    digest_parts(document, lambda: breaks.append(None))
    assert breaks == [], "it knows them by now"
