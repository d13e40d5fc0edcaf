"""Gains: how tightly each joint follows the keyed motion, as an animator says it and as the simulation needs it.

Source: Rahgoshay 2011, equation 3.1, which has one tension gain Kp and no word on damping. A stiffness in N m/rad says
nothing to a person and differs by a factor of 10^4 from a finger to a hip, so a joint is described by what is seen of
it:

- *tension*: the frequency [Hz] at which the joint, with all that it carries in the rest pose, would swing about its
  keys. A short one lags by about 1 / (2 pi f), whatever hangs on it. Infinite: the joint follows exactly.
- *relaxation*: the share of that stiffness that is let go, 0 to 1. At 1 the joint is limp.
- *damping*: of what is left, as a ratio to the critical one: 1 comes to rest without swinging past, 0 swings on.
- *gravity*: the share of gravity that the joint's body feels; keys were mostly set with the weight already in them.

For a rate with the inertia I (the diagonal of the mass matrix at rest), w = 2 pi f:

    kp = I w^2 (1 - relaxation),    kd = 2 damping sqrt(kp I).

A hanging arm has hardly any inertia about its own axis, and 5 times as much as soon as the elbow is bent: its shoulder
would swing at 1.7 Hz where 4 were set. So I is at least half of the largest inertia that the limbs on the next joints
have about these, as if they were bent by 45 degrees away from the axis; a limb that is bent by a right angle then
swings about it at 0.7 of the tension at least. Where that is more than at rest (twists of shoulders, hips, forearms),
tension is not the frequency at rest.

A servo taken for one step dt of the simulation has four numbers for each rate (`servo_rows`), such that a joint which
moves I alone has the poles exp(lambda dt) of its continuous equation and the same sag under a constant load, at any dt.
With z the damping ratio, lambda = -z w +- w sqrt(z^2 - 1), p = exp(-2 z w dt) and k the product of 1 - exp(lambda dt)
over both poles, the step is

    (M + D) (v' - v) / dt = kp (g' - x - dt v) + kd' (r' - v) + c (r' - r) + other forces,    x' = x + dt v'

where g, r are the keyed value and the keyed rate half a step before it; J = kp dt^2 / k, D = J - I,
kd' = (1 - p) J / dt - dt kp, and c = D / dt - (1 - p) J / dt lets the added inertia D go along with the keys. As w dt
grows, k and 1 - p go to 1 and x' to g': a stiff servo lands on its key. With any other mass matrix M a step is stable
where 4 D >= 2 dt kd' + 3 dt^2 kp (the Jury conditions of z^2 - (2 - b - k) z + 1 - b for every vector, however small
its share of M), so D is raised to that: by (w dt)^2 I / 6 at most.

A spring of a degree of freedom (`Dof.spring`) pulls to where it rests, with k. Both together pull to the point x_e
between g and x_0 with K = kp + k; with s = kp / K the numbers of the step are those of K, g and r count by s, and of
what the damper takes from the keys kd (1 - s) r is left, half way between r and r':

    ... = kp (g' - x - dt v) + k (x_0 - x - dt v) + kd' (s r' - v) + s c (r' - r) + kd (1 - s) (r + r') / 2

A driven coordinate has a spring at most; else it follows its drivers (`driven.py`), whose inertia is with what they
drive.

Symbols: M mass matrix, x, v value and rate, dt step [s]. Valid for any figure; poles hold for small motions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from engine.document import Body, Dof
from engine.dynamics.mass import compute_mass_matrix
from engine.dynamics.mechanics import Mechanics
from engine.kinodynamics.driven import write_shares
from engine.maths.arrays import Array
from engine.model.compile import ROW, Model
from engine.model.inertia import body_of
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.errors import EngineError, UnknownPart
from engine.runtime.quick_dataclass import dataclass

# Rows of a servo: SPRING kp, DAMPER kd', ADDED inertia D (inf: follows exactly), ALONG c, the limits, the INERTIA that
# gains are for, how far BEFORE a limit its stop begins; OWN spring k, where it is at REST, and what its damping is
# short of kd', LACK (1 - s) (kd' - kd).
SPRING, DAMPER, ADDED, ALONG, LOWER, UPPER, INERTIA, BEFORE, OWN, REST, LACK = range(11)
SERVO_ROWS = 11
STOPS = 0.002  # [rad] or [m] inside a limit, where its stop begins, but not more than a quarter of the range


class InvalidGain(EngineError):
    """A gain that no joint can have."""

    def __init__(self, *, what: str, value: object, allowed: str) -> None:
        super().__init__(f"{what} is {value!r}; allowed: {allowed}")
        self.what, self.value, self.allowed = what, value, allowed


@dataclass(frozen=True, kw_only=True)
class JointGains:
    """The gains of one joint: how tightly it follows its keys."""

    tension: float = 4.0  # [Hz], above 0; inf follows exactly, at any relaxation
    relaxation: float = 0.0  # 0 to 1
    damping: float = 0.5  # ratio to critical, 0 and above
    gravity: float = 1.0  # share, finite

    def __post_init__(self) -> None:
        checks = (
            ("tension", self.tension > 0.0, "above 0 Hz; inf follows exactly"),
            ("relaxation", 0.0 <= self.relaxation <= 1.0, "0 to 1"),
            ("damping", 0.0 <= self.damping < math.inf, "0 and above, finite"),
            ("gravity", math.isfinite(self.gravity), "finite numbers; 1 is all of it"),
        )
        for name, holds, allowed in checks:
            if not holds:
                raise InvalidGain(what=f"the {name} of a joint", value=getattr(self, name), allowed=allowed)


EXACT = JointGains(tension=math.inf)


@dataclass(frozen=True, eq=False)
class ServoGains:
    """Stiffness and damping for each rate, read-only; kp is inf where a rate follows exactly, its keys or drivers."""

    inertia: Array  # that gains are for: at rest, with all that is carried, or bent [kg m2] or [kg]
    kp: Array  # [N m/rad] or [N/m]
    kd: Array  # [N m s/rad] or [N s/m]
    shares: Array  # of gravity, shape [joint_count]

    @property
    def exact(self) -> NDArray[np.bool_]:
        """True for each rate that follows exactly."""
        return np.isinf(self.kp)


def compile_gains(
    mechanics: Mechanics,
    default: JointGains,
    per_joint: Mapping[str, JointGains] | None = None,
    *,
    inertia: Array | None = None,
) -> ServoGains:
    """The gains of every rate. A joint that is not named has the default; a root that is not named follows exactly,
    what is driven does so anyway.
    `inertia` is what `moved_inertia` gives, where that is known."""
    figure, own = mechanics.model.figure, dict(per_joint or {})
    known = [joint.id for joint in figure.joints]
    for id in own:
        if id not in known:
            raise UnknownPart(kind="joint", id=id, known=known)
    joints = [own.get(joint.id, EXACT if joint.parent is None else default) for joint in figure.joints]
    shares = [own.get(joint.id, default).gravity for joint in figure.joints]
    inertia = moved_inertia(mechanics) if inertia is None else inertia.copy()
    kp, kd, rate = np.zeros(len(inertia)), np.zeros(len(inertia)), 0
    for joint, each in zip(figure.joints, joints, strict=True):
        for dof in joint.dofs:
            own = EXACT if dof.driven else each
            for _ in range(3 if dof.kind == "ball" else 1):
                kp[rate], kd[rate] = _stiffness(float(inertia[rate]), own, f"{joint.name}, {dof.name}")
                rate += 1
    gains = ServoGains(inertia, kp, kd, np.array(shares))
    for array in (gains.inertia, gains.kp, gains.kd, gains.shares):
        array.flags.writeable = False
    return gains


def moved_inertia(mechanics: Mechanics) -> Array:
    """Find the inertia that the gains of each rate are for: the larger one of rest and bent."""
    return np.maximum(_with_driven(mechanics), bent_inertia(mechanics))


def rest_inertia(mechanics: Mechanics) -> Array:
    """Find the inertia of each rate at the rest pose, all others held: the diagonal of the mass matrix."""
    count = mechanics.rate_count
    mass = np.zeros((count, count))
    compute_mass_matrix(mechanics.ints, mechanics.floats, mechanics.model.rest, mechanics.new_work(), mass)
    return mass.diagonal().copy()


def _with_driven(mechanics: Mechanics) -> Array:
    """That with the inertia of what is driven added to its drivers'."""
    shares = write_shares(mechanics, mechanics.model.rest)
    if shares is None:
        return rest_inertia(mechanics)
    mass = np.zeros((mechanics.rate_count, mechanics.rate_count))
    compute_mass_matrix(mechanics.ints, mechanics.floats, mechanics.model.rest, mechanics.new_work(), mass)
    led = shares.any(axis=0)
    return np.where(led, np.diagonal(shares.T @ mass @ shares), np.diagonal(mass))


def bent_inertia(mechanics: Mechanics) -> Array:
    """Find the inertia that each turning rate would have if what hangs on the next joints were bent half aside: half of
    its largest inertia about them; 0 for slides and for joints that carry no other."""
    model, state = mechanics.model, mechanics.model.new_state()
    compute_forward_kinematics(model.ints, model.floats, model.rest, state)
    figure, bent = model.figure, np.zeros(model.joint_count)
    carried = [_moments(body_of(joint), row) for joint, row in zip(figure.joints, _rows(state, model), strict=True)]
    for index in range(model.joint_count - 1, -1, -1):
        joint = figure.joints[index]
        if joint.parent is not None:
            parent = figure.joint_index[joint.parent]
            bent[parent] += (
                0.5 * _largest(carried[index], _rows(state, model)[index, 9:]) if joint.dofs else bent[index]
            )
            carried[parent] = carried[parent] + carried[index]
    turns = [
        (0.0 if dof.kind == "slide" else float(bent[index]), 3 if dof.kind == "ball" else 1)
        for index, joint in enumerate(figure.joints)
        for dof in joint.dofs
    ]
    return np.repeat([each for each, _ in turns], [count for _, count in turns])


def _rows(state: Array, model: Model) -> Array:
    """Rotation and place of each joint, shape [joint_count, 12]."""
    return state[ROW : (model.joint_count + 1) * ROW].reshape(-1, ROW)


def _moments(body: Body, row: Array) -> Array:
    """A placed body's sum of m x x^T in homogeneous coordinates (x, 1), shape [4, 4]: those of several add up."""
    rotation = row[:9].reshape(3, 3)
    xx, yy, zz, xy, xz, yz = body.inertia
    turning = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    centre = np.append(row[9:] + rotation @ np.array(body.centre), 1.0)
    found = body.mass * np.outer(centre, centre)
    found[:3, :3] += rotation @ (0.5 * np.trace(turning) * np.eye(3) - turning) @ rotation.T
    return np.asarray(found)


def _largest(moments: Array, place: Array) -> float:
    """The largest moment of inertia about any axis through a place."""
    back = np.eye(4)
    back[:3, 3] = -place
    second = (back @ moments @ back.T)[:3, :3]
    return float(np.trace(second) - np.linalg.eigvalsh(second)[0])


def servo_rows(mechanics: Mechanics, gains: ServoGains, dt: float) -> Array:
    """Pack the servo numbers that the kernels read for steps of dt, shape [11, rate_count]; a rate of a ball has no
    limits and no spring."""
    servo = np.zeros((SERVO_ROWS, len(gains.kp)))
    for rate, (inertia, kp, kd) in enumerate(zip(gains.inertia, gains.kp, gains.kd, strict=True)):
        servo[:LOWER, rate] = _step_of(float(inertia), float(kp), float(kd), dt)
    servo[LOWER], servo[UPPER] = -np.inf, np.inf
    servo[INERTIA] = gains.inertia
    rate, coordinate, model = 0, 0, mechanics.model
    for dof in model.figure.dofs:
        if dof.kind != "ball":
            servo[LOWER, rate], servo[UPPER, rate] = model.lower[coordinate], model.upper[coordinate]
            if dof.spring > 0.0 or dof.driven:
                _add_spring(dof, gains, rate, dt, servo[:, rate])
        rate, coordinate = rate + (3 if dof.kind == "ball" else 1), coordinate + len(dof.coordinates)
    servo[BEFORE] = np.minimum(STOPS, 0.25 * (servo[UPPER] - servo[LOWER]))
    servo.flags.writeable = False
    return servo


def _add_spring(dof: Dof, gains: ServoGains, rate: int, dt: float, out_servo: Array) -> None:
    """Add the spring of a degree of freedom to its servo; a driven one that moves anything has that alone."""
    inertia, kp, kd = (float(each[rate]) for each in (gains.inertia, gains.kp, gains.kd))
    own = dof.spring
    if dof.driven and (inertia > 0.0 or own > 0.0):
        kp = kd = 0.0
    if math.isinf(kp):
        return
    # What moves no mass has no poles: its spring is taken at the end of the step.
    step = _step_of(inertia, kp + own, kd, dt) if inertia > 0.0 else (0.0, 0.0, dt * dt * own, 0.0)
    _, damper, added, along = step
    share = kp / (kp + own) if own > 0.0 else 1.0
    out_servo[[SPRING, DAMPER, ADDED, ALONG]] = kp, damper, added, share * along - 0.5 * (1.0 - share) * kd
    out_servo[[OWN, REST, LACK]] = own, dof.neutral, (1.0 - share) * (damper - kd)


def _stiffness(inertia: float, gains: JointGains, freedom: str) -> tuple[float, float]:
    if math.isinf(gains.tension):
        return math.inf, math.inf
    if not inertia > 0.0:
        allowed = "a mass above 0 on the joint or on what hangs on it, or an infinite tension"
        raise InvalidGain(what=f"the inertia that {freedom} moves", value=inertia, allowed=allowed)
    kp = inertia * math.tau**2 * gains.tension**2 * (1.0 - gains.relaxation)
    if not math.isfinite(kp):
        return math.inf, math.inf
    return kp, 2.0 * gains.damping * math.sqrt(kp * inertia)


def _step_of(inertia: float, kp: float, kd: float, dt: float) -> tuple[float, float, float, float]:
    if math.isinf(kp):
        return 0.0, 0.0, math.inf, 0.0
    if kp == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    turn = dt * math.sqrt(kp / inertia)
    ratio = kd / (2.0 * math.sqrt(kp * inertia))
    decay = ratio * turn
    if ratio < 1.0:
        angle, left = turn * math.sqrt(1.0 - ratio**2), math.exp(-decay)
        gap = (-math.expm1(-decay) + 2.0 * left * math.sin(0.5 * angle) ** 2) ** 2 + (left * math.sin(angle)) ** 2
    else:
        fast = decay + turn * math.sqrt(ratio**2 - 1.0)
        gap = math.expm1(-fast) * math.expm1(-turn * turn / fast)
    moved = kp * dt * dt / gap
    share = -math.expm1(-2.0 * decay)
    damper = share * moved / dt - dt * kp
    added = max(moved - inertia, 0.25 * (2.0 * dt * damper + 3.0 * dt * dt * kp))
    return kp, damper, added, (added - share * moved) / dt
