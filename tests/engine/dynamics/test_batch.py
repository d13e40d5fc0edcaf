"""Many states in one call: what one state gives, whatever is beside it and however they are shared out."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from engine.document import Figure
from engine.dynamics.batch import LANES, compute_many_forward, compute_many_inverse, new_lanes
from engine.dynamics.mechanics import Mechanics, placed
from engine.model.compile import Array
from tests.engine.dynamics.examples import FIGURES, forward, inverse, mechanics_of, random_state

MANY = ("fixed 0", "planar 3", "hinges 1", "ball 3", "random 2", "human", "163")
COUNT = LANES + 7


def drawn(figure: Figure, mechanics: Mechanics, count: int) -> dict[str, Array]:
    """States, with a diagonal that is infinite here and there and coordinates that have turned many times."""
    states = [random_state(figure, mechanics, seed) for seed in range(count)]
    names = ("q", "qd", "qdd", "tau", "outside")
    found = {name: np.array([getattr(state, name) for state in states]) for name in names}
    found["diagonal"] = np.abs(found["qdd"])
    found["diagonal"][::3, ::4] = np.inf
    hinges = [figure.coordinate_index[dof.id] for dof in figure.dofs if dof.kind == "hinge"]
    found["q"][1::5, hinges] += 2e5
    return found


def many(mechanics: Mechanics, drawn: dict[str, Array], blocks: int, chosen: slice = slice(None)) -> Array:
    """Accelerations and forces of the states that are chosen, shape [2, count, rate_count]."""
    ints, floats, room = mechanics.ints, mechanics.floats, new_lanes(mechanics, blocks)
    for each in room:
        each[:] = np.nan
    q, qd, qdd, tau, outside, diagonal = (np.ascontiguousarray(each[chosen]) for each in drawn.values())
    found = np.full((2, *qd.shape), np.nan)
    compute_many_forward(ints, floats, q, qd, tau, diagonal, outside, *room, found[0])
    compute_many_inverse(ints, floats, q, qd, qdd, outside, *room, found[1])
    return found


@pytest.mark.parametrize("name", MANY)
def test_every_state_gets_what_it_gets_alone(name: str) -> None:
    figure = FIGURES[name]
    mechanics = placed(mechanics_of(figure), (0.3, -2.0, 1.0), (0.6, 0.0, 0.8, 0.0))
    states = drawn(figure, mechanics, COUNT)
    found = many(mechanics, states, 1)
    for each in range(COUNT):
        state = random_state(figure, mechanics, each)
        state.q[:] = states["q"][each]
        alone = forward(mechanics, state, state.tau, diagonal=states["diagonal"][each], outside=state.outside)
        near(found[0, each], alone)
        near(found[1, each], inverse(mechanics, state, state.qdd, state.outside))


def near(found: Array, wanted: Array) -> None:
    """Alike to 1e-12 of the largest."""
    assert np.abs(found - wanted).max(initial=0.0) <= 1e-12 * np.abs(wanted).max(initial=0.0)


@pytest.mark.parametrize("threads", [1, 2])
def test_neighbours_blocks_and_threads_change_no_byte(threads: int) -> None:
    figure = FIGURES["ball 3"]
    mechanics = mechanics_of(figure)
    states = drawn(figure, mechanics, COUNT)
    wanted = many(mechanics, states, 1)
    before = numba.get_num_threads()
    numba.set_num_threads(min(threads, before))
    try:
        for blocks in (2, 3, 7):
            assert many(mechanics, states, blocks).tobytes() == wanted.tobytes()
        for chosen in (slice(0, 1), slice(5, 9), slice(3, 3 + LANES), slice(4, COUNT), slice(2, 2)):
            assert many(mechanics, states, 2, chosen).tobytes() == wanted[:, chosen].tobytes()
    finally:
        numba.set_num_threads(before)


def test_a_state_that_is_not_finite_spoils_no_other() -> None:
    figure = FIGURES["human"]
    mechanics = mechanics_of(figure)
    states = drawn(figure, mechanics, 3)
    wanted = many(mechanics, states, 1)
    states["q"][1] = np.nan
    found = many(mechanics, states, 1)
    assert np.isnan(found[:, 1]).any()
    assert found[:, ::2].tobytes() == wanted[:, ::2].tobytes()
