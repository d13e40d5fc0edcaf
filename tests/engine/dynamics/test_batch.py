"""Many states in one call: what one state gives, whatever is beside it and however they are shared out."""

from __future__ import annotations

from dataclasses import replace

import numba
import numpy as np
import pytest

from engine.document import Figure
from engine.document.actor import Placement
from engine.dynamics import layout
from engine.dynamics.batch import LANES, compute_many_forward, compute_many_inverse, invert_states, new_batch_workspace
from engine.dynamics.mechanics import Mechanics, placed
from engine.dynamics.together import put_together
from engine.maths.arrays import Array, IntArray
from tests.engine.dynamics.examples import FIGURES, forward, idle, inverse, mechanics_of, random_state

MANY = ("fixed 0", "planar 3", "hinges 1", "ball 3", "random 2", "human", "163", "two roots", "in breadth")
COUNT = LANES + 7


def figure_of(name: str) -> Figure:
    """One of the examples; two of them beside each other; one whose joints are listed level by level."""
    if name == "two roots":
        places = (
            Placement(position=(1.0, 2.0, 3.0)),
            Placement(position=(-4.0, 0.5, 0.0), rotation=(0.6, 0.0, 0.8, 0.0)),
        )
        names = ("hinges 2", "ball 4")
        return put_together({each: (FIGURES[each], place) for each, place in zip(names, places, strict=True)})
    if name == "in breadth":
        figure = FIGURES["human"]
        depths = {joint.id: len(figure.above(joint.id)) for joint in figure.joints}
        return replace(figure, joints=tuple(sorted(figure.joints, key=lambda joint: depths[joint.id])))
    return FIGURES[name]


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
    ints, floats, room = mechanics.ints, mechanics.floats, new_batch_workspace(mechanics, blocks)
    for each in room:
        each[:] = np.nan
    q, qd, qdd, tau, outside, diagonal = (np.ascontiguousarray(each[chosen]) for each in drawn.values())
    found = np.full((2, *qd.shape), np.nan)
    compute_many_forward(ints, floats, q, qd, tau, diagonal, outside, room, found[0])
    compute_many_inverse(ints, floats, q, qd, qdd, outside, room, found[1])
    return found


@pytest.mark.parametrize("name", MANY)
def test_every_state_gets_what_it_gets_alone(name: str) -> None:
    figure = figure_of(name)
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


@pytest.mark.parametrize("name", ["hinges 1", "ball 3"])
def test_no_forces_from_outside_are_forces_of_zero(name: str) -> None:
    figure = FIGURES[name]
    mechanics = mechanics_of(figure)
    states = drawn(figure, mechanics, COUNT)
    acted = many(mechanics, states, 2)
    states["outside"][:] = 0.0
    wanted = many(mechanics, states, 2)
    assert not np.array_equal(acted, wanted)
    states["outside"] = states["outside"][:0]
    for each in (slice(None), slice(0, LANES - 3)):
        found = many(mechanics, states, 2, each)
        np.testing.assert_allclose(found, wanted[:, each], rtol=0.0, atol=1e-15 * np.abs(wanted).max())


@pytest.mark.parametrize("name", ["human", "163", "in breadth", "two roots", "random 1", "random 4"])
def test_no_two_joints_that_are_still_needed_share_a_desk(name: str) -> None:
    table = links(mechanics_of(figure_of(name)))
    parents, desks, bears = (table[:, each].tolist() for each in (layout.LINK_PARENT, layout.SLOT, layout.BEARS))
    assert bears == [joint in parents for joint in range(len(parents))]
    last = {parent: joint for joint, parent in enumerate(parents)}
    for joint, parent in enumerate(parents):
        needed = {each for each in range(joint) if last.get(each, each) >= joint}
        if parent >= 0 and last[parent] == joint:
            assert desks[joint] == desks[parent]
            needed.discard(parent)
        assert desks[joint] not in {desks[each] for each in needed}


def test_a_human_has_few_desks() -> None:
    assert links(mechanics_of(FIGURES["human"]))[:, layout.SLOT].max() < 4


def links(mechanics: Mechanics) -> IntArray:
    start = mechanics.ints[layout.extra_of(mechanics.ints) + layout.LINK_INTS]
    return mechanics.ints[start : start + mechanics.joint_count * layout.LINK_INT_STRIDE].reshape(
        -1, layout.LINK_INT_STRIDE
    )


def test_what_is_inverted_in_one_call_may_stand_in_any_order_and_be_read_only() -> None:
    figure = FIGURES["hinges 1"]
    mechanics = mechanics_of(figure)
    states = drawn(figure, mechanics, COUNT)
    given = [np.asfortranarray(states[name]) for name in ("q", "qd", "qdd", "outside")]
    for each in given:
        each.flags.writeable = False
    assert invert_states(mechanics, *given).tobytes() == many(mechanics, states, 1)[1].tobytes()
    alone = [random_state(figure, mechanics, each) for each in range(COUNT)]
    found = invert_states(mechanics, *given[:3], workspace=new_batch_workspace(mechanics, 3))
    for place, state in enumerate(alone):
        state.q[:] = states["q"][place]
        near(found[place], inverse(mechanics, state, state.qdd, idle(mechanics)))
    assert invert_states(mechanics, *(each[:0] for each in given)).shape == (0, mechanics.rate_count)
