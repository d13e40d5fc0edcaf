"""Edits of the joint limits of an actor's figure: ranges over the angles of hinges (`engine.document.limit`).

Poses beyond a new limit stay until they are set again. What a stroke or another margin makes of the field is worked
out by who needs it (`engine.limits`), and found again by the limit's digest.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from engine.document import Document, Figure
from engine.document.limit import (
    PADDING,
    BoxRange,
    ConeRange,
    Grid,
    GridRange,
    Limit,
    MeshRange,
    PolygonRange,
    Range,
    SampledRange,
    Stroke,
)
from engine.document.mirrored_limit import mapped_limit
from engine.document.validation import validate_figure
from engine.document.values import Vector3
from engine.edits.find import find_figure
from engine.runtime.errors import InvalidDocument

_ROUNDING = 1e-9  # [rad] by which the ends of a grid may miss those of its range


def set_limit(document: Document, *, actor: str, limit: Limit) -> Document:
    """Give a figure a limit, in place of the one of the same id if there is one."""
    _, figure = find_figure(document, actor)
    if all(each.id != limit.id for each in figure.limits):
        return _with_limits(document, actor, (*figure.limits, limit))
    return _change(document, actor, limit)


def put_limits(document: Document, *, actor: str, limits: tuple[Limit, ...]) -> Document:
    """Give a figure several limits at once, each in place of the one of the same id if there is one."""
    _, figure = find_figure(document, actor)
    given = {each.id: each for each in limits}
    if len(given) != len(limits):
        raise InvalidDocument(what="the ids of limits", value=[each.id for each in limits], allowed="each once")
    kept = tuple(given.pop(each.id, each) for each in figure.limits)
    return _with_limits(document, actor, (*kept, *given.values())) if limits else document


def remove_limit(document: Document, *, actor: str, limit: str) -> Document:
    """Forget a limit: its hinges have their own lower and upper ones again."""
    _, figure = find_figure(document, actor)
    gone = figure.limit(limit)
    return _with_limits(document, actor, tuple(each for each in figure.limits if each is not gone))


def rename_limit(document: Document, *, actor: str, limit: str, name: str) -> Document:
    """Give a limit another name."""
    if not name.strip():
        raise InvalidDocument(what="the name of a joint limit", value=name, allowed="some text")
    return _change(document, actor, replace(_find(document, actor, limit), name=name))


def set_limit_on(document: Document, *, actor: str, limit: str, on: bool) -> Document:
    """Let a limit hold, or its hinges' own lower and upper ones in its place."""
    return _change(document, actor, replace(_find(document, actor, limit), on=on))


def set_limit_margin(document: Document, *, actor: str, limit: str, margin: float) -> Document:
    """Count as inside what lies this near [rad] to the range: the source's epsilon. The grid makes room for it."""
    old = _find(document, actor, limit)
    changed = replace(old, margin=margin)
    return _change(document, actor, replace(changed, grid=_with_room(old, margin)))


def set_limit_resistance(
    document: Document, *, actor: str, limit: str, resistance: float, onset: float | None = None
) -> Document:
    """Let a limit resist with so much [N m] at its boundary, rising from nothing at `onset` [rad] inside it."""
    old = _find(document, actor, limit)
    return _change(document, actor, replace(old, resistance=resistance, onset=old.onset if onset is None else onset))


def set_limit_grid(document: Document, *, actor: str, limit: str, counts: tuple[int, ...]) -> Document:
    """Give the grid of a limit so many nodes along each axis, over the same angles."""
    old = _find(document, actor, limit)
    if counts == old.grid.counts:
        return document
    if isinstance(old.range, GridRange):
        allowed = f"{old.grid.counts}, with which its distances came; make another range of it first"
        raise InvalidDocument(what=f"the nodes of {old.name}", value=counts, allowed=allowed)
    if len(counts) != len(old.dofs):
        allowed = f"{len(old.dofs)} numbers, one for each hinge"
        raise InvalidDocument(what=f"the nodes of {old.name}", value=counts, allowed=allowed)
    if any(count < 2 for count in counts):
        raise InvalidDocument(what=f"the nodes of {old.name}", value=counts, allowed="2 and more along each axis")
    return _change(document, actor, replace(old, grid=_regridded(old.grid, counts)))


def add_stroke(document: Document, *, actor: str, limit: str, stroke: Stroke, image: Stroke | None = None) -> Document:
    """Brush a limit once more, and its mirror image with it where there is one."""
    old = _find(document, actor, limit)
    made = (stroke,) if image is None else (stroke, image)
    return _change(document, actor, replace(old, strokes=(*old.strokes, *made)))


def remove_strokes(document: Document, *, actor: str, limit: str, strokes: tuple[int, ...] | None = None) -> Document:
    """Take strokes off a limit: those at these places, from 0, or all of them."""
    old = _find(document, actor, limit)
    gone = set(range(len(old.strokes)) if strokes is None else strokes)
    for place in gone:
        if not 0 <= place < len(old.strokes):
            allowed = f"0 to {len(old.strokes) - 1}" if old.strokes else "none: it has no strokes"
            raise InvalidDocument(what=f"the stroke of {old.name}", value=place, allowed=allowed)
    kept = tuple(stroke for place, stroke in enumerate(old.strokes) if place not in gone)
    return _change(document, actor, replace(old, strokes=kept))


def mirror_limit(document: Document, *, actor: str, limit: str, id: str, name: str) -> Document:
    """Give the other side the mirror image of a limit, in place of what it has over the same hinges."""
    from engine.motion.mirror_map import compile_mirror  # here, for numpy comes with it

    _, figure = find_figure(document, actor)
    old, mirror = figure.limit(limit), compile_mirror(figure)
    joint = figure.dof_joint[old.dofs[0]]
    dofs, signs = list[str](), list[float]()
    for dof in old.dofs:
        target = mirror.target_of.get(dof)
        if target is None:
            of, allowed = figure.dof_joint[dof].name, "hinges that are those of the other side one by one, or opposite"
            raise InvalidDocument(what=f"the hinges of {old.name} to mirror, at {of}", value=dof, allowed=allowed)
        dofs.append(target)
        signs.append(mirror.copied[target].sign)
    if set(dofs) == set(old.dofs):
        allowed = "a joint that has another side: choose its partner in the figure editor"
        raise InvalidDocument(what=f"the joint of {old.name} to mirror", value=joint.name, allowed=allowed)
    reflection = mirror.reflections[joint.id].tolist()
    image = replace(mapped_limit(old, tuple(dofs), signs, reflection=reflection), id=id, name=name)
    kept = _without(figure, set(dofs))
    if any(each.id == id for each in kept):
        raise InvalidDocument(what="the id of the mirrored limit", value=id, allowed="an id that is not yet in use")
    return _with_limits(document, actor, (*kept, image))


def hinged_limits(figure: Figure) -> tuple[Limit, ...]:
    """The limits of a figure whose hinges are still there, as hinges."""
    hinges = {dof.id for dof in figure.dofs if dof.kind == "hinge"}
    return tuple(limit for limit in figure.limits if hinges.issuperset(limit.dofs))


def kept_limits(figure: Figure, old: Figure) -> tuple[Limit, ...]:
    """Adapt limits whose hinges are still there to the order and axes of these where they have changed from the old
    figure; a cone or a polygon needs all three of one joint."""
    limits = (_in_order(figure, old, limit) for limit in hinged_limits(figure))
    return tuple(
        limit
        for limit in limits
        if not isinstance(limit.range, ConeRange | PolygonRange) or limit.dofs == figure.hinges_beside(limit.dofs[0])
    )


def _in_order(figure: Figure, old: Figure, limit: Limit) -> Limit:
    """Samples, a cone and a polygon, which are about rotations, over the hinges of a joint in its order.

    A cone and a polygon stay the same rotations. Those are elsewhere in Euler space, so their grid goes all the way.
    """
    dofs = tuple(dof for dof in figure.hinges_beside(limit.dofs[0]) if dof in limit.dofs)
    rotations = isinstance(limit.range, ConeRange | PolygonRange)
    turned = rotations and _axes(figure, dofs) != _axes(old, dofs)
    if (limit.dofs == dofs and not turned) or figure.depends(limit):
        return limit
    if not (rotations or isinstance(limit.range, SampledRange)):
        return limit
    moved = mapped_limit(limit, dofs, (1.0,) * len(dofs), order=[limit.dofs.index(dof) for dof in dofs])
    if not rotations:
        return moved
    counts = moved.grid.counts
    size, spacing = len(counts), tuple(math.tau / count for count in counts)
    grid = Grid(counts=counts, lower=(-math.pi,) * size, spacing=spacing, periodic=(True,) * size)
    return replace(moved, range=limit.range, grid=grid)


def _axes(figure: Figure, dofs: Sequence[str]) -> list[Vector3 | None]:
    """List the axes of hinges; None for those that the figure has not."""
    return [dof.axis if (dof := figure.coordinate_dof.get(each)) is not None else None for each in dofs]


def _with_room(limit: Limit, margin: float) -> Grid:
    """The grid with room for another margin [rad] at both ends of each axis, as far as a turn goes; with less only
    where range and margin stay in it. Where a cone or a polygon is, is not asked: its ends move with the margin."""
    grid, by = limit.grid, margin - limit.margin
    padding = 0 if isinstance(limit.range, ConeRange | PolygonRange) else PADDING
    if by == 0.0 or isinstance(limit.range, GridRange):
        return grid
    lower, spacing, periodic = list(grid.lower), list(grid.spacing), list(grid.periodic)
    for axis, (count, step) in enumerate(zip(grid.counts, grid.spacing, strict=True)):
        cells = count - 1 - (2 * padding if count >= 4 * PADDING else 0)
        wider = step + 2.0 * by / cells
        if grid.periodic[axis] or not math.isfinite(wider) or wider <= 0.0:
            continue
        periodic[axis] = wider * count >= math.tau
        spacing[axis] = math.tau / count if periodic[axis] else wider
        lower[axis] += 0.5 * (count - 1) * (step - spacing[axis])
    found = replace(grid, lower=tuple(lower), spacing=tuple(spacing), periodic=tuple(periodic))
    if by > 0.0 or not padding:
        return found
    found = _parted(found, limit, margin)
    return found if _holds(found, limit.range, margin) else grid


def _parted(grid: Grid, limit: Limit, margin: float) -> Grid:
    """The grid, no longer round along the axes on which nothing but the former margin took the whole turn."""
    if not any(grid.periodic):
        return grid
    from engine.limits.ranges import grid_for  # here, for numpy and numba come with it

    was, fits = (grid_for(limit.range, grid.counts, each) for each in (limit.margin, margin))
    ends = zip(grid.periodic, was.periodic, fits.periodic, strict=True)
    parted = [now and before and not after for now, before, after in ends]
    axes = [(fits if apart else grid, axis) for axis, apart in enumerate(parted)]
    return replace(
        grid,
        lower=tuple(each.lower[axis] for each, axis in axes),
        spacing=tuple(each.spacing[axis] for each, axis in axes),
        periodic=tuple(each.periodic[axis] for each, axis in axes),
    )


def _holds(grid: Grid, range: Range, margin: float) -> bool:
    """Tell whether a range and its margin are known to be within a grid."""
    if isinstance(range, BoxRange):
        lower, upper = range.lower, range.upper
    elif isinstance(range, SampledRange | MeshRange):
        points = (range.angles if isinstance(range, SampledRange) else range.positions).array
        lower, upper = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    else:
        return False
    wide = margin - _ROUNDING
    axes = zip(grid.counts, grid.lower, grid.spacing, grid.periodic, lower, upper, strict=True)
    return all(around or (a <= low - wide and high + wide <= a + (n - 1) * s) for n, a, s, around, low, high in axes)


def _regridded(grid: Grid, counts: tuple[int, ...]) -> Grid:
    spacing = (
        math.tau / count if periodic else (old - 1) * step / (count - 1)
        for count, old, step, periodic in zip(counts, grid.counts, grid.spacing, grid.periodic, strict=True)
    )
    return replace(grid, counts=counts, spacing=tuple(spacing))


def _without(figure: Figure, dofs: Collection[str]) -> tuple[Limit, ...]:
    return tuple(limit for limit in figure.limits if set(limit.dofs) != set(dofs))


def _find(document: Document, actor: str, limit: str) -> Limit:
    return find_figure(document, actor)[1].limit(limit)


def _change(document: Document, actor: str, limit: Limit) -> Document:
    _, figure = find_figure(document, actor)
    if figure.limit(limit.id) == limit:
        return document
    return _with_limits(document, actor, tuple(limit if each.id == limit.id else each for each in figure.limits))


def _with_limits(document: Document, actor: str, limits: tuple[Limit, ...]) -> Document:
    owner, figure = find_figure(document, actor)
    content = replace(figure, limits=limits)
    validate_figure(content)
    return document.with_actor(replace(owner, figure=content))
