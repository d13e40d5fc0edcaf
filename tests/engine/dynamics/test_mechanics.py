"""What is compiled of a figure, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Body, Dof, Figure, Joint
from engine.document.values import IDENTITY
from engine.dynamics.forward import compute_forward_dynamics
from engine.dynamics.inverse import compute_inverse_dynamics
from engine.dynamics.layout import CENTRE, INERTIA, MASS, PULL, SHARE
from engine.dynamics.mechanics import WORK_STATE, Massless, compile_mechanics, placed, with_gravity
from engine.formats.figure_toml import figure_names, load_figure
from engine.model.compile import compile_model, place
from engine.model.inertia import body_of
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.errors import EngineError, InvalidArguments, InvalidDocument
from tests.engine.dynamics.examples import forward, idle, inverse, mechanics_of, random_state, rod, weighed_figure

HINGE = Dof(id="tip.x", name="Turn")


def tipped(body: Body, *dofs: Dof) -> Figure:
    """A rod and what hangs on its end."""
    tip = Joint(id="tip", name="Tip", parent="a", offset=(0.0, -1.0, 0.0), dofs=dofs, body=body)
    return Figure(name="Rod and tip", joints=(rod("a", None), tip))


def test_bodies_are_those_of_shapes_and_masses() -> None:
    figure = load_figure("human")
    rows = compile_mechanics(compile_model(figure)).bodies()
    for row, joint in zip(rows, figure.joints, strict=True):
        body = body_of(joint)
        assert tuple(row[MASS:PULL]) == (body.mass, *body.centre, *body.inertia)
        assert row[SHARE] == 1.0
        assert tuple(row[PULL : PULL + 3]) == (0.0, -9.80665, 0.0)
    assert CENTRE < INERTIA < PULL


@pytest.mark.parametrize("name", figure_names())
def test_the_figures_that_ship_can_be_simulated(name: str) -> None:
    mechanics = compile_mechanics(compile_model(load_figure(name)))
    state = random_state(mechanics.model.figure, mechanics)
    assert np.isfinite(forward(mechanics, state, state.tau)).all()


@pytest.mark.parametrize(
    "figure",
    [
        tipped(Body(mass=0.0), HINGE),
        tipped(Body(mass=0.0), Dof(id="tip.move", name="Move", kind="slide")),
        tipped(Body(mass=1.0), HINGE),  # all its mass on the axis
        tipped(Body(mass=1.0, inertia=(1.0,) * 3 + (0.0,) * 3), HINGE, replace(HINGE, id="tip.x2")),
    ],
)
def test_freedoms_that_move_no_mass_are_refused_by_name(figure: Figure) -> None:
    with pytest.raises(Massless, match="tip moves no mass of its own by tip") as caught:
        mechanics_of(figure)
    assert caught.value.joint == "tip"
    assert isinstance(caught.value, EngineError)
    assert compile_mechanics(compile_model(figure), massless=True).rate_count == len(figure.dofs)


def test_a_ball_that_carries_a_point_is_refused() -> None:
    dofs = (Dof(id="a.turn", name="Turn", kind="ball"),)
    joint = Joint(id="a", name="A", dofs=dofs, body=Body(mass=1.0, centre=(0.0, -1.0, 0.0)))
    with pytest.raises(Massless, match=r"a\.turn"):
        mechanics_of(Figure(name="Point", joints=(joint,)))


def test_small_bodies_far_out_are_not_taken_for_nothing() -> None:
    tiny = Body(mass=1e-3, inertia=(1e-9, 1e-9, 1e-9, 0.0, 0.0, 0.0))
    assert mechanics_of(tipped(tiny, HINGE)).rate_count == 2


@pytest.mark.parametrize("root", ["fixed", "planar", "hinges", "ball"])
def test_the_state_of_the_pose_stands_in_the_work_buffer(root: str) -> None:
    figure = weighed_figure(4, root)
    where = ((1.0, 2.0, -3.0), (0.6, 0.0, 0.8, 0.0))
    mechanics = placed(mechanics_of(figure), *where)
    state = random_state(figure, mechanics, 6)
    wanted = mechanics.model.new_state()
    place(wanted, *where)
    compute_forward_kinematics(mechanics.model.ints, mechanics.model.floats, state.q, wanted)
    ints, floats, none, out = mechanics.ints, mechanics.floats, idle(mechanics), np.empty(mechanics.rate_count)
    work, zeros = mechanics.new_work(), np.zeros(mechanics.rate_count)
    compute_inverse_dynamics(ints, floats, state.q, state.qd, state.qdd, none, work, out)
    np.testing.assert_allclose(work[WORK_STATE : WORK_STATE + len(wanted)], wanted, rtol=0, atol=1e-13)
    work[:] = np.nan
    compute_forward_dynamics(ints, floats, state.q, state.qd, state.tau, zeros, none, work, out)
    np.testing.assert_allclose(work[WORK_STATE : WORK_STATE + len(wanted)], wanted, rtol=0, atol=1e-13)


def test_gravity_and_shares_change_apart() -> None:
    figure = weighed_figure(2, "hinges")
    mechanics = mechanics_of(figure)
    shares = np.linspace(0.0, 1.0, mechanics.joint_count)
    both = with_gravity(mechanics, (1.0, 2.0, 3.0), shares)
    one_by_one = with_gravity(with_gravity(mechanics, shares=shares), (1.0, 2.0, 3.0))
    other_order = with_gravity(with_gravity(mechanics, (1.0, 2.0, 3.0)), shares=shares)
    assert both.floats.tobytes() == one_by_one.floats.tobytes() == other_order.floats.tobytes()
    assert mechanics.bodies()[0, SHARE] == 1.0


def test_mechanics_cannot_be_written() -> None:
    mechanics = mechanics_of(weighed_figure(2))
    for one in (mechanics, with_gravity(mechanics, (0.0, 0.0, 0.0)), placed(mechanics, (1.0, 0.0, 0.0), IDENTITY)):
        for array in (one.ints, one.floats):
            assert not array.flags.writeable


def test_what_is_not_finite_is_refused_by_name() -> None:
    mechanics = mechanics_of(weighed_figure(2))
    with pytest.raises(InvalidDocument, match="gravity"):
        with_gravity(mechanics, (0.0, float("nan"), 0.0))
    with pytest.raises(InvalidDocument, match="placement"):
        placed(mechanics, (float("inf"), 0.0, 0.0), IDENTITY)
    for shares in (np.ones(mechanics.joint_count + 1), np.full(mechanics.joint_count, np.nan)):
        with pytest.raises(InvalidArguments, match="shares of gravity"):
            with_gravity(mechanics, shares=shares)


def test_a_figure_without_freedom_has_nothing_to_move() -> None:
    figure = Figure(name="Stone", joints=(Joint(id="a", name="A", body=Body(mass=1.0)),))
    mechanics = mechanics_of(figure)
    state = random_state(figure, mechanics)
    assert forward(mechanics, state, state.tau).shape == inverse(mechanics, state, state.qdd).shape == (0,)
