"""Holding: where points of soft bodies are led, and the shapes in which bodies stand before they move.

A body stands in its rest shape where its joint is. One that is attached to joints goes with these: each point of the
body is carried by the transforms of its attachments, weighted by the inverse fourth power of the distance to the points
that they hold, so that a body made over a figure at rest begins in whatever pose that has. Where a body has a bake it
follows that.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from engine.document.motion import weight
from engine.document.ticks import ticks_per_frame
from engine.maths.arrays import Array, BoolArray, IntArray
from engine.runtime.quick_dataclass import dataclass
from engine.soft.members import SoftMember
from engine.soft.parts import SoftAttachment, SoftBake

_NEAR = 1e-9  # of a body's size, within which a point counts as held
_POWER = 4
_WIDE = 1e-4  # of their extent that held points span at least in two directions, to tell a rotation

Frames = Mapping[str, Array]  # world transforms of the joints of actors, shape [joint_count, 3, 4]


class Anchors(NamedTuple):
    """Points that springs draw to places."""

    points: IntArray
    places: Array  # [m] in the world at the end of the step
    speeds: Array  # [m/s] of these
    stiffness: Array  # [N/m]
    damping: Array  # [N s/m]


class Holder(NamedTuple):
    """A joint that holds points in a step."""

    link: tuple[str, int]  # the actor, and the number of the joint
    points: IntArray  # of all points
    anchors: slice | None  # its springs in the list of all; None: it holds them hard


class Leads(NamedTuple):
    """Points that are led in a step."""

    hard: BoolArray  # which points go exactly where they are led, shape [point_count]
    places: Array  # [m] where to, at the end of the step; of others nothing, shape [point_count, 3]
    anchors: Anchors


NO_ANCHORS = Anchors(np.zeros(0, np.int32), np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), np.zeros(0))


@dataclass(frozen=True, eq=False)
class Holds:
    """All that leads the points of one body."""

    member: SoftMember
    start: float  # [ticks] until when all points are led
    carried_from: float  # [ticks] at which the body begins to move: what holds it then carries it

    def standing(self, frames: Frames, time: float) -> Array:
        """Find where the points stand while the body does not move, shape [point_count, 3]."""
        bake = self.member.body.bake
        if bake is not None and bake.start <= time <= bake.end:
            return baked_at(bake, time)
        own = frames[self.member.actor.id][0]
        rest, carriers = self.member.mesh.points, self._carriers
        if not carriers:
            return np.asarray(rest @ own[:, :3].T + own[:, 3])
        found = np.zeros_like(rest)
        for share, attachment in zip(self._shares, carriers, strict=True):
            frame = self._frame(frames, attachment)
            carrier = frame @ _square(self._binds[attachment.id](own, frame))
            found += share[:, None] * (rest @ carrier[:, :3].T + carrier[:, 3])
        for attachment in carriers:
            frame = self._frame(frames, attachment)
            found[attachment.points.array] = attachment.places.array @ frame[:, :3].T + frame[:, 3]
        return found

    def lead(
        self, before: Frames, now: Frames, time: int, dt: float, hard: BoolArray, places: Array
    ) -> Iterator[Anchors]:
        """Lead the points at the end of a step, at a time [ticks]; give the springs that draw others."""
        body = self.member.body
        if self.rests(time):
            hard[:], places[:] = True, self.standing(now, time)
            return
        for each in body.attachments:
            if weight(each.span, time) <= 0.0:
                continue
            at, frame = each.points.array, self._frame(now, each)
            wanted = each.places.array @ frame[:, :3].T + frame[:, 3]
            if each.hold == "hard":
                hard[at], places[at] = True, wanted
                continue
            earlier = self._frame(before, each)
            turning = 2.0 * math.pi * each.tension
            masses = self.member.masses[at]
            yield Anchors(
                at + np.int32(self.member.points.start),
                wanted,
                (wanted - (each.places.array @ earlier[:, :3].T + earlier[:, 3])) / dt,
                masses * turning**2,
                2.0 * each.ratio * masses * turning,
            )

    def rests(self, time: float) -> bool:
        """Tell whether all points are led at a time [ticks], as before the body begins to move, and by a bake."""
        bake = self.member.body.bake
        return time <= self.start or (bake is not None and bake.start <= time <= bake.end)

    def _frame(self, frames: Frames, attachment: SoftAttachment) -> Array:
        target = frames[attachment.target]
        return np.asarray(target[self.member.joint_of[attachment.id]])

    @cached_property
    def _carriers(self) -> tuple[SoftAttachment, ...]:
        """The attachments that hold when the body begins to move."""
        attachments = self.member.body.attachments
        return tuple(each for each in attachments if weight(each.span, self.carried_from) > 0.0)

    @property
    def shares(self) -> list[tuple[SoftAttachment, Array]]:
        """The attachments that hold when the body begins to move, with how much each carries each point."""
        return list(zip(self._carriers, self._shares, strict=True))

    @cached_property
    def _shares(self) -> list[Array]:
        """How much each of these carries each point."""
        rest = self.member.mesh.points
        near = max(_NEAR * float(np.ptp(rest, axis=0).max()), 1e-300)
        away = [cKDTree(rest[each.points.array]).query(rest)[0] for each in self._carriers]
        weights = [1.0 / np.maximum(each, near) ** _POWER for each in away]
        total = np.sum(weights, axis=0)
        return [each / total for each in weights]

    @cached_property
    def _binds(self) -> dict[str, _Bind]:
        rest = self.member.mesh.points
        return {each.id: _Bind(rest[each.points.array], each.places.array) for each in self._carriers}


class _Bind:
    """The transform from a body at rest to a joint's frame that takes held points nearest to their places (Kabsch)."""

    def __init__(self, rest: Array, places: Array) -> None:
        self._middle, self._place = rest.mean(axis=0), places.mean(axis=0)
        left, sizes, right = np.linalg.svd((places - self._place).T @ (rest - self._middle))
        self._turn: Array | None = None
        if sizes[1] > _WIDE * max(sizes[0], 1e-300):
            sign = np.sign(np.linalg.det(left @ right))
            self._turn = np.asarray(left @ np.diag((1.0, 1.0, sign)) @ right)

    def __call__(self, own: Array, frame: Array) -> Array:
        """Give the transform, shape [3, 4]; the body stays turned as its own joint where the points tell no turn."""
        turn = frame[:, :3].T @ own[:, :3] if self._turn is None else self._turn
        return np.column_stack((turn, self._place - turn @ self._middle))


def hold(holds: Sequence[Holds], before: Frames, now: Frames, time: int, dt: float) -> Leads:
    """Find what is led at the end of a step, at a time [ticks]."""
    count = holds[-1].member.points.stop
    hard, places, anchors = np.zeros(count, dtype=np.bool_), np.zeros((count, 3)), [NO_ANCHORS]
    for each in holds:
        own = each.member.points
        anchors += each.lead(before, now, time, dt, hard[own], places[own])
    joined = (np.concatenate([getattr(each, name) for each in anchors]) for name in Anchors._fields)
    return Leads(hard, places, Anchors(*joined))


def holders(holds: Sequence[Holds], time: int) -> list[Holder]:
    """Find which joints hold points at the end of a step, at a time [ticks]; a point that several hold hard is the
    last one's, as `hold` leads it."""
    found, owner, anchors = list[Holder](), dict[int, int](), 0
    for each in holds:
        for attachment in () if each.rests(time) else each.member.body.attachments:
            if weight(attachment.span, time) <= 0.0:
                continue
            points = attachment.points.array + np.int32(each.member.points.start)
            link = (attachment.target, each.member.joint_of[attachment.id])
            if attachment.hold == "hard":
                owner.update(dict.fromkeys(points.tolist(), len(found)))
                found.append(Holder(link, points, None))
            else:
                found.append(Holder(link, points, slice(anchors, anchors + len(points))))
                anchors += len(points)
    return [_own(each, place, owner) for place, each in enumerate(found)]


def _own(holder: Holder, place: int, owner: Mapping[int, int]) -> Holder:
    """Leave what holds hard the points that are its own."""
    if holder.anchors is not None:
        return holder
    return holder._replace(points=np.array([p for p in holder.points.tolist() if owner[p] == place], dtype=np.int32))


def baked_at(bake: SoftBake, time: float) -> Array:
    """Give the points of a bake at a time within it [ticks], straight between its frames."""
    frame = (time - bake.start) / ticks_per_frame(bake.rate)
    first = min(max(math.floor(frame + 1e-9), 0), bake.frame_count - 1)
    share = frame - first
    rows = bake.positions.array
    found = rows[first].astype(np.float64)
    if share > 1e-6 and first + 1 < bake.frame_count:
        found = found + share * (rows[first + 1].astype(np.float64) - found)
    return np.asarray(found)


def _square(transform: Array) -> Array:
    return np.vstack((transform, (0.0, 0.0, 0.0, 1.0)))
