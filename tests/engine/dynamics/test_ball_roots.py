"""Roots of three hinges as balls: the same state either way, and figures that roll through gimbal lock."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Dof, Figure, Joint
from engine.document.freedoms import ORDERS, freedoms
from engine.document.limit import BoxRange, Grid, Limit
from engine.dynamics.articulation import Articulation, State, compile_articulation, stand
from engine.dynamics.ball_roots import BallRoots, with_ball_roots
from engine.dynamics.coordinates import integrate_coordinates
from engine.dynamics.momenta import ANGULAR, KINETIC, LINEAR
from engine.dynamics.resistance import Resistance
from engine.dynamics.stepping import STEPPERS, BackwardEuler, Midpoint, SemiImplicitEuler, Stepper, Work
from engine.formats.figure_toml import load_figure
from engine.runtime.errors import InvalidArguments
from tests.benchmarks.peers import pinocchio_coordinates, pinocchio_dynamics
from tests.engine.dynamics.contacts import BRICK, energy, run
from tests.engine.dynamics.examples import forward, idle, mechanics_of, momenta, near, random_state

WEIGHTLESS = (0.0, 0.0, 0.0)


def root(order: str, *, signs: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Figure:
    """A brick that is free to move, turning by three hinges in that order, and a lid on it."""
    dofs = freedoms("free", "root", order=order)
    turns = tuple(
        replace(dof, axis=(sign * dof.axis[0], sign * dof.axis[1], sign * dof.axis[2]))
        for dof, sign in zip(dofs[3:], signs, strict=True)
    )
    lid = Joint(id="lid", name="Lid", parent="root", dofs=(Dof(id="lid.x", name="Open"),), shapes=(BRICK,))
    joint = Joint(id="root", name="Root", dofs=(*dofs[:3], *turns), shapes=(BRICK,))
    return Figure(name=order, joints=(joint, lid))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("signs", [(1.0, 1.0, 1.0), (1.0, -1.0, -1.0)])
def test_a_state_comes_back_and_moves_all_bodies_alike(order: str, signs: tuple[float, float, float]) -> None:
    roots = with_ball_roots(root(order, signs=signs))
    assert [dof.kind for dof in roots.figure.dofs] == ["slide"] * 3 + ["ball", "hinge"]
    hinges, balls = mechanics_of(roots.given), mechanics_of(roots.figure)
    rng = np.random.default_rng(3)
    for _ in range(5):
        q, qd = rng.uniform(-6.0, 6.0, 7), rng.normal(size=7)
        made = roots.to_balls(q, qd)
        near(momenta(balls, *made), momenta(hinges, q, qd), 1e-12)
        back = roots.from_balls(*made, near=q + rng.uniform(-0.2, 0.2, 7))
        np.testing.assert_allclose(back, (q, qd), rtol=0, atol=1e-8)


def test_what_is_no_free_turn_stays_as_it_is() -> None:
    free = root("YXZ")
    skew = (0.6, 0.8, 0.0)
    first, last, tilt = free.joints[0].dofs[3], free.joints[0].dofs[5], free.joints[0].dofs[4]

    def changed(old: Dof, **values: object) -> Figure:
        dofs = tuple(replace(dof, **values) if dof is old else dof for dof in free.joints[0].dofs)  # type: ignore[arg-type]
        return replace(free, joints=(replace(free.joints[0], dofs=dofs), free.joints[1]))

    assert with_ball_roots(changed(first, lower=-math.pi, upper=math.pi)).turns
    assert with_ball_roots(changed(tilt, lower=-0.5 * math.pi, upper=0.5 * math.pi)).turns
    grid = Grid(counts=(9, 9), lower=(-1.6, -1.6), spacing=(0.4, 0.4), periodic=(False, False))
    box = BoxRange(lower=(-0.6, -0.6), upper=(0.6, 0.6))
    limit = Limit(id="l", name="L", dofs=(tilt.id, last.id), range=box, grid=grid, margin=0.1)
    for figure in (
        changed(last, upper=3.0),
        changed(tilt, lower=-1.5),
        changed(tilt, axis=skew),
        changed(last, damping=1.0),
        replace(free, limits=(limit,)),
        load_figure("lamp"),
    ):
        roots = with_ball_roots(figure)
        assert roots.figure is figure
        assert roots.turns == ()


def test_a_ball_takes_an_id_that_nobody_has() -> None:
    free = root("YXZ")
    lid = replace(free.joints[1], dofs=(Dof(id="root.ball", name="Open"),))
    assert "root.ball'" in with_ball_roots(replace(free, joints=(free.joints[0], lid))).figure.dof_joint


def test_states_of_another_size_are_refused() -> None:
    roots = with_ball_roots(root("YXZ"))
    with pytest.raises(InvalidArguments, match=r"size of the state is \(8, 7\)"):
        roots.to_balls(np.zeros(8), np.zeros(7))
    with pytest.raises(InvalidArguments, match="near to is 6"):
        roots.from_balls(np.zeros(8), np.zeros(7), near=np.zeros(6))


def test_at_lock_accelerations_are_those_of_pinocchio() -> None:
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed; it has no wheels for Windows")
    roots = with_ball_roots(load_figure("human"))
    mechanics, peer = mechanics_of(roots.figure), pinocchio_dynamics(roots.figure)
    locked = mechanics_of(roots.given).model.rest.copy()
    locked[4] = 0.5 * math.pi
    rng = np.random.default_rng(5)
    q, _ = roots.to_balls(locked, np.zeros(len(locked)))
    qd, tau = rng.normal(size=(2, mechanics.rate_count))
    state = replace(random_state(roots.figure, mechanics), q=q, qd=qd, outside=idle(mechanics))
    wanted = pin.aba(peer, peer.createData(), pinocchio_coordinates(roots.figure, q), qd, tau)
    near(forward(mechanics, state, tau), wanted)


def rolling() -> tuple[BallRoots, Articulation, State]:
    """A human in free fall that rolls forwards past gimbal lock, by 2 rad/s, with a little of the other turns."""
    roots = with_ball_roots(load_figure("human"))
    made = compile_articulation(roots.figure, servos=3.0, gravity=WEIGHTLESS, ground=None)
    qd = np.zeros(len(roots.given.coordinates))
    qd[3:6] = 0.05, 2.0, 0.1
    return roots, made, made.new_state(*roots.to_balls(np.zeros(len(qd)), qd))


@pytest.mark.parametrize(
    "stepper", [SemiImplicitEuler(keep_energy=False), BackwardEuler(keep_energy=False), Midpoint(keep_energy=False)]
)
def test_a_human_that_rolls_through_lock_keeps_what_it_has(stepper: Stepper) -> None:
    _, made, state = rolling()
    before = momenta(made.mechanics, state.q, state.qd)
    told = [before[KINETIC]]
    run(made, state, 3.0, 0.01, stepper=stepper, seen=lambda work: told.append(energy(made, work)))
    after = momenta(made.mechanics, state.q, state.qd)
    near(after[LINEAR : LINEAR + 3], before[LINEAR : LINEAR + 3], 0.02)
    near(after[ANGULAR : ANGULAR + 3], before[ANGULAR : ANGULAR + 3], 0.05)
    # With hinges for a root a single step adds 83 J of 21, or takes 8 where it may add none.
    assert np.abs(np.diff(told)).max() < 0.02
    assert 0.98 * told[0] < told[-1] < 1.02 * told[0]


def test_angles_that_are_read_follow_the_roll_without_a_jump() -> None:
    """But for turn and roll at the lock itself, of which the sum alone is told."""
    roots, made, state = rolling()
    shown = [np.zeros(len(roots.given.coordinates))]
    sums = []

    def read(work: Work) -> None:
        q, _ = roots.from_balls(work.state.q, work.state.qd, near=shown[-1])
        shown.append(q)
        sums.append((q[3], q[4], q[5]))

    run(made, state, 1.5, 0.005, stepper=Midpoint(), seen=read)
    angles = np.array(sums)
    assert angles[:, 1].max() > 0.5 * math.pi - 0.1
    back, _ = roots.to_balls(shown[-1], np.zeros(len(roots.given.coordinates)))
    near(np.abs(back[3:7] @ state.q[3:7])[None], np.ones(1), 1e-12)
    steps = np.abs(np.diff(np.array(shown), axis=0))
    assert np.delete(steps, [3, 5], axis=1).max() < 0.05


def test_a_brick_spins_through_lock_as_through_any_place() -> None:
    """About a main axis of inertia the spin is steady: a hinge that leads through the lock of the others, or not."""
    roots = with_ball_roots(root("YXZ"))
    made = compile_articulation(roots.figure, gravity=WEIGHTLESS, ground=None, resistance=Resistance(damping=0.0))
    qd = np.array([0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0])
    state = made.new_state(*roots.to_balls(np.zeros(7), qd))
    run(made, state, 2.0, 0.01)
    wanted = np.array([math.cos(2.0), math.sin(2.0), 0.0, 0.0])
    near(state.q[3:7], wanted, 1e-9)
    near(state.qd[3:6], np.array([2.0, 0.0, 0.0]), 1e-9)


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_human_tips_over_onto_the_face_and_lies_there(stepper: type[Stepper]) -> None:
    roots = with_ball_roots(load_figure("human"))
    made = compile_articulation(roots.figure, servos=3.0)
    q, qd = np.zeros((2, len(roots.given.coordinates)))
    q[4], qd[4] = 0.3, 0.5
    start, rates = roots.to_balls(q, qd)
    made = stand(made, start)
    state = made.new_state(start, rates)
    told = [energy(made, stepper().start(made, state))]
    tilts = []

    def seen(work: Work) -> None:
        told.append(energy(made, work))
        tilts.append(roots.from_balls(work.state.q, work.state.qd, near=q)[0][4])

    run(made, state, 4.0, 0.01, stepper=stepper(), seen=seen)
    assert max(np.diff(told)) < 1e-6
    assert max(tilts) > 1.3
    later = state.q.copy()
    integrate_coordinates(made.mechanics.ints, state.q, state.qd, 1.0, later)
    assert np.abs(later - state.q).max() < 0.3
