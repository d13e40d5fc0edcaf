"""Modes: the slowest vibrations of a soft body about rest, and the window that they suggest (Rahgoshay 2011, 5.2).

About rest, seen from what drives it, a body whose held points are fixed is linear: with y the places of its free points
and a(t) the acceleration of what holds them, gravity taken away from it,

    M y'' + C y' + K y = -M r a(t),   C = alpha M + beta K (and the damping of attachments that are springs)  (5.7, 5.9)
    K phi_i = s_i M phi_i,   phi_i^T M phi_i = 1,   y = sum phi_i q_i
    q_i'' + 2 g_i q_i' + s_i q_i = -p_i . a(t),    2 g_i = alpha + beta s_i,   p_i = phi_i^T M r               (5.10)

r gives each point the acceleration itself, so that p_i, a vector, says how much a mode is driven. The response to an
impulse of one is, w^2 = |s - g^2|,

    h = e^(-g t) sin(w t) / w,    t e^(-g t),    e^(-g t) sinh(w t) / w.

The state in which a window begins, carried rigidly, is off by what went before, of which at t is left at most

    |y(t)| <= sum_i |phi_i| |p_i| a_max H_i(window),    H_i(t) = the integral of a bound of |h_i| from t on    (5.12)

with a_max the largest acceleration, gravity among it since the rest shape does not sag yet. The window is the least
after which that is below what can be seen, at every point. `jolt_window` takes (5.6) in its place: what drives the body
stops dead at a speed v, sum_i |phi_i| |p_i| v |h_i|.

Slips of the printed text, beside those that `engine.kinodynamics.windows` names: (5.8)
diagonalises K as if M were 1: masses of a mesh differ, and the eigenproblem has to be the generalised one. (5.9) prints
C~ = diag(alpha m_i + beta k_i) of such a K: with phi^T M phi = 1 it is alpha + beta s_i. (5.12) bounds the sum of
squares of modes, which is the distance of the whole body in y, not that of any point; (5.6) is the bound of a mode that
swings alone and says nothing about a steady load, whose end is a sag.

Implicit Euler damps as well. A step dt of it takes mode i by z, (1 + 2 g dt + s dt^2) z^2 - 2 (1 + g dt) z + 1 = 0, so
that what is seen decays by g = -ln|z| / dt and swings by w = arg z / dt: with `dt` the modes are those of the stepper;
to first order it adds dt to beta.

Valid for small motions about rest. Springs of activation splines, contact and gravity's own stiffness are left out;
so is the turning of what holds the body, beyond the acceleration at its points.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import bsr_matrix, csc_matrix, diags
from scipy.sparse.linalg import eigsh

from engine.maths.arrays import Array, BoolArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.soft.step import SoftModel, assemble_at_rest, start

MODES = 24
_DENSE = 600  # numbers, up to which all modes are found at once
_STILL = 1e9  # [s] of a step in which neither inertia nor damping counts
_LONGEST = 1e3  # [s]; beyond it a body does not come to rest


@dataclass(frozen=True, eq=False)
class Modes:
    """The slowest modes of a body, of unit mass, in the order of their frequencies."""

    squares: Array  # s_i [1/s2]
    decays: Array  # g_i [1/s]
    shapes: Array  # phi_i [kg^-1/2], shape [mode_count, point_count, 3]; zero at held points
    driven: Array  # p_i [kg^1/2], shape [mode_count, 3]
    mass: float  # of the free points [kg]

    @property
    def frequencies(self) -> Array:
        """Frequencies of the modes without damping [Hz]."""
        return np.asarray(np.sqrt(np.maximum(self.squares, 0.0)) / (2.0 * math.pi))

    @property
    def shares(self) -> Array:
        """How much of the mass moves in each, |p_i|^2 / 3 m; their sum comes to 1 as more are found."""
        return np.asarray((self.driven**2).sum(axis=1) / (3.0 * self.mass))

    def stepped(self, dt: float) -> Modes:
        """The modes as implicit Euler shows them in steps of dt [s]."""
        lead, middle = 1.0 + 2.0 * self.decays * dt + self.squares * dt * dt, 1.0 + self.decays * dt
        root = np.sqrt((middle * middle - lead).astype(np.complex128))
        rates = -np.log((middle + np.array((1.0, -1.0))[:, None] * root) / lead) / dt  # g -+ i w, or both decays
        decays = 0.5 * (rates[0] + rates[1]).real
        return Modes((rates[0] * rates[1]).real, decays, self.shapes, self.driven, self.mass)


def find_modes(model: SoftModel, held: BoolArray, *, count: int = MODES) -> Modes:
    """Find the slowest modes of a compiled body whose held points are fixed; `model` has its springs to places."""
    stiffness, added = _stiffness(model)
    free = np.repeat(~held, 3)
    if model.frames is not None and not free.any():
        raise InvalidArguments(what="the points of a body that swings", value="all held", allowed="one or more free")
    if not held.any() and not len(model.pulled):
        raise InvalidArguments(what="the points that hold a body", value="none", allowed="one or more")
    masses = np.repeat(model.masses, 3)
    planar = np.concatenate([np.full(len(each.mesh.points), each.mesh.planar) for each in model.pieces])
    free &= ~np.stack((0 * planar, 0 * planar, planar), axis=1).astype(bool).ravel()
    at = np.flatnonzero(free)
    matrix, weights = csc_matrix(stiffness[at][:, at]), masses[at]
    squares, vectors = _eigen(matrix, weights, min(count, len(at)))
    shapes = np.zeros((len(squares), 3 * len(held)))
    shapes[:, at] = vectors.T
    drags = np.concatenate([np.full(3 * len(each.mesh.points), each.material.mass_damping) for each in model.pieces])
    lag = max(each.material.stiffness_damping for each in model.pieces)
    # What attachments have of K has a damping of its own, in place of beta.
    own = np.einsum("ij,j,ij->i", shapes, added[0], shapes)
    slow = np.einsum("ij,j,ij->i", shapes, added[1], shapes)
    mass = np.einsum("ij,j,ij->i", shapes, masses * drags, shapes)
    decays = 0.5 * (mass + lag * (squares - own) + slow)
    driven = (shapes * masses).reshape(len(squares), -1, 3).sum(axis=1)
    return Modes(squares, decays, shapes.reshape(len(squares), -1, 3), driven, float(weights.sum() / 3.0))


def jolt_window(modes: Modes, speed: float, least: float) -> float:
    """The time [s] after which nothing is seen of a jolt: what drives the body stops dead at a speed [m/s]."""
    return _last_above(modes, speed, least, _impulse_bounds)


def history_window(modes: Modes, acceleration: float, least: float) -> float:
    """The window [s] beyond which accelerations of at most this size [m/s2] leave less than `least` [m] to be seen."""
    return _last_above(modes, acceleration, least, _history_bounds)


def response(modes: Modes, speed: Array, times: Array) -> Array:
    """Where the points are off at some times [s] after what drives them stops dead at a velocity [m/s]; shape
    [len(times), point_count, 3]."""
    slow, fast, w = _rates(modes)
    t = times[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        over = (np.exp(-slow * t) - np.exp(-fast * t)) / (2.0 * w)
        under = np.exp(-modes.decays * t) * np.sin(w * t) / w
        found = np.where(fast > slow, over, np.where(w > 0.0, under, t * np.exp(-modes.decays * t)))
    return np.asarray(np.einsum("ti,i,ipx->tpx", found, modes.driven @ speed, modes.shapes))


_Bounds = Callable[["Modes", float], Array]


def _last_above(modes: Modes, push: float, least: float, bounds: _Bounds) -> float:
    if not (math.isfinite(push) and push >= 0.0):
        raise InvalidArguments(what="what drives a soft body", value=push, allowed="0 and above, finite")
    if not (math.isfinite(least) and least > 0.0):
        raise InvalidArguments(what="the least motion that is seen", value=least, allowed="above 0 m")
    sizes = np.linalg.norm(modes.shapes, axis=2) * np.linalg.norm(modes.driven, axis=1)[:, None] * push
    if (modes.squares <= 0.0).any():
        return math.inf

    def above(t: float) -> bool:
        return bool((bounds(modes, t) @ sizes).max(initial=0.0) > least)

    if not above(0.0):
        return 0.0
    early, late = 0.0, 1e-3
    while above(late):
        early, late = late, 2.0 * late
        if late > _LONGEST:
            return math.inf
    while late - early > 1e-9 * late:
        middle = 0.5 * (early + late)
        early, late = (middle, late) if above(middle) else (early, middle)
    return late


def _rates(modes: Modes) -> tuple[Array, Array, Array]:
    """Slow and fast decay of each mode, and w; of what swings both are g."""
    gap = modes.decays**2 - modes.squares
    w = np.sqrt(np.abs(gap))
    over = gap > 1e-9 * modes.squares
    slow = np.where(over, modes.squares / (modes.decays + w), modes.decays)
    return slow, np.where(over, modes.decays + w, modes.decays), np.where(over, w, np.where(gap < 0.0, w, 0.0))


def _impulse_bounds(modes: Modes, t: float) -> Array:
    """Bound |h_i| from t on."""
    slow, fast, w = _rates(modes)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        peak = np.where(fast > slow, np.log(fast / slow) / (fast - slow), 1.0 / modes.decays)
        late = np.maximum(t, np.where(np.isfinite(peak), peak, 0.0))
        over = (np.exp(-slow * late) - np.exp(-fast * late)) / (2.0 * w)
        flat = late * np.exp(-modes.decays * late)
        under = np.minimum(np.where(modes.decays > 0.0, flat, math.inf), np.exp(-modes.decays * t) / w)
        return np.asarray(np.where(fast > slow, over, np.where(w > 0.0, under, flat)))


def _history_bounds(modes: Modes, t: float) -> Array:
    """Bound the integral of |h_i| from t on."""
    slow, fast, w = _rates(modes)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        over = (np.exp(-slow * t) / slow - np.exp(-fast * t) / fast) / (2.0 * w)
        flat = np.exp(-modes.decays * t) * (t + 1.0 / modes.decays) / modes.decays
        under = np.minimum(flat, np.exp(-modes.decays * t) / (w * modes.decays))
        found = np.where(fast > slow, over, np.where(w > 0.0, under, flat))
        return np.asarray(np.where(modes.decays > 0.0, found, math.inf))


def _eigen(matrix: csc_matrix, masses: Array, count: int) -> tuple[Array, Array]:
    """The least s and their vectors of unit mass."""
    root = 1.0 / np.sqrt(masses)
    even = diags(root) @ matrix @ diags(root)  # standard, since masses are lumped
    if len(masses) <= _DENSE:
        squares, vectors = eigh(even.toarray(), subset_by_index=(0, count - 1))
    else:
        begin = np.cos(np.arange(len(masses)))  # fixed, so that results repeat
        squares, vectors = eigsh(csc_matrix(even), count, sigma=0.0, which="LM", v0=begin)
        order = np.argsort(squares)
        squares, vectors = squares[order], vectors[:, order]
    return squares, root[:, None] * vectors


def _stiffness(model: SoftModel) -> tuple[csc_matrix, Array]:
    """K at rest, shape [3 n, 3 n], and what springs to places have of its diagonal, and add to that of C."""
    work, pattern = start(model, model.new_state()), model.bodies.pattern
    assemble_at_rest(model, work, _STILL)
    blocks = work.stepping.values.reshape(-1, 3, 3)
    upper = bsr_matrix((blocks, pattern.columns, pattern.starts), shape=(3 * model.point_count,) * 2).tocsc()
    own = bsr_matrix(
        (blocks[pattern.starts[:-1]], np.arange(model.point_count), np.arange(model.point_count + 1)),
        shape=upper.shape,
    ).tocsc()
    added = np.zeros((2, model.point_count, 3))
    for way in range(2):
        np.add.at(added[way], model.pulled, model.pulls[:, way, None])
    return csc_matrix(upper + upper.T - own), added.reshape(2, -1)
