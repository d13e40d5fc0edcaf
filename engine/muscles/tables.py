"""Muscles as tables of a `.figure.toml`.

    [[wrap]]
    id = "elbow_bone"
    joint = "upper_arm"                     # none: the ground
    shape = "cylinder"                      # or sphere, ellipsoid, torus
    radii = [0.016]                         # [m]
    length = 0.06                           # [m] of a cylinder; else without end
    centre = [0, -0.28, 0]                  # [m]
    rest = [["y", 90]]                      # turns one after the other, or a quaternion
    side = "-x"                             # on which paths pass, in the frame of the wrap

    [[muscle]]
    id = "biceps"
    region = "Elbow"
    force = 600                             # [N]
    fibre = 0.12                            # [m]
    tendon = 0.19                           # [m]
    pennation = 5
    fastest = 10                            # fibre lengths a second
    points = [
      { joint = "shoulder", at = [0, 0.02, 0.01] },
      { joint = "elbow", at = [0, -0.03, 0.01], dof = "elbow.bend", range = [20, 150] },
      { joint = "elbow", at = [0, 0, 0], moves = [{ axis = "z", dof = "elbow.bend", knots = [[0, 0], [90, 1]] }] },
    ]
    wraps = ["elbow_bone", { wrap = "humerus", first = 0, last = 2 }]

    [[muscle_set]]
    id = "flexors"
    muscles = ["biceps", "brachialis"]

`sides = "both"` on a wrap or a muscle writes it for the left and mirrors it, as it does joints. `muscle_model`, at the
head of the file, says how all pull: a word of `FORCE_MODELS`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from engine.document import Figure
from engine.document.mirrored import mirrored_turn, mirrored_vector
from engine.document.parts import Part
from engine.formats.figure_toml_joints import read_rest, readable, sided_name
from engine.formats.tables import TomlTable, is_finite, is_number
from engine.formats.toml_values import toml_text
from engine.muscles.checks import check_muscles
from engine.muscles.parts import (
    FORCE_MODELS,
    WRAP_SHAPES,
    ForceModel,
    Muscle,
    Muscles,
    MuscleSet,
    MuscleWrap,
    PathPoint,
    PathWrap,
    PointCurve,
    WrapShape,
)
from engine.muscles.tables_write import muscle_blocks
from engine.runtime.errors import EngineError

_AXES = ("x", "y", "z")
_SIDES = ("left", "right")
_WRAP_KEYS = ("id", "name", "joint", "shape", "radii", "length", "centre", "rest", "side", "sides")
_MUSCLE_KEYS = (
    *("id", "name", "points", "wraps", "force", "fibre", "tendon", "pennation", "fastest", "region"),
    *("mirror", "sides", "angles"),
)
_SET_KEYS = ("id", "name", "muscles")
_POINT_KEYS = ("joint", "at", "dof", "range", "moves")
_CURVE_KEYS = ("axis", "dof", "knots")
_PATH_WRAP_KEYS = ("wrap", "first", "last")


class MuscleTables:
    """Reads and writes muscles."""

    keys = ("muscle_model", "wrap", "muscle", "muscle_set")
    kind: type[Part] = Muscles

    def read(self, top: TomlTable, figure: Figure, unit: float) -> Muscles | None:
        """Read the muscles of a figure; None where there are none."""
        if not any(key in top.values for key in self.keys):
            return None
        reading = _MuscleReading(top, figure, unit)
        wraps = tuple(found for row in reading.rows("wrap", _WRAP_KEYS) for found in reading.wraps(row))
        muscles = tuple(found for row in reading.rows("muscle", _MUSCLE_KEYS) for found in reading.muscles(row))
        sets = tuple(map(reading.muscle_set, reading.rows("muscle_set", _SET_KEYS)))
        model = cast(ForceModel, top.choice("muscle_model", FORCE_MODELS, Muscles().model))
        return check_muscles(figure, Muscles(muscles=muscles, wraps=wraps, sets=sets, model=model))

    def head(self, part: Part) -> Iterator[str]:
        """Yield what stands at the head of the file."""
        assert isinstance(part, Muscles), "its kind"
        if part.model != Muscles().model:
            yield f"muscle_model = {toml_text(part.model)}"

    def blocks(self, part: Part, figure: Figure, *, degrees: bool) -> Iterator[str]:
        """Yield the tables that hold muscles."""
        assert isinstance(part, Muscles), "its kind"
        yield from muscle_blocks(part, figure, degrees=degrees)


TABLES = MuscleTables()


class _MuscleReading:
    """One file."""

    def __init__(self, top: TomlTable, figure: Figure, unit: float) -> None:
        self._top, self._figure, self._unit = top, figure, unit

    def rows(self, name: str, keys: tuple[str, ...]) -> Iterator[TomlTable]:
        """Yield the tables of a name."""
        source, what = self._top.source, name.replace("_", " of ").replace("muscle of set", "set of muscles")
        for index, values in enumerate(self._top.rows(name)):
            table = TomlTable(source, values, f"{what} {index + 1}", keys, source.header_line(name, index) or 1)
            table.need("id")
            table.what = f"{what} {table.text('id')!r}"
            yield table

    def wraps(self, table: TomlTable) -> Iterator[MuscleWrap]:
        """Read a wrap, or that of each side."""
        table.need("shape", "radii")
        shape = cast(WrapShape, table.choice("shape", WRAP_SHAPES, ""))
        radii = table.rows("radii")
        if not all(map(is_number, radii)):
            table.wrong("radii", "numbers in square brackets")
        id = table.text("id")
        wrap = self._made(
            table,
            MuscleWrap,
            id=id,
            name=table.text("name") or readable(id),
            joint=None,
            shape=shape,
            radii=tuple(float(cast(float, each)) for each in radii),
            length=table.number("length", 0.0) if "length" in table.values else None,
            centre=table.vector("centre", (0.0, 0.0, 0.0)),
            rotation=read_rest(table, self._unit),
            side=table.vector("side", (0.0, 0.0, 0.0)) if "side" in table.values else None,
        )
        for side in self._sides(table):
            made = replace(wrap, joint=self._joint(table, table, side))
            if side:
                made = replace(made, id=f"{id}_{side}", name=sided_name(made.name, side))
            yield _mirrored_wrap(made) if side == "right" else made

    def muscles(self, table: TomlTable) -> Iterator[Muscle]:
        """Read a muscle, or that of each side."""
        table.need("points", "force", "fibre", "tendon")
        unit, id = self._unit, table.text("id")
        if "angles" in table.values:
            unit = math.pi / 180.0 if table.choice("angles", ("degrees", "radians"), "") == "degrees" else 1.0
        for side in self._sides(table):
            made = self._made(
                table,
                Muscle,
                id=f"{id}_{side}" if side else id,
                name=sided_name(table.text("name") or readable(id), side)
                if side
                else table.text("name") or readable(id),
                points=tuple(self._point(table, row, unit, side) for row in table.rows("points")),
                wraps=tuple(self._path_wrap(table, row, side) for row in table.rows("wraps")),
                force=table.number("force", 0.0),
                fibre=table.number("fibre", 0.0),
                tendon=table.number("tendon", 0.0),
                pennation=table.number("pennation", 0.0) * unit,
                fastest=table.number("fastest", 10.0),
                region=table.text("region"),
                mirror=f"{id}_{_SIDES[side == 'left']}" if side else table.text("mirror") or None,
            )
            yield made

    def muscle_set(self, table: TomlTable) -> MuscleSet:
        """Read a set."""
        table.need("muscles")
        rows, id = table.rows("muscles"), table.text("id")
        if not all(isinstance(each, str) for each in rows):
            table.wrong("muscles", "ids of muscles in square brackets")
        name = table.text("name") or readable(id)
        return cast(MuscleSet, self._made(table, MuscleSet, id=id, name=name, muscles=tuple(rows)))

    def _point(self, table: TomlTable, row: object, unit: float, side: str) -> PathPoint:
        point = TomlTable(table.source, row, f"a point of {table.what}", _POINT_KEYS, self._line(table, "points"))
        point.need("at")
        at = point.vector("at", (0.0, 0.0, 0.0))
        dof = self._dof(point, side) if "dof" in point.values else None
        if "range" in point.values:
            point.need("dof")
        scale = self._scale(dof, unit)
        lower, upper = point.numbers("range", 2, (-math.inf, math.inf))
        return cast(
            PathPoint,
            self._made(
                table,
                PathPoint,
                joint=self._joint(table, point, side),
                point=mirrored_vector(at) if side == "right" else at,
                curves=tuple(self._curve(point, each, unit, side) for each in point.rows("moves")),
                dof=dof,
                lower=None if math.isinf(lower) else lower * scale,
                upper=None if math.isinf(upper) else upper * scale,
            ),
        )

    def _curve(self, point: TomlTable, row: object, unit: float, side: str) -> PointCurve:
        curve = TomlTable(point.source, row, f"a movement of {point.what}", _CURVE_KEYS, point.line)
        curve.need("axis", "dof", "knots")
        axis, dof = _AXES.index(curve.choice("axis", _AXES, "")), self._dof(curve, side)
        knots = curve.rows("knots")
        if not all(isinstance(each, list) and len(each) == 2 and all(map(is_finite, each)) for each in knots):
            curve.wrong("knots", "pairs of a coordinate and a place such as [[0, 0.01], [90, 0.02]]")
        scale, sign = self._scale(dof, unit), -1.0 if side == "right" and axis == 0 else 1.0
        pairs = cast(list[list[float]], knots)
        found = tuple((at * scale, sign * value + 0.0) for at, value in pairs)
        return cast(PointCurve, self._made(point, PointCurve, axis=axis, dof=dof, knots=found))

    def _path_wrap(self, table: TomlTable, row: object, side: str) -> PathWrap:
        line = self._line(table, "wraps")
        values = {"wrap": row} if isinstance(row, str) else row
        wrap = TomlTable(table.source, values, f"a wrap of {table.what}", _PATH_WRAP_KEYS, line)
        wrap.need("wrap")
        first, last = wrap.number("first", 0.0), wrap.number("last", -1.0)
        if not first.is_integer() or not last.is_integer():
            wrap.wrong("first" if not first.is_integer() else "last", "the number of a point, from 0")
        name = wrap.text("wrap")
        sided = f"{name}_{side}" if side and f"{name}_{side}" in self._wrap_ids else name
        return PathWrap(wrap=sided, first=int(first), last=int(last))

    @property
    def _wrap_ids(self) -> set[str]:
        rows = [each for each in self._top.rows("wrap") if isinstance(each, dict)]
        return {f"{each.get('id')}_{side}" for each in rows if each.get("sides") == "both" for side in _SIDES}

    def _sides(self, table: TomlTable) -> tuple[str, ...]:
        return _SIDES if table.choice("sides", ("one", "both"), "one") == "both" else ("",)

    def _joint(self, whole: TomlTable, table: TomlTable, side: str) -> str | None:
        if "joint" not in table.values:
            return None
        id, known = table.text("joint"), self._figure.joint_index
        if side and f"{id}_{side}" in known:
            return f"{id}_{side}"
        if id not in known:
            table.refuse("joint", f"{whole.what} has an unknown joint {id!r}", f"Joints: {', '.join(known)}")
        return id

    def _dof(self, table: TomlTable, side: str) -> str:
        id = table.text("dof")
        joint, dot, own = id.partition(".")
        known = [each.id for each in self._figure.dofs if each.kind != "ball"]
        if side and f"{joint}_{side}{dot}{own}" in known:
            return f"{joint}_{side}{dot}{own}"
        if id not in known:
            found = f"{table.what} has an unknown degree of freedom {id!r}"
            table.refuse("dof", found, f"Degrees of freedom: {', '.join(known)}")
        return id

    def _scale(self, dof: str | None, unit: float) -> float:
        return 1.0 if dof is None or self._figure.coordinate_dof[dof].kind == "slide" else unit

    def _line(self, table: TomlTable, key: str) -> int:
        return table.source.key_line(key, table.line)

    def _made(self, table: TomlTable, kind: Any, **fields: Any) -> Any:
        """Make a part; refuse what it refuses, at the line of its table."""
        try:
            return kind(**fields)
        except EngineError as error:
            table.source.refuse(str(error), f"Correct {table.what}", table.line)


def _mirrored_wrap(wrap: MuscleWrap) -> MuscleWrap:
    """The mirror image of a wrap: its own x axis is turned around with it."""
    side = None if wrap.side is None else mirrored_vector(wrap.side)
    return replace(wrap, centre=mirrored_vector(wrap.centre), rotation=mirrored_turn(wrap.rotation), side=side)
