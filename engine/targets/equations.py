"""Equations of targets: what a secondary motion has to do at a time, and the residuals by which it misses.

A `TimedGoal` has a time, the widths of the bell that may lead there, and equations: of a whole pose, of the place of a
point of a body (p of section 4.1) or its turn in the world, and of velocities, of the pose, of a point or of a turn
(section 4.4). Velocities are those of the KD trajectory, not of the simulation; they are read from the states a moment
before and after, the source's (4.9) and (4.10) taken about the middle. The source has no turns: the angular velocity of
a body is read in the same way, omega = log(R(t + h) R(t - h)^T) / 2 h, of second order in h, too.

Equations of the same point or pose at one time may contradict each other: they count alike, and what is found lies
between.

Symbols: R the rotation of a body in the world, h half of what lies between the states [s].
Errors: e [rad or m] of a pose by rates, [m] of a point, [rad] of a turn as a rotation vector in the world, [rad/s,
m/s].
"""

from __future__ import annotations

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
from engine.runtime.jit import entered_kernel
from engine.runtime.quick_dataclass import dataclass

POINT, TURN = range(2)  # kinds of packed equations
WANT_FLOATS = 12  # a point: where it is in its body (3), where it should be (3); a turn: the rotation matrix (9)


class Unmeetable(EngineError):
    """A `TimedGoal` that wants what the figure has not."""

    def __init__(self, *, goal: str, found: str, allowed: str) -> None:
        super().__init__(f"the target {goal!r} asks for {found}; allowed: {allowed}")
        self.goal, self.found, self.allowed = goal, found, allowed


@dataclass(frozen=True, kw_only=True, eq=False)
class PoseEquation:
    """Every coordinate, or those of some rates."""

    q: Array  # shape [coordinate_count]
    rates: tuple[int, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class PointEquation:
    """A point of a joint's body at a place in the world [m]."""

    joint: int
    position: Vector3
    local: Vector3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class TurnEquation:
    """A joint's body at a rotation in the world."""

    joint: int
    rotation: Quaternion


@dataclass(frozen=True, kw_only=True, eq=False)
class PoseVelocityEquation:
    """Every rate, or some of them, of the KD trajectory."""

    qd: Array  # [rad/s, m/s], shape [rate_count]
    rates: tuple[int, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class PointVelocityEquation:
    """The velocity in the world of a point of a joint's body along the KD trajectory [m/s]."""

    joint: int
    velocity: Vector3
    local: Vector3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class TurnVelocityEquation:
    """The angular velocity of a joint's body along the KD trajectory, a vector in the world [rad/s]."""

    joint: int
    velocity: Vector3


BodyVelocityEquation = PointVelocityEquation | TurnVelocityEquation
VelocityEquation = PoseVelocityEquation | BodyVelocityEquation
Equation = PoseEquation | PointEquation | TurnEquation | VelocityEquation


@dataclass(frozen=True, kw_only=True, eq=False)
class TimedGoal:
    """The equations at the time of a bell, which may lead there."""

    id: str
    bell: Bell
    equations: tuple[Equation, ...]

    @property
    def moves(self) -> bool:
        """True if it wants something of the pose."""
        return any(isinstance(each, PoseEquation | PointEquation | TurnEquation) for each in self.equations)

    @property
    def speeds(self) -> bool:
        """True if it wants something of the velocity."""
        return any(isinstance(each, VelocityEquation) for each in self.equations)


@dataclass(frozen=True, eq=False)
class KinodynamicState:
    """A KD state: a pose, and where velocities are wanted the poses a moment before and after it."""

    q: Array
    q_before: Array | None = None
    q_after: Array | None = None
    apart: float = 0.0  # [s] from q_before to q_after


@dataclass(frozen=True, eq=False)
class Residual:
    """The error of one equation."""

    goal: str
    equation: Equation
    error: Array  # e, see the module
    unit: str  # "m", "rad", or either per second

    @property
    def size(self) -> float:
        """|e|; for poses the largest of its numbers."""
        if isinstance(self.equation, PoseEquation | PoseVelocityEquation):
            return float(np.abs(self.error).max(initial=0.0))
        return float(np.linalg.norm(self.error))

    @property
    def is_velocity(self) -> bool:
        """True if it is of a velocity."""
        return isinstance(self.equation, VelocityEquation)


def check_goals(model: Model, goals: tuple[TimedGoal, ...]) -> None:
    """Refuse targets that want joints, rates or numbers that are not there."""
    for goal in goals:
        if not goal.equations:
            raise Unmeetable(goal=goal.id, found="nothing", allowed="a pose, a point, a turn, or a velocity")
        for equation in goal.equations:
            if isinstance(equation, PoseEquation | PoseVelocityEquation):
                numbers = equation.q if isinstance(equation, PoseEquation) else equation.qd
                count = len(model.rest) if isinstance(equation, PoseEquation) else model.rate_count
                if numbers.shape != (count,) or not np.isfinite(numbers).all():
                    raise Unmeetable(goal=goal.id, found=f"{numbers!r}", allowed=f"{count} finite numbers")
                if any(not 0 <= rate < model.rate_count for rate in equation.rates or ()):
                    raise Unmeetable(
                        goal=goal.id, found=f"rates {equation.rates}", allowed=f"0 to {model.rate_count - 1}"
                    )
            elif not 0 <= equation.joint < model.joint_count:
                raise Unmeetable(goal=goal.id, found=f"joint {equation.joint}", allowed=f"0 to {model.joint_count - 1}")
            elif not np.isfinite(numbers_of(equation)).all():
                raise Unmeetable(goal=goal.id, found=f"{equation!r}", allowed="finite numbers")
    if len({goal.id for goal in goals}) < len(goals):
        raise InvalidArguments(what="the ids of targets", value=[goal.id for goal in goals], allowed="each only once")


def numbers_of(equation: PointEquation | TurnEquation | BodyVelocityEquation) -> Array:
    """Gather all numbers of an equation of a body."""
    if isinstance(equation, TurnEquation):
        return np.array(equation.rotation)
    if isinstance(equation, TurnVelocityEquation):
        return np.array(equation.velocity)
    return np.array(
        [*equation.local, *(equation.position if isinstance(equation, PointEquation) else equation.velocity)]
    )


def pack_equations(equations: tuple[Equation, ...]) -> tuple[IntArray, Array]:
    """Points and turns for the kernels of `engine.targets.reach`: kind and joint, and numbers."""
    ints: list[tuple[int, int]] = []
    floats: list[Array] = []
    for equation in equations:
        numbers = np.zeros(WANT_FLOATS)
        if isinstance(equation, PointEquation):
            ints.append((POINT, equation.joint))
            numbers[:6] = numbers_of(equation)
        elif isinstance(equation, TurnEquation):
            ints.append((TURN, equation.joint))
            numbers[:9] = rotation_matrix(equation.rotation).ravel()
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


@entered_kernel
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


def measure(model: Model, goal: TimedGoal, state: KinodynamicState, workspace: Array) -> tuple[Residual, ...]:
    """Measure by how much each equation of a `TimedGoal` is missed; `workspace` is a state buffer of the model."""
    return tuple(_miss(model, goal, equation, state, workspace) for equation in goal.equations)


def _miss(model: Model, goal: TimedGoal, equation: Equation, state: KinodynamicState, workspace: Array) -> Residual:
    if isinstance(equation, PoseEquation):
        error = np.empty(model.rate_count)
        compute_difference(model.ints, state.q, equation.q, error)
        return Residual(goal.id, equation, error if equation.rates is None else error[list(equation.rates)], "rad")
    if isinstance(equation, PointEquation):
        place = find_point(model, state.q, equation.joint, equation.local, workspace)
        return Residual(goal.id, equation, np.array(equation.position) - place, "m")
    if isinstance(equation, TurnEquation):
        compute_forward_kinematics(model.ints, model.floats, state.q, workspace)
        error = np.empty(3)
        turn_between(workspace, equation.joint, rotation_matrix(equation.rotation).ravel(), error)
        return Residual(goal.id, equation, error, "rad")
    if isinstance(equation, PoseVelocityEquation):
        error = equation.qd - velocity_of(model, state)
        return Residual(goal.id, equation, error if equation.rates is None else error[list(equation.rates)], "rad/s")
    unit = "m/s" if isinstance(equation, PointVelocityEquation) else "rad/s"
    return Residual(
        goal.id, equation, np.array(equation.velocity) - body_velocity(model, equation, state, workspace), unit
    )


def velocity_of(model: Model, state: KinodynamicState) -> Array:
    """Rates of the KD trajectory [rad/s, m/s] (4.9, about the middle)."""
    assert state.q_before is not None
    assert state.q_after is not None
    found = np.empty(model.rate_count)
    compute_difference(model.ints, state.q_before, state.q_after, found)
    return found / state.apart


def body_velocity(model: Model, equation: BodyVelocityEquation, state: KinodynamicState, workspace: Array) -> Array:
    """The velocity of the KD trajectory that an equation of a body is about: of its point [m/s], or angular [rad/s]."""
    assert state.q_before is not None  # states of goals with velocities have both
    assert state.q_after is not None
    if isinstance(equation, PointVelocityEquation):
        far, near = (
            find_point(model, q, equation.joint, equation.local, workspace) for q in (state.q_after, state.q_before)
        )
        return np.asarray((far - near) / state.apart)
    turns = np.empty((2, 3, 3))
    for q, turn in zip((state.q_before, state.q_after), turns, strict=True):
        compute_forward_kinematics(model.ints, model.floats, q, workspace)
        turn[:] = model.transforms(workspace)[equation.joint, :9].reshape(3, 3)
    return turn_to(*turns) / state.apart
