"""Writing the joint limits of a `.figure.toml`: in degrees where every number comes back exactly, else in radians."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from engine.document.limit import BoxRange, ConeRange, Grid, Limit, PolygonRange, SampledRange, Stroke
from engine.formats.figure_toml_joints import readable
from engine.formats.limit_tables import ARRAYS, KINDS, limit_file
from engine.formats.toml_values import exact_degrees, toml_list, toml_number, toml_table, toml_text

_ONSET = 0.2  # [rad] where none is written


def limit_lines(limit: Limit, degrees: bool) -> Iterator[str]:
    """One `[[limit]]`; `degrees`: what the file's angles are."""
    own = degrees and all(exact_degrees(each) is not None for each in _numbers(limit))
    yield "[[limit]]"
    yield f"id = {toml_text(limit.id)}"
    if limit.name.strip() and limit.name != readable(limit.id):
        yield f"name = {toml_text(limit.name)}"
    yield f"hinges = [{', '.join(map(toml_text, limit.dofs))}]"
    yield f"kind = {toml_text(next(name for name, kind in KINDS.items() if isinstance(limit.range, kind)))}"
    if own != degrees:
        yield 'angles = "radians"'
    yield from _range_lines(limit, own)
    yield f"grid = {_grid(limit.grid, own)}"
    if limit.margin != 0.0:
        yield f"margin = {_angle(limit.margin, own)}"
    if limit.resistance != 0.0:
        yield f"resistance = {toml_number(limit.resistance)}"
    if limit.onset != _ONSET:
        yield f"onset = {_angle(limit.onset, own)}"
    if not limit.on:
        yield "on = false"
    if limit.strokes:
        yield "strokes = ["
        yield from (f"  {_stroke(stroke, own)}," for stroke in limit.strokes)
        yield "]"


def _range_lines(limit: Limit, degrees: bool) -> Iterator[str]:
    content = limit.range
    if type(content) in ARRAYS:
        yield f"file = {toml_text(limit_file(limit))}"
    if isinstance(content, BoxRange):
        yield f"lower = {_angles(content.lower, degrees)}"
        yield f"upper = {_angles(content.upper, degrees)}"
    if isinstance(content, ConeRange | PolygonRange):
        yield f"axis = {toml_list(content.axis)}"
        yield f"twist = {_angles(content.twist, degrees)}"
    if isinstance(content, ConeRange):
        yield f"swing = {_angles(content.swing, degrees)}"
    if isinstance(content, PolygonRange):
        yield f"corners = [{', '.join(map(toml_list, content.corners))}]"
    if isinstance(content, SampledRange):
        yield f"clips = [{', '.join(map(str, content.clips))}]"
        yield from ("keeps_holes = true",) if content.keeps_holes else ()
        yield from () if content.joins_clips else ("joins_clips = false",)


def _grid(grid: Grid, degrees: bool) -> str:
    fields = {"counts": f"[{', '.join(map(str, grid.counts))}]", "first": _angles(grid.lower, degrees)}
    if not _is_whole_turns(grid):
        fields["spacing"] = _angles(grid.spacing, degrees)
    if any(grid.periodic):
        fields["periodic"] = f"[{', '.join('true' if each else 'false' for each in grid.periodic)}]"
    return toml_table(fields)


def _stroke(stroke: Stroke, degrees: bool) -> str:
    fields = {
        "kind": toml_text(stroke.kind),
        "radius": _angle(stroke.radius, degrees),
        "strength": toml_number(stroke.strength),
        "points": f"[{', '.join(_angles(point, degrees) for point in stroke.points)}]",
    }
    return toml_table(fields)


def _numbers(limit: Limit) -> Iterator[float]:
    """Every angle that is written."""
    content = limit.range
    yield from (limit.margin, limit.onset, *limit.grid.lower)
    yield from () if _is_whole_turns(limit.grid) else limit.grid.spacing
    if isinstance(content, BoxRange):
        yield from (*content.lower, *content.upper)
    if isinstance(content, ConeRange):
        yield from content.swing
    if isinstance(content, ConeRange | PolygonRange):
        yield from content.twist
    for stroke in limit.strokes:
        yield stroke.radius
        yield from (angle for point in stroke.points for angle in point)


def _is_whole_turns(grid: Grid) -> bool:
    """Tell whether the spacing follows from the counts."""
    turns = (math.tau / count for count in grid.counts)
    return all(grid.periodic) and grid.spacing == tuple(turns)


def _angles(angles: Sequence[float], degrees: bool) -> str:
    return f"[{', '.join(_angle(each, degrees) for each in angles)}]"


def _angle(angle: float, degrees: bool) -> str:
    exact = exact_degrees(angle) if degrees else angle
    return toml_number(angle if exact is None else exact)
