"""Timing apart from path: a layer's path measured by arc length, to be travelled as a speed curve says.

The length of the path c of some coordinates is the integral of |c'| (Welman 1993, 2.2.1: the distance travelled is
proportional to the arc-length parameter s, and the animator draws s over time). Gauss-Legendre quadrature of eight
nodes on pieces that are halved until whole and halves agree to 1e-12 of the length; the polynomial through a piece's
nodes, integrated, gives the length at every time in it. Coordinates count in their own SI units, a radian as a metre.
Where a path stands still for a while the time of reading jumps over the pause.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.motion.curve_kernels import TICKS
from engine.motion.layer_kernels import SPEED_ENTRY, SPEEDS, SPEEDS_END
from engine.motion.speed_kernels import PIECE, TERMS, find_path_time

_AGREED = 1e-12  # of the whole length
_ROUNDS = 44
_PIECES = 200_000
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(TERMS - 1)
_THROUGH_NODES = np.linalg.inv(np.vander(_NODES, increasing=True))


def measure_table(speed: Callable[[Array], Array], edges: Array) -> Array | None:
    """The packed path between the first and the last of the edges [ticks]; None where nothing moves.

    `speed` gives |c'| per second at many times; `edges` are the times at which it may bend.
    """
    starts, ends, speeds = _pieces(speed, edges)
    seconds = (ends - starts) * 0.5 / TICKS
    order = np.argsort(starts, kind="stable")
    starts, ends, speeds, seconds = starts[order], ends[order], speeds[order], seconds[order]
    powers = speeds @ _THROUGH_NODES.T / np.arange(1, TERMS) * seconds[:, None]
    table = np.zeros((len(starts), PIECE))
    table[:, 0], table[:, 1], table[:, 3:] = starts, ends, powers
    table[:, 2] = -np.sum(powers * (-1.0) ** np.arange(1, TERMS), axis=1)
    lengths = np.maximum(speeds @ _WEIGHTS * seconds, 0.0)
    before = np.concatenate(([0.0], np.cumsum(lengths)))
    if before[-1] <= 0.0:
        return None
    header = np.array([edges[0], edges[-1], before[-1], len(starts)])
    return np.concatenate((header, before[:-1], table.ravel()))


def read_time(ints: IntArray, floats: Array, time: float) -> float:
    """The tick at which a compiled layer is read at a time: another one where a speed curve says when it travels."""
    for entry in range(ints[SPEEDS], ints[SPEEDS_END], SPEED_ENTRY):
        table, curve = ints[entry], ints[entry + 1]
        if floats[table] <= time <= floats[table + 1]:
            return float(find_path_time(floats, table, curve, time)[0])
    return time


def _pieces(speed: Callable[[Array], Array], edges: Array) -> tuple[Array, Array, Array]:
    """Starts, ends and speeds at the nodes of pieces on which the quadrature has settled."""
    starts, ends = edges[:-1].astype(np.float64), edges[1:].astype(np.float64)
    speeds = _at_nodes(speed, starts, ends)
    settled: list[tuple[Array, Array, Array]] = []
    done = 0.0
    for _ in range(_ROUNDS):
        middles = 0.5 * (starts + ends)
        halves = _at_nodes(speed, np.concatenate((starts, middles)), np.concatenate((middles, ends)))
        left, right = halves[: len(starts)], halves[len(starts) :]
        whole = (speeds @ _WEIGHTS) * (ends - starts)
        split = 0.5 * (left @ _WEIGHTS + right @ _WEIGHTS) * (ends - starts)
        close = np.abs(whole - split) <= _AGREED * (done + float(split.sum()))
        settled.append((starts[close], ends[close], speeds[close]))
        done += float(whole[close].sum())
        away = ~close
        starts, ends = np.concatenate((starts[away], middles[away])), np.concatenate((middles[away], ends[away]))
        speeds = np.concatenate((left[away], right[away]))
        if not len(starts) or len(starts) > _PIECES:
            break
    settled.append((starts, ends, speeds))
    return (
        np.concatenate([each[0] for each in settled]),
        np.concatenate([each[1] for each in settled]),
        np.concatenate([each[2] for each in settled]),
    )


def _at_nodes(speed: Callable[[Array], Array], starts: Array, ends: Array) -> Array:
    times = 0.5 * (starts + ends)[:, None] + 0.5 * (ends - starts)[:, None] * _NODES
    return speed(times.ravel()).reshape(-1, TERMS - 1)
