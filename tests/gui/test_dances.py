"""The examples of secondary motion in the real window: a window is dragged while the ball hangs, letters are met again
by hand, and a target that is taken away leaves its letter to chance."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.panel import SecondaryPanel
from app.session import Item
from engine.document.motion import TICKS_PER_SECOND
from engine.experiments.kinodynamic_letters import DANCER, LETTERS
from engine.model import Bodies
from engine.queries.examples import example
from tests.one_window import OneWindow
from tests.stage import Stage, move

pytestmark = pytest.mark.gui


@pytest.fixture
def hanging(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(example("hanging_ball").build()) as opened:
        yield opened


@pytest.fixture
def dancing(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(example("letters").build()) as opened:
        yield opened


def go_to(opened: Stage, time: int) -> None:
    opened.session.set_playhead(time)
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == time)
    opened.settle()


def panel_of(opened: Stage) -> SecondaryPanel:
    opened.window.menus.actions["secondary.show"].trigger()
    found = opened.window.docks["secondary"].widget()
    assert isinstance(found, SecondaryPanel)
    opened.until(found.isVisible)
    opened.settle()
    return found


def bodies(opened: Stage, actor: str) -> Bodies:
    assert opened.snapshot is not None
    return next(each for each in opened.snapshot.bodies if isinstance(each, Bodies) and each.owner == actor)


def ball(opened: Stage, frames: int) -> float:
    """Where it is along its rail [m]."""
    seen = bodies(opened, f"frames_{frames}")
    return float(seen.transforms[seen.parts.index("ball")][0, 3])


def test_the_window_of_a_hanging_ball_is_dragged_and_the_ball_swings(hanging: Stage) -> None:
    short, long = 5, 45
    go_to(hanging, round(2.4 * TICKS_PER_SECOND))
    assert abs(ball(hanging, short) - ball(hanging, long)) > 0.1
    hanging.session.select([Item(f"frames_{short}")])
    panel = panel_of(hanging)
    panel.sections["window"].header.set_unfolded(True)
    assert panel.window_fields is not None
    hanging.until(panel.window_fields.form.fields["window"].isVisible)
    hanging.settle()
    slider, before, there = panel.window_fields.form.fields["window"], hanging.session.document, ball(hanging, short)
    start = QPoint(slider.width() // 4, slider.height() // 2)
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 9):
        move(slider, start + QPoint(step * slider.width() // 16, 0))
    hanging.until(lambda: abs(ball(hanging, short) - there) > 0.05)
    assert hanging.session.document is before, "seen while it is dragged"
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=start + QPoint(slider.width() // 2, 0))
    hanging.until(lambda: hanging.session.document is not before and hanging.session.at_rest)
    changed = hanging.session.document.actor(f"frames_{short}").secondary
    assert changed is not None
    assert changed.window > 2 * short * TICKS_PER_SECOND // 30
    hanging.session.undo()
    hanging.settle()
    assert hanging.session.document is before


def test_letters_are_met_again_by_hand(dancing: Stage) -> None:
    session = dancing.session
    session.select([Item(DANCER)])
    dancing.settle()
    dancing.window.menus.actions["targets.meet"].trigger()
    dancing.until(lambda: session.of(CurrentTargets).found is not None and session.at_rest)
    found = session.of(CurrentTargets).found
    assert found is not None
    assert found.met
    assert len(found.targets) == len(LETTERS)


def test_a_letter_whose_target_is_taken_away_is_missed_once_the_others_are_met(dancing: Stage) -> None:
    session, at = dancing.session, round(LETTERS["X"] * TICKS_PER_SECOND)
    go_to(dancing, at)
    session.select([Item(DANCER)])
    hit = bodies(dancing, DANCER).transforms.copy()
    session.of(CurrentTargets).choose("letter_x")
    dancing.settle()
    session.of(CurrentTargets).remove()
    dancing.settle()
    dancing.window.menus.actions["targets.meet"].trigger()
    dancing.until(lambda: session.of(CurrentTargets).found is not None and session.at_rest)
    dancing.settle()
    found = session.of(CurrentTargets).found
    assert found is not None
    assert found.met
    assert len(found.targets) == len(LETTERS) - 1
    assert np.abs(bodies(dancing, DANCER).transforms - hit).max() > 0.05
