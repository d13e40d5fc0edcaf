"""The inertia that joints feel of the soft bodies whose points they hold, over a step.

A small motion xi of the joints, six numbers each, leads held points by T_h xi and the ends of springs that draw points
by T_s xi. With A the matrix of a step at rest (mass, stiffness, viscosity: `assembly.py`), f its free points and D the
springs, what it takes to move the joints is

    S = T_h^T A_hh T_h + T_s^T D T_s - B^T A_ff^-1 B,   B = D T_s - A_fh T_h

exactly, as long as the bodies are near to their rest shapes; dt^2 S is a matrix of inertia. It is found once for each
set of points that are held, about the middle of those of each joint, and turned with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

from engine.maths.arrays import Array, IntArray
from engine.soft.holding import Holder
from engine.soft.pattern import Pattern
from engine.soft.step import SoftModel, assemble_at_rest, start

Link = tuple[str, int]  # an actor, and the number of a joint of it


class Apparent(NamedTuple):
    """Inertia about the middles of the points that joints hold, in the frame of the bodies at rest."""

    links: tuple[Link, ...]
    points: tuple[IntArray, ...]  # that each holds
    rest: Array  # of all points
    inertia: Array  # shape [6 link_count, 6 link_count]

    def seen(self, points: Array, origins: Array) -> Array:
        """Give it about the origins of the joints in the world, with the points where they are now."""
        change = np.zeros_like(self.inertia)
        for place, own in enumerate(self.points):
            middle, turn = points[own].mean(axis=0), _turned(self.rest[own], points[own])
            x, y, z = middle - origins[place]
            rows = slice(6 * place, 6 * place + 3), slice(6 * place + 3, 6 * place + 6)
            change[rows[0], rows[0]] = change[rows[1], rows[1]] = turn.T
            change[rows[0], rows[1]] = turn.T @ np.array(((0.0, z, -y), (-z, 0.0, x), (y, -x, 0.0)))
        return np.asarray(change.T @ self.inertia @ change)


def find_apparent(model: SoftModel, holders: Sequence[Holder], dt: float) -> Apparent:
    """Work it out for joints that hold points, with steps of dt [s]."""
    links = tuple(dict.fromkeys(each.link for each in holders))
    points = tuple(
        np.unique(np.concatenate([each.points for each in holders if each.link == link])).astype(np.int32)
        for link in links
    )
    count = model.point_count
    hard, drawn = np.zeros((3 * count, 6 * len(links))), np.zeros((3 * len(model.pulled), 6 * len(links)))
    for each in holders:
        place = links.index(each.link)
        moved = _motions(model.rest[each.points], model.rest[points[place]].mean(axis=0))
        rows = slice(6 * place, 6 * place + 6)
        if each.anchors is None:
            hard.reshape(count, 3, -1)[each.points, :, rows] = moved
        else:
            drawn.reshape(-1, 3, 6 * len(links))[each.anchors, :, rows] = moved
    work = start(model, model.new_state())
    assemble_at_rest(model, work, dt)
    matrix = _whole(model.bodies.pattern, work.stepping.values)
    free = np.ones((count, 3), dtype=np.bool_)
    free[model.held] = False
    at = np.flatnonzero(free.ravel())
    stiff = np.repeat(model.pulls[:, 0] + model.pulls[:, 1] / dt, 3)[:, None] * drawn
    given = -(matrix @ hard)
    np.add.at(given, (3 * model.pulled[:, None] + np.arange(3)).ravel(), stiff)
    found = splu(matrix[at][:, at].tocsc()).solve(given[at])
    inertia = hard.T @ (matrix @ hard) + drawn.T @ stiff - given[at].T @ found
    return Apparent(links, points, model.rest, 0.5 * dt * dt * (inertia + inertia.T))


def _motions(points: Array, middle: Array) -> Array:
    """Give what unit velocities and spins about a middle do to points, shape [count, 3, 6]."""
    found = np.zeros((len(points), 3, 6))
    found[:, :, :3] = np.eye(3)
    x, y, z = (points - middle).T
    found[:, 0, 4], found[:, 0, 5], found[:, 1, 5] = z, -y, x
    found[:, 1, 3], found[:, 2, 3], found[:, 2, 4] = -z, y, -x
    return found


def _whole(pattern: Pattern, values: Array) -> sparse.csr_matrix:
    """Write both triangles of a matrix of blocks out."""
    size = 3 * (len(pattern.starts) - 1)
    rows = np.repeat(np.arange(len(pattern.starts) - 1), np.diff(pattern.starts))
    blocks = values.reshape(-1, 3, 3)
    upper = sparse.bsr_matrix((blocks, pattern.columns, pattern.starts), shape=(size, size)).tocsr()
    beside = np.where((rows == pattern.columns)[:, None, None], 0.0, blocks)
    return upper + sparse.bsr_matrix((beside, pattern.columns, pattern.starts), shape=(size, size)).tocsr().T


def _turned(rest: Array, now: Array) -> Array:
    """Find the rotation that takes points nearest to others (Kabsch)."""
    left, _, right = np.linalg.svd((now - now.mean(axis=0)).T @ (rest - rest.mean(axis=0)))
    return np.asarray(left @ np.diag((1.0, 1.0, np.sign(np.linalg.det(left @ right)))) @ right)
