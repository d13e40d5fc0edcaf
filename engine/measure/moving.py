"""The motion of an actor's joints: where they are, how fast they move and turn, and how that changes.

Where nothing but its curves moves the actor, velocities are spatial vectors about the world's origin (Featherstone
2008, Rigid Body Dynamics Algorithms, 2.14 and 4.4): a joint that S carries relative to its parent p has

    V = V_p + S qd,    A = A_p + S qdd + V_p x S qd

for one degree of freedom after the other, V = (omega, v_O) with v_O the velocity of the body's point at the origin.
The point at r moves with v = v_O + omega x r and a = a_O + alpha x r + omega x v. Where locks, attachments or
secondary motion count, all of it is central differences of what is seen over `STEP`: errors grow as its square, and
acceleration is rough. Where secondary motion counts they are over a step of its simulation: as one of its steps passes
a key its velocity jumps a little, which over 1 ms would be torques of several times those that it takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.document import Actor, Document, Figure
from engine.document.drafts import without_drafts
from engine.document.motion import TICKS_PER_SECOND, ticks_per_frame, weight
from engine.evaluate.evaluator import STEP, Evaluator, differences
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import cross, rotation_vectors
from engine.model.compile import MOTION, MOTION_START, ROW, Model, place
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class Moving:
    """An actor's coordinates and the joints of its figure at n times, in the world; 0 of joints not wanted."""

    figure: Figure
    coordinates: Array  # q, rates and accelerations, shape [n, 3, coordinate_count]
    rotations: Array  # shape [n, joint_count, 3, 3]
    positions: Array  # [m], shape [n, joint_count, 3]
    velocities: Array  # of the joints' origins [m/s], likewise
    accelerations: Array  # [m/s2]
    turning: Array  # angular velocity [rad/s]
    turning_rates: Array  # angular acceleration [rad/s2]
    by_differences: NDArray[np.bool_]  # shape [n]

    def points(self, joints: Sequence[int], locals: Array) -> tuple[Array, Array, Array]:
        """Places of points of some joints, given in their frames, and their velocities and accelerations.

        Shapes [n, len(joints), 3].
        """
        chosen = list(joints)
        arms = np.einsum("njab,jb->nja", self.rotations[:, chosen], locals)
        turning = self.turning[:, chosen]
        along = cross(turning, arms)
        bend = cross(self.turning_rates[:, chosen], arms) + cross(turning, along)
        return (
            self.positions[:, chosen] + arms,
            self.velocities[:, chosen] + along,
            self.accelerations[:, chosen] + bend,
        )


def moving(
    evaluator: Evaluator, document: Document, actor: str, times: Sequence[int], joints: Iterable[str] | None = None
) -> Moving:
    """Measure an actor's motion at some times [ticks], drafts left out; `joints` that are wanted, None: all."""
    document = without_drafts(document)
    owner, needed = document.actor(actor), document.with_all_that_hold(actor)
    held = [is_held(owner, needed, time) for time in times]
    found, away = _of_curves(evaluator, owner, times, _with_ancestors(owner.figure, joints)), differenced_over(needed)
    for place_of, time in enumerate(times):
        if held[place_of]:
            _differ(evaluator, needed, owner, (time - away, time, time + away), place_of, found)
    return Moving(owner.figure, *found, by_differences=np.array(held, dtype=bool))


_Found = tuple[Array, Array, Array, Array, Array, Array, Array]


def is_held(actor: Actor, needed: Document, time: int) -> bool:
    """Tell whether anything but its curves moves the actor about that time."""
    if actor.swings or any(part.coupled(needed) for part in actor.parts):
        return True
    spans = [each.span for each in actor.attachments]
    spans += [lock.span for each in needed.actors for lock in each.locks if not lock.mute]
    away = differenced_over(needed)
    return any(weight(span, time + each) > 0.0 for span in spans for each in (-away, 0, away))


def differenced_over(needed: Document) -> int:
    """Return the step [ticks] of an actor's differences, with all that moves it: of a simulation, whose bodies go on
    evenly between its steps, a quarter of a frame."""
    followed = [each.secondary for each in needed.actors if each.secondary is not None and each.secondary.on]
    simulated = [round(ticks_per_frame(needed.rate) / 4)] if needed.together else []
    return max([STEP, *simulated, *(each.window // each.steps for each in followed)])


def _with_ancestors(figure: Figure, joints: Iterable[str] | None) -> frozenset[str]:
    """The joints, and all that carry them."""
    found = set[str]()
    for joint in figure.joint_index if joints is None else joints:
        each: str | None = joint
        while each is not None and each not in found:
            found.add(each)
            each = figure.joint(each).parent
    return frozenset(found)


def _of_curves(evaluator: Evaluator, actor: Actor, times: Sequence[int], joints: frozenset[str]) -> _Found:
    motion = evaluator.motion(actor).at(np.array(times, dtype=np.float64))
    model = evaluator.model(actor)
    if not joints:
        still = np.zeros((len(times), model.joint_count, 3))
        turns = np.zeros((len(times), model.joint_count, 3, 3))
        return motion, turns, still, still.copy(), still.copy(), still.copy(), still.copy()
    state = model.new_state()
    place(state, actor.placement.position, actor.placement.rotation)
    states = np.tile(state, (len(times), 1))
    for row, q in zip(states, motion[:, 0], strict=True):
        compute_forward_kinematics(model.ints, model.floats, q, row)
    twists, rates = _twists(model, states, motion, joints)
    rows = states[:, ROW : (model.joint_count + 1) * ROW].reshape(len(times), -1, ROW)
    rotations, positions = rows[:, :, :9].reshape(len(times), -1, 3, 3).copy(), rows[:, :, 9:].copy()
    turning, turning_rates = twists[:, :, :3].copy(), rates[:, :, :3].copy()
    velocities = twists[:, :, 3:] + cross(turning, positions)
    accelerations = rates[:, :, 3:] + cross(turning_rates, positions) + cross(turning, velocities)
    return motion, rotations, positions, velocities, accelerations, turning, turning_rates


def _twists(model: Model, states: Array, motion: Array, joints: frozenset[str]) -> tuple[Array, Array]:
    """V and A of those joints about the world's origin, shapes [n, joint_count, 6]."""
    figure, count = model.figure, len(states)
    axes = states[:, int(model.ints[MOTION_START]) :].reshape(count, model.rate_count, MOTION)
    twists, rates = np.zeros((2, count, model.joint_count, 6))
    at = 0
    for index, joint in enumerate(figure.joints):
        if joint.id not in joints:
            at += sum(1 if dof.kind != "ball" else 3 for dof in joint.dofs)
            continue
        twist, rate = twists[:, index], rates[:, index]
        if joint.parent is not None:
            parent = figure.joint_index[joint.parent]
            twist += twists[:, parent]
            rate += rates[:, parent]
        for dof in joint.dofs:
            first = figure.coordinate_index[dof.coordinates[0]]
            speeds = _speeds(motion[:, :, first : first + len(dof.coordinates)])
            for_rates = axes[:, at : at + speeds.shape[2]]
            at += speeds.shape[2]
            own, change = np.einsum("nkx,nsk->snx", _columns(for_rates, dof.kind == "slide"), speeds)
            rate += change + _cross_motion(twist, own)
            twist += own
    return twists, rates


def speeds_of(figure: Figure, coordinates: Array) -> Array:
    """qd and qdd of a figure's freedoms, from its coordinates, rates and accelerations, shape [n, 2, rate_count]."""
    if not any(dof.kind == "ball" for dof in figure.dofs):
        return coordinates[:, 1:]
    parts = []
    for dof in figure.dofs:
        first = figure.coordinate_index[dof.coordinates[0]]
        parts.append(_speeds(coordinates[:, :, first : first + len(dof.coordinates)]))
    return np.concatenate(parts, axis=2)


def _speeds(motion: Array) -> Array:
    """Rates and their changes of one degree of freedom, from its coordinates, shape [n, 2, 1 or 3].

    A ball's quaternion p turns with (0, omega) = 2 p* p' about the axes of the frame that it has turned; differentiated
    once more, p*' p' has no vector part, so that (., alpha) = 2 p* p''.
    """
    if motion.shape[2] == 1:
        return motion[:, 1:]
    w, v = motion[:, :1, :1], motion[:, :1, 1:]
    return 2.0 * (w * motion[:, 1:, 1:] - motion[:, 1:, :1] * v - cross(v, motion[:, 1:, 1:]))


def _columns(axes: Array, slides: bool) -> Array:
    """S of each rate about the world's origin, shape [n, rates, 6]: (0, u) for a slide, (u, t x u) for a turn."""
    u, t = axes[:, :, :3], axes[:, :, 3:]
    return np.concatenate((np.zeros_like(u), u) if slides else (u, cross(t, u)), axis=2)


def _differ(
    evaluator: Evaluator, document: Document, actor: Actor, near: tuple[int, int, int], at: int, out_found: _Found
) -> None:
    """Overwrite one time by what is seen then, and by the differences from its neighbours."""
    seen = [evaluator.seen(document, actor.id, time) for time in near]
    before, now, after = (poses[actor.id] for poses, _ in seen)
    early, middle, late = (worlds for _, worlds in seen)
    first, second = (_turns(one[:, :, :3], other[:, :, :3]) for one, other in ((early, middle), (middle, late)))
    span = (near[2] - near[1]) / TICKS_PER_SECOND
    coordinates = differences(actor.figure, before, now, after)
    for order in (1, 2):
        coordinates[order] *= (STEP / TICKS_PER_SECOND / span) ** order  # for they are over STEP
    values = (
        coordinates,
        middle[:, :, :3],
        middle[:, :, 3],
        (late[:, :, 3] - early[:, :, 3]) / (2.0 * span),
        (late[:, :, 3] - 2.0 * middle[:, :, 3] + early[:, :, 3]) / span**2,
        _turns(early[:, :, :3], late[:, :, :3]) / (2.0 * span),
        (second - first) / span**2,
    )
    for array, value in zip(out_found, values, strict=True):
        array[at] = value


def _turns(one: Array, other: Array) -> Array:
    """The turns from rotations to others as rotation vectors in the world [rad], shape [count, 3]."""
    return rotation_vectors(np.einsum("jab,jcb->jac", other, one))


def _cross_motion(one: Array, other: Array) -> Array:
    """V x W of spatial motion vectors, shape [n, 6]."""
    turn, move = one[:, :3], one[:, 3:]
    return np.concatenate((cross(turn, other[:, :3]), cross(turn, other[:, 3:]) + cross(move, other[:, :3])), axis=1)
