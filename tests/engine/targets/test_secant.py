"""Steps of the search: the least ones in the norm of what is readily changed, and what that is."""

from __future__ import annotations

import numpy as np
import pytest

from engine.targets.nodes import Group, gather_nodes
from engine.targets.secant import Answers, list_unknowns
from engine.targets.steering import Steering, mobility_of
from tests.benchmarks.hitting import Punch
from tests.benchmarks.reachable import still


@pytest.fixture(scope="module")
def punch() -> Punch:
    return Punch()


def group_of(punch: Punch) -> Group:
    goal = still(punch.goal(punch.fist(punch.strike)))
    return Group(punch.kino, punch.keyed, gather_nodes([goal]), punch.kino.new_state())


def test_a_least_step_does_for_the_wants_what_displacements_do_and_no_less_would(punch: Punch) -> None:
    group = group_of(punch)
    steering, rng = Steering(group, mobility_of(punch.kino.gains)), np.random.default_rng(3)
    unknowns = list_unknowns(group, steering.rates)
    count = len(unknowns.node)
    ease = np.exp(rng.normal(size=count))
    answers = Answers(group, unknowns, ease)
    answers.matrix = np.eye(count) + 0.1 * rng.normal(size=(count, count))
    rows, e = rng.normal(size=(6, count)), rng.normal(size=count)
    step = answers.least_step(e, rows, 1e-14)
    through, root = rows @ answers.matrix, np.sqrt(ease)
    least = root * np.linalg.lstsq(through * root, rows @ e, rcond=None)[0]
    assert np.allclose(through @ step, rows @ e, atol=1e-9)
    assert np.allclose(step, least, atol=1e-8)
    assert not np.allclose(step, np.linalg.lstsq(through, rows @ e, rcond=None)[0], atol=1e-3)


def test_a_joint_with_a_wide_range_moves_more_than_one_with_a_narrow_range(punch: Punch) -> None:
    model = punch.mechanics.model
    steering = Steering(group_of(punch), mobility_of(punch.kino.gains))
    names = ("upper_spine.rotation", "middle_spine.rotation", "shoulder_right.abduction")
    places = [model.figure.coordinate_index[name] for name in names]
    rates = [int(np.flatnonzero(steering.places == place)[0]) for place in places]
    found = steering.mobilities[0][rates]
    ranges = (model.upper - model.lower)[places]
    assert np.allclose(found / found[0], ranges / ranges[0], rtol=1e-9)
