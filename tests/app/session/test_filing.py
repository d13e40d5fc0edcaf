"""Long reading and writing is shown as a job and can be cancelled; short work is not shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from app.session import JobState
from app.session.filing import Filing, Listener
from engine.formats.format import Options
from engine.measure import Quantity
from engine.queries.plots import PlotWanted
from engine.runtime.progress import Cancelled, report
from tests.app.session.conftest import small_document
from tests.app.session.held import Held, deliver, hold
from tests.app.session.test_engine_link import ready_but_for, with_lock


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

    monkeypatch.setattr("engine.long.export.export", export)


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


@pytest.fixture
def waiting(qapp: QCoreApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """An export of an arm with a lock waits for what locks need."""
    slow_export(monkeypatch)
    made = hold(small_document(), ready=False)
    ready_but_for(made, "locks", "dynamics")
    with_lock(made)
    made.worker.requests.clear()
    yield made
    made.session.close()
    made.session.deleteLater()


def jobs_of(held: Held) -> list[JobState]:
    found: list[JobState] = []
    held.session.exchange.job_changed.connect(found.append)
    return found


def test_an_export_that_waits_for_kernels_is_shown_and_can_be_cancelled(waiting: Held, tmp_path: Path) -> None:
    jobs, exchange = jobs_of(waiting), waiting.session.exchange
    exchange.export(tmp_path / "a.bvh", ["arm"], Options())
    assert waiting.worker.waiting("file") == 0
    assert [(job.running, job.fraction, job.text) for job in jobs] == [(True, 0.0, "Writing a.bvh")]
    waiting.session.cancel_job("file")
    assert [job.running for job in jobs] == [True, False]
    assert exchange.idle
    assert (waiting.session.log[-1].kind, waiting.session.log[-1].text) == ("note", "Writing a.bvh was cancelled")
    waiting.children[0].say({"progress": 1.0, "ready": "locks"})
    deliver()
    assert waiting.worker.waiting("file") == 0
    assert list(tmp_path.iterdir()) == []


def test_a_save_overtakes_exports_that_wait_for_kernels_and_these_follow_in_order(
    waiting: Held, tmp_path: Path
) -> None:
    session, written = waiting.session, list[str]()
    session.filed.connect(lambda outcome: written.append(outcome.path.name))
    for name in ("a.bvh", "b.bvh"):
        session.exchange.export(tmp_path / name, ["arm"], Options())
    for name in ("c.sinewlog", "d.sinewlog"):
        session.exchange.save_log(tmp_path / name)
    waiting.worker.answer("file")
    waiting.worker.answer("file")
    assert written == ["c.sinewlog", "d.sinewlog"]
    assert waiting.worker.waiting("file") == 0
    waiting.children[0].say({"progress": 1.0, "ready": "locks"})
    deliver()
    waiting.worker.answer("file")
    waiting.worker.answer("file")
    assert written[2:] == ["a.bvh", "b.bvh"]


def test_a_plot_of_torques_waits_for_dynamics_and_one_of_places_does_not(held: Held, tmp_path: Path) -> None:
    link = held.session.engine
    link.preparing.begin(("dynamics",))
    for kind, waits in (("rate", ""), ("torque", "dynamics")):
        quantity = Quantity(kind=kind, actor="arm", part="upper.turn")
        held.session.exchange.write_plot(tmp_path / "a.csv", PlotWanted(quantities=(quantity,), first=0, last=9))
        assert link.waits_for("file") == waits
        if not waits:
            held.worker.answer("file")
