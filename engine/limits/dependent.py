"""Limits over the angles of two joints, where what one may do depends on the other: a knee on its hip.

The source leaves them open (Engell-Norregard 2012, section 16). Here they are fields like any other, of four or five
angles: a dense grid, multilinear between its nodes, whose cells are as wide along each axis and as many as a budget of
memory allows, but not finer than a third of the margin, which would tell no more. Clips are not joined, and holes are
kept: nobody has seen what is between two of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.document.blobs import Blob
from engine.document.limit import MOST_NODES, Grid, Limit, SampledRange
from engine.limits.ranges import grid_for
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidDocument

USUAL_BYTES = 64_000_000

_NODE_BYTES = 12  # the distance, and which sample is nearest
_CELLS_IN_MARGIN = 3.0
_LEAST_CELLS_IN_MARGIN = 0.75  # wider ones would not tell a margin from none
_FEWEST = 8  # nodes along an axis


def dependent_limit(
    id: str,
    name: str,
    dofs: Sequence[str],
    clips: Sequence[Array],
    *,
    margin: float,
    most_bytes: int = USUAL_BYTES,
) -> Limit:
    """The limit that some clips show, angles [rad] of the hinges `dofs` in their order, shape [frame_count, k] each."""
    rows = [np.atleast_2d(np.asarray(each, dtype=np.float64)) for each in clips]
    if not rows or any(each.shape[1:] != (len(dofs),) or not len(each) for each in rows):
        shapes = ", ".join(str(each.shape) for each in rows) or "none"
        allowed = f"one and more, with frames of {len(dofs)} angles"
        raise InvalidDocument(what=f"the clips of {name}", value=shapes, allowed=allowed)
    samples = SampledRange(
        angles=Blob(np.concatenate(rows)), clips=tuple(map(len, rows)), keeps_holes=True, joins_clips=False
    )
    grid = dependent_grid(samples, margin, most_bytes)
    return Limit(id=id, name=name, dofs=tuple(dofs), range=samples, grid=grid, margin=margin)


def dependent_grid(samples: SampledRange, margin: float, most_bytes: int = USUAL_BYTES) -> Grid:
    """The finest grid of even cells whose field fits; refused where it could not tell the margin from nothing."""
    if margin <= 0.0:
        raise InvalidDocument(what="the margin of a dependent limit", value=margin, allowed="above 0 [rad]")
    finest, widest = margin / _CELLS_IN_MARGIN, margin / _LEAST_CELLS_IN_MARGIN
    if not _fits(samples, margin, widest, most_bytes):
        found = f"{most_bytes / 1e6:.1f} MB"
        allowed = (
            f"{field_bytes(samples, _counts(samples, margin, widest), margin) / 1e6:.1f} MB and more for its margin"
        )
        raise InvalidDocument(what="the memory for a dependent limit", value=found, allowed=allowed)
    spacing = finest
    if not _fits(samples, margin, finest, most_bytes):
        while widest - finest > 1e-3 * widest:
            spacing = 0.5 * (finest + widest)
            finest, widest = (finest, spacing) if _fits(samples, margin, spacing, most_bytes) else (spacing, widest)
        spacing = widest
    return grid_for(samples, _counts(samples, margin, spacing), margin)


def field_bytes(samples: SampledRange, counts: Sequence[int], margin: float) -> int:
    """Estimate the bytes that building the field of some clips takes on a grid of so many nodes, the samples between
    samples included."""
    angles = samples.angles.array
    spacing = min(grid_for(samples, [min(each, 1 << 12) for each in counts], margin).spacing)
    steps = np.linalg.norm(np.diff(angles, axis=0), axis=1)
    between = int(np.ceil(steps / (0.5 * spacing)).sum()) + 1
    return int(math.prod(counts) * _NODE_BYTES + max(len(angles), between) * angles.shape[1] * 8)


def _fits(samples: SampledRange, margin: float, spacing: float, most_bytes: int) -> bool:
    counts = _counts(samples, margin, spacing)
    return math.prod(counts) <= MOST_NODES and field_bytes(samples, counts, margin) <= most_bytes


def _counts(samples: SampledRange, margin: float, spacing: float) -> tuple[int, ...]:
    """Nodes along each axis, so that cells are about that wide: two cells around, or a whole turn."""
    extents = np.ptp(samples.angles.array, axis=0) + 2.0 * margin
    return tuple(
        max(_FEWEST, min(math.ceil(extent / spacing) + 5, math.ceil(math.tau / spacing))) for extent in extents.tolist()
    )
