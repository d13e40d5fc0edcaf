"""Milestones: printed once each, counted from the start of the process."""

from __future__ import annotations

import json

import pytest

from app.session import LogEntry
from app.shell.milestones import Milestones, process_age


def test_each_step_counts_once_and_is_a_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    ages = iter((0.5, 0.75, 0.9))
    made = Milestones(show=True, age=lambda: next(ages))
    for name in ("window", "window", "picture"):
        made.mark(name)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines == [{"milestone": "window", "seconds": 0.5}, {"milestone": "picture", "seconds": 0.75}]


def test_quiet_unless_asked(capsys: pytest.CaptureFixture[str]) -> None:
    Milestones().mark("window")
    Milestones().report(LogEntry(kind="error", text="no"))
    assert capsys.readouterr().out == ""


def test_warnings_and_errors_of_the_log_stand_beside_them(capsys: pytest.CaptureFixture[str]) -> None:
    made = Milestones(show=True)
    for kind in ("info", "warning", "error"):
        made.report(LogEntry(kind=kind, text=f"one {kind}"))  # type: ignore[arg-type]
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines == [{"warning": "one warning"}, {"error": "one error"}]


def test_the_age_of_this_process_is_sound() -> None:
    first = process_age()
    assert 0.0 < first <= process_age() < 86400.0
