"""Rings of spindles: the few that are drawn from afar, and what a spine holds of each."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Figure, Joint
from engine.model.compile import compile_model
from engine.muscles.compiled import MuscledFigure
from engine.muscles.parts import Muscle, Muscles, PathPoint
from engine.muscles.spindles import Rings, few_rings, rings_for, spindle_triangles


@pytest.mark.parametrize("rings", [rings_for(1), rings_for(1000)])
def test_few_rings_reach_as_far_and_have_the_middle_of_the_belly(rings: Rings) -> None:
    few = few_rings(rings).tolist()
    assert len(few) < 0.7 * rings.count
    assert few == sorted(set(few))
    ends = {0, rings.count - 1, rings.tendon, rings.tendon + rings.belly - 1}
    assert ends | {rings.tendon + rings.belly // 2} <= set(few)


def test_spindles_are_closed_tubes() -> None:
    rings, count = rings_for(1000), 3
    found = spindle_triangles(count, rings)
    # Each edge but those of its ends belongs to two triangles, once in each direction.
    edges = np.concatenate([found[:, [0, 1]], found[:, [1, 2]], found[:, [2, 0]]])
    there, back = {tuple(each) for each in edges.tolist()}, {tuple(each) for each in edges[:, ::-1].tolist()}
    assert len(there) == len(edges)
    assert len(there - back) == 2 * count * rings.sides


def test_vertices_lie_around_the_spine() -> None:
    joint = Joint(id="block", name="Block")
    places = ((0.0, 0.0, 0.0), (0.1, 0.3, 0.0), (0.1, 0.6, 0.1))
    points = tuple(PathPoint(joint="block", point=each) for each in places)
    muscle = Muscle(id="m", name="M", points=points, force=1000.0, fibre=0.3, tendon=0.2)
    made = MuscledFigure(compile_model(Figure(name="Block", joints=(joint,))), Muscles(muscles=(muscle,)))
    positions, _, spine = made.spindles(np.zeros(0))
    rings = rings_for(1)
    off = positions.reshape(rings.count, rings.sides, 3) - spine[:, None, :3]
    wide = np.linalg.norm(off, axis=2)
    assert np.ptp(wide, axis=1).max() < 1e-6
    assert wide[:, 0] == pytest.approx(spine[:, 3], rel=0.05)
    assert np.abs(np.einsum("rsi,ri->rs", off, spine[:, 4:7])).max() < 1e-6
    assert np.linalg.norm(spine[:, 4:7], axis=1) == pytest.approx(np.ones(rings.count), abs=1e-5)
    begins, ends = spine[rings.tendon, 7], spine[rings.tendon + rings.belly - 1, 7]
    assert begins > 0.02 > -0.02 > ends, "a belly widens, then narrows"
