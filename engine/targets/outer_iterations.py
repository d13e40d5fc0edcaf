"""Outer iterations of meeting targets: by how much a target is moved, so that locks put the simulation where it is
wanted.

Locks see a whole pose. A target that is moved by o, what they put the simulation off, leads to another pose, which they
put off by something else; where that changes with the target nearly as much as the target itself (a pelvis that swings
to the side over feet that may not turn), moving by o each time comes no nearer. So how off o answers moves u of the
target is learned from iteration to iteration by Broyden's good update of the inverse,

    u = H o,    H <- H + (s - H z) s^T H / (s^T H z),    H = 1 to begin with,

s the move from the nearest iteration so far to the last one, z by how much less it is off there. Each goes on from the
nearest so far. Each target has its own H: what others move it by is small beside that, and one that cannot be met
spoils nothing. A target that the solver itself does not meet stays, and nothing is learned of it; after an iteration
that came no nearer and of which nothing is learned, the next move is half as long. A move is at most 10 times as long
as what is off: H of few iterations may be nearly singular.

Symbols: o, u, s, z in parts of what is allowed, so that places, turns and velocities count alike.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array

_LONGEST = 10.0
_SINGULAR = 1e-9


class InverseProducts:
    """H, as products."""

    def __init__(self) -> None:
        self._left = list[Array]()
        self._right = list[Array]()

    def apply(self, off: Array) -> Array:
        """H o."""
        return self._product(off, self._left, self._right)

    def learn(self, moved: Array, nearer: Array) -> bool:
        """Update H by a move s and by how much less is off there; tell whether that teaches anything."""
        there = self.apply(nearer)
        along = float(moved @ there)
        if abs(along) <= _SINGULAR * float(np.linalg.norm(moved) * np.linalg.norm(there)):
            return False
        left, right = (moved - there) / along, self._product(moved, self._right, self._left)
        self._left.append(left)
        self._right.append(right)
        return True

    def _product(self, vector: Array, left: list[Array], right: list[Array]) -> Array:
        found = vector.copy()
        for each, other in zip(left, right, strict=True):
            found += each * float(other @ vector)
        return found


class OuterIterations:
    """The outer iterations of one target: the nearest so far, and where the next one goes from there."""

    def __init__(self) -> None:
        self._inverse, self._share = InverseProducts(), 1.0
        self._nearest, self._last = np.zeros(0), np.zeros(0)  # o there, and the last move from there

    def move(self, off: Array, *, met: bool, nearest: bool) -> Array:
        """Find the move from where the target was in the nearest iteration. `off` is what the last one was off by, with
        the target moved as this returned before it; `met` whether the solver met it, `nearest` whether none was
        nearer."""
        if not len(self._nearest):
            self._nearest, self._last = off, np.zeros(len(off))
        learned = met and self._inverse.learn(self._last, self._nearest - off)
        self._share = 1.0 if nearest or learned else 0.5 * self._share
        if nearest:
            self._nearest = off
        self._last = self._share * self._bounded() if met else np.zeros(len(off))
        return self._last

    def _bounded(self) -> Array:
        found = self._inverse.apply(self._nearest)
        long, allowed = float(np.linalg.norm(found)), _LONGEST * float(np.linalg.norm(self._nearest))
        return found if long <= allowed else allowed / long * found
