"""Mechanics: a figure's masses and inertias, packed with its model, at one place and under one gravity.

The kernels of dynamics read `ints` and `floats` (`layout.py` tells what stands where) and write `work`.

A freedom that moves no mass, or none but what another moves alike, has no acceleration of its own: such a figure is
refused by name unless `massless` is allowed, which is for those who give each of these freedoms a diagonal (a servo,
damping) above zero, or its acceleration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from engine.document.values import Quaternion, Vector3, unit_quaternion, vector3
from engine.dynamics import layout
from engine.dynamics.layout import WORK_STATE
from engine.dynamics.mass import WHOLE, compute_mass_matrix
from engine.maths.arrays import Array, IntArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.compile import (
    AXIS_FLOATS,
    BALL,
    COORDINATE_COUNT,
    DOF_END,
    DOF_FLOATS,
    DOF_INTS,
    DOF_START,
    DOF_STRIDE,
    HEADER,
    JOINT_COUNT,
    JOINT_STRIDE,
    MOTION,
    MOTION_START,
    PARENT,
    RATE_COUNT,
    ROW,
    SLIDE,
    SLIDE_X,
    Model,
)
from engine.model.inertia import body_of
from engine.runtime.errors import EngineError, InvalidArguments
from engine.runtime.quick_dataclass import dataclass

__all__ = ["GRAVITY", "WORK_STATE", "Massless", "Mechanics", "compile_mechanics", "placed", "with_gravity"]

Buffer = TypeVar("Buffer", Array, IntArray)

GRAVITY: Vector3 = (0.0, -9.80665, 0.0)
"""[m/s2]"""

_VANISHING = 1e-12  # of what an inertia is summed up from


class Massless(EngineError):
    """Freedoms that move no mass, or none but what others move alike: no force tells their acceleration."""

    def __init__(self, *, joint: str, freedoms: Sequence[str]) -> None:
        named = ", ".join(freedoms)
        remedy = "give it or what hangs on it a shape or a mass, or take freedoms away that repeat others"
        super().__init__(f"{joint} moves no mass of its own by {named}; {remedy}")
        self.joint, self.freedoms = joint, tuple(freedoms)


@dataclass(frozen=True, eq=False)
class Mechanics:
    """Read-only packed arrays of one figure at one place."""

    model: Model
    ints: IntArray
    floats: Array
    work_size: int

    @property
    def rate_count(self) -> int:
        """Number of values in `qd`, `qdd` and `tau`."""
        return int(self.ints[RATE_COUNT])

    @property
    def coordinate_count(self) -> int:
        """Number of values in `q`."""
        return int(self.ints[COORDINATE_COUNT])

    @property
    def joint_count(self) -> int:
        """Number of joints, and of bodies."""
        return int(self.ints[JOINT_COUNT])

    def new_work(self) -> Array:
        """A work buffer, which one thread at a time may use."""
        return np.zeros(self.work_size)

    def bodies(self) -> Array:
        """Mass, centre, inertia, pull and share of each body as a view, shape [joint_count, 14]."""
        start = _floats_start(self) + layout.BODIES
        return self.floats[start : start + self.joint_count * layout.BODY_STRIDE].reshape(-1, layout.BODY_STRIDE)


def compile_mechanics(model: Model, *, gravity: Vector3 = GRAVITY, massless: bool = False) -> Mechanics:
    """A model with the mass properties of its figure's bodies, standing at the origin of the world."""
    ints = np.concatenate((model.ints, _extra_ints(model)))
    bodies = np.zeros((model.joint_count, layout.BODY_STRIDE))
    for row, joint in zip(bodies, model.figure.joints, strict=True):
        body = body_of(joint)
        row[layout.MASS : layout.PULL] = body.mass, *body.centre, *body.inertia
        row[layout.SHARE] = 1.0
    fixed = np.zeros(layout.BODIES)
    fixed[[0, 4, 8]] = 1.0
    mechanics = Mechanics(
        model=model,
        ints=_locked(ints),
        floats=_locked(np.concatenate((model.floats, fixed, bodies.ravel(), _axes(model).ravel()))),
        work_size=_work_size(model),
    )
    mechanics = with_gravity(mechanics, gravity)
    if not massless:
        _refuse_massless(mechanics)
    return mechanics


def placed(mechanics: Mechanics, position: Vector3, rotation: Quaternion) -> Mechanics:
    """Return the figure at another place [m] and orientation in the world."""
    floats, start = mechanics.floats.copy(), _floats_start(mechanics)
    floats[start : start + 9] = rotation_matrix(unit_quaternion("the placement's rotation", rotation)).ravel()
    floats[start + 9 : start + ROW] = vector3("the placement's position", position)
    return replace(mechanics, floats=_locked(floats))


def with_gravity(mechanics: Mechanics, gravity: Vector3 | None = None, shares: Array | None = None) -> Mechanics:
    """Put the figure under another gravity [m/s2], or with other shares of it that the bodies feel; what is None stays
    as it was."""
    made = replace(mechanics, floats=mechanics.floats.copy())
    start = _floats_start(made) + layout.GRAVITY_AT
    if gravity is not None:
        made.floats[start : start + 3] = vector3("gravity", gravity)
    bodies = made.bodies()
    if shares is not None:
        given = np.asarray(shares, dtype=np.float64)
        if given.shape != (made.joint_count,) or not np.isfinite(given).all():
            allowed = f"{made.joint_count} finite numbers, one for each joint"
            raise InvalidArguments(what="the shares of gravity", value=shares, allowed=allowed)
        bodies[:, layout.SHARE] = given
    bodies[:, layout.PULL : layout.PULL + 3] = np.outer(bodies[:, layout.SHARE], made.floats[start : start + 3])
    made.floats.flags.writeable = False
    return made


def _extra_ints(model: Model) -> IntArray:
    joint_count, rate_count, ints = model.joint_count, model.rate_count, model.ints
    extra = len(ints)
    link_ints = extra + layout.EXTRA_HEADER
    kinds = link_ints + joint_count * layout.LINK_INT_STRIDE
    axes = layout.BODIES + joint_count * layout.BODY_STRIDE
    origin = int(ints[MOTION_START]) + rate_count * MOTION
    motions = origin + 3
    links = motions + rate_count * layout.MOTION_STRIDE
    factors = links + joint_count * layout.LINK_STRIDE
    sines = factors + rate_count * layout.FACTOR_STRIDE
    axes_of_dofs = model.floats[ints[DOF_FLOATS] :].reshape(-1, AXIS_FLOATS)
    header = [len(model.floats), link_ints, kinds, axes, origin, motions, links, factors, sines, rate_count]
    rows, last = list[int](), list[int]()
    entries = np.empty((joint_count, layout.LINK_INT_STRIDE), dtype=np.int32)
    for joint in range(joint_count):
        entry = HEADER + joint * JOINT_STRIDE
        parent, first = int(ints[entry + PARENT]), len(rows) // layout.RATE_INT_STRIDE
        previous, rate = last[parent] if parent >= 0 else -1, first
        for dof in range(ints[entry + DOF_START], ints[entry + DOF_END]):
            at = ints[DOF_INTS] + dof * DOF_STRIDE
            for kind in _kinds(int(ints[at]), axes_of_dofs[dof]):
                rows += [kind, int(ints[at + 1]), previous]
                previous, rate = rate, rate + 1
        last.append(previous)
        entries[joint, : layout.SLOT] = parent, first, rate
    entries[:, layout.SLOT :] = _slots(entries[:, layout.LINK_PARENT].tolist())
    return np.concatenate((np.array(header, dtype=np.int32), entries.ravel(), np.array(rows, dtype=np.int32)))


def _slots(parents: Sequence[int]) -> IntArray:
    """Find each joint's slot of the SIMD batch (`simd_batch.py`), and whether others hang on it."""
    heirs = {parent: joint for joint, parent in enumerate(parents)}
    taken, found = set[int](), list[int]()
    for joint, parent in enumerate(parents):
        if parent >= 0 and heirs[parent] == joint:
            found.append(found[parent])
        else:
            found.append(min(set(range(len(taken) + 1)) - taken))
            taken.add(found[-1])
        if joint not in heirs:
            taken.remove(found[-1])
    bears = [joint in heirs for joint in range(len(parents))]
    return np.array([found, bears], dtype=np.int32).T


def _axes(model: Model) -> Array:
    """List each rate's axis, and on which side of a main axis it lies."""
    rows: list[tuple[float, ...]] = []
    for dof in model.figure.dofs:
        if dof.kind == "ball":
            rows += [(1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)]
        else:
            opposite = dof.kind == "hinge" and min(dof.axis) == -1.0
            rows.append((*dof.axis, -1.0 if opposite else 1.0))
    return np.array(rows).reshape(-1, layout.AXIS_STRIDE)


def _kinds(code: int, axis: Array) -> list[int]:
    if code == BALL:
        return [layout.TURNED, layout.TURNED + 1, layout.TURNED + 2]
    if SLIDE_X <= code <= SLIDE:
        return [layout.SLIDES]
    main = np.flatnonzero(np.abs(axis) == 1.0)
    return [layout.TURN_X + int(main[0]) if len(main) else layout.TURN]


def _work_size(model: Model) -> int:
    rates = model.rate_count * (MOTION + layout.MOTION_STRIDE + layout.FACTOR_STRIDE)
    sines = 2 * int(model.ints[COORDINATE_COUNT])
    return int(model.ints[MOTION_START]) + 3 + rates + model.joint_count * layout.LINK_STRIDE + sines


def _floats_start(mechanics: Mechanics) -> int:
    return len(mechanics.model.floats)


def _locked(array: Buffer) -> Buffer:
    array.flags.writeable = False
    return array


def _refuse_massless(mechanics: Mechanics) -> None:
    """Eliminate the rates of the mass matrix from the leaves on, at a pose without symmetry: none may vanish."""
    model, count, work = mechanics.model, mechanics.rate_count, mechanics.new_work()
    q = np.sin(1.0 + 2.3 * np.arange(mechanics.coordinate_count))
    for dof in model.figure.dofs:
        if dof.kind == "ball":
            at = model.figure.coordinate_index[dof.coordinates[0]]
            q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
    left = np.empty((count, count))
    compute_mass_matrix(mechanics.ints, mechanics.floats, q, work, left)
    scales = _scales(mechanics, work)
    lost = np.zeros(count, dtype=np.bool_)
    for rate in range(count - 1, -1, -1):
        own = left[rate, rate]
        lost[rate] = own <= _VANISHING * scales[rate]
        if not lost[rate]:
            left[:rate, :rate] -= np.outer(left[rate, :rate], left[rate, :rate] / own)
    rates = 0
    for joint in model.figure.joints:
        named: list[str] = []
        for dof in joint.dofs:
            width = 3 if dof.kind == "ball" else 1
            named += [dof.id] if lost[rates : rates + width].any() else []
            rates += width
        if named:
            raise Massless(joint=joint.id, freedoms=named)


def _scales(mechanics: Mechanics, work: Array) -> Array:
    """Bound the terms that the inertia of each rate is summed up from: rounding leaves about 1e-16 of it."""
    ints, extra = mechanics.ints, len(mechanics.model.ints)
    motions = work[ints[extra + layout.MOTIONS] :][: mechanics.rate_count * layout.MOTION_STRIDE].reshape(-1, 6)
    links = work[ints[extra + layout.LINKS] :][: mechanics.joint_count * layout.LINK_STRIDE]
    inertias = links.reshape(-1, layout.LINK_STRIDE)[:, layout.LINK_INERTIA :]
    start = ints[extra + layout.LINK_INTS]
    ends = ints[start : start + mechanics.joint_count * layout.LINK_INT_STRIDE].reshape(-1, layout.LINK_INT_STRIDE)
    owners = np.repeat(np.arange(mechanics.joint_count), ends[:, layout.RATE_END] - ends[:, layout.RATE_START])
    turns, slides = (motions[:, :3] ** 2).sum(axis=1), (motions[:, 3:] ** 2).sum(axis=1)
    scales: Array = turns * inertias[owners, :3].sum(axis=1) + slides * inertias[owners, WHOLE]
    return scales
