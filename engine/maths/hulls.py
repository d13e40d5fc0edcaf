"""Convex hulls of points of a plane, by Andrew's chains (1979, Information Processing Letters 9:216)."""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array


def hull(points: Array) -> Array:
    """Corners of the convex hull of points of a plane, shape [count, 2], counter-clockwise, none on an edge."""
    ordered = sorted(set(map(tuple, points.tolist())))
    if len(ordered) < 3:
        return np.array(ordered).reshape(-1, 2)
    halves = [_half(ordered)[:-1], _half(ordered[::-1])[:-1]]
    return np.array(halves[0] + halves[1])


def margin_of(point: Array, corners: Array) -> float:
    """Measure how far inside a convex polygon a point lies [m]; negative outside."""
    edges = np.roll(corners, -1, axis=0) - corners
    away = point - corners
    lengths = np.einsum("ni,ni->n", edges, edges)
    share = np.einsum("ni,ni->n", away, edges) / np.where(lengths > 0.0, lengths, 1.0)
    nearest = away - np.clip(share, 0.0, 1.0)[:, None] * edges
    distance = float(np.sqrt(np.einsum("ni,ni->n", nearest, nearest)).min())
    left = edges[:, 0] * away[:, 1] - edges[:, 1] * away[:, 0]
    return distance if len(corners) > 2 and bool((left >= 0.0).all()) else -distance


def _half(points: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """The chain that turns left all the way."""
    chain: list[tuple[float, ...]] = []
    for x, y in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], (x, y)) <= 0.0:
            chain.pop()
        chain.append((x, y))
    return chain


def _turn(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
