"""Window lengths after which what happened before cannot be seen any more.

Source: Rahgoshay 2011, chapter 5. A joint whose keys are left by an impulse p swings back to them; with m the mass, c
the damping, k the stiffness, decay g = c / 2m, square s = k / m and u = p / m, (5.1) with x(0) = 0, x'(0) = u has

    under-damped   x = u e^(-g t) sin(w t) / w,     w = sqrt(s - g^2),   |x| <= u e^(-g t) min(1 / w, t)
    critical       x = u t e^(-g t)
    over-damped    x = u e^(-g t) sinh(w t) / w,    w = sqrt(g^2 - s)

and the window ends where |x| has last been x_min. Corrected against the printed text:

- (5.2) and (5.4) hold for the over-damped case only: below it the root is imaginary, sinh becomes sin and w is
  sqrt(4 m k - c^2) / 2m, so that A = 2 p / sqrt(4 m k - c^2). b of (5.3) to (5.5) is c of (5.1).
- "under damped or critically damped" cannot share A e^(g t): A has no bound as c^2 comes near 4 m k. The bound
  u t e^(-g t), which holds at any damping, ends the window there.
- (5.6) is negative where the swing never reaches x_min at all: the window is 0.
- (5.11) bounds |q_i|, not q_i, and is no bound for over-damped modes, where sinh grows: they keep both exponentials.
- (5.8) diagonalises K alone, which takes M = 1 for granted. Here K phi = w^2 M phi with phi^T M phi = 1; c_i is
  phi_i^T C phi_i (all of C if it is proportional, 5.9; else an estimate, for what couples modes is left out). (5.12) is
  then a sum in kg^(1/2) m. Said of each rate k, in rad or m: sum_i |phi_ki| b_i(t) <= x_min, b_i the bound of mode i,
  A_i and not one A, with impulses of any signs: u_i = sum_k |phi_ki| p_k.
- An impulse of one step, x''_max = p / (h m), tells what one step leaves behind, but keys accelerate for longer. What a
  window forgets is a sum over all steps before it, so `history_window` bounds the integral of b_i from its end on:
  secondary motion then is within x_min of full dynamics as long as no load M q'' by the keys passes the given ones.

x_min in rad or m. Valid for small motions about a pose, away from limits.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.dynamics.batch import invert_states
from engine.dynamics.coordinates import nudge_coordinates
from engine.dynamics.mass import compute_mass_matrix
from engine.dynamics.mechanics import Mechanics, with_gravity
from engine.kinodynamics.driven import write_shares
from engine.kinodynamics.gains import ServoGains
from engine.maths.arrays import Array
from engine.model.driven_kernels import fold_states, write_driven
from engine.runtime.errors import EngineError
from engine.runtime.quick_dataclass import dataclass

_NUDGE = 1e-5  # [rad] or [m]
_LONGEST = 1e6  # [s]; beyond it a motion does not come to rest


class InvalidWindow(EngineError):
    """A window, a step, or what one is chosen by, that cannot be."""

    def __init__(self, *, what: str, value: object, allowed: str) -> None:
        super().__init__(f"{what} is {value!r}; allowed: {allowed}")
        self.what, self.value, self.allowed = what, value, allowed


def one_degree_window(mass: float, damping: float, stiffness: float, impulse: float, least: float) -> float:
    """Find when a body that an impulse [N s] drives off is within `least` of its key for good [s]; inf if never."""
    _check_above_zero("the mass", mass)
    _check_above_zero("the least motion that is seen", least)
    if not math.isfinite(impulse):
        raise InvalidWindow(what="the impulse", value=impulse, allowed="finite")
    for what, value in (("the damping", damping), ("the stiffness", stiffness)):
        if not (math.isfinite(value) and value >= 0.0):
            raise InvalidWindow(what=what, value=value, allowed="0 and above, finite")
    rate, decay, square = abs(impulse) / mass, 0.5 * damping / mass, stiffness / mass
    if rate == 0.0:
        return 0.0
    if square == 0.0:
        return math.inf if decay == 0.0 or rate / (2.0 * decay) > least else 0.0
    if square > decay * decay:
        peak = rate / math.sqrt(square - decay * decay)
        if decay == 0.0:
            return math.inf if peak > least else 0.0
        return min(max(0.0, math.log(peak / least) / decay), _leave_critical(decay, rate, least))
    if square == decay * decay:
        return _leave_critical(decay, rate, least)
    return _last_above(np.array([rate]), np.array([decay]), np.array([square]), np.eye(1), np.array([least]), "impulse")


@dataclass(frozen=True, eq=False)
class Linear:
    """The linear equations of the rates that are free to swing about a pose: M x'' + C x' + K x = 0."""

    mass: Array
    damping: Array
    stiffness: Array
    rates: NDArray[np.signedinteger]  # which of the figure's rates these are


def linearise(mechanics: Mechanics, gains: ServoGains, q: Array) -> Linear:
    """A figure under its gains about a pose, with what gravity and springs add to the stiffness; exact rates are held,
    what is driven follows."""
    mechanics = with_gravity(mechanics, shares=gains.shares)
    count, work = mechanics.rate_count, mechanics.new_work()
    mass = np.zeros((count, count))
    compute_mass_matrix(mechanics.ints, mechanics.floats, q, work, mass)
    near = np.empty((2, count, len(q)))
    for poses, sign in zip(near, (1.0, -1.0), strict=True):
        nudge_coordinates(mechanics.ints, q, sign * _NUDGE, np.empty(count), poses)
    still = np.zeros((2 * count, count))
    shares, driven = write_shares(mechanics, q), mechanics.model.driven
    if driven is not None:
        for pose in near.reshape(-1, len(q)):
            write_driven(driven.ints, driven.floats, pose)
    torques = invert_states(mechanics, near.reshape(-1, len(q)), still, still)
    torques -= _springs(mechanics, near.reshape(-1, len(q)))
    if driven is not None and shares is not None:
        fold_states(driven.ints, driven.floats, near.reshape(-1, len(q)), torques)
        mass = shares.T @ mass @ shares
    more, less = torques.reshape(2, count, count)
    slope = (more - less).T / (2.0 * _NUDGE)
    free = np.flatnonzero(~gains.exact)
    part = np.ix_(free, free)
    kp, kd = np.diag(gains.kp[free]), np.diag(gains.kd[free])
    # Half of what a ball's torque adds depends on the order of turns; a potential's slope is symmetric.
    return Linear(mass[part], kd, kp + 0.5 * (slope[part] + slope[part].T), free)


def _springs(mechanics: Mechanics, poses: Array) -> Array:
    """Give the torques of the degrees of freedom's own springs, shape [poses, rate_count]."""
    figure, found = mechanics.model.figure, np.zeros((len(poses), mechanics.rate_count))
    for dof in figure.dofs:
        if dof.spring > 0.0:
            found[:, figure.rate_index[dof.id]] = dof.spring * (dof.neutral - poses[:, figure.coordinate_index[dof.id]])
    return found


def modal_window(linear: Linear, impulses: Array, least: Array) -> float:
    """(5.12): when every rate is within its `least` for good after impulses [N m s, N s] of these sizes [s]."""
    return _window_of(linear, np.abs(impulses), least, "impulse")


def inertial_loads(mechanics: Mechanics, q: Array, accelerations: Array) -> Array:
    """The most that accelerations of these sizes [rad/s2, m/s2] and any signs load each rate with, |M| a [N m, N]."""
    mass = np.zeros((mechanics.rate_count, mechanics.rate_count))
    compute_mass_matrix(mechanics.ints, mechanics.floats, q, mechanics.new_work(), mass)
    return np.asarray(np.abs(mass) @ np.abs(accelerations))


def history_window(linear: Linear, loads: Array, least: Array) -> float:
    """The window beyond which loads of at most these sizes [N m, N] leave less than `least` [s]."""
    return _window_of(linear, np.abs(loads), least, "history")


def bound_of(kind: Literal["impulse", "history"], decay: Array, square: Array, t: float) -> Array:
    """Bound modes of unit mass from t on: after a unit impulse at 0, or after what ended t before."""
    gap = decay * decay - square
    w = np.sqrt(np.abs(gap))
    slow = np.where(gap > 0.0, square / (decay + w), decay)  # the decay that lasts longest
    fast = np.where(gap > 0.0, decay + w, decay)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        if kind == "impulse":
            # From the peak on, artanh(w / g) / w; before it, the peak.
            peak = np.where(gap > 0.0, 0.5 * np.log(fast / slow) / w, 1.0 / decay)
            late = np.maximum(t, np.where(np.isfinite(peak), peak, 0.0))
            over = np.exp(-slow * late) * -np.expm1(-2.0 * w * late) / (2.0 * w)
            flat = late * np.exp(-decay * late)
            under = np.minimum(np.where(decay > 0.0, flat, math.inf), np.exp(-decay * t) / w)
        else:
            over = (np.exp(-slow * t) / slow - np.exp(-fast * t) / fast) / (2.0 * w)
            flat = np.exp(-decay * t) * (t + 1.0 / decay) / decay
            under = np.minimum(flat, np.exp(-decay * t) / (w * decay))
        return np.where(gap > 1e-12 * square, over, np.where(gap < 0.0, under, flat))


def _window_of(linear: Linear, pushes: Array, least: Array, kind: Literal["impulse", "history"]) -> float:
    wanted = np.broadcast_to(np.asarray(least, dtype=np.float64), pushes.shape)
    if not (wanted > 0.0).all():
        raise InvalidWindow(what="the least motion that is seen", value=least, allowed="above 0")
    if not np.isfinite(pushes).all():
        raise InvalidWindow(what="an impulse or acceleration", value=pushes, allowed="finite")
    if not pushes.any():
        return 0.0
    from scipy.linalg import eigh  # 0.2 s to load, and only suggesting a window needs it

    squares, shapes = eigh(linear.stiffness, linear.mass)
    if squares[0] <= 0.0:
        return math.inf
    decays = 0.5 * np.einsum("ki,kl,li->i", shapes, linear.damping, shapes)
    driven = np.abs(shapes).T @ pushes
    some = driven > 0.0  # a mode that nothing drives may never rest and is not seen
    return _last_above(driven[some], decays[some], squares[some], np.abs(shapes)[:, some], wanted, kind)


def _last_above(
    pushes: Array,
    decays: Array,
    squares: Array,
    shapes: Array,
    least: Array,
    kind: Literal["impulse", "history"],
) -> float:
    """Find by bisection the time after which the bounds stay below the least, since every bound only falls."""

    def above(t: float) -> bool:
        sizes = pushes * bound_of(kind, decays, squares, t)
        endless = np.isinf(sizes)  # an undamped mode has no bound at all
        sizes[endless] = 0.0
        return bool(shapes[:, endless].any() or (shapes @ sizes > least).any())

    if not above(0.0):
        return 0.0
    early, late = 0.0, 1e-3
    while above(late):
        early, late = late, 2.0 * late
        if late > _LONGEST:
            return math.inf
    while late - early > 1e-12 * late:
        middle = 0.5 * (early + late)
        early, late = (middle, late) if above(middle) else (early, middle)
    return late


def _leave_critical(decay: float, rate: float, least: float) -> float:
    """The last time at which u t e^(-g t) is `least`."""
    from scipy.special import lambertw

    share = decay * least / rate
    return 0.0 if share >= math.exp(-1.0) else -float(lambertw(-share, -1).real) / decay


def _check_above_zero(what: str, value: float) -> None:
    if not (math.isfinite(value) and value > 0.0):
        raise InvalidWindow(what=what, value=value, allowed="above 0, finite")
