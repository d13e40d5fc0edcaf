"""Soft limits: what resists a pose on its way to the boundary of a limit, as an energy and its torque.

With s = 1 + phi / onset, which is 0 at `onset` inside the boundary and 1 on it, the torque grows as s^2 to `resistance`
at the boundary and by its tangent 2 s - 1 beyond, so that it stays finite for what is far outside: once differentiable
in phi. It points against the gradient of phi, and is the negative gradient of the energy. phi is multilinear in cells,
so within a cell the torque is smooth; from cell to cell its direction may turn by what the gradient does.

With an onset of 0 there is no torque inside and the whole of it outside.

Symbols: p angles of one field [rad]; phi signed distance [rad]; gains: resistance [N m], onset [rad].
"""

from __future__ import annotations

from engine.limits.inlined import inlined
from engine.limits.interpolation import ANGLE_COUNT, FIELD_COUNT, HEADER, PLACES, RECORD, slope_of
from engine.limits.query import along, gather_angles, point_of, write_point
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

RESISTANCE, ONSET = range(2)


@kernel
def resist_angles(
    ints: IntArray, floats: Array, field: int, p: Array, resistance: float, onset: float, out_torque: Array
) -> float:
    """The energy [J] of one field at its angles; its torque [N m] about each into `out_torque`."""
    record = HEADER + field * RECORD
    value, gradient = slope_of(ints, floats, record, point_of(ints[record + ANGLE_COUNT], p))
    energy, torque = _resist(value, resistance, onset)
    push = along((0.0, 0.0, 0.0, 0.0, 0.0), gradient, -torque)
    write_point(ints[record + ANGLE_COUNT], push, out_torque)
    return energy


@kernel
def resist_pose(ints: IntArray, floats: Array, q: Array, gains: Array, out_torque: Array) -> float:
    """The energy [J] of all fields; torques [N m] are added to `out_torque`, by coordinates of q.

    `gains`: RESISTANCE and ONSET of each field, shape [field_count, 2].
    """
    total = 0.0
    for field in range(ints[FIELD_COUNT]):
        record = HEADER + field * RECORD
        value, gradient = slope_of(ints, floats, record, gather_angles(ints, record, q))
        energy, torque = _resist(value, gains[field, RESISTANCE], gains[field, ONSET])
        total += energy
        for axis in range(ints[record + ANGLE_COUNT]):
            out_torque[ints[record + PLACES + axis]] -= torque * gradient[axis]
    return total


@inlined
def _resist(value: float, resistance: float, onset: float) -> tuple[float, float]:
    """Energy [J] and size of the torque [N m] at a signed distance."""
    energy, torque = 0.0, 0.0
    if onset > 0.0:
        s = 1.0 + value / onset
        if s > 1.0:
            energy, torque = resistance * onset * (s * s - s + 1.0 / 3.0), resistance * (2.0 * s - 1.0)
        elif s > 0.0:
            energy, torque = resistance * onset * s * s * s / 3.0, resistance * s * s
    elif value > 0.0:
        energy, torque = resistance * value, resistance
    return energy, torque
