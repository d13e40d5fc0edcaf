"""Baking in the real window: by the menu, told and cancelled in the job area, read again when the project is opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.session import FileOutcome
from app.shell.actions import ACTIONS, Commands
from engine.document import Document, Span
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.project.bakes import bakes_in
from tests.engine.evaluate.locked import LEFT, RIGHT, crouch, planted
from tests.engine.evaluate.test_picture_cache import assert_same
from tests.gui.test_scenery import choose
from tests.gui.test_time import RATE, bar_colour, states
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = [pytest.mark.gui, pytest.mark.pixels]
ACTION = {action.id: action for action in ACTIONS}


def document(seconds: int = 3) -> Document:
    """One that crouches with both feet held, and one whose feet stand as they do."""
    actors = (*planted().actors, crouch("two", x=1.0))
    return Document(actors=actors, play=Span(start=0, end=seconds * SECOND))


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(document()) as open_stage:
        yield open_stage


def file(opened: Stage, what: str, path: Path) -> None:
    """Save or open, and wait for it."""
    done: list[FileOutcome] = []
    opened.hear(opened.session.filed, done.append)
    getattr(opened.session.exchange, what)(path)
    opened.until(lambda: bool(done))
    opened.session.filed.disconnect(done.append)
    assert done[0].went_well
    opened.settle()


def can(opened: Stage, id: str) -> bool:
    return Commands(opened.window).can(ACTION[id])


def baked(opened: Stage) -> None:
    """Until the bake has ended."""
    opened.until(lambda: not opened.session.baking.running, patience=300.0)
    opened.settle()


def test_what_is_played_is_baked_read_and_found_again(opened: Stage, tmp_path: Path) -> None:
    session, path = opened.session, tmp_path / "crouch.sinew"
    file(opened, "save", path)
    told: list[str] = []
    opened.hear(session.job_changed, lambda job: told.append(job.text))
    assert states(opened) != ["fresh"]
    choose(opened, "time.bake")
    assert not can(opened, "time.bake"), "one after the other"
    baked(opened)
    opened.until(lambda: states(opened) == ["fresh"])
    assert "Baking what is played" in told
    assert len(bakes_in(tmp_path / "crouch.bakes")) == 1
    assert bar_colour(opened, 2.5) == opened.window.theme.good
    file(opened, "open", path)
    opened.until(lambda: states(opened) == ["fresh"])
    session.set_playhead(2 * SECOND)
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == 2 * SECOND)
    assert opened.snapshot is not None
    assert session.engine.pictures is not None
    assert session.engine.pictures.baked.state(2 * SECOND) == "fresh"
    assert_same(opened.snapshot, Evaluator().snapshot(session.document, 2 * SECOND))


def test_an_edit_makes_stale_what_it_touches_and_undo_brings_it_back(opened: Stage, tmp_path: Path) -> None:
    session = opened.session
    session.do(edit("set_lock_span", actor="one", lock=LEFT, start=0, end=SECOND))
    file(opened, "save", tmp_path / "crouch.sinew")
    choose(opened, "time.bake")
    baked(opened)
    opened.until(lambda: states(opened) == ["fresh"])
    session.do(edit("mute_lock", actor="one", lock=LEFT, mute=True))
    opened.until(lambda: states(opened)[-2:] == ["stale", "fresh"])
    frame, last = session.kept_pictures.stretches[-2:]
    assert (frame.last, last.first) == (SECOND, frame_time(31, RATE)), "while that lock holds"
    session.undo()
    opened.until(lambda: states(opened) == ["fresh"])


def test_a_bake_is_cancelled_and_what_it_made_is_kept(opened: Stage, tmp_path: Path) -> None:
    session = opened.session
    file(opened, "save", tmp_path / "crouch.sinew")
    session.do(edit("set_play_range", start=0, end=600 * SECOND))
    choose(opened, "time.bake")
    area = opened.window.status.job
    opened.until(lambda: area.text.text() == "Baking what is played" and area.bar.value() > 0, patience=300.0)
    assert area.isVisible()
    QTest.mouseClick(area.cancel, Qt.MouseButton.LeftButton)
    baked(opened)
    opened.until(lambda: any("Baking was cancelled" in entry.text for entry in session.log))
    assert bakes_in(tmp_path / "crouch.bakes")
    assert "fresh" in states(opened)
    assert "missing" in states(opened)


def test_what_was_baked_is_removed(opened: Stage, tmp_path: Path) -> None:
    file(opened, "save", tmp_path / "crouch.sinew")
    assert not can(opened, "time.remove_bakes")
    choose(opened, "time.bake")
    baked(opened)
    opened.until(lambda: can(opened, "time.remove_bakes"))
    choose(opened, "time.remove_bakes")
    opened.until(lambda: not can(opened, "time.remove_bakes"))
    assert not (tmp_path / "crouch.bakes").exists()
    opened.until(lambda: "missing" in states(opened))


def test_nothing_is_baked_where_no_lock_makes_it_dear(opened: Stage) -> None:
    assert can(opened, "time.bake")
    for lock in (LEFT, RIGHT):
        opened.session.do(edit("mute_lock", actor="one", lock=lock, mute=True))
    assert not can(opened, "time.bake")
