"""Aims: what a secondary motion has to do at a time, and by how much it misses.

An `Aim` has a time, the widths of the bell that may lead the motion there, and wants: a whole pose, the place of a
point of a body (p of section 4.1) or its turn in the world, and velocities, of the pose, of a point or of a turn
(section 4.4). Velocities are those of the KD trajectory, not of the simulation; they are read from the states a moment
before and after, the source's (4.9) and (4.10) taken about the middle. The source has no turns: the angular velocity of
a body is read in the same way, omega = log(R(t + h) R(t - h)^T) / 2 h, of second order in h, too.

Wants for the same point or pose at one time may contradict each other: they count alike, and what is found lies
between.

Symbols: R the rotation of a body in the world, h half of what lies between the states [s].
Errors: e [rad or m] of a pose by rates, [m] of a point, [rad] of a turn as a rotation vector in the world, [rad/s,
m/s].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.document.correction import Bell
from engine.document.values import Quaternion, Vector3
from engine.dynamics.coordinates import compute_difference
from engine.maths.arrays import Array, IntArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.maths.rotations import logarithm, matrix_to_quaternion, turn_to
from engine.model.compile import ROW, Model
from engine.model.jacobian import locate_handle
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.errors import EngineError, InvalidArguments
from engine.runtime.jit import kernel

POINT, TURN = range(2)  # kinds of packed wants
WANT_FLOATS = 12  # a point: where it is in its body (3), where it should be (3); a turn: the rotation matrix (9)


class Unmeetable(EngineError):
    """An `Aim` that wants what the figure has not."""

    def __init__(self, *, aim: str, found: str, allowed: str) -> None:
        super().__init__(f"the target {aim!r} asks for {found}; allowed: {allowed}")
        self.aim, self.found, self.allowed = aim, found, allowed


@dataclass(frozen=True, kw_only=True, eq=False)
class PoseWant:
    """Every coordinate, or those of some rates."""

    q: Array  # shape [coordinate_count]
    rates: tuple[int, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class PointWant:
    """A point of a joint's body at a place in the world [m]."""

    joint: int
    position: Vector3
    local: Vector3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class TurnWant:
    """A joint's body at a rotation in the world."""

    joint: int
    rotation: Quaternion


@dataclass(frozen=True, kw_only=True, eq=False)
class PoseVelocityWant:
    """Every rate, or some of them, of the KD trajectory."""

    qd: Array  # [rad/s, m/s], shape [rate_count]
    rates: tuple[int, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class PointVelocityWant:
    """The velocity in the world of a point of a joint's body along the KD trajectory [m/s]."""

    joint: int
    velocity: Vector3
    local: Vector3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class TurnVelocityWant:
    """The angular velocity of a joint's body along the KD trajectory, a vector in the world [rad/s]."""

    joint: int
    velocity: Vector3


BodyVelocityWant = PointVelocityWant | TurnVelocityWant
VelocityWant = PoseVelocityWant | BodyVelocityWant
Want = PoseWant | PointWant | TurnWant | VelocityWant


@dataclass(frozen=True, kw_only=True, eq=False)
class Aim:
    """The wants at the time of a bell, which may lead there."""

    id: str
    bell: Bell
    wants: tuple[Want, ...]

    @property
    def moves(self) -> bool:
        """True if it wants something of the pose."""
        return any(isinstance(each, PoseWant | PointWant | TurnWant) for each in self.wants)

    @property
    def speeds(self) -> bool:
        """True if it wants something of the velocity."""
        return any(isinstance(each, VelocityWant) for each in self.wants)


@dataclass(frozen=True, eq=False)
class State:
    """A KD state: a pose, and where velocities are wanted the poses a moment before and after it."""

    q: Array
    q_before: Array | None = None
    q_after: Array | None = None
    apart: float = 0.0  # [s] from q_before to q_after


@dataclass(frozen=True, eq=False)
class Miss:
    """The error of one want."""

    aim: str
    want: Want
    error: Array  # e, see the module
    unit: str  # "m", "rad", or either per second

    @property
    def size(self) -> float:
        """|e|; for poses the largest of its numbers."""
        if isinstance(self.want, PoseWant | PoseVelocityWant):
            return float(np.abs(self.error).max(initial=0.0))
        return float(np.linalg.norm(self.error))

    @property
    def is_velocity(self) -> bool:
        """True if it is of a velocity."""
        return isinstance(self.want, VelocityWant)


def check_aims(model: Model, aims: tuple[Aim, ...]) -> None:
    """Refuse targets that want joints, rates or numbers that are not there."""
    for aim in aims:
        if not aim.wants:
            raise Unmeetable(aim=aim.id, found="nothing", allowed="a pose, a point, a turn, or a velocity")
        for want in aim.wants:
            if isinstance(want, PoseWant | PoseVelocityWant):
                numbers = want.q if isinstance(want, PoseWant) else want.qd
                count = len(model.rest) if isinstance(want, PoseWant) else model.rate_count
                if numbers.shape != (count,) or not np.isfinite(numbers).all():
                    raise Unmeetable(aim=aim.id, found=f"{numbers!r}", allowed=f"{count} finite numbers")
                if any(not 0 <= rate < model.rate_count for rate in want.rates or ()):
                    raise Unmeetable(aim=aim.id, found=f"rates {want.rates}", allowed=f"0 to {model.rate_count - 1}")
            elif not 0 <= want.joint < model.joint_count:
                raise Unmeetable(aim=aim.id, found=f"joint {want.joint}", allowed=f"0 to {model.joint_count - 1}")
            elif not np.isfinite(numbers_of(want)).all():
                raise Unmeetable(aim=aim.id, found=f"{want!r}", allowed="finite numbers")
    if len({aim.id for aim in aims}) < len(aims):
        raise InvalidArguments(what="the ids of targets", value=[aim.id for aim in aims], allowed="each only once")


def numbers_of(want: PointWant | TurnWant | BodyVelocityWant) -> Array:
    """Gather all numbers of a want of a body."""
    if isinstance(want, TurnWant):
        return np.array(want.rotation)
    if isinstance(want, TurnVelocityWant):
        return np.array(want.velocity)
    return np.array([*want.local, *(want.position if isinstance(want, PointWant) else want.velocity)])


def pack_wants(wants: tuple[Want, ...]) -> tuple[IntArray, Array]:
    """Points and turns for the kernels of `engine.targets.reach`: kind and joint, and numbers."""
    ints: list[tuple[int, int]] = []
    floats: list[Array] = []
    for want in wants:
        numbers = np.zeros(WANT_FLOATS)
        if isinstance(want, PointWant):
            ints.append((POINT, want.joint))
            numbers[:6] = numbers_of(want)
        elif isinstance(want, TurnWant):
            ints.append((TURN, want.joint))
            numbers[:9] = rotation_matrix(want.rotation).ravel()
        else:
            continue
        floats.append(numbers)
    return np.array(ints, dtype=np.int32).reshape(-1, 2), np.array(floats).reshape(-1, WANT_FLOATS)


def find_point(model: Model, q: Array, joint: int, local: Vector3, out_state: Array) -> Array:
    """Find the position of a point of a body in the world at a pose; `out_state` is placed."""
    found = np.empty(3)
    compute_forward_kinematics(model.ints, model.floats, q, out_state)
    locate_handle(out_state, joint, np.array(local), 0, found)
    return found


@kernel
def turn_between(state: Array, joint: int, wanted: Array, out_vector: Array) -> None:
    """The rotation vector in the world that turns a joint's body to the wanted rotation [9], row by row."""
    row = (joint + 1) * ROW
    between, q = np.empty((3, 3)), np.empty(4)
    for a in range(3):
        for b in range(3):
            total = 0.0
            for c in range(3):
                total += wanted[3 * a + c] * state[row + 3 * b + c]
            between[a, b] = total
    matrix_to_quaternion(between, q)
    logarithm(q, out_vector)


def measure(model: Model, aim: Aim, state: State, room: Array) -> tuple[Miss, ...]:
    """Measure by how much each want of an `Aim` is missed; `room` is a placed state buffer of the model."""
    return tuple(_miss(model, aim, want, state, room) for want in aim.wants)


def _miss(model: Model, aim: Aim, want: Want, state: State, room: Array) -> Miss:
    if isinstance(want, PoseWant):
        error = np.empty(model.rate_count)
        compute_difference(model.ints, state.q, want.q, error)
        return Miss(aim.id, want, error if want.rates is None else error[list(want.rates)], "rad")
    if isinstance(want, PointWant):
        place = find_point(model, state.q, want.joint, want.local, room)
        return Miss(aim.id, want, np.array(want.position) - place, "m")
    if isinstance(want, TurnWant):
        compute_forward_kinematics(model.ints, model.floats, state.q, room)
        error = np.empty(3)
        turn_between(room, want.joint, rotation_matrix(want.rotation).ravel(), error)
        return Miss(aim.id, want, error, "rad")
    if isinstance(want, PoseVelocityWant):
        error = want.qd - velocity_of(model, state)
        return Miss(aim.id, want, error if want.rates is None else error[list(want.rates)], "rad/s")
    unit = "m/s" if isinstance(want, PointVelocityWant) else "rad/s"
    return Miss(aim.id, want, np.array(want.velocity) - body_velocity(model, want, state, room), unit)


def velocity_of(model: Model, state: State) -> Array:
    """Rates of the KD trajectory [rad/s, m/s] (4.9, about the middle)."""
    assert state.q_before is not None
    assert state.q_after is not None
    found = np.empty(model.rate_count)
    compute_difference(model.ints, state.q_before, state.q_after, found)
    return found / state.apart


def body_velocity(model: Model, want: BodyVelocityWant, state: State, room: Array) -> Array:
    """The velocity of the KD trajectory that a want of a body is about: of its point [m/s], or angular [rad/s]."""
    assert state.q_before is not None  # states of aims with velocities have both
    assert state.q_after is not None
    if isinstance(want, PointVelocityWant):
        far, near = (find_point(model, q, want.joint, want.local, room) for q in (state.q_after, state.q_before))
        return np.asarray((far - near) / state.apart)
    turns = np.empty((2, 3, 3))
    for q, turn in zip((state.q_before, state.q_after), turns, strict=True):
        compute_forward_kinematics(model.ints, model.floats, q, room)
        turn[:] = model.transforms(room)[want.joint, :9].reshape(3, 3)
    return turn_to(*turns) / state.apart
