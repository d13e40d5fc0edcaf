"""Secondary motion's paths in the real window: three lines that differ, with a legend, live while a gain changes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.features.secondary.current_secondary import CurrentSecondary
from app.scene.look import rgb
from app.scene.panes import RIGHT
from app.session import Item
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.kinodynamics.queries.motion_paths import MotionPath
from tests.gui.aimed import HAND, punching
from tests.gui.test_scenery import pixels
from tests.one_window import Arranged, OneWindow
from tests.stage import Stage

pytestmark = [pytest.mark.gui, pytest.mark.pixels]


@pytest.fixture(scope="module")
def window(the_window: OneWindow) -> Arranged:
    return the_window.arranged()


@pytest.fixture
def opened(window: Arranged) -> Iterator[Stage]:
    """The human that punches, a hand selected, seen from the side."""
    with window.anew(punching()) as begun:
        begun.session.select([Item(begun.session.document.actors[0].id, HAND)])
        begun.view.maximise(RIGHT)
        begun.window.prefer(show_targets=False)
        begun.settle()
        begun.view.frame()
        yield begun


def paths(opened: Stage) -> dict[str, MotionPath]:
    return {each.kind: each for each in opened.session.of(CurrentSecondary).paths.paths}


def show(opened: Stage) -> None:
    opened.window.menus.refresh()
    opened.window.menus.actions["view.show_paths"].trigger()


def of_hue(opened: Stage, token: str) -> int:
    """How many pixels have a colour of the theme."""
    opened.draw()
    wanted = np.array(rgb(opened.window.theme.token(token))) * 255
    return int((np.abs(pixels(opened.view.grab_image()).astype(float) - wanted).max(axis=2) < 40).sum())


def test_the_three_paths_are_drawn_and_differ(opened: Stage) -> None:
    hues = ("text_quiet", "accent", "axis_z")
    before = {token: of_hue(opened, token) for token in hues}
    show(opened)
    opened.until(lambda: len(paths(opened)) == 3)
    found = paths(opened)
    assert list(found) == ["keyed", "secondary", "dynamics"]
    assert {each.part for each in found.values()} == {HAND}
    for token in hues:
        assert of_hue(opened, token) > before[token] + 30, token
    at = np.linspace(0.3, 1.8, 16) * SECOND
    places = [
        np.stack([np.interp(at, each.times, each.points[:, axis]) for axis in range(3)], axis=1)
        for each in found.values()
    ]
    for one, other in ((0, 1), (1, 2), (0, 2)):
        assert np.abs(places[one] - places[other]).max() > 5e-3
    show(opened)
    assert paths(opened) == {}
    assert of_hue(opened, "axis_z") <= before["axis_z"] + 30


def test_they_follow_gains_while_these_are_dragged_and_come_back_with_undo(opened: Stage) -> None:
    show(opened)
    session = opened.session
    opened.until(lambda: len(paths(opened)) == 3)
    first = paths(opened)
    gesture = session.begin_gesture("Tension")
    actor = session.document.actors[0]
    gesture.preview(edit("set_gains", actor=actor.id, tension=1.0))
    opened.until(lambda: paths(opened)["secondary"] is not first["secondary"])
    loose = paths(opened)
    assert session.document is not session.shown
    assert np.array_equal(loose["keyed"].points, first["keyed"].points)
    assert np.abs(loose["secondary"].points - first["secondary"].points).max() > 0.02
    assert np.abs(loose["dynamics"].points - first["dynamics"].points).max() > 0.02
    gesture.cancel()
    opened.until(lambda: np.array_equal(paths(opened)["secondary"].points, first["secondary"].points))


def test_nothing_is_drawn_of_what_does_not_swing(opened: Stage) -> None:
    show(opened)
    opened.until(lambda: len(paths(opened)) == 3)
    session = opened.session
    session.do(edit("set_secondary", actor=session.document.actors[0].id, on=False))
    opened.until(lambda: paths(opened) == {})
