"""Kernels: stops at limits over several angles, as `stops.py` has them at box limits.

A field's stop begins `STOPS` inside its boundary. With phi the signed distance of the angles, n its gradient and v* the
rates that a step would come to, it presses where w = p + (dt + BRAKE) n.v* > 0, p = phi + STOPS, by a torque -f n with
f = k (p + (dt + BRAKE) n.v'), k as in `stops.py` with the inertia that the figure has along n. Rates answer a torque
-n by dt a, which one more forward dynamics tells; so f = k w / (1 + k (dt + BRAKE) dt n.a), and what is left of n.v' is
just what the stop allows, while the figure goes freely along the boundary. Fields are taken one after the other.
Nothing is laid back onto a boundary: keys that cross one would throw what is laid there.

Joints that follow exactly are not moved: their rates count in n.v*, and no torque acts on them. Where the keyed pose of
a step, without what corrections add to it (`meant`), is outside of a field, the stop stands as far out: who set that
means it so.
"""

from __future__ import annotations

import math

import numpy as np

from engine.dynamics.mechanics import Mechanics
from engine.ik.regions import pack_over
from engine.kinodynamics.driven import Bodies, accelerate
from engine.kinodynamics.gains import ADDED, STOPS
from engine.kinodynamics.stops import BRAKE, lean_of
from engine.limits.interpolation import ANGLE_COUNT, FIELD_COUNT, HEADER, PLACES, RECORD, slope_of, value_of
from engine.limits.query import gather_angles
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

Regions = tuple[IntArray, Array, IntArray]
"""Packed limits (`engine.limits.packed`), and the rate of each coordinate."""
_LEAST = 1e-9  # [1/(kg m2)] that a torque along n turns, at least


def compile_regions(mechanics: Mechanics) -> Regions:
    """Pack the limits over several angles of a figure that hold."""
    figure = mechanics.model.figure
    packed, rate = pack_over(figure, figure.limits_on, figure.coordinates), 0
    rates = np.full(len(figure.coordinates), -1, dtype=np.int32)
    for dof in figure.dofs:
        rates[figure.coordinate_index[dof.coordinates[0]]] = rate
        rate += len(dof.rates)
    rates.flags.writeable = False
    return packed.ints, packed.floats, rates


@kernel
def stop_at_regions(
    stepped: tuple[Bodies, Array, float, Array, Array, IntArray],
    regions: Regions,
    meant: Array,
    q: Array,
    v: Array,
    now: Array,
    work: Array,
    out_pushed: Array,
    out_tau: Array,
    diagonal: Array,
    out_qdd: Array,
) -> None:
    """Add the stops of fields to the torques of a step and to the accelerations that it came to. `stepped`: bodies,
    servo, dt, outside, workspace and layout of a step; `out_pushed` is a workspace array of rates."""
    bodies, servo, dt, outside, workspace, layout = stepped
    packed, values, rates = regions
    far = dt + BRAKE
    for field in range(packed[FIELD_COUNT]):
        record = HEADER + field * RECORD
        count = packed[record + ANGLE_COUNT]
        value, gradient = slope_of(packed, values, record, gather_angles(packed, record, q))
        out = max(value_of(packed, values, record, gather_angles(packed, record, meant)), 0.0)
        over, towards = value - out + STOPS, 0.0
        for axis in range(count):
            rate = rates[packed[record + PLACES + axis]]
            exact = math.isinf(servo[ADDED, rate])
            towards += gradient[axis] * (v[rate] + dt * (out_tau[rate] if exact else out_qdd[rate]))
        beyond = over + far * towards
        if beyond <= 0.0:
            continue
        for axis in range(count):
            rate = rates[packed[record + PLACES + axis]]
            if not math.isinf(servo[ADDED, rate]):
                out_tau[rate] -= gradient[axis]
        accelerate(bodies, q, now, (out_tau, diagonal, outside), work, workspace, layout, out_pushed)
        turned = 0.0
        for axis in range(count):
            rate = rates[packed[record + PLACES + axis]]
            if not math.isinf(servo[ADDED, rate]):
                out_tau[rate] += gradient[axis]
                turned += gradient[axis] * (out_qdd[rate] - out_pushed[rate])
        if turned < _LEAST:
            continue
        stiffness = lean_of(beyond, dt) / turned
        torque = stiffness * beyond / (1.0 + stiffness * far * dt * turned)
        for rate in range(len(v)):
            out_qdd[rate] -= torque * (out_qdd[rate] - out_pushed[rate])
        for axis in range(count):
            rate = rates[packed[record + PLACES + axis]]
            if not math.isinf(servo[ADDED, rate]):
                out_tau[rate] -= torque * gradient[axis]
