"""What posing by hand is for, in the real window: feet held while a hand is dragged or the pelvis turns; a replay."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.inspector.page import Page
from app.features.inspector.panel import InspectorPanel
from app.scene.panes import FRONT
from app.session import Item
from app.style.value_slider import ValueSlider
from engine.document import Document
from engine.edits.command_log import Start
from tests.app.shell.answers import Answers
from tests.gui.test_grabbing import at, caught_up, let_go, middle, seen_at, way
from tests.gui.test_scenery import choose
from tests.gui.test_window import canvas_of, press
from tests.one_window import OneWindow
from tests.stage import Stage, drag, move

pytestmark = pytest.mark.gui

FEET = ("ankle_left", "ankle_right")
HAND = "wrist_left"
MILLIMETRE = 1e-3
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def opened(the_window: OneWindow, unhurried: None, answers: Answers) -> Iterator[Stage]:
    """A human of which both feet are locked, from the menu."""
    with the_window.begun(size=(1400, 900), questions=answers) as open_stage:
        reaching = open_stage.session.reaching
        open_stage.until(lambda: reaching.ready)
        owner = me(open_stage)
        open_stage.session.select([Item(owner, foot) for foot in FEET])
        open_stage.settle()
        choose(open_stage, "lock.both")
        open_stage.until(lambda: len(open_stage.session.document.actors[0].locks) == 2)
        open_stage.session.select(())
        open_stage.settle()
        yield open_stage


def me(opened: Stage) -> str:
    return opened.session.document.actors[0].id


def joints(opened: Stage) -> NDArray[np.float64]:
    """Where the feet are in the picture that is shown [m], shape [2, 3]."""
    assert opened.snapshot is not None
    bodies = next(item for item in opened.snapshot.bodies if item.role == "result")
    return np.array([bodies.transforms[bodies.parts.index(foot)][:, 3] for foot in FEET], dtype=float)


class Watch:
    """How far the feet were from where they stood, in every picture since."""

    def __init__(self, opened: Stage) -> None:
        self.start, self.opened = joints(opened), opened
        self.farthest, self.pictures = 0.0, 0
        opened.hear(opened.session.snapshot_ready, self.look)

    def look(self, _: object) -> None:
        self.pictures += 1
        self.farthest = max(self.farthest, float(np.linalg.norm(joints(self.opened) - self.start, axis=1).max()))


def beginning(opened: Stage) -> Document:
    """The document before anything was done."""
    start = opened.session.command_log[0]
    assert isinstance(start, Start)
    return start.document


def undo_all(opened: Stage, first: Document) -> None:
    while opened.session.history.undo_entry is not None:
        press(opened, Qt.Key.Key_Z, CTRL)
        opened.until(lambda: opened.session.at_rest)
    assert opened.session.document is first


def slider_of(opened: Stage, coordinate: str) -> ValueSlider:
    """The slider of a coordinate of the pelvis, in sight."""
    panel = opened.window.docks["inspector"].findChild(InspectorPanel)
    assert panel is not None
    assert isinstance(panel.page, Page)
    name = opened.session.document.actors[0].figure.coordinate_dof[f"pelvis.{coordinate}"].name
    found = [each for each in panel.findChildren(ValueSlider) if each.accessibleName().endswith(name)]
    return next(each for each in found if each.isVisible())


def turn_pelvis(opened: Stage, coordinate: str, share: float) -> float:
    """Drag a slider of the pelvis; what it comes to [rad]."""
    before, slider = opened.session.document, slider_of(opened, coordinate)
    value = opened.session.document.actors[0].layers[-1].by_coordinate.get(f"pelvis.{coordinate}", 0.0)
    path = [opened.widget_at(slider, 0.5 + share * n / 8, 0.5) for n in range(9)]
    drag(slider, path)
    opened.until(lambda: opened.session.document is not before)
    opened.settle()
    return opened.session.document.actors[0].layers[-1].by_coordinate[f"pelvis.{coordinate}"] - value


def test_a_hand_is_dragged_with_the_feet_locked_and_stays_under_the_pointer(opened: Stage) -> None:
    first, feet = beginning(opened), Watch(opened)
    canvas, start = canvas_of(opened), at(opened, HAND, FRONT, me(opened))
    apart = seen_at(opened, middle(opened, HAND, me(opened)), FRONT) - (start.x(), start.y())
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    off = []
    points = way(start, 40, -30, steps=10) + way(start + QPoint(40, -30), 10, 60, steps=10)
    for point in points[1:]:
        move(canvas, point)
        opened.until(lambda: caught_up(opened))
        here = seen_at(opened, middle(opened, HAND, me(opened)), FRONT)
        off.append(float(np.hypot(*(here - (point.x(), point.y()) - apart))))
    let_go(opened, points[-1])
    assert max(off) < 3.0, "under the pointer [px]"
    assert feet.pictures >= 20
    assert feet.farthest < MILLIMETRE
    undo_all(opened, first)


def test_the_pelvis_is_tilted_then_twisted_with_both_feet_held(opened: Stage) -> None:
    """Welman 1993, figure 6.4."""
    first, feet = beginning(opened), Watch(opened)
    opened.session.select([Item(me(opened), "pelvis")])
    opened.settle()
    for coordinate in ("tilt", "turn"):
        assert abs(turn_pelvis(opened, coordinate, 0.06)) > np.radians(5.0), coordinate
    assert feet.farthest < MILLIMETRE
    assert feet.pictures >= 2
    undo_all(opened, first)


def arm(values: Mapping[str, float], side: str) -> dict[str, float]:
    """How the joints of an arm are turned; which of them did most of a drag depends on how quick the machine was."""
    return {part: values[part.replace("_", f"_{side}.")] for part in ("collar_elevation", "elbow_flexion")}


def test_a_mirrored_pose_is_replayed_from_the_saved_log_by_another_process(
    opened: Stage, answers: Answers, tmp_path: Path
) -> None:
    before = opened.session.document
    drag(canvas_of(opened), way(at(opened, HAND, FRONT, me(opened)), 30, -40))
    opened.until(lambda: opened.session.document is not before)
    opened.settle()
    posed = arm(opened.session.posing.seen(me(opened)), "left")
    dragged = opened.session.document
    opened.session.select([Item(me(opened))])
    press(opened, Qt.Key.Key_M, CTRL)  # pose.flip
    opened.until(lambda: opened.session.document is not dragged)
    opened.settle()
    assert max(map(abs, posed.values())) > 0.05
    assert arm(opened.session.document.actors[0].layers[-1].by_coordinate, "right") == pytest.approx(posed)
    answers.place = tmp_path / "posed.sinewlog"
    choose(opened, "file.save_log")
    opened.until(lambda: opened.session.at_rest and (tmp_path / "posed.sinewlog").exists())
    command = [sys.executable, "-m", "engine", "replay", str(answers.place)]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300.0).stdout.strip()
    assert said == opened.session.document.digest
