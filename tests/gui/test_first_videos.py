"""What an animator makes in the first hour, in the real window by counted events of mouse and keyboard: a wave and a
step with planted feet, from an empty scene.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from engine.document import Document
from engine.evaluate.evaluator import Evaluator
from tests.counted import Counted
from tests.first_videos import MOST_ACTIONS, MOST_SLIDE, STRIDE, begin, first_step, planted, slide, step, wave
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = [pytest.mark.gui, pytest.mark.usefixtures("unhurried")]
EXPORT = 10  # actions at most from the motion to the file


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun() as open_stage:
        open_stage.until(lambda: open_stage.session.reaching.ready)
        open_stage.settle()
        yield open_stage


def went(document: Document, joint: str) -> float:
    """How far a joint goes forwards from the first to the last key [m]."""
    actor = document.actors[0]
    keys = [key.time for layer in actor.layers for track in layer.tracks for key in track.keys]
    index, evaluator = actor.figure.joint_index[joint], Evaluator()
    first, last = (evaluator.joint_transforms(document, actor.id, each)[index][:, 3] for each in (min(keys), max(keys)))
    return float((last - first)[2])


def test_a_foot_steps_and_is_planted_from_an_empty_scene_in_few_actions(opened: Stage) -> None:
    hand = Counted(opened, moves=2)
    begin(hand)
    first_step(hand)
    document = opened.session.document
    assert went(document, "ankle_left") == pytest.approx(STRIDE, abs=0.03)
    assert [spans for _, spans in planted(document)] == [(0, 68), None, (84, 150)]
    assert slide(document) <= MOST_SLIDE
    assert hand.count <= 20


@pytest.mark.deep
def test_a_wave_and_a_step_take_at_most_sixty_actions_and_feet_do_not_slide(opened: Stage) -> None:
    hand = Counted(opened)
    begin(hand)
    wave(hand)
    step(hand)
    document = opened.session.document
    assert hand.count <= MOST_ACTIONS - EXPORT
    assert slide(document) <= MOST_SLIDE
    feet = [went(document, f"ankle_{side}") for side in ("left", "right")]
    assert np.abs(np.array(feet) - STRIDE).max() < 0.05
