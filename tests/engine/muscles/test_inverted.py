"""Excitations that are found for activations: they lead to them, or say which bound keeps them from it."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.muscles.commands.activate import ActivationsFromMotion
from engine.muscles.inverted import bound_words, find_excitations
from engine.muscles.keyed import activations_at, keyed_at
from engine.muscles.uses import activations_of
from engine.runtime.progress import finish
from tests.engine.muscles.test_static import found_for, swinging


def inverted(wanted: Array, rate: int) -> tuple[Array, Array, tuple[str, ...]]:
    times = [round(SECOND * frame / rate) for frame in range(len(wanted))]
    excitations, followed = finish(find_excitations(times, wanted[:, None]))
    return excitations[:, 0], followed[:, 0], bound_words(("m",), times, wanted[:, None], excitations, followed)


@pytest.mark.parametrize("rate", [24, 60, 120])
def test_smooth_activations_are_followed_within_a_thousandth(rate: int) -> None:
    wanted = 0.5 - 0.45 * np.cos(2.0 * np.pi * np.arange(2 * rate) / rate)
    excitations, followed, words = inverted(wanted, rate)
    assert np.abs(followed - wanted).max() < 1e-3
    assert np.abs(excitations - wanted).max() > 0.03, "an excitation goes ahead"
    assert not words


def test_what_a_bound_keeps_from_rising_or_falling_in_time_is_said_with_time_and_amounts() -> None:
    wanted = np.where(np.arange(120) >= 30, 1.0, 0.0)
    excitations, followed, (said,) = inverted(wanted, 60)
    assert excitations.max() == 1.0
    assert followed[-1] == pytest.approx(1.0, abs=1e-3)
    late = f"{followed[30]:.2f} in place of 1.00"
    assert said == f"m: no excitation lets it rise that fast at 0.50 s, its activation is {late}"
    _, followed, (said,) = inverted(1.0 - wanted, 60)
    assert "lets it fall that fast at 0.50 s" in said
    assert 0.1 < followed[33] < 0.3, "50 ms / (0.5 + 1.5 a)"


def test_one_frame_and_a_muscle_at_rest_are_their_own_excitations() -> None:
    assert inverted(np.array([0.3]), 60)[0].tolist() == [0.3]
    assert not inverted(np.zeros(10), 60)[0].any()


def test_a_motion_is_given_excitations_whose_activations_are_those_that_were_found() -> None:
    document = edit("set_excitation_keys", actor="me", excited=True).apply(swinging())
    found = found_for(document)
    after = activations_of(found.edit.apply(document).actors[0])
    assert after.excited
    muscles = {id: place for place, id in enumerate(found.shares.muscles)}
    times = np.array(found.shares.times, dtype=np.float64)
    wanted, seen = found.shares.activations, activations_at(after, muscles, times)
    free = np.abs(seen - wanted) <= 0.03
    assert free.mean() > 0.6
    assert np.abs(keyed_at(after, muscles, times) - wanted).max() > 0.1
    assert bool(free.all()) or any("no excitation lets it" in each for each in found.lacking)
    plain = found_for(swinging())
    assert not plain.bound
    assert plain.shares.activations.tobytes() == found.shares.activations.tobytes()


def test_finding_excitations_can_be_cancelled_between_muscles() -> None:
    document = edit("set_excitation_keys", actor="me", excited=True).apply(swinging())
    shares = list(ActivationsFromMotion(actor="me").work_through(Evaluator(), document))
    assert shares == sorted(shares)
    assert sum(0.9 <= share <= 0.95 for share in shares) >= 2
