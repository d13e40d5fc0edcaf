"""limit_table: the live job behind the table of joint limits: how large each is, and how much of the clip is inside.

Runs on the engine's thread in slices; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.document import Document, Limit
from engine.document.extent import layer_extent
from engine.document.limit import BoxRange, ConeRange, GridRange, MeshRange, PolygonRange, SampledRange
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.evaluate.evaluator import Evaluator
    from engine.limits.field import Field

    Array = NDArray[np.float64]

MOST_TIMES = 1000
_TOGETHER = 32
_INSIDE = 1e-9  # [rad]
KINDS: dict[type, str] = {
    SampledRange: "clips", BoxRange: "box", ConeRange: "cone", PolygonRange: "polygon", MeshRange: "mesh",
    GridRange: "field",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class LimitRow:
    """A line of the table."""

    limit: str
    name: str
    kind: str
    on: bool
    nodes: tuple[int, ...]
    volume: float | None = None  # [rad^angles]; None until it is worked out
    bytes: int | None = None
    inside: float | None = None  # share of the clip, 0 to 1; None where nothing moves
    problem: str = ""


def kind_of(limit: Limit) -> str:
    """Name the kind of a limit, in a word."""
    return KINDS[type(limit.range)] + (" brushed" if limit.strokes else "")


def plain_row(limit: Limit) -> LimitRow:
    """Fill the row of a limit as far as nothing has to be computed."""
    return LimitRow(limit=limit.id, name=limit.name, kind=kind_of(limit), on=limit.on, nodes=limit.grid.counts)


def limit_rows(
    evaluator: Evaluator, document: Document, actor: str
) -> Generator[tuple[LimitRow, ...] | None, None, None]:
    """Fill the rows of all limits of an actor's figure; None between steps."""
    from engine.ik.regions import axes_of
    from engine.limits.field import compile_field
    from engine.runtime.errors import EngineError

    owner = document.actor(actor)
    figure = owner.figure
    rows: list[LimitRow] = []
    fields: list[Field | None] = []
    for limit in figure.limits:
        row = plain_row(limit)
        try:
            field = compile_field(limit, axes_of(figure, limit))
        except EngineError as problem:
            fields.append(None)
            rows.append(replace(row, problem=str(problem)))
        else:
            fields.append(field)
            rows.append(replace(row, volume=field.volume, bytes=field.bytes))
        yield None
    yield tuple(rows)
    poses = yield from poses_of(evaluator, document, actor)
    if poses is None:
        return
    for place, (limit, made) in enumerate(zip(figure.limits, fields, strict=True)):
        if made is not None:
            columns = [figure.coordinate_index[each] for each in limit.dofs]
            rows[place] = replace(rows[place], inside=share_inside(made, poses[:, columns]))
            yield None
    yield tuple(rows)


def share_inside(field: Field, angles: Array) -> float:
    """Measure the share of some poses that is inside."""
    import numpy as np

    from engine.limits.signs import interpolate

    grid = field.grid
    last = np.array(grid.lower) + (np.array(grid.counts) - 1) * np.array(grid.spacing)
    within = np.where(grid.periodic, angles, np.clip(angles, grid.lower, last))
    values = interpolate(grid, field.values, within) + np.linalg.norm(angles - within, axis=1)
    return float(np.mean(values <= _INSIDE))


def poses_of(evaluator: Evaluator, document: Document, actor: str) -> Generator[None, None, Array | None]:
    """Sample what an actor's layers do, at so many times at most; None where nothing moves."""
    import numpy as np

    owner = document.actor(actor)
    extents = [extent for layer in owner.layers if not layer.mute and (extent := layer_extent(layer)) is not None]
    if not extents:
        return None
    start, end = min(each[0] for each in extents), max(each[1] for each in extents)
    if end <= start:
        return None
    motion = evaluator.motion(owner)
    times = np.linspace(start, end, MOST_TIMES)
    parts = []
    for first in range(0, MOST_TIMES, _TOGETHER):
        parts.append(motion.at(times[first : first + _TOGETHER])[:, 0])
        yield None
    return np.concatenate(parts)
