"""Many states in one call: what one state gives, to the last bit, however they are shared out."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from engine.dynamics.batch import compute_many_forward, compute_many_inverse, new_works
from engine.model.compile import Array
from tests.engine.dynamics.examples import forward, inverse, mechanics_of, random_state, weighed_figure

COUNT = 23


@pytest.mark.parametrize("root", ["ball", "planar"])
@pytest.mark.parametrize("threads", [1, 2])
def test_every_state_gets_what_it_gets_alone(root: str, threads: int) -> None:
    figure = weighed_figure(3, root)
    mechanics = mechanics_of(figure)
    states = [random_state(figure, mechanics, seed) for seed in range(COUNT)]
    names = ("q", "qd", "qdd", "tau", "outside")
    q, qd, qdd, tau, outside = (np.array([getattr(state, name) for state in states]) for name in names)
    diagonal = np.abs(qdd)
    tau_alone = np.array([inverse(mechanics, state, state.qdd, state.outside) for state in states])
    qdd_alone = np.array(
        [
            forward(mechanics, state, state.tau, diagonal=own, outside=state.outside)
            for state, own in zip(states, diagonal, strict=True)
        ]
    )
    before = numba.get_num_threads()
    numba.set_num_threads(min(threads, before))
    try:
        for blocks in (1, 2, 7, COUNT + 4):
            works, found = new_works(mechanics, blocks), np.full((2, COUNT, mechanics.rate_count), np.nan)
            ints, floats = mechanics.ints, mechanics.floats
            compute_many_inverse(ints, floats, q, qd, qdd, outside, works, found[0])
            compute_many_forward(ints, floats, q, qd, tau, diagonal, outside, works, found[1])
            same(found[0], tau_alone)
            same(found[1], qdd_alone)
    finally:
        numba.set_num_threads(before)


def same(found: Array, wanted: Array) -> None:
    assert found.tobytes() == wanted.tobytes()
