"""Forces that resist a joint's motion, and that drive it: servos, damping, fields over several angles.

All of it is taken implicitly. With the time h that positions have to go with the new rates, v the rates now and
v' = v + dt qdd, a torque f(q + h v', v') is f at v less (h k + c) dt qdd, where k and c are what it loses with position
and rate: the second part is a `diagonal` of the articulated body recursion. So

    servo     kp (goal - q - h v') + kd (goal_rate - v')
    damping   - c v'
    spring    k (neutral - q - h v'), of the degree of freedom itself
    field     the torque of `engine.limits.soft` at q, less h D v'

A field's torque grows along its gradient n only, by k = 2 R s / onset; D_i = m k n_i^2 over its m angles is the least
diagonal matrix of that form that is nowhere below k n n^T (Cauchy and Schwarz), which keeps any step stable at the
price of some damping along the boundary. Dry friction and the stops at limits are bounded impulses (`contact.py`): so
a joint can stick, and what strikes the ground cannot push a joint through its limit.

h: [s]; kp, k: [N m/rad], [N/m]; kd, c: [N m s/rad], [N s/m]; s: see `engine.limits.soft`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from engine.document import Dof, Figure
from engine.document.limit import Limit
from engine.dynamics.contact_points import Packed
from engine.dynamics.coordinates import compute_difference
from engine.dynamics.driven import pack_driven
from engine.dynamics.mass import compute_mass_matrix
from engine.dynamics.mechanics import Mechanics
from engine.dynamics.step_layout import (
    ANGLE_TORQUES,
    ANGLES,
    DIAGONAL,
    DIFFERENCE,
    GIVING,
    GOAL,
    GOAL_RATES,
    TAU,
    TORQUES,
)
from engine.limits.field import compile_fields
from engine.limits.interpolation import ANGLE_COUNT, FIELD_COUNT, HEADER, MOST_ANGLES, PLACES, RECORD
from engine.limits.packed import pack_limits
from engine.limits.soft import ONSET, RESISTANCE, resist_angles
from engine.maths.arrays import Array, IntArray
from engine.model.compile import DOF_COUNT, DOF_INTS, DOF_STRIDE, RATE_COUNT
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.runtime.jit import kernel
from engine.runtime.quick_dataclass import dataclass

# Of each rate in the table: the servo's gains, damping, the torque of dry friction, limits, its coordinate, and the
# spring there with the coordinate at which it pulls with nothing.
KP, KD, DAMPING, DRY, LOWER, UPPER, COORDINATE, SPRING, NEUTRAL = range(9)
RATE_WIDTH = 9
Fields = tuple[IntArray, Array, Array]
"""Packed limits (`engine.limits.packed`), and of each RESISTANCE and ONSET, shape [field_count, 2]."""
Stepped = tuple[IntArray, Array, Array, Fields, Packed, Array]
"""What a step reads: ints and floats of the mechanics, the table of rates, fields, shapes, the stepper's options."""
Buffers = tuple[Array, IntArray, Array, Array]
"""What a step writes: the state, the offsets (`step_layout.py`), the workspace, and that of the mechanics."""
_TISSUE = 0.3  # [N m s/rad] at an inertia of 1 kg m2, by its square root: 0.001 for a finger, 0.6 for a hip
PerDof = float | Mapping[str, float]
"""One number for all degrees of freedom, or by their ids."""


@dataclass(frozen=True, kw_only=True)
class Resistance:
    """Resistance of joints; of roots' own freedoms only by what their `Dof.damping` says."""

    friction: PerDof = 0.0  # [N m] or [N], dry
    damping: PerDof | None = None  # [N m s/rad] or [N s/m], beside the figure's own; None: as tissue has
    field: float = 100.0  # [N m] at the boundary of a limit over several angles
    onset: float = 0.1  # [rad] before that boundary, where it begins to resist

    def __post_init__(self) -> None:
        for name in ("friction", "damping"):
            given = getattr(self, name) or 0.0
            for dof, value in given.items() if isinstance(given, Mapping) else (("the joints", given),):
                _check(f"the {name} of {dof}", value)
        _check("the resistance of limits", self.field)
        if not 0.0 < self.onset < math.inf:
            raise InvalidArguments(what="the onset of limits", value=self.onset, allowed="an angle above 0 [rad]")


@dataclass(frozen=True, kw_only=True)
class Servos:
    """Proportional-derivative servos, by rate: stiffness [N m/rad, N/m] and damping [N m s/rad, N s/m]."""

    stiffness: tuple[float, ...]
    damping: tuple[float, ...]

    def __post_init__(self) -> None:
        for name in ("stiffness", "damping"):
            for value in getattr(self, name):
                _check(f"the {name} of a servo", value)


def make_servos(mechanics: Mechanics, frequency: PerDof, *, ratio: float = 1.0) -> Servos:
    """Servos under which each rate alone, with all that it carries at rest, swings at `frequency` [Hz], damped by
    `ratio` to critical: kp = I (2 pi f)^2, kd = 2 ratio I 2 pi f. Roots' freedoms are left free."""
    _check("the damping ratio of servos", ratio)
    inertia = rest_inertia(mechanics)
    wanted = _by_rate(mechanics, "servo", frequency, _not_root)
    for value in wanted:
        _check("the frequency of a servo", float(value))
    turning = 2.0 * math.pi * wanted
    return Servos(
        stiffness=tuple((inertia * turning**2).tolist()), damping=tuple((2.0 * ratio * inertia * turning).tolist())
    )


def rest_inertia(mechanics: Mechanics) -> Array:
    """The diagonal of the mass matrix at the rest pose [kg m2] or [kg], shape [rate_count]."""
    count = mechanics.rate_count
    mass = np.zeros((count, count))
    compute_mass_matrix(mechanics.ints, mechanics.floats, mechanics.model.rest, mechanics.new_work(), mass)
    return np.diagonal(mass).copy()


def compile_rates(mechanics: Mechanics, servos: Servos | None, resistance: Resistance) -> Array:
    """The table of rates, flat, and behind it the packed splines of driven coordinates (`driven.py`)."""
    count, model = mechanics.rate_count, mechanics.model
    table = np.zeros((count, RATE_WIDTH))
    if servos is not None:
        if not len(servos.stiffness) == len(servos.damping) == count:
            value = (len(servos.stiffness), len(servos.damping))
            raise InvalidArguments(what="the number of servos", value=value, allowed=f"one for each of {count} rates")
        table[:, KP], table[:, KD] = servos.stiffness, servos.damping
    own = _by_rate(mechanics, "damping", 1.0, lambda *_: True) * [dof.damping for dof in _dof_of_rate(model.figure)]
    inertia = rest_inertia(mechanics)
    if resistance.damping is None:
        beside = _TISSUE * np.sqrt(inertia) * _by_rate(mechanics, "damping", 1.0, _not_root)
    else:
        beside = _by_rate(mechanics, "damping", resistance.damping, _not_root)
    table[:, DAMPING] = own + beside
    table[:, DRY] = _by_rate(mechanics, "friction", resistance.friction, _not_root)
    for rate, dof in enumerate(_dof_of_rate(model.figure)):
        table[rate, LOWER], table[rate, UPPER] = -math.inf, math.inf
        if dof.kind != "ball":
            table[rate, COORDINATE] = model.figure.coordinate_index[dof.id]
            table[rate, SPRING], table[rate, NEUTRAL] = dof.spring, dof.neutral
        if dof.kind != "ball" and dof.id not in model.figure.limited:
            table[rate, LOWER] = -math.inf if dof.lower is None else dof.lower
            table[rate, UPPER] = math.inf if dof.upper is None else dof.upper
    return np.concatenate((table.ravel(), pack_driven(model.driven, table.size)))


def compile_resisting_fields(figure: Figure, resistance: Resistance) -> Fields:
    """The limits over several angles that hold."""
    limits = figure.limits_on
    fields = compile_fields(limits, [_axes(figure, limit) for limit in limits]) if limits else []
    entries = [
        (field, [figure.coordinate_index[dof] for dof in limit.dofs])
        for field, limit in zip(fields, limits, strict=True)
    ]
    packed = pack_limits(entries)
    gains = np.zeros((packed.field_count, 2))
    gains[:, RESISTANCE], gains[:, ONSET] = resistance.field, resistance.onset
    return packed.ints, packed.floats, gains


def _axes(figure: Figure, limit: Limit) -> Array | None:
    """Axes of a limit's hinges where they are of one joint and in its order, as the field asks for."""
    if tuple(dof for dof in figure.hinges_beside(limit.dofs[0]) if dof in limit.dofs) != limit.dofs:
        return None
    return np.array([figure.coordinate_dof[dof].axis for dof in limit.dofs])


def _check(what: str, value: float) -> None:
    if not 0.0 <= value < math.inf:
        raise InvalidArguments(what=what, value=value, allowed="a finite number, 0 and above")


def _not_root(joint_is_root: bool, _: Dof) -> bool:
    return not joint_is_root


def _dof_of_rate(figure: Figure) -> list[Dof]:
    return [dof for dof in figure.dofs for _ in range(3 if dof.kind == "ball" else 1)]


def _by_rate(mechanics: Mechanics, what: str, given: PerDof, counts: Callable[[bool, Dof], bool]) -> Array:
    """A number for each rate; one that stands for all is 0 where it does not count, one given by name always counts."""
    figure = mechanics.model.figure
    dofs = _dof_of_rate(figure)
    if not isinstance(given, Mapping):
        return np.array([given if counts(figure.dof_joint[dof.id].parent is None, dof) else 0.0 for dof in dofs])
    known = tuple(figure.dof_joint)
    for name in given:
        if name not in figure.dof_joint:
            raise UnknownPart(kind=f"degree of freedom with {what}", id=name, known=known)
    return np.array([given.get(dof.id, 0.0) for dof in dofs])


@kernel
def write_resistances(stepped: Stepped, buffers: Buffers, q: Array, qd: Array, h: float, dt: float) -> None:
    """TAU and DIAGONAL of a step from the pose q, from which positions go on for h with the new rates."""
    (ints, _, table, fields, _, _), (state, offsets, work, _) = stepped, buffers
    tau, diagonal = work[offsets[TAU] :], work[offsets[DIAGONAL] :]
    difference = work[offsets[DIFFERENCE] :]
    compute_difference(ints, q, state[offsets[GOAL] :], difference)
    for rate in range(ints[RATE_COUNT]):
        at = rate * RATE_WIDTH
        kp, kd, damping, v = table[at + KP], table[at + KD], table[at + DAMPING], qd[rate]
        tau[rate] = state[offsets[TORQUES] + rate] + kp * (difference[rate] - h * v) - damping * v
        tau[rate] += kd * (state[offsets[GOAL_RATES] + rate] - v)
        diagonal[rate] = dt * (h * kp + kd + damping) + state[offsets[GIVING] + rate]
        spring = table[at + SPRING]
        if spring > 0.0:
            tau[rate] += spring * (table[at + NEUTRAL] - q[int(table[at + COORDINATE])] - h * v)
            diagonal[rate] += dt * h * spring
    _add_fields(ints, fields, q, qd, h, dt, work[offsets[ANGLES] :], work[offsets[ANGLE_TORQUES] :], tau, diagonal)


@kernel
def _add_fields(
    ints: IntArray,
    fields: Fields,
    q: Array,
    qd: Array,
    h: float,
    dt: float,
    angles: Array,
    torques: Array,
    out_tau: Array,
    out_diagonal: Array,
) -> None:
    """The torques of the limits over several angles, and the diagonal that keeps them stable."""
    packed, floats, gains = fields
    for field in range(packed[FIELD_COUNT]):
        record = HEADER + field * RECORD
        count = packed[record + ANGLE_COUNT]
        for axis in range(count):
            angles[axis] = q[packed[record + PLACES + axis]]
        resistance, onset = gains[field, RESISTANCE], gains[field, ONSET]
        resist_angles(packed, floats, field, angles, resistance, onset, torques)
        squares = 0.0
        for axis in range(count):
            squares += torques[axis] * torques[axis]
        if squares == 0.0 or resistance == 0.0:
            continue
        s = math.sqrt(min(1.0, math.sqrt(squares) / resistance))
        for axis in range(count):
            rate = _rate_of(ints, packed[record + PLACES + axis])
            slope = count * 2.0 * resistance * s / onset * torques[axis] * torques[axis] / squares
            out_tau[rate] += torques[axis] - h * slope * qd[rate]
            out_diagonal[rate] += dt * h * slope


@kernel
def _rate_of(ints: IntArray, coordinate: int) -> int:
    """The rate of a hinge's coordinate. Only balls, three rates for four coordinates, set the two apart."""
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        if ints[entry + 1] == coordinate:
            return int(ints[entry + 2])
    return -1


@kernel
def store_energy(
    ints: IntArray, table: Array, fields: Fields, goal: Array, q: Array, angles: Array, difference: Array
) -> float:
    """The energy [J] in servos, taken as springs to their goals, in the joints' own springs, and in fields."""
    compute_difference(ints, q, goal, difference)
    total = 0.0
    for rate in range(ints[RATE_COUNT]):
        at = rate * RATE_WIDTH
        total += 0.5 * table[at + KP] * difference[rate] ** 2
        if table[at + SPRING] > 0.0:
            total += 0.5 * table[at + SPRING] * (q[int(table[at + COORDINATE])] - table[at + NEUTRAL]) ** 2
    packed, floats, gains = fields
    for field in range(packed[FIELD_COUNT]):
        record = HEADER + field * RECORD
        for axis in range(packed[record + ANGLE_COUNT]):
            angles[axis] = q[packed[record + PLACES + axis]]
        torques = angles[MOST_ANGLES:]
        total += resist_angles(packed, floats, field, angles, gains[field, RESISTANCE], gains[field, ONSET], torques)
    return total
