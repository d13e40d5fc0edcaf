"""Roots whose three hinges are simulated as one ball, so that a figure may lie down and roll over.

Three hinges cannot turn everywhere: near gimbal lock, where the middle one brings the outer two into line, a quiet roll
asks of them rates that grow without bound, and no step follows. A human's root (turn, tilt, roll) is there whenever it
lies on its back or its face. A quaternion has no such place, so what falls is stepped with balls for roots; its
coordinates are read as the hinges' angles for whoever shows or keeps them.

A root's turns become a ball where they are its last three freedoms, about main axes of which none follows on itself,
damped alike, in no limit over several angles, and free to turn everywhere: the outer two by half a turn each way or
more, the middle one by a quarter. Ranges of that size are the bounds of sliders and stop nothing here.

With v0, v1, v2 the hinges' axes in the frame that has turned, the ball's rates are w = v0 e0' + v1 e1' + v2 e2'. Back:
angles on the branch nearest to those given, at lock both outer ones moved alike; rates by the same equation, whose
determinant counts as 1e-6 at least, so that they stay bounded and mean less the nearer the lock is.

e: angles of the hinges [rad]; q, qd: [coordinate_count], [rate_count] of either figure.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from engine.document import Dof, Figure, Joint
from engine.document.freedoms import order_of
from engine.maths.arrays import Array, IntArray
from engine.maths.rotations import euler_to_quaternion
from engine.motion.euler_kernels import solve_rates, write_axes, write_nearest_angles
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

_ROUNDING = 1e-9  # [rad]
# Rows of the workspace in which angles are read: three axes, then what is given, what is near, what is found (5 rows).
_AXES, _GIVEN, _NEAR, _FOUND, _ROWS = 0, 3, 4, 5, 10


@dataclass(frozen=True, eq=False)
class HingeTriple:
    """Three hinges and the ball that stands for them: where their numbers are, and how the hinges turn."""

    hinges: slice  # in q of the figure with hinges
    hinge_rates: slice
    quaternion: slice  # in q of the figure with balls
    ball_rates: slice
    order: IntArray
    signs: Array  # -1 of a hinge about the opposite of a main axis


@dataclass(frozen=True, eq=False)
class _Shared:
    """Where the coordinates and rates that two figures share stand in each."""

    coordinates: tuple[IntArray, IntArray]  # in the first figure, in the second
    rates: tuple[IntArray, IntArray]
    sizes: tuple[int, int]  # of q and qd of the first
    made: tuple[int, int]  # of the second

    def carry(self, q: Array, qd: Array) -> tuple[Array, Array]:
        """Give what both have to the second figure, zeros for others."""
        if (len(q), len(qd)) != self.sizes:
            allowed = f"{self.sizes[0]} coordinates and {self.sizes[1]} rates"
            raise InvalidArguments(what="the size of the state", value=(len(q), len(qd)), allowed=allowed)
        q_made, qd_made = np.zeros(self.made[0]), np.zeros(self.made[1])
        q_made[self.coordinates[1]] = q[self.coordinates[0]]
        qd_made[self.rates[1]] = qd[self.rates[0]]
        return q_made, qd_made


@dataclass(frozen=True, eq=False)
class BallRoots:
    """A figure (`given`), and the same with balls for roots (`figure`), with which it is simulated."""

    given: Figure
    figure: Figure
    turns: tuple[HingeTriple, ...]

    @cached_property
    def _to_figure(self) -> _Shared:
        return _shared(self.given, self.figure)

    @cached_property
    def _to_given(self) -> _Shared:
        return _shared(self.figure, self.given)

    def to_balls(self, q: Array, qd: Array) -> tuple[Array, Array]:
        """Coordinates and rates of `figure` from those of `given`."""
        q_made, qd_made = self._to_figure.carry(q, qd)
        room = np.zeros((_ROWS, 4))
        for each in self.turns:
            room[_FOUND, :3] = each.signs * q[each.hinges]
            euler_to_quaternion(room[_FOUND], each.order, q_made[each.quaternion])
            write_axes(room, _AXES, _FOUND, each.order)
            qd_made[each.ball_rates] = (each.signs * qd[each.hinge_rates]) @ room[_AXES : _AXES + 3, :3]
        return q_made, qd_made

    def from_balls(self, q: Array, qd: Array, *, near: Array) -> tuple[Array, Array]:
        """Coordinates and rates of `given` from those of `figure`; `near`: coordinates on whose branch angles lie."""
        wanted = len(self.given.coordinates)
        if len(near) != wanted:
            raise InvalidArguments(what="the size of the pose to be near to", value=len(near), allowed=str(wanted))
        q_made, qd_made = self._to_given.carry(q, qd)
        room = np.zeros((_ROWS, 4))
        for each in self.turns:
            room[_GIVEN], room[_NEAR, :3] = q[each.quaternion], each.signs * near[each.hinges]
            write_nearest_angles(room, _GIVEN, each.order, _NEAR, _FOUND)
            q_made[each.hinges] = each.signs * room[_FOUND, :3]
            write_axes(room, _AXES, _FOUND, each.order)
            room[_GIVEN, :3] = qd[each.ball_rates]
            solve_rates(room, _AXES, _GIVEN, _NEAR)
            qd_made[each.hinge_rates] = each.signs * room[_NEAR, :3]
        return q_made, qd_made


def with_ball_roots(figure: Figure, hinged: Collection[str] = ()) -> BallRoots:
    """A figure with balls for those of its roots that may turn everywhere; not of one with a hinge of these ids."""
    joints: list[Joint] = []
    replaced: list[tuple[Dof, Dof]] = []
    for joint in figure.joints:
        kept = any(dof.id in hinged for dof in joint.dofs[-3:])
        if joint.parent is None and not kept and _turns_everywhere(figure, joint):
            first = joint.dofs[-3]
            ball = Dof(id=_free_id(figure, joint.id), name="Turn", kind="ball", damping=first.damping)
            replaced.append((first, ball))
            joint = replace(joint, dofs=(*joint.dofs[:-3], ball))
        joints.append(joint)
    made = replace(figure, joints=tuple(joints)) if replaced else figure
    return BallRoots(given=figure, figure=made, turns=tuple(_pair(figure, made, *each) for each in replaced))


def _turns_everywhere(figure: Figure, joint: Joint) -> bool:
    """Tell whether the last three freedoms of a root are hinges that may become a ball."""
    turns, others = joint.dofs[-3:], joint.dofs[:-3]
    if [dof.kind for dof in turns] != ["hinge"] * 3 or len(order_of(turns)) != 3:
        return False
    if any(dof.kind != "slide" for dof in others) or any(dof.id in figure.limited for dof in turns):
        return False
    repeated = order_of(turns)[0] == order_of(turns)[2]
    middle = (0.0, math.pi) if repeated else (-0.5 * math.pi, 0.5 * math.pi)
    wide = (_spans(turns[0], -math.pi, math.pi), _spans(turns[1], *middle), _spans(turns[2], -math.pi, math.pi))
    return all(wide) and len({dof.damping for dof in turns}) == 1 and not any(dof.spring for dof in turns)


def _spans(dof: Dof, lower: float, upper: float) -> bool:
    low = dof.lower is None or dof.lower <= lower + _ROUNDING
    return low and (dof.upper is None or dof.upper >= upper - _ROUNDING)


def _free_id(figure: Figure, joint: str) -> str:
    """An id for a ball that no other freedom has."""
    taken, id = {dof.id for dof in figure.dofs}, f"{joint}.ball"
    while id in taken:
        id += "'"
    return id


def _pair(given: Figure, made: Figure, first: Dof, ball: Dof) -> HingeTriple:
    at, hinge_rate = given.coordinate_index[first.id], _rates(given)[first.id]
    to, ball_rate = made.coordinate_index[ball.coordinates[0]], _rates(made)[ball.rates[0]]
    place = [dof.id for dof in given.dofs].index(first.id)
    axes = [dof.axis for dof in given.dofs[place : place + 3]]
    return HingeTriple(
        hinges=slice(at, at + 3),
        hinge_rates=slice(hinge_rate, hinge_rate + 3),
        quaternion=slice(to, to + 4),
        ball_rates=slice(ball_rate, ball_rate + 3),
        order=np.array([int(np.argmax(np.abs(axis))) for axis in axes], dtype=np.int32),
        signs=np.array([1.0 if sum(axis) > 0.0 else -1.0 for axis in axes]),
    )


def _rates(figure: Figure) -> dict[str, int]:
    """Number the rates of a figure, by their names."""
    return {name: place for place, name in enumerate(name for dof in figure.dofs for name in dof.rates)}


def _shared(start: Figure, to: Figure) -> _Shared:
    """Find the coordinates and rates that two figures share, by their names."""
    old, new = _rates(start), _rates(to)
    return _Shared(
        _both(start.coordinate_index, to.coordinate_index), _both(old, new),
        (len(start.coordinates), len(old)), (len(to.coordinates), len(new)),
    )  # fmt: skip


def _both(one: Mapping[str, int], other: Mapping[str, int]) -> tuple[IntArray, IntArray]:
    pairs = np.array([(place, other[name]) for name, place in one.items() if name in other], dtype=np.int32)
    return pairs.reshape(-1, 2)[:, 0], pairs.reshape(-1, 2)[:, 1]
