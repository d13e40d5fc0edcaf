"""The examples of planned motions: each holds its plan and the motion that was found for it."""

from __future__ import annotations

import pytest

from engine.document.motion import TICKS_PER_SECOND
from engine.evaluate.evaluator import Evaluator
from engine.queries.examples import example
from engine.runtime.progress import finish
from engine.spacetime.coupled import coupled_motions
from engine.spacetime.planned import compiled
from engine.spacetime.search import FROM_EARLIER
from engine.spacetime.uses import spacetime_of
from tests.spacetime_examples import LEAPS


@pytest.mark.parametrize("name", LEAPS)
def test_what_an_example_plays_is_what_its_plan_asks_for(name: str) -> None:
    document = example(name).build()
    actor = document.actors[0]
    plan = spacetime_of(actor)
    assert plan is not None
    assert plan.layer == actor.layers[0].id
    made = compiled(document, actor.id)
    assert made.checked() == ()
    assert not [each for each in made.worst(made.present()) if each.constraint is not None and each.amount > 1e-5]
    again = made.search.find(made.present(), FROM_EARLIER)
    assert again.report.solved
    for seconds in (0.2, 0.45):
        tick = plan.start + round(seconds * TICKS_PER_SECOND)
        pose = made.pose(again.motion, seconds)
        seen = Evaluator().coordinates(document, actor.id, [tick])[0]
        assert seen == pytest.approx([pose[each] for each in actor.figure.coordinates], abs=1e-3)


def test_two_lamps_play_a_ball_as_their_plans_ask_for() -> None:
    document = example("ball_play").build()
    made = coupled_motions(document, "ball")
    assert made.checked() == ()
    again = finish(made.search.iterate(made.present(), FROM_EARLIER))
    assert again.report.solved
    motions, strike = made.motions(again.motion), made.plans["ball"].borders[1]
    seen = Evaluator().coordinates(document, "ball", [strike])[0]
    pose = made.members["ball"].pose(motions["ball"], 0.35)
    assert seen == pytest.approx([pose[each] for each in document.actor("ball").figure.coordinates], abs=1e-3)
    cup = made.members["left"].point(motions["left"], 0.35, "head", made.plans["left"].meetings[0].point)
    assert cup == pytest.approx((0.0, pose["ball.y"], pose["ball.z"]), abs=1e-6)
    before, after = (made.members["ball"].pose(motions["ball"], each)["ball.y"] for each in (0.3, 0.4))
    assert pose["ball.y"] < min(before, after)
