"""Writing muscles into a `.figure.toml`: each in full, in degrees where every number comes back exactly, else in
radians."""

from __future__ import annotations

from collections.abc import Iterator

from engine.document import Figure
from engine.document.values import IDENTITY
from engine.formats.figure_toml_joints import readable
from engine.formats.toml_values import exact_degrees, toml_list, toml_number, toml_table, toml_text
from engine.muscles.parts import Muscle, Muscles, MuscleSet, MuscleWrap, PathPoint, PathWrap, PointCurve

_ORIGIN = (0.0, 0.0, 0.0)
_AXES = ("x", "y", "z")


def muscle_blocks(muscles: Muscles, figure: Figure, *, degrees: bool) -> Iterator[str]:
    """Yield the tables; the head of the file says that angles are degrees, or radians."""
    slides = frozenset(dof.id for dof in figure.dofs if dof.kind == "slide")
    yield from ("\n".join(_wrap_lines(each)) for each in muscles.wraps)
    yield from ("\n".join(_muscle_lines(each, slides, degrees)) for each in muscles.muscles)
    yield from ("\n".join(_set_lines(each)) for each in muscles.sets)


def _wrap_lines(wrap: MuscleWrap) -> Iterator[str]:
    yield "[[wrap]]"
    yield from _names(wrap.id, wrap.name)
    if wrap.joint is not None:
        yield f"joint = {toml_text(wrap.joint)}"
    yield f"shape = {toml_text(wrap.shape)}"
    yield f"radii = {toml_list(wrap.radii)}"
    if wrap.length is not None:
        yield f"length = {toml_number(wrap.length)}"
    if wrap.centre != _ORIGIN:
        yield f"centre = {toml_list(wrap.centre)}"
    if wrap.rotation != IDENTITY:
        yield f"rest = {toml_list(wrap.rotation)}"
    if wrap.side is not None:
        yield f"side = {toml_list(wrap.side)}"


def _muscle_lines(muscle: Muscle, slides: frozenset[str], degrees: bool) -> Iterator[str]:
    own = degrees and all(exact_degrees(each) is not None for each in _angles(muscle, slides))
    yield "[[muscle]]"
    yield from _names(muscle.id, muscle.name)
    if muscle.region.strip():
        yield f"region = {toml_text(muscle.region)}"
    if muscle.mirror is not None:
        yield f"mirror = {toml_text(muscle.mirror)}"
    if own != degrees:
        yield 'angles = "radians"'
    for name in ("force", "fibre", "tendon"):
        yield f"{name} = {toml_number(getattr(muscle, name))}"
    if muscle.pennation != 0.0:
        yield f"pennation = {_angle(muscle.pennation, own)}"
    if muscle.fastest != 10.0:
        yield f"fastest = {toml_number(muscle.fastest)}"
    yield "points = ["
    yield from (f"  {_point(each, slides, own)}," for each in muscle.points)
    yield "]"
    if muscle.wraps:
        yield f"wraps = [{', '.join(map(_path_wrap, muscle.wraps))}]"


def _set_lines(group: MuscleSet) -> Iterator[str]:
    yield "[[muscle_set]]"
    yield from _names(group.id, group.name)
    yield f"muscles = [{', '.join(map(toml_text, group.muscles))}]"


def _names(id: str, name: str) -> Iterator[str]:
    yield f"id = {toml_text(id)}"
    if name.strip() and name != readable(id):
        yield f"name = {toml_text(name)}"


def _point(point: PathPoint, slides: frozenset[str], degrees: bool) -> str:
    fields = {} if point.joint is None else {"joint": toml_text(point.joint)}
    fields["at"] = toml_list(point.point)
    if point.dof is not None:
        fields["dof"] = toml_text(point.dof)
        turns = degrees and point.dof not in slides
        fields["range"] = f"[{_end(point.lower, '-inf', turns)}, {_end(point.upper, 'inf', turns)}]"
    if point.curves:
        fields["moves"] = f"[{', '.join(_curve(each, degrees and each.dof not in slides) for each in point.curves)}]"
    return toml_table(fields)


def _curve(curve: PointCurve, degrees: bool) -> str:
    knots = ", ".join(f"[{_angle(at, degrees)}, {toml_number(value)}]" for at, value in curve.knots)
    return toml_table({"axis": toml_text(_AXES[curve.axis]), "dof": toml_text(curve.dof), "knots": f"[{knots}]"})


def _path_wrap(wrap: PathWrap) -> str:
    if (wrap.first, wrap.last) == (0, -1):
        return toml_text(wrap.wrap)
    return toml_table({"wrap": toml_text(wrap.wrap), "first": str(wrap.first), "last": str(wrap.last)})


def _end(value: float | None, none: str, degrees: bool) -> str:
    return none if value is None else _angle(value, degrees)


def _angle(value: float, degrees: bool) -> str:
    number = exact_degrees(value) if degrees else value
    assert number is not None, "asked before"
    return toml_number(number)


def _angles(muscle: Muscle, slides: frozenset[str]) -> Iterator[float]:
    yield muscle.pennation
    for point in muscle.points:
        if point.dof not in slides:
            yield from (each for each in (point.lower, point.upper) if each is not None)
        yield from (at for curve in point.curves if curve.dof not in slides for at, _ in curve.knots)
