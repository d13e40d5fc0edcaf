"""A figure ready to be stepped: its mechanics, what drives and resists its joints, what of it may touch; its state.

The state is one buffer with views. It is all that a step goes on from, so a copy of it is a checkpoint. The goal is
the goal of the servos at the end of the step that comes, and moves with `goal_rate` then.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from engine.document import Figure
from engine.document.values import IDENTITY, Quaternion, Vector3, vector3
from engine.dynamics import contact_points, layout, step_layout
from engine.dynamics.contact_points import Packed
from engine.dynamics.contact_shapes import Ground, Shapes, compile_shapes
from engine.dynamics.mechanics import GRAVITY, Mechanics, compile_mechanics, placed
from engine.dynamics.motions import compute_frames
from engine.dynamics.resistance import (
    DRY,
    LOWER,
    RATE_WIDTH,
    UPPER,
    Fields,
    PerDof,
    Resistance,
    Servos,
    compile_rates,
    compile_resisting_fields,
    make_servos,
)
from engine.maths.arrays import Array, IntArray
from engine.model.compile import compile_model
from engine.model.driven_kernels import follow, slopes_of, write_driven_rates
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.runtime.quick_dataclass import dataclass

FLOOR, EASY = Ground(), Resistance()
"""The ground at height 0, and joints without friction."""
_UNIT = 1e-6  # that a quaternion's length may differ from 1


@dataclass(frozen=True, eq=False)
class Articulation:
    """Packed arrays of a figure that can be stepped; read-only."""

    mechanics: Mechanics
    shapes: Shapes
    table: Array
    fields: Fields

    @property
    def packed(self) -> tuple[IntArray, Array, Array, Fields, Packed]:
        """The arrays that a step reads (`engine.dynamics.resistance.Stepped`, without options)."""
        shapes = self.shapes.ints, self.shapes.floats
        return self.mechanics.ints, self.mechanics.floats, self.table, self.fields, shapes

    @cached_property
    def offsets(self) -> IntArray:
        """Offsets of numbers in its states and in the workspace of its steps."""
        table = self.table[: self.mechanics.rate_count * RATE_WIDTH].reshape(-1, RATE_WIDTH)
        stops = np.isfinite(table[:, [LOWER, UPPER]]).any(axis=1)
        found = step_layout.lay_out(self.mechanics, self.shapes, int((table[:, DRY] > 0.0).sum() + stops.sum()))
        found.flags.writeable = False
        return found

    def new_state(self, q: Array | None = None, qd: Array | None = None) -> State:
        """A state at a pose, at rest unless rates are given; servos hold the pose."""
        state = State(self, np.zeros(int(self.offsets[step_layout.STATE_SIZE])))
        driven = self.mechanics.model.driven
        state.q[:] = self.mechanics.model.rest if q is None else follow(driven, check_pose(self.mechanics, q))
        state.goal[:] = state.q
        if qd is not None:
            if np.shape(qd) != state.qd.shape or not np.isfinite(qd).all():
                allowed = f"{len(state.qd)} finite numbers"
                raise InvalidArguments(what="the rates to start with", value=qd, allowed=allowed)
            state.qd[:] = qd
            if driven is not None:
                write_driven_rates(driven.ints, slopes_of(driven, state.q), state.qd)
        self._tell_depths(state.q, state.inside)
        return state

    def begin_inside(self, state: State, bodies: Collection[int]) -> None:
        """Take it that the points of some bodies begin as deep in the ground as they are in a state."""
        depths, inside = np.zeros_like(state.inside), state.inside
        self._tell_depths(state.q, depths)
        points = 1 + np.flatnonzero(np.isin(self.shapes.owners_of_points, sorted(bodies)))
        inside[points] = depths[points]
        inside[0] = np.count_nonzero(inside[1:])

    def _tell_depths(self, q: Array, out_inside: Array) -> None:
        """Write how many points and pairs are inside something, and how deep each is [m]."""
        mechanics, shapes = self.mechanics, self.shapes
        dynamics, still = mechanics.new_work(), np.zeros(6 * mechanics.joint_count)
        compute_frames(mechanics.ints, mechanics.floats, q, dynamics)
        workspace = np.zeros(shapes.placed_size)
        found, bodies = (
            np.zeros((shapes.most, contact_points.CONTACT)),
            np.zeros((shapes.most, contact_points.CONTACT_INTS), np.int32),
        )
        count = contact_points.find_contacts(
            mechanics.ints,
            (shapes.ints, shapes.floats),
            (dynamics, still, 0.0, 0.0),
            workspace,
            (found.ravel(), bodies.ravel()),
        )
        out_inside[0] = count
        out_inside[1 + bodies[:count, 0]] = -found[:count, contact_points.GAP]

    def joint_of_rate(self, rate: int) -> str:
        """The id of the joint that a rate belongs to."""
        extra = len(self.mechanics.model.ints)
        links = int(self.mechanics.ints[extra + layout.LINK_INTS])
        table = self.mechanics.ints[links : links + self.mechanics.joint_count * layout.LINK_INT_STRIDE]
        ends = table.reshape(-1, layout.LINK_INT_STRIDE)[:, layout.RATE_END]
        return self.mechanics.model.figure.joints[int(np.searchsorted(ends, rate, side="right"))].id


@dataclass(frozen=True, eq=False)
class State:
    """State of a figure at a time, and what acts on it in the next step."""

    articulation: Articulation
    buffer: Array

    def _view(self, first: int, last: int) -> Array:
        at = self.articulation.offsets
        return self.buffer[int(at[first]) : int(at[last])]

    @property
    def q(self) -> Array:
        """Coordinates [rad, m]."""
        return self.buffer[: int(self.articulation.offsets[step_layout.RATES])]

    @property
    def qd(self) -> Array:
        """Rates [rad/s, m/s]."""
        return self._view(step_layout.RATES, step_layout.GOAL)

    @property
    def goal(self) -> Array:
        """Goal coordinates of the servos, at the end of the step."""
        return self._view(step_layout.GOAL, step_layout.GOAL_RATES)

    @property
    def goal_rate(self) -> Array:
        """Rates of the goal."""
        return self._view(step_layout.GOAL_RATES, step_layout.TORQUES)

    @property
    def torque(self) -> Array:
        """Torques [N m] or forces [N] of each rate beside those of the servos."""
        return self._view(step_layout.TORQUES, step_layout.GIVING)

    @property
    def giving(self) -> Array:
        """By how much these fall as each rate rises over a step of dt, times dt [kg m2] or [kg]: they are implicit."""
        return self._view(step_layout.GIVING, step_layout.OUTSIDE)

    @property
    def outside(self) -> Array:
        """Force [N] and torque about the joint's origin [N m] on each body, world axes, shape [joint_count, 6]."""
        return self._view(step_layout.OUTSIDE, step_layout.IMPULSES).reshape(-1, 6)

    def push(self, joint: str, force: Vector3, point: Vector3) -> None:
        """Add a force [N] on a joint's body at a point [m] of the world, as the figure stands now, to `outside`."""
        mechanics = self.articulation.mechanics
        figure, work = mechanics.model.figure, mechanics.new_work()
        if joint not in figure.joint_index:
            raise UnknownPart(kind="joint", id=joint, known=tuple(figure.joint_index))
        given, at = vector3("a force from outside", force), vector3("the point of a force", point)
        compute_frames(mechanics.ints, mechanics.floats, self.q, work)
        place = figure.joint_index[joint]
        arm = np.array(at) - mechanics.model.transforms(work)[place, 9:]
        self.outside[place, :3] += given
        self.outside[place, 3:] += np.cross(arm, given)

    @property
    def impulses(self) -> Array:
        """Impulse [N s] of the last step at each point of the ground, then each pair; world axes, shape [count, 3]."""
        return self._view(step_layout.IMPULSES, step_layout.JOINT_IMPULSES).reshape(-1, 3)

    @property
    def inside(self) -> Array:
        """Number of points and pairs that began inside something and still are, then how deep each of all began [m]."""
        return self._view(step_layout.INSIDE, step_layout.TIME)

    @property
    def time(self) -> float:
        """[s] since the start."""
        return float(self.buffer[int(self.articulation.offsets[step_layout.TIME])])


def compile_articulation(
    figure: Figure,
    *,
    position: Vector3 = (0.0, 0.0, 0.0),
    rotation: Quaternion = IDENTITY,
    gravity: Vector3 = GRAVITY,
    ground: Ground | None = FLOOR,
    servos: Servos | PerDof | None = None,
    resistance: Resistance = EASY,
    bodies: bool = True,
    friction: float = 0.5,
) -> Articulation:
    """A figure at a place. `servos`: gains, or natural frequencies [Hz] at critical damping; `bodies`: whether its
    bodies touch each other, with that friction."""
    mechanics = placed(compile_mechanics(compile_model(figure), gravity=gravity), position, rotation)
    if isinstance(servos, float | int | Mapping):
        servos = make_servos(mechanics, servos)
    return Articulation(
        mechanics=mechanics,
        shapes=compile_shapes(mechanics.model, ground=ground, bodies=bodies, friction=friction),
        table=compile_rates(mechanics, servos, resistance),
        fields=compile_resisting_fields(figure, resistance),
    )


def stand(articulation: Articulation, q: Array, *, gap: float = 0.0) -> Articulation:
    """Place the articulation along the ground's normal until the lowest point of the pose is `gap` [m] above the
    ground."""
    mechanics, shapes = articulation.mechanics, articulation.shapes
    work = mechanics.new_work()
    compute_frames(mechanics.ints, mechanics.floats, check_pose(mechanics, q), work)
    height = contact_points.measure_gap(shapes.ints, shapes.floats, work)
    if not np.isfinite(height):
        raise InvalidArguments(what="the figure's lowest point", value=height, allowed="shapes and a ground")
    floats, at = mechanics.floats.copy(), len(mechanics.model.floats) + layout.PLACEMENT + 9
    floats[at : at + 3] += (gap - height) * shapes.floats[:3]
    floats.flags.writeable = False
    return replace(articulation, mechanics=replace(mechanics, floats=floats))


def check_pose(mechanics: Mechanics, q: Array) -> Array:
    """The coordinates as floats; refuses what is no pose of the figure."""
    found, count = np.asarray(q, dtype=np.float64), mechanics.coordinate_count
    if found.shape != (count,) or not np.isfinite(found).all():
        raise InvalidArguments(what="the pose to start from", value=q, allowed=f"{count} finite numbers")
    for dof in mechanics.model.figure.dofs:
        if dof.kind == "ball":
            at = mechanics.model.figure.coordinate_index[dof.coordinates[0]]
            length = float(np.linalg.norm(found[at : at + 4]))
            if abs(length - 1.0) > _UNIT:
                raise InvalidArguments(what=f"the length of the quaternion of {dof.id}", value=length, allowed="1")
    return found
