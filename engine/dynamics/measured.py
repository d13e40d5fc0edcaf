"""Measured forces on the bodies of a figure as wrenches from outside, for inverse and forward dynamics.

Between frames all nine numbers go straight. A force f at the point p with the free torque n acts on its body as f, and
n + (p - o) x f about the body's joint's origin o. From the first to the last frame of any of a figure's forces these
are all that acts from outside; at other times nothing is known.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.document import Figure
from engine.document.measured_forces import CHANNELS, FORCE, POINT, TORQUE, MeasuredForce, MeasuredForces
from engine.document.ticks import ticks_per_frame
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import cross
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class ActingForces:
    """Measured forces in the world at n times; 0 while nothing is known."""

    joints: NDArray[np.intp]  # on whose bodies they act, shape [force_count]
    forces: Array  # [N], shape [n, force_count, 3]
    points: Array  # [m]
    torques: Array  # [N m] about the points
    known: NDArray[np.bool_]  # whether any was measured then, shape [n]

    def wrenches(self, positions: Array) -> Array:
        """Sum them on each body: forces and torques about the joint's origin, in the world's axes, shape [n,
        joint_count, 6]; `positions` of the joints [m], shape [n, joint_count, 3]."""
        found = np.zeros((*positions.shape[:2], 6))
        for place, joint in enumerate(self.joints.tolist()):
            force = self.forces[:, place]
            found[:, joint, :3] += force
            found[:, joint, 3:] += self.torques[:, place] + cross(self.points[:, place] - positions[:, joint], force)
        return found


def acting_at(
    measured: MeasuredForces, figure: Figure, times: Sequence[float], rotations: Array, positions: Array
) -> ActingForces:
    """Measured forces at some times [ticks], at which joints stand so, shapes [n, joint_count, 3, 3] and [n,
    joint_count, 3]. Those on joints that the figure lacks are left out, muted ones give nothing."""
    index, ticks = figure.joint_index, np.array(times, dtype=np.float64)
    forces = measured.on(figure)
    values, known = np.zeros((len(ticks), len(forces), CHANNELS)), np.zeros(len(ticks), dtype=bool)
    for place, each in enumerate(forces):
        while_measured = (ticks >= each.start) & (ticks <= each.end) & (not each.mute)
        known |= while_measured
        if not while_measured.any():
            continue
        found = channels_at(each, ticks[while_measured])
        if each.frame is not None:
            at = index[each.frame]
            turns = rotations[while_measured, at]
            for part in (FORCE, POINT, TORQUE):
                found[:, part] = np.einsum("nab,nb->na", turns, found[:, part])
            found[:, POINT] += positions[while_measured, at]
        values[while_measured, place] = found
    joints = np.array([index[each.joint] for each in forces], dtype=np.intp)
    return ActingForces(joints, values[..., FORCE], values[..., POINT], values[..., TORQUE], known)


def wrenches_at(measured: MeasuredForces, figure: Figure, time: float, frames: Array) -> Array:
    """Sum the forces at a time [ticks] on each body, shape [joint_count, 6]; `frames` are the transforms of the joints
    then, shape [joint_count, 3, 4]."""
    positions = frames[None, ..., 3]
    found: Array = acting_at(measured, figure, [time], frames[None, ..., :3], positions).wrenches(positions)[0]
    return found


def channels_at(force: MeasuredForce, times: Array) -> Array:
    """The nine numbers at some times [ticks], held before the first frame and after the last, shape [n, 9]."""
    frames = (times - force.start) / ticks_per_frame(force.rate)
    values = force.values.array
    below = np.clip(np.floor(frames), 0, max(len(values) - 2, 0)).astype(np.intp)
    share = np.clip(frames - below, 0.0, 1.0)[:, None]
    above = np.minimum(below + 1, len(values) - 1)
    found: Array = (1.0 - share) * values[below] + share * values[above]
    return found
