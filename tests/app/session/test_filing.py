"""Long reading and writing is shown as a job and can be cancelled; short work is not shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from app.session import JobState
from app.session.filing import Filing, Listener
from engine.formats.format import Options
from engine.runtime.progress import Cancelled, report
from tests.app.session.conftest import small_document
from tests.app.session.held import Held, deliver, hold


@pytest.fixture
def held(qapp: QCoreApplication) -> Iterator[Held]:
    made = hold(small_document())
    yield made
    made.session.close()
    made.session.deleteLater()


@pytest.fixture
def jobs(held: Held) -> list[JobState]:
    found: list[JobState] = []
    held.session.job_changed.connect(found.append)
    return found


def slow_export(monkeypatch: pytest.MonkeyPatch, *shares: float) -> None:
    def export(path: Path, *_: object) -> tuple[Path, ...]:
        for share in shares:
            report(share)
            deliver()
        path.write_text("whole")
        return (path,)

    monkeypatch.setattr("engine.jobs.export.export", export)


def test_long_work_is_a_job_until_it_ends(
    held: Held, jobs: list[JobState], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.session.filing.SHOWN_AFTER", 0.0)
    slow_export(monkeypatch, 0.25)
    held.session.exchange.export(tmp_path / "a.bvh", ["arm"], Options())
    held.worker.answer("file")
    assert [(job.running, job.fraction, job.text) for job in jobs] == [(True, 0.25, "Writing a.bvh"), (False, 0.0, "")]
    assert held.session.log[-1].text == "Exported a.bvh"


def test_short_work_is_not_shown(
    held: Held, jobs: list[JobState], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.session.filing.SHOWN_AFTER", 3600.0)
    slow_export(monkeypatch, 0.25, 0.5)
    held.session.exchange.export(tmp_path / "a.bvh", ["arm"], Options())
    held.worker.answer("file")
    assert jobs == []


def test_cancel_ends_it_and_leaves_no_file(
    held: Held, jobs: list[JobState], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.session.filing.SHOWN_AFTER", 0.0)
    slow_export(monkeypatch, 0.25, 0.5, 0.75)
    outcomes: list[bool] = []
    held.session.filed.connect(lambda outcome: outcomes.append(outcome.went_well))
    held.session.job_changed.connect(lambda job: held.session.cancel_job() if job.running else None)
    held.session.exchange.export(tmp_path / "a.bvh", ["arm"], Options())
    held.worker.answer("file")
    assert list(tmp_path.iterdir()) == []
    assert outcomes == [False]
    assert (held.session.log[-1].kind, held.session.log[-1].text) == ("note", "Writing a.bvh was cancelled")
    assert [job.running for job in jobs] == [True, False]


def test_a_cancelled_listener_raises_where_the_work_reports() -> None:
    listener = Listener(Filing("open", Path("a.bvh")), lambda listener, share: None)
    listener(0.1)
    listener.cancelled.set()
    with pytest.raises(Cancelled, match="reading a"):
        listener(0.2)
