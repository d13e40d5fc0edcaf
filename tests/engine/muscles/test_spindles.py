"""Spindles with fewer rings, as they are drawn from afar."""

from __future__ import annotations

import numpy as np
import pytest

from engine.muscles.spindles import Rings, rings_for, spindle_triangles


@pytest.mark.parametrize("rings", [rings_for(1), rings_for(1000)])
def test_fewer_rings_reach_as_far_and_have_the_middle_of_the_belly(rings: Rings) -> None:
    count = 3
    all_of_them, few = spindle_triangles(count, rings), spindle_triangles(count, rings, sparse=True)
    assert len(few) < 0.7 * len(all_of_them)
    used = np.unique(few // rings.sides) % rings.count
    assert {0, rings.count - 1, rings.tendon + rings.belly // 2} <= set(used.tolist())
    assert set(np.unique(few).tolist()) <= set(np.unique(all_of_them).tolist())
    # A closed tube: each edge but those of its ends belongs to two triangles, once in each direction.
    edges = np.concatenate([few[:, [0, 1]], few[:, [1, 2]], few[:, [2, 0]]])
    there, back = {tuple(each) for each in edges.tolist()}, {tuple(each) for each in edges[:, ::-1].tolist()}
    assert len(there) == len(edges)
    assert len(there - back) == 2 * count * rings.sides
