"""Heels that rise: in which frames of a retargeted motion an ankle at its limit would bend the knee to keep one down.

A foot that lies flat asks of the ankle what hips and knee ask of it. Where that is beyond the ankle's limit, a heel
that is held leaves the knee no choice, and the knee's bend is what is seen. There the heel lets go: the foot goes on by
its ball, pitched as it was carried over.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from engine.document import Figure
from engine.maths.arrays import Array

OFF = math.radians(2.0)  # from which on a knee is bent otherwise than its source's
_AT = math.radians(0.5)  # from a limit


def knee_bends(places: Mapping[str, Array], side: str) -> Array | None:
    """Angles between thigh and shank [rad], shape [frames], of places of joints by roles, shape [frames, 3]."""
    named = [f"{role} {side}" for role in ("thigh", "knee", "ankle")]
    if any(name not in places for name in named):
        return None
    hip, knee, ankle = (places[name] for name in named)
    thigh, shank = knee - hip, ankle - knee
    turned = (thigh * shank).sum(axis=1) / (np.linalg.norm(thigh, axis=1) * np.linalg.norm(shank, axis=1))
    bends: Array = np.arccos(np.clip(turned, -1.0, 1.0))
    return bends


def at_limit(figure: Figure, joint: str, values: Array) -> NDArray[np.bool_]:
    """Tell in which frames a hinge of a joint is at a limit of its own; `values` has a row of coordinates for each."""
    found = np.zeros(len(values), bool)
    for dof in figure.joint(joint).dofs:
        if dof.kind == "hinge":
            column = values[:, figure.coordinate_index[dof.id]]
            found |= np.zeros(len(values), bool) if dof.lower is None else column < dof.lower + _AT
            found |= np.zeros(len(values), bool) if dof.upper is None else column > dof.upper - _AT
    return found


def spans_without(span: tuple[int, int], left: NDArray[np.bool_], ease: int) -> Iterator[tuple[int, int]]:
    """Yield what remains of a span of frames without those that are left, and some on both sides of them."""
    first, last = span
    bad = np.flatnonzero(left[first : last + 1]) + first
    free = np.ones(last - first + 1, bool)
    for frame in bad.tolist():
        free[max(frame - ease - first, 0) : frame + ease + 1 - first] = False
    edges = np.flatnonzero(np.diff(np.concatenate(([False], free, [False])).astype(np.int8)))
    for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        yield first + begin, first + end - 1
