"""Measured forces in the real window: put on a figure from a file, seen, given another body, muted, taken away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.features.measured_forces.page import MeasuredForcePage
from app.features.measured_forces.reducing import ReductionSheet
from app.session import Item
from engine.document.capture import MarkerGaps
from engine.document.measured_forces import MeasuredForce, MeasuredForces
from engine.edits import edit
from engine.model.snapshot import Bodies
from tests.engine.measured_forces.walk import LABELS, MASS, G, bobbing, post, steady, written
from tests.gui.acting import changed, click, go_to
from tests.gui.test_scenery import pixels
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(post()) as open_stage:
        open_stage.session.select([Item("me")])
        yield open_stage


def act(opened: Stage, action: str) -> None:
    opened.window.menus.actions[action].trigger()
    opened.settle()


def forces(opened: Stage) -> tuple[MeasuredForce, ...]:
    return (opened.session.document.actors[0].part(MeasuredForces) or MeasuredForces()).forces


def chosen(monkeypatch: pytest.MonkeyPatch, opened: Stage, path: Path) -> None:
    asking = opened.window.asking
    monkeypatch.setattr(asking, "choose_motion", lambda then: then(path))


@pytest.mark.parametrize("action", ["measured_forces.take", "keys.retarget_file"])
def test_forces_of_a_file_are_put_on_the_figure_and_are_arrows(
    opened: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    rows = [[0.0, 600.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0]] * 11
    chosen(monkeypatch, opened, written(tmp_path / "grf.mot", LABELS, rows))
    act(opened, action)
    opened.until(lambda: len(forces(opened)) == 1)
    assert forces(opened)[0].joint == "ball"
    said = next(each.text for each in reversed(opened.session.log) if each.kind == "edit")
    assert said.startswith("Put forces of grf.mot on Me: ground_force is on Ball, ")
    assert said.endswith(" cm away")
    opened.until(lambda: not opened.view.is_due)
    shown = pixels(opened.view.grab_image())
    act(opened, "view.show_measured")
    hidden = pixels(opened.view.grab_image())
    assert (np.abs(shown.astype(int) - hidden.astype(int)).max(axis=2) > 60).sum() > 60
    act(opened, "view.show_measured")
    opened.session.undo()
    opened.until(lambda: forces(opened) == ())


def test_a_chosen_force_gets_another_body_is_muted_and_taken_away(
    opened: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [[0.0, 600.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0]] * 11
    chosen(monkeypatch, opened, written(tmp_path / "grf.mot", LABELS, rows))
    act(opened, "measured_forces.take")
    opened.until(lambda: len(forces(opened)) == 1)
    opened.session.select([Item("me", "base", "ground_force")])
    opened.settle()
    page = opened.window.findChild(MeasuredForcePage)
    assert page is not None
    page.body.setCurrentIndex(page.body.findData("base"))
    page.body.activated.emit(page.body.currentIndex())
    opened.until(lambda: forces(opened)[0].joint == "base")
    assert "on Base" in page.header.about[1].text
    page.line.mute.click()
    opened.until(lambda: forces(opened)[0].mute)
    act(opened, "measured_forces.remove")
    opened.until(lambda: forces(opened) == ())


def test_a_simulated_figure_feels_them_by_a_tick(opened: Stage) -> None:
    force = steady((0.0, MASS * G, 0.0), (0.0, 0.5, 0.0), seconds=2.0)
    for change in (
        edit("put_measured_forces", actor="me", forces=(force,)),
        edit("set_physics", actor="me", role="simulated"),
    ):
        opened.session.do(change)
    opened.session.select([Item("me", "base", "plate")])
    opened.settle()
    page = opened.window.findChild(MeasuredForcePage)
    assert page is not None
    assert not page.felt.isChecked()
    go_to(opened, 1.0)
    assert height(opened) == pytest.approx(0.1, abs=0.01)  # it lies on the ground
    before = opened.session.document
    click(page.felt)
    felt = changed(opened, before).actors[0].part(MeasuredForces)
    assert felt is not None
    assert felt.felt
    assert height(opened) == pytest.approx(0.5, abs=1e-3)  # it hovers
    opened.session.undo()
    opened.until(lambda: opened.session.document is before)
    opened.settle()
    assert not page.felt.isChecked()
    assert height(opened) == pytest.approx(0.1, abs=0.01)


def height(opened: Stage) -> float:
    """Of the ball, as it is seen."""
    assert opened.snapshot is not None
    (found,) = (each for each in opened.snapshot.of(Bodies) if each.owner == "me" and each.role == "result")
    return float(found.transforms[-1, 1, 3])


def test_forces_are_put_on_the_figure_while_captured_markers_are_selected(
    opened: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    markers = replace(opened.session.document.actors[0], id="markers", name="Markers", parts=(MarkerGaps(),))
    opened.session.do(edit("add_actor", actor=markers))
    opened.session.select([Item("markers")])
    opened.settle()
    rows = [[0.0, 600.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0]] * 11
    chosen(monkeypatch, opened, written(tmp_path / "grf.mot", LABELS, rows))
    act(opened, "measured_forces.take")
    opened.until(lambda: len(forces(opened)) == 1)


def test_residuals_are_reduced_seen_and_kept_as_one_step(the_window: OneWindow) -> None:
    with the_window.begun(bobbing(off=0.02)) as opened:
        opened.session.select([Item("me")])
        before = opened.session.document
        act(opened, "measured_forces.reduce")
        sheet = opened.window.findChild(ReductionSheet)
        assert sheet is not None
        assert not sheet.keep.isEnabled()
        click(sheet.begin)
        opened.until(sheet.keep.isEnabled)
        assert opened.session.document is before
        assert sheet.said.text().startswith("Left at the root: ")
        click(sheet.keep)
        after = changed(opened, before).actors[0]
        assert [each.mode for each in after.layers] == ["replace", "add"]
        assert after.figure.joint("ball").body != before.actors[0].figure.joint("ball").body
        assert opened.session.history.undo_entry is not None
        assert opened.session.history.undo_entry.label == "Reduce residuals of Me"
        opened.session.undo()
        opened.until(lambda: opened.session.document is before)
