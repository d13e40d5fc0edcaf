"""Corrections of a keyed motion: sums of bells that take given values and slopes at the times of targets.

f(t) = sum_i lambda_i phi_i(t) + beta_i psi_i(t), with psi_i = d phi_i / dt (Rahgoshay 2011, equations 4.3, 4.5, 4.6),
goes through the corrections wanted at the times t_i: f(t_i) = Delta x_i (4.4, 4.7) and f'(t_i) = Delta x'_i (4.8). A
target that asks for no velocity has no psi and no row of slopes. The matrix of these equations depends on times and
widths alone; it is inverted once, with its smallest singular values left out, so that bells at nearly one time do not
answer with huge opposite coefficients: there f goes between what is wanted.

f has one number for each rate. A hinge or slide is moved by it, x_K + f; a ball's three are a rotation vector about the
axes of the turned frame, x_K exp(f), as layers that add do; rates and accelerations are those of that product.

t: times [ticks]; f [rad or m], rates per second.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from engine.document import Figure
from engine.document.correction import Bell, Correction, Term, correction_of
from engine.maths.arrays import Array, IntArray
from engine.maths.rotations import multiply_quaternions
from engine.model.compile import BALL, DOF_COUNT, DOF_INTS, DOF_STRIDE
from engine.motion.bells import bell_matrix, bell_motion
from engine.runtime.jit import kernel
from engine.runtime.quick_dataclass import dataclass

_SMALLEST = 1e-8  # singular values below this part of the largest are left out
_SERIES = 1e-3  # [rad2] of |f|2 below which sin(|f| / 2) / |f| is taken from its series


@dataclass(frozen=True, kw_only=True)
class Bump:
    """A bell, and what is given at its time."""

    bell: Bell
    value: bool = True  # f is given: there is a term of phi
    slope: bool = False  # f' is given: there is a term of psi


@dataclass(frozen=True, eq=False)
class Basis:
    """The terms of some bumps, phi then psi of each in turn, and what solves for their coefficients."""

    bumps: tuple[Bump, ...]
    free: bool = False  # what is given are the coefficients themselves; f goes where they take it
    held: frozenset[int] = frozenset()  # bumps of which f itself is given all the same, whatever the others do
    owners: tuple[int, ...] = ()  # of bumps beyond those of the nodes of a group: the node that each is of
    still: float | None = None  # the time at which f of free coefficients has no slope [ticks]

    @cached_property
    def rows(self) -> tuple[tuple[int, int], ...]:
        """The index of the bump of each row and each term, and 0 for values and phi, 1 for slopes and psi."""
        kinds = ((bump.value, bump.slope) for bump in self.bumps)
        return tuple((index, order) for index, each in enumerate(kinds) for order in (0, 1) if each[order])

    def row(self, bump: int, order: int) -> int:
        """The row of what is given at a bump."""
        return self.rows.index((bump, order))

    def values(self, times: Array) -> Array:
        """Every term with its rate and acceleration, shape [3, len(times), terms]."""
        found = np.zeros((3, len(times), len(self.rows)))
        first, last = (times.min(), times.max()) if len(times) else (0.0, 0.0)
        for term, (index, order) in enumerate(self.rows):
            bell = self.bumps[index].bell
            if bell.start < last and bell.end > first:
                found[:, :, term] = bell_motion(bell, times).T[order : order + 3]
        return found

    @cached_property
    def solve(self) -> Array:
        """The matrix that takes what is wanted by rows to the coefficients of the terms."""
        if not self.rows:
            return np.zeros((0, 0))
        if self.free:
            return self._solve_held() if self.still is None else self._solve_still(self.still)
        bells = [bump.bell for bump in self.bumps]
        at = bell_matrix(bells, [bell.time for bell in bells])
        matrix = np.array([[at[order, index, kind, bell] for bell, kind in self.rows] for index, order in self.rows])
        # Slopes are far larger than values for narrow bells: rows and columns are made alike before singular values
        # are compared.
        rows, columns = 1.0 / np.abs(matrix).max(axis=1), 1.0 / np.abs(matrix).max(axis=0)
        inverse = np.linalg.pinv(matrix * rows[:, None] * columns, rcond=_SMALLEST)
        return np.asarray(columns[:, None] * inverse * rows)

    def _solve_held(self) -> Array:
        """Build the matrix that keeps f at held bumps: their coefficients make up for what the others do to f at their
        times."""
        found = np.eye(len(self.rows))
        own = [row for row, (bump, order) in enumerate(self.rows) if bump in self.held and order == 0]
        if own:
            rest = [row for row in range(len(self.rows)) if row not in own]
            at = self.values(np.array([float(self.bumps[self.rows[row][0]].bell.time) for row in own]))[0]
            inverse = np.linalg.pinv(at[:, own], rcond=_SMALLEST)
            found[np.ix_(own, own)] = inverse
            found[np.ix_(own, rest)] = -inverse @ at[:, rest]
        return found

    def _solve_still(self, time: float) -> Array:
        """Build the matrix that takes from coefficients the part that would give f a slope at a time."""
        found, slopes = np.eye(len(self.rows)), self.values(np.array([time]))[1, 0]
        squares = float(slopes @ slopes)
        return found - np.outer(slopes, slopes / squares) if squares > 0.0 else found


@dataclass(frozen=True, eq=False)
class Corrections:
    """f: what is wanted at the bumps, and with it the coefficients of the terms."""

    basis: Basis
    wanted: Array  # Delta x and Delta x' by rows of the basis, shape [rows, rates]

    @cached_property
    def coefficients(self) -> Array:
        """lambda and beta by terms, shape [terms, rates]."""
        return np.asarray(self.basis.solve @ self.wanted)

    def at(self, times: Array) -> Array:
        """f with its rates and accelerations, shape [3, len(times), rates]."""
        return np.asarray(self.basis.values(times) @ self.coefficients)

    def on(self, basis: Basis) -> Corrections:
        """Carry the values and slopes over to the times of other bumps; zero where there was no bump at that time. Of
        free coefficients: the values of f at those times, or the same coefficients where those are free, too."""
        if self.basis.free and not basis.free:
            f = self.at(np.array([float(bump.bell.time) for bump in basis.bumps]))
            rows = [f[order, bump] for bump, order in basis.rows]
            return Corrections(basis, np.array(rows).reshape(len(rows), self.wanted.shape[1]))
        old = {(self.basis.bumps[index].bell.time, order): row for row, (index, order) in enumerate(self.basis.rows)}
        wanted, given = np.zeros((len(basis.rows), self.wanted.shape[1])), self.wanted
        if basis.free:
            given = self.coefficients
        for row, (index, order) in enumerate(basis.rows):
            found = old.get((basis.bumps[index].bell.time, order))
            if found is not None:
                wanted[row] = given[found]
        return Corrections(basis, wanted)

    def document(self, names: Sequence[str]) -> Correction | None:
        """Convert to the form that a layer holds, given the name of the coordinate that stands for each rate; None if
        it adds nothing."""
        found: dict[int, list[tuple[tuple[str, float], ...]]] = {}
        for (index, order), numbers in zip(self.basis.rows, self.coefficients, strict=True):
            pairs = tuple((name, float(number)) for name, number in zip(names, numbers, strict=True) if number != 0.0)
            found.setdefault(index, [(), ()])[order] = pairs
        return correction_of(
            tuple(
                Term(bell=self.basis.bumps[index].bell, amplitudes=amplitudes, wiggles=wiggles)
                for index, (amplitudes, wiggles) in found.items()
                if amplitudes or wiggles
            )
        )


def rate_names(figure: Figure) -> tuple[str, ...]:
    """The coordinate that stands for each rate in a correction: its own, or x, y, z of a ball."""
    return tuple(
        name for dof in figure.dofs for name in (dof.coordinates[1:] if dof.kind == "ball" else dof.coordinates)
    )


def add_to_motion(ints: IntArray, keyed: Array, f: Array) -> Array:
    """A keyed motion [n, 2 or 3, coordinates] moved by f with its rates [2 or 3, n, rates]; fresh."""
    moved = keyed.copy()
    add_corrections(ints, np.ascontiguousarray(f), moved)
    return moved


@kernel
def add_corrections(ints: IntArray, f: Array, out_motion: Array) -> None:
    """Move a motion [n, orders, coordinates] by f [orders, n, rates], in place; orders are 1 to 3."""
    orders, e, parts = f.shape[0], np.empty((3, 4)), np.empty((3, 4))
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        at, rate = ints[entry + 1], ints[entry + 2]
        for each in range(out_motion.shape[0]):
            if ints[entry] == BALL:
                write_turn(f, each, rate, e)
                turn_motion(e, parts, out_motion[each], at)
            else:
                for order in range(orders):
                    out_motion[each, order, at] += f[order, each, rate]


@kernel
def write_turn(f: Array, each: int, rate: int, out_e: Array) -> None:
    """exp(f / 2) as a quaternion, with its first two derivatives in time, shape [3, 4].

    With s = f.f, e = (C(s), S(s) f), C = cos(sqrt(s) / 2), S = sin(sqrt(s) / 2) / sqrt(s): dC/ds = -S / 4 and
    dS/ds = (C / 2 - S) / (2 s).
    """
    s = s1 = s2 = 0.0
    orders = f.shape[0]
    for axis in range(rate, rate + 3):
        a, b, c = f[0, each, axis], 0.0, 0.0
        if orders > 1:
            b = f[1, each, axis]
        if orders > 2:
            c = f[2, each, axis]
        s += a * a
        s1 += 2.0 * a * b
        s2 += 2.0 * (b * b + a * c)
    angle = math.sqrt(s)
    cosine = math.cos(0.5 * angle)
    if s < _SERIES:
        sine = 0.5 - s / 48.0 + s * s / 3840.0
        slope = -1.0 / 48.0 + s / 1920.0 - s * s / 215040.0
        bend = 1.0 / 1920.0 - s / 107520.0
    else:
        sine = math.sin(0.5 * angle) / angle
        slope = (0.5 * cosine - sine) / (2.0 * s)
        bend = (-0.125 * sine - slope) / (2.0 * s) - (0.5 * cosine - sine) / (2.0 * s * s)
    out_e[0, 0] = cosine
    out_e[1, 0] = -0.25 * sine * s1
    out_e[2, 0] = -0.25 * (slope * s1 * s1 + sine * s2)
    for axis in range(3):
        a, b, c = f[0, each, rate + axis], 0.0, 0.0
        if orders > 1:
            b = f[1, each, rate + axis]
        if orders > 2:
            c = f[2, each, rate + axis]
        out_e[0, 1 + axis] = sine * a
        out_e[1, 1 + axis] = slope * s1 * a + sine * b
        out_e[2, 1 + axis] = (bend * s1 * s1 + slope * s2) * a + 2.0 * slope * s1 * b + sine * c


@kernel
def turn_motion(e: Array, parts: Array, out_motion: Array, at: int) -> None:
    """The ball at `at` of one moment's motion [3, coordinates] times e, by the product rule."""
    for order in range(out_motion.shape[0] - 1, -1, -1):
        for each in range(4):
            parts[2, each] = 0.0
        for first in range(order + 1):
            for each in range(4):
                parts[0, each] = out_motion[first, at + each]
            multiply_quaternions(parts[0], e[order - first], parts[1])
            times = 2.0 if order == 2 and first == 1 else 1.0
            for each in range(4):
                parts[2, each] += times * parts[1, each]
        for each in range(4):
            out_motion[order, at + each] = parts[2, each]
