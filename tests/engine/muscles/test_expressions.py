"""Expressions that tell activations: their values, what they go before, keys that are made of them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Document, Key
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.maths.expressions import UnreadableExpression
from engine.motion.curves import evaluate_track
from engine.muscles.changes import MusclesChanges
from engine.muscles.commands.key_expressions import KeyExpressions
from engine.muscles.follows import MusclesFollows
from engine.muscles.keyed import activations_at
from engine.muscles.parts import MuscleActivation, MuscleActivations
from engine.muscles.queries.expressed import ExpressedActivation, expression_problem
from engine.muscles.uses import activations_of
from engine.runtime.errors import NothingThere, UnknownPart
from engine.runtime.progress import finish
from tests.engine.muscles.arms import bent_arm

WAVE = "0.5 + 0.5*sin(2*pi*t)"
NUMBERS = {"biceps": 0, "triceps": 1}


def expressed(document: Document, *muscles: str, text: str = WAVE) -> Document:
    return edit("set_muscle_expression", actor="arm", muscles=muscles, expression=text).apply(document)


def scene() -> Document:
    start = edit("set_play_range", start=0, end=2 * SECOND).apply(Document(actors=(bent_arm(),)))
    return edit("set_muscle_keys", actor="arm", muscle="biceps", keys=(Key(0, 0.2), Key(SECOND, 0.9))).apply(start)


def values(document: Document, *times: float) -> np.ndarray:
    return activations_at(activations_of(document.actors[0]), NUMBERS, np.array(times) * SECOND)


def test_an_expression_tells_activations_before_keys_and_constants_and_leaves_them_there() -> None:
    document = scene()
    both = expressed(document, "biceps", "triceps")
    wave = [0.5, 1.0, 0.5, 0.0]
    assert values(both, 0.0, 0.25, 0.5, 0.75) == pytest.approx(np.stack((wave, wave), axis=1))
    cleared = expressed(both, "biceps", "triceps", text="")
    assert cleared == document
    assert activations_of(cleared.actors[0]).of("triceps") is None
    assert values(expressed(document, "biceps", text="2*t - 0.5"), 0.0, 0.5, 2.0)[:, 0] == pytest.approx(
        (0.0, 0.5, 1.0)
    )
    assert values(expressed(document, "biceps", text="t/t"), 0.0, 1.0)[:, 0] == pytest.approx((0.0, 1.0)), "no value: 0"


def test_keys_that_are_set_take_an_expression_away() -> None:
    document = expressed(scene(), "biceps", "triceps")
    keyed = edit("set_muscle_keys", actor="arm", muscle="biceps", keys=(Key(SECOND, 0.3),)).apply(document)
    assert values(keyed, 1.0)[0] == pytest.approx((0.3, 0.5))
    both = edit("key_muscles", actor="arm", keys=(("biceps", Key(0, 0.1)), ("triceps", Key(0, 0.7)))).apply(document)
    assert values(both, 0.0)[0] == pytest.approx((0.1, 0.7))


@pytest.mark.parametrize(("text", "why"), [("0.5*s", "s"), ("sin(t", ")"), ("1 +", "end"), ("x", "x")])
def test_what_is_no_expression_in_time_is_refused_in_words(text: str, why: str) -> None:
    with pytest.raises(UnreadableExpression):
        expressed(scene(), "biceps", text=text)
    assert why in expression_problem(text)
    assert ExpressedActivation.of(text) is None


def test_an_unknown_muscle_is_refused() -> None:
    with pytest.raises(UnknownPart):
        expressed(scene(), "biceps", "calf")


def test_lanes_draw_what_the_engine_computes() -> None:
    formula = ExpressedActivation.of("1.2*sin(3*t)")
    assert formula is not None
    times = np.linspace(0.0, 3.0, 50)
    drawn = formula.alphas(times * SECOND, formula.places[0])
    assert drawn == pytest.approx(values(expressed(scene(), "biceps", text="1.2*sin(3*t)"), *times)[:, 0])


def test_a_change_of_an_expression_is_felt_always_and_keys_below_it_never() -> None:
    document = expressed(scene(), "biceps")
    changes, old = MusclesChanges(), document.actors[0]
    other = expressed(document, "biceps", text="0.2").actors[0]
    assert changes.drawn(old, other)
    below = MuscleActivations(activations=(MuscleActivation(muscle="biceps", value=0.4, expression=WAVE),))
    assert changes.drawn(old, old.with_part(below)) == []
    assert MusclesFollows().mirrored(old, 0, SECOND) == old, "expressions count at all times, as constants do"


def test_keys_are_made_of_expressions_that_are_within_a_hundredth_at_every_frame() -> None:
    document = expressed(scene(), "biceps", "brachialis")
    command = KeyExpressions(actor="arm", muscles=("biceps", "triceps", "brachialis"))
    change = finish(command.work_through(Evaluator(), document))
    after = change.apply(document)
    found = activations_of(after.actors[0])
    assert {each.muscle for each in found.activations} == {"biceps", "brachialis"}
    for each in found.activations:
        assert each.expression == ""
        assert each.track is not None
        times = np.arange(49) / 24.0
        wanted = 0.5 + 0.5 * np.sin(2.0 * np.pi * times)
        assert np.abs(evaluate_track(each.track, times * SECOND)[:, 0] - wanted).max() <= 0.01
        assert len(each.track.keys) <= 12
    with pytest.raises(NothingThere):
        finish(KeyExpressions(actor="arm", muscles=("triceps",)).work_through(Evaluator(), document))
    excited = edit("set_excitation_keys", actor="arm", excited=True).apply(document)
    followed = activations_of(finish(command.work_through(Evaluator(), excited)).apply(excited).actors[0])
    times = np.arange(6, 49) / 24.0
    wanted = 0.5 + 0.5 * np.sin(2.0 * np.pi * times)
    assert np.abs(activations_at(followed, {"biceps": 0}, times * SECOND)[:, 0] - wanted).max() <= 0.04, (
        "no excitation lets it fall to 0"
    )


def test_keys_of_several_muscles_move_in_one_edit_as_each_alone() -> None:
    document = scene()
    keys = (Key(0, 0.4), Key(SECOND, 0.5))
    document = edit("set_muscle_keys", actor="arm", muscle="triceps", keys=keys).apply(document)
    times = (("biceps", (SECOND,)), ("triceps", (0, SECOND)))
    together = edit("move_keys_of_muscles", actor="arm", times=times, ticks=100, value=0.2).apply(document)
    alone = document
    for muscle, own in times:
        given = {"muscle": muscle, "times": own, "ticks": 100, "value": 0.2}
        alone = edit("move_muscle_keys", actor="arm", **given).apply(alone)
    assert together == alone
    assert together != document
