"""Steering: from what a node misses to the displacement of its state, e_i of equations 3.2, 4.1 and 4.11.

What a pose wants is taken as it is. Points and turns are led there by `TargetReach` with the rates that no pose claims;
the velocity of a point or of a turn by the least rates, in the norm of the mobilities, that make up for what is missing
(4.11).
Mobilities say which joints give way: those that follow softly more than those that follow tightly (section 4.1), those
that follow exactly or not at all never, unless nothing else moves what is wanted. And those with a wide range more than
those with a narrow one, in proportion to it: a spine's joints of 8 degrees are at their stops before a shoulder has
begun to move.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.document import Figure
from engine.document.values import Vector3
from engine.dynamics.coordinates import compute_difference, integrate_coordinates
from engine.kinodynamics.gains import ServoGains
from engine.maths.arrays import Array, IntArray
from engine.model.compile import BALL, DOF_INTS, DOF_STRIDE, HEADER, JOINT_STRIDE, Model
from engine.model.jacobian import compute_jacobian
from engine.targets.equations import (
    BodyVelocityEquation,
    Equation,
    KinodynamicState,
    PointEquation,
    PointVelocityEquation,
    PoseEquation,
    PoseVelocityEquation,
    TimedGoal,
    TurnEquation,
    TurnVelocityEquation,
    VelocityEquation,
    body_velocity,
    find_point,
    velocity_of,
)
from engine.targets.nodes import Group
from engine.targets.reach import TargetReach, rate_places

_MOST = 100.0  # how much more one joint may move than the mean
_WIDE = 3.0  # [rad or m] of range; a wider one counts as this
_LEAST_SQUARES = 1e-9
_LEAST_EASE = 1e-3
_LEVER = 0.25  # of the longest lever of a point: shorter ones are not led first


def mobility_of(gains: ServoGains) -> Array:
    """Find how easily each rate gives way: the mean of all stiffnesses over its own, each for its inertia (Hz
    squared)."""
    led = np.isfinite(gains.kp) & (gains.kp > 0.0)
    found = np.zeros(len(gains.kp))
    if led.any():
        squares = gains.kp[led] / gains.inertia[led]
        found[led] = np.clip(math.exp(np.log(squares).mean()) / squares, 1.0 / _MOST, _MOST)
    return found


class Steering:
    """e_i for the nodes of a group."""

    def __init__(self, group: Group, mobility: Array, *, levers: bool = False) -> None:
        """`levers`: whether joints with short levers are left out."""
        self.group, self.model = group, group.model
        self.mobilities = [_mobility_for(self.model, node.goals, mobility) for node in group.nodes]
        if levers:
            self.mobilities = [each * self._levers(index) for index, each in enumerate(self.mobilities)]
        self.rates: list[IntArray] = [
            np.flatnonzero((each > 0.0) | _posed(self.model, node.goals)).astype(np.int32)
            for each, node in zip(self.mobilities, group.nodes, strict=True)
        ]
        self.places = rate_places(self.model)
        self._reaches = [TargetReach(self.model, each, group.workspace) for each in self.mobilities]

    def displacement(self, index: int, state: KinodynamicState) -> Array:
        """e_i of a node: of its pose and of its velocity, shape [2, rates]."""
        equations = [equation for goal in self.group.nodes[index].goals for equation in goal.equations]
        e = np.zeros((2, self.model.rate_count))
        e[0] = self._place(index, state, equations)
        if state.q_after is not None:
            e[1] = self._speed(index, state, equations)
        return e

    def rows(self, index: int, state: KinodynamicState) -> Array:
        """Build the Jacobian of a node's equations by displacements of its pose and velocity: shape [n, 2, rates]."""
        found = []
        for goal in self.group.nodes[index].goals:
            for equation in goal.equations:
                order = int(isinstance(equation, VelocityEquation))
                if isinstance(equation, PoseEquation | PoseVelocityEquation):
                    own = np.eye(self.model.rate_count)
                    own = own if equation.rates is None else own[list(equation.rates)]
                else:
                    own = self._body_rows(state, equation)
                both = np.zeros((len(own), 2, self.model.rate_count))
                both[:, order] = own
                found.append(both)
        return np.concatenate(found) if found else np.zeros((0, 2, self.model.rate_count))

    def ease(self, index: int) -> Array:
        """Weigh how readily each rate moves what a node wants: by its mobility, less where all its levers are short; 1
        where a pose claims it."""
        lever = np.zeros(self.model.rate_count)
        for goal in self.group.nodes[index].goals:
            for equation in goal.equations:
                if isinstance(equation, PointEquation | PointVelocityEquation):
                    own = longest_levers(self.model.figure, equation.joint, equation.local)
                    lever = np.maximum(lever, own / max(own.max(), 1e-12))
                elif isinstance(equation, TurnEquation | TurnVelocityEquation):
                    lever = np.ones_like(lever)
        mobility = self.mobilities[index]
        found = np.maximum(mobility * np.minimum(lever / (2.0 * _LEVER), 1.0), _LEAST_EASE)
        return np.where(mobility > 0.0, found, 1.0)

    def out_of_reach(self, index: int, state: KinodynamicState) -> float:
        """Measure by how much the nearest pose misses the points and turns of a node [m, rad]."""
        equations = tuple(equation for goal in self.group.nodes[index].goals for equation in goal.equations)
        return self._reaches[index].displacement(state.q, equations, (self.group.keyed_pose(index),))[1]

    def _levers(self, index: int) -> NDArray[np.bool_]:
        """Tell which rates may move the points of a node by much, of those that move them at all."""
        found = np.zeros(self.model.rate_count, dtype=bool)
        for goal in self.group.nodes[index].goals:
            for equation in goal.equations:
                if isinstance(equation, PointEquation | PointVelocityEquation):
                    lever = longest_levers(self.model.figure, equation.joint, equation.local)
                    lever = np.where(self.mobilities[index] > 0.0, lever, 0.0)
                    found |= lever > _LEVER * lever.max(initial=0.0)
        return found

    def _place(self, index: int, state: KinodynamicState, equations: list[Equation]) -> Array:
        poses = [equation for equation in equations if isinstance(equation, PoseEquation)]
        posed = _mean_of(
            [(self._to_pose(state, equation), equation.rates) for equation in poses], self.model.rate_count
        )
        others = tuple(equation for equation in equations if isinstance(equation, PointEquation | TurnEquation))
        if not others:
            return posed
        start = np.empty_like(state.q)
        integrate_coordinates(self.model.ints, state.q, posed, 1.0, start)
        led, _ = self._reaches[index].displacement(start, others, (self.group.keyed_pose(index).copy(),))
        return posed + led

    def _to_pose(self, state: KinodynamicState, equation: PoseEquation) -> Array:
        found = np.empty(self.model.rate_count)
        compute_difference(self.model.ints, state.q, equation.q, found)
        return found

    def _speed(self, index: int, state: KinodynamicState, equations: list[Equation]) -> Array:
        now = velocity_of(self.model, state)
        poses = [
            (equation.qd - now, equation.rates) for equation in equations if isinstance(equation, PoseVelocityEquation)
        ]
        e = _mean_of(poses, self.model.rate_count)
        bodies = [equation for equation in equations if isinstance(equation, BodyVelocityEquation)]
        if not bodies:
            return e
        workspace = self.group.workspace
        missing = [
            np.array(equation.velocity) - body_velocity(self.model, equation, state, workspace) for equation in bodies
        ]
        return e + self.least_rates(index, state, np.concatenate(missing), e)

    def least_rates(self, index: int, state: KinodynamicState, missing: Array, known: Array) -> Array:
        """Find the least rates, in the norm of the mobilities, that beside known ones make up for the velocities of
        bodies that a node misses."""
        equations = [equation for goal in self.group.nodes[index].goals for equation in goal.equations]
        bodies = [equation for equation in equations if isinstance(equation, BodyVelocityEquation)]
        j = np.concatenate([self._body_rows(state, equation) for equation in bodies])
        k = self.mobilities[index]
        normal = (j * k) @ j.T
        normal[np.diag_indices_from(normal)] += _LEAST_SQUARES * max(float(np.trace(normal)), 1e-12)
        return np.asarray(k * (j.T @ np.linalg.solve(normal, missing - j @ known)))

    def _body_rows(
        self, state: KinodynamicState, equation: PointEquation | TurnEquation | BodyVelocityEquation
    ) -> Array:
        """J of what an equation of a body is about, of its pose or of its velocity."""
        if isinstance(equation, PointEquation | PointVelocityEquation):
            return body_rows(self.model, state.q, equation.joint, equation.local, self.group.workspace)[:3]
        return body_rows(self.model, state.q, equation.joint, (0.0, 0.0, 0.0), self.group.workspace)[3:]


def is_led_by_levers(goals: Sequence[TimedGoal]) -> bool:
    """Tell whether points are all that targets want, so that levers may lead."""
    equations = [equation for goal in goals for equation in goal.equations]
    return bool(equations) and all(
        isinstance(equation, PointEquation | PointVelocityEquation) for equation in equations
    )


def longest_levers(figure: Figure, joint: int, local: Vector3) -> Array:
    """Find for each rate how far at most a point of a joint's body may be from its axis, however the joints after it
    are turned [m]; a slide moves it by as much as it slides."""
    found, reach, offset = np.zeros(len(figure.rate_index)), 0.0, np.array(local)
    place: int | None = joint
    while place is not None:
        own = figure.joints[place]
        for each, dof in enumerate(own.dofs):
            far = float(np.linalg.norm(offset))
            if each == len(own.dofs) - 1 and dof.kind == "hinge":
                far = float(np.linalg.norm(np.cross(dof.axis, offset)))
            for name in dof.rates:
                found[figure.rate_index[name]] = 1.0 if dof.kind == "slide" else reach + far
        reach, offset = reach + float(np.linalg.norm(offset)), np.array(own.offset)
        place = None if own.parent is None else figure.joint_index[own.parent]
    return found


def _mobility_for(model: Model, goals: tuple[TimedGoal, ...], mobility: Array) -> Array:
    """Weigh the rates that move a point or turn that is wanted, that no pose claims and nothing drives."""
    moves = np.zeros(model.rate_count, dtype=bool)
    for goal in goals:
        for equation in goal.equations:
            if isinstance(equation, PointEquation | TurnEquation | BodyVelocityEquation):
                moves |= _chain(model, equation.joint)
    free = moves & ~_posed(model, goals)
    free[[model.figure.rate_index[dof.id] for dof in model.figure.driven]] = False
    led = free & (mobility > 0.0)
    return np.where(led, mobility * _ranges(model), 0.0) if led.any() else np.where(free, 1.0, 0.0)


def _ranges(model: Model) -> Array:
    """The range of each rate as a part of a wide one, which what has no limits has."""
    places = rate_places(model)
    size = np.where(places >= 0, model.upper[places] - model.lower[places], np.inf)
    return np.asarray(np.minimum(size, _WIDE) / _WIDE)


def _posed(model: Model, goals: tuple[TimedGoal, ...]) -> NDArray[np.bool_]:
    """Rates that a pose or the velocity of one claims."""
    found = np.zeros(model.rate_count, dtype=bool)
    for goal in goals:
        for equation in goal.equations:
            if isinstance(equation, PoseEquation | PoseVelocityEquation):
                found[slice(None) if equation.rates is None else list(equation.rates)] = True
    return found


def _chain(model: Model, joint: int) -> NDArray[np.bool_]:
    """Rates of a joint and of those that carry it."""
    found = np.zeros(model.rate_count, dtype=bool)
    while joint >= 0:
        parent, first, last, _ = model.ints[HEADER + joint * JOINT_STRIDE :][:JOINT_STRIDE]
        for dof in range(first, last):
            code, _, rate = model.ints[model.ints[DOF_INTS] + dof * DOF_STRIDE :][:DOF_STRIDE]
            found[rate : rate + (3 if code == BALL else 1)] = True
        joint = int(parent)
    return found


def _mean_of(errors: list[tuple[Array, tuple[int, ...] | None]], rate_count: int) -> Array:
    """The mean, rate by rate, of what several equations say of it; 0 where none says anything."""
    total, count = np.zeros(rate_count), np.zeros(rate_count)
    for error, rates in errors:
        which = slice(None) if rates is None else list(rates)
        total[which] += error[which]
        count[which] += 1.0
    return np.asarray(total / np.maximum(count, 1.0))


def body_rows(model: Model, q: Array, joint: int, local: Vector3, workspace: Array) -> Array:
    """J of a point of a body: of its velocity (3), and of the body's angular velocity (3)."""
    place = find_point(model, q, joint, local, workspace)
    jacobian = np.empty((6, model.rate_count))
    compute_jacobian(model.ints, workspace, joint, place, jacobian)
    return jacobian
