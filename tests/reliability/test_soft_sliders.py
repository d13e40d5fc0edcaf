"""Examples of soft bodies with sliders anywhere in their ranges: no number that is not finite, no step given up."""

from __future__ import annotations

from random import Random

import pytest

from engine.queries.examples import example
from engine.runtime.options import about
from engine.soft.parts import SoftBody
from engine.soft.uses import soft_actors
from tests.reliability.soft_sliders import run, shuffled, soft_examples, trials

LENGTH, SHORT = 0.15, {"arm": 0.1, "belly": 0.05, "flesh": 0.05}  # [s], and of what takes seconds for so many


@pytest.mark.parametrize("name", soft_examples())
def test_sliders_anywhere_leave_numbers_finite(name: str) -> None:
    length = SHORT.get(name, LENGTH)
    made = run(name, 0, length=length, share=0.5)
    assert not made.wrong
    assert made.seconds >= length


def test_trials_reach_the_ends_of_ranges_and_are_made_again() -> None:
    document = example("jelly").build()
    bodies = [next(soft_actors(shuffled(document, Random(seed))))[1] for seed in range(160)]
    given = about(SoftBody)
    for name in ("young", "density", "mass_damping", "friction"):
        found = [getattr(each, name) for each in bodies]
        assert min(found) == given[name].least
        assert max(found) == given[name].most
        assert len(set(found)) > 4
    assert shuffled(document, Random(3)) == shuffled(document, Random(3))
    assert any(each.pulls for each in bodies)


def test_trials_end_with_their_budget() -> None:
    assert list(trials(("jelly",), 1, 1.0, 0.0)) == []


@pytest.mark.deep
def test_a_minute_of_processor_time_fails_nothing() -> None:
    assert [each for each in trials(soft_examples(), 1, 60.0, 60.0) if each.wrong] == []
