"""Rounds of meeting targets: by how much aims are moved, so that locks put the simulation where it is wanted.

Locks see a whole pose. An aim that is moved by o, what they put the simulation off, leads to another pose, which they
put off by something else; where that changes with the aim nearly as much as the aim itself (a pelvis that swings to the
side over feet that may not turn), moving by o each time comes no nearer. So how off o answers moves u of all aims is
learned from round to round by Broyden's good update of the inverse,

    u = H o,    H <- H + (s - H z) s^T H / (s^T H z),    H = 1 to begin with,

s the move from the nearest round so far to the last one, z by how much less it is off there. Each round goes on from
the nearest so far. Aims that the solver itself does not meet stay, and nothing is learned of them; after a round that
came no nearer and of which nothing is learned, the next move is half as long. A move is at most 10 times as long as
what is off: H of few rounds may be nearly singular.

Symbols: o, u, s, z in parts of what is allowed, so that places, turns and velocities count alike.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.model.compile import Array

BoolArray = NDArray[np.bool_]
_LONGEST = 10.0
_SINGULAR = 1e-9


class Inverse:
    """H, as products."""

    def __init__(self) -> None:
        self._left = list[Array]()
        self._right = list[Array]()

    def apply(self, off: Array) -> Array:
        """H o."""
        return self._product(off, self._left, self._right)

    def learn(self, moved: Array, nearer: Array) -> bool:
        """From a move s, and by how much less is off there; whether that tells anything."""
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


class Rounds:
    """The nearest round so far, and where the next one goes from there."""

    def __init__(self) -> None:
        self._inverse, self._share = Inverse(), 1.0
        self._nearest, self._moving, self._last = np.zeros(0), np.zeros(0, dtype=np.bool_), np.zeros(0)

    def saw(self, off: Array, moving: BoolArray, *, nearest: bool) -> None:
        """What a round is off by, with aims moved as `move` said last; which of these numbers belong to aims that may
        be moved; whether no round was nearer."""
        if not len(self._nearest):
            self._nearest, self._moving, self._last = off, moving, np.zeros(len(off))
            return
        both = moving & self._moving
        learned = self._inverse.learn(np.where(both, self._last, 0.0), np.where(both, self._nearest - off, 0.0))
        self._share = 1.0 if nearest or learned else 0.5 * self._share
        if nearest:
            self._nearest, self._moving = off, moving

    def move(self) -> Array:
        """Of all aims, from where they were in the nearest round."""
        off = np.where(self._moving, self._nearest, 0.0)
        found = np.where(self._moving, self._inverse.apply(off), 0.0)
        long, allowed = float(np.linalg.norm(found)), _LONGEST * float(np.linalg.norm(off))
        self._last = self._share * (found if long <= allowed else allowed / long * found)
        return self._last
