"""Activations that follow keyed excitations: their equation, times asked for in any order, edits, physics, measures."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.document import Document, Key, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import Extrapolation
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.muscles.changes import MusclesChanges
from engine.muscles.compiled import MuscledFigure
from engine.muscles.driving import MuscleDrive
from engine.muscles.excitation import FALLING, RISING, ExcitedTrack
from engine.muscles.keyed import activations_at
from engine.muscles.measures import measurable, measure
from engine.muscles.parts import ACTIVATION, MuscleActivation, MuscleActivations
from engine.muscles.queries.excited import ExcitedQuery
from engine.muscles.uses import activations_of
from tests.engine.muscles.arms import arm_figure, arm_muscles, bent_arm


def keyed(*keys: tuple[float, float], before: Extrapolation = "hold", after: Extrapolation = "hold") -> Track:
    """Steps of excitation at times [s]."""
    made = tuple(Key(round(time * SECOND), value, interpolation="stepped") for time, value in keys)
    return Track(coordinate=ACTIVATION, keys=made, before=before, after=after)


def followed(track: Track, *seconds: float) -> Array:
    found = np.empty(len(seconds))
    ExcitedTrack(track).write(np.array(seconds) * SECOND, found)
    return found


def excited(*activations: MuscleActivation) -> Document:
    arm = bent_arm().with_part(MuscleActivations(activations=activations, excited=True))
    return Document(actors=(arm,))


def spans(old: Document, new: Document) -> list[tuple[float, float]]:
    return MusclesChanges().drawn(old.actors[0], new.actors[0])


PULSE = keyed((0.1, 0.0), (0.2, 1.0), (0.5, 0.0))
BICEPS = MuscleActivation(muscle="biceps", track=PULSE)


def test_activation_rises_and_falls_as_the_equation_has_it() -> None:
    """Of a' = (1 - a)/(t (0.5 + 1.5 a)) and a' = -a (0.5 + 1.5 a)/t the times to each activation are in closed form."""
    up, down = np.array([0.2, 0.5, 0.8, 0.95]), np.array([0.8, 0.5, 0.2, 0.02])
    rises = RISING * (-1.5 * up - 2.0 * np.log(1.0 - up))
    assert followed(PULSE, *(0.2 + rises)) == pytest.approx(up, abs=0.025)

    def falls(a: Array) -> Array:
        found: Array = 2.0 * np.log(a / (0.5 + 1.5 * a))
        return found

    begun = followed(PULSE, 0.5)
    assert begun == pytest.approx(1.0, abs=1e-3)
    assert followed(PULSE, *(0.5 + FALLING * (falls(begun) - falls(down)))) == pytest.approx(down, abs=0.01)
    assert followed(PULSE, 0.0, 0.1, 0.2).tolist() == [0.0, 0.0, 0.0], "in balance before it is excited"


@pytest.mark.parametrize(("before", "after"), [("hold", "hold"), ("cycle", "cycle"), ("linear", "cycle_offset")])
def test_a_time_alone_has_the_same_bytes_as_in_sequence(before: Extrapolation, after: Extrapolation) -> None:
    track = keyed((0.1, 0.3), (0.2313, 0.9), (0.77, 0.3), before=before, after=after)
    times = np.linspace(-5.0, 9.0, 400)
    whole = followed(track, *times)
    one = ExcitedTrack(track)
    for place in np.random.default_rng(25).permutation(len(times)).tolist():
        found = np.empty(1)
        one.write(np.array([times[place] * SECOND]), found)
        assert found[0] == whole[place]
    assert np.abs(np.diff(whole)).max() < 1.0, "it follows"
    assert whole.min() >= 0.0
    assert whole.max() <= 1.0


def test_what_is_held_settles_and_what_cycles_is_repeated() -> None:
    held = followed(PULSE, 4.49, 4.6, 1000.0)
    assert held[1] == held[2]
    assert held[0] == pytest.approx(0.0, abs=1e-15)
    track = keyed((0.0, 1.0), (0.1, 0.0), (0.2, 1.0), before="cycle", after="cycle")
    phases = np.linspace(0.0, 0.2, 11)
    first, much_later, earlier = (followed(track, *(start + phases)) for start in (0.2, 1000.0, -1.0))
    assert much_later == pytest.approx(first, abs=1e-9)
    assert earlier == pytest.approx(first, abs=1e-9)
    assert 0.2 < np.ptp(first) < 0.95, "it never comes to where it is driven"


def test_an_edit_changes_what_follows_and_nothing_before() -> None:
    old = excited(BICEPS)
    new = edit("set_muscle_keys", actor="arm", muscle="biceps", keys=(Key(SECOND // 2, 0.5),)).apply(old)
    assert spans(old, new) == [(SECOND // 2, math.inf)]
    numbers, times = {"biceps": 0}, np.linspace(0.0, 0.2, 30) * SECOND
    before, after = (activations_at(activations_of(each.actors[0]), numbers, times) for each in (old, new))
    assert before.tolist() == after.tolist()
    same = edit("set_muscle_keys", actor="arm", muscle="biceps", keys=(Key(SECOND, 0.0),)).apply(old)
    assert spans(old, same) == [(SECOND // 2, math.inf)], "it stays as it was, and is stepped further"
    flipped = edit("set_excitation_keys", actor="arm", excited=False).apply(old)
    assert spans(old, flipped) == [(-math.inf, math.inf)]


def test_the_choice_outlives_its_keys_and_is_saved(tmp_path: Path) -> None:
    document = edit("set_excitation_keys", actor="arm", excited=True).apply(Document(actors=(bent_arm(),)))
    keyed_once = edit("set_muscle_keys", actor="arm", muscle="biceps", keys=(Key(0, 1.0),)).apply(document)
    bare = edit("remove_muscle_keys", actor="arm", muscle="biceps").apply(keyed_once)
    assert activations_of(bare.actors[0]) == MuscleActivations(excited=True)
    sinew.write(tmp_path / "arm.sinew", keyed_once)
    assert activations_of(sinew.read(tmp_path / "arm.sinew").actors[0]) == activations_of(keyed_once.actors[0])
    without = edit("remove_muscles", actor="arm").apply(keyed_once)
    assert without.actors[0].part(MuscleActivations) is None
    back = edit("set_excitation_keys", actor="arm", excited=False).apply(bare)
    assert back.actors[0].part(MuscleActivations) is None


def test_physics_is_driven_by_the_activation_that_follows() -> None:
    figure = MuscledFigure(compile_model(arm_figure()), arm_muscles())
    part = MuscleActivations(activations=(BICEPS, MuscleActivation(muscle="triceps", value=0.4)), excited=True)
    drive, still = MuscleDrive(figure, part), np.zeros(2)
    for seconds in (0.05, 0.21, 0.3, 0.52):
        active = drive.active(seconds * SECOND, still, still, 0.001)
        assert active.tolist() == [followed(PULSE, seconds)[0], 0.4, 0.0]
    assert MuscleDrive(figure, replace(part, excited=False)).active(0.21 * SECOND, still, still, 0.001)[0] == 1.0


def test_plots_have_both_and_lanes_the_line_that_follows() -> None:
    document, evaluator = excited(BICEPS), Evaluator()
    arm, times = document.actors[0], [round(seconds * SECOND) for seconds in (0.15, 0.21, 0.3)]
    of = [
        measure(evaluator, document, "arm", f"muscle_{kind}", "biceps", times) for kind in ("excitation", "activation")
    ]
    assert of[0].tolist() == [0.0, 1.0, 1.0]
    assert of[1].tolist() == followed(PULSE, 0.15, 0.21, 0.3).tolist()
    assert set(measurable(arm, "muscle_excitation")) == {"biceps", "triceps", "brachialis"}
    assert not measurable(bent_arm(), "muscle_excitation"), "nobody knows it where activations are keyed"
    answers = ExcitedQuery().answer("arm", activations_of(arm), (0, SECOND))
    (lines,) = [each for each in answers if each is not None]
    assert list(lines) == [("arm", "biceps")]
    line = lines["arm", "biceps"]
    assert line[[0, -1], 0].tolist() == [0.0, SECOND]
    assert np.interp(0.3 * SECOND, line[:, 0], line[:, 1]) == pytest.approx(of[1][2], abs=1e-3)
