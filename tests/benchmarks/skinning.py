"""Skinning 20,000 vertices on one core, against the same sums in numpy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from engine.maths.arrays import IntArray
from engine.model.skinning import DUAL_ROW, LINEAR_ROW, Floats, skin_dual, skin_linear
from tests.benchmarks.harness import Row, interleave, medians

NAME = "skinning"
VERTEX_COUNT, JOINT_COUNT = 20_000, 50


def by_numpy(influences: IntArray, weights: Floats, rest: Floats, palette: Floats) -> None:
    """Linear blending of positions and normals."""
    blended = np.einsum("vk,vkm->vm", weights, palette[influences])
    turns = blended[:, :9].reshape(-1, 3, 3)
    np.add(np.einsum("vab,vb->va", turns, rest[:, :3]), blended[:, 9:])
    turned = np.einsum("vab,vb->va", turns, rest[:, 3:])
    np.divide(turned, np.linalg.norm(turned, axis=1, keepdims=True))


def measure() -> Iterator[Row]:
    """The rows."""
    rng = np.random.default_rng(1)
    rest = rng.random((VERTEX_COUNT, 6), dtype=np.float32)
    positions, normals = np.empty((VERTEX_COUNT, 3), np.float32), np.empty((VERTEX_COUNT, 3), np.float32)
    linear = rng.random((JOINT_COUNT, LINEAR_ROW), dtype=np.float32)
    dual = rng.random((JOINT_COUNT, DUAL_ROW), dtype=np.float32)
    for count in (4, 8):
        influences = rng.integers(0, JOINT_COUNT, (VERTEX_COUNT, count), dtype=np.int32)
        weights = rng.random((VERTEX_COUNT, count), dtype=np.float32)
        weights = -np.sort(-weights / weights.sum(axis=1, keepdims=True), axis=1)
        calls: dict[str, Callable[[], object]] = {
            "linear blending": partial(skin_linear, influences, weights, rest, linear, positions, normals),
            "dual quaternions": partial(skin_dual, influences, weights, rest, dual, positions, normals),
            "numpy": partial(by_numpy, influences, weights, rest, linear),
        }
        times = medians(interleave(calls, rounds=15, repeats=4))
        for name in ("linear blending", "dual quaternions"):
            yield Row(
                what=f"{name}, {VERTEX_COUNT:,} vertices, {count} influences",
                measured=times[name] * 1e3,
                unit="ms",
                asked="at most 1 ms",
                peer="numpy, linear",
                peer_measured=times["numpy"] * 1e3,
                allowed=0.5,
            )
