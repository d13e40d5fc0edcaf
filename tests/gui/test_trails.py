"""Trails and onion skins in the real window: switched on by the menu, and seen in its pixels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.scene.look import Look, rgb
from app.session import Item
from engine.document import Key
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.edits import edit
from engine.model.trails import Passage
from tests.gui.test_scenery import choose, differs, picture, pixels
from tests.stage import Stage, stage

pytestmark = pytest.mark.gui


@pytest.fixture(scope="module")
def window(qapp: object) -> Iterator[Stage]:
    with stage() as open_stage:
        yield open_stage


@pytest.fixture
def opened(window: Stage) -> Iterator[Stage]:
    """A human that goes from left to right in a second, its pelvis selected."""
    session = window.session
    start = session.history.position
    human = session.document.actors[0]
    keys = tuple(("pelvis.move_x", Key(time * SECOND, 0.5 * (2 * time - 1))) for time in (0, 1))
    session.do(edit("set_keys", actor=human.id, layer=human.layers[-1].id, keys=keys))
    session.select([Item(human.id, "pelvis")])
    window.settle()
    yield window
    session.set_playhead(0)
    session.select(())
    session.go_to(start)
    window.settle()


def passage(opened: Stage, time: int) -> Passage:
    """What is shown of other times, once it is whole."""
    passages = opened.session.passages
    opened.until(lambda: passages.passage is not None and passages.passage.whole and passages.passage.time == time)
    assert passages.passage is not None
    return passages.passage


def of_hue(opened: Stage, colour: str) -> int:
    """How many pixels have a colour."""
    wanted = np.array(rgb(colour)) * 255
    return int((np.abs(pixels(picture(opened)) - wanted).max(axis=2) < 30).sum())


def test_view_show_trails_draws_the_path_of_what_is_selected(opened: Stage) -> None:
    look, session = Look(), opened.session
    theme = opened.window.theme
    past, future = theme.token("axis_z"), theme.token("warning")
    assert (look.past, look.future) == (look.axis_z, look.warning)
    before, was = picture(opened), (of_hue(opened, past), of_hue(opened, future))
    choose(opened, "view.show_trails")
    (trail,) = passage(opened, 0).trails
    assert trail.part == "pelvis"
    assert len(trail.times) == 31
    assert differs(before, picture(opened)) > 0.0005
    assert of_hue(opened, future) > was[1] + 10
    session.set_playhead(SECOND)
    passage(opened, SECOND)
    assert of_hue(opened, past) > was[0] + 10
    session.select(())
    opened.until(lambda: session.passages.passage is None)
    session.set_playhead(0)
    assert opened.window.preferences.show_trails
    choose(opened, "view.show_trails")
    opened.settle()
    assert of_hue(opened, past) <= was[0]


def test_view_show_onions_draws_two_hues_and_they_go_with_the_playhead(opened: Stage) -> None:
    session = opened.session
    rate = session.document.rate
    session.set_playhead(frame_time(15, rate))
    opened.settle()
    before = pixels(picture(opened))
    choose(opened, "view.show_onions")
    onions = passage(opened, frame_time(15, rate)).onions
    assert [each.time for each in onions] == [frame_time(frame, rate) for frame in (12, 18, 13, 17, 14, 16)]
    change = (pixels(picture(opened)) - before).astype(float)
    bluer, middle = change[:, :, 2] - change[:, :, 0], before.shape[1] // 2
    assert bluer[:, :middle].sum() > 0 > bluer[:, middle:].sum()
    session.set_playhead(frame_time(16, rate))
    assert {each.time for each in passage(opened, frame_time(16, rate)).onions} == {
        frame_time(frame, rate) for frame in (13, 14, 15, 17, 18, 19)
    }
    choose(opened, "view.show_onions")
    assert session.passages.passage is None
    session.set_playhead(frame_time(15, rate))
    opened.settle()
    assert np.abs(pixels(picture(opened)) - before).max() <= 12
