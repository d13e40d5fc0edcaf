"""Bushings as tables of a `.figure.toml`.

    [[bushing]]
    id = "cartilage"
    first = { joint = "rib", at = [0.05, 0, 0.1], rest = [["y", 40]] }   # without a joint: the ground
    second = { joint = "sternum", at = [0.02, -0.05, 0.1], rest = [["y", 40]] }
    turning = [0.2, 0.2, 0.3]               # [N m/rad] about the axes of the first frame
    sliding = [2600, 2600, 30000]           # [N/m]
    turning_damping = [0, 0, 0.01]          # [N m s/rad]
    sliding_damping = [10, 10, 100]         # [N s/m]

`rest` is turns one after the other, or a quaternion. `sides = "both"` writes one for the left and mirrors it, as of
joints. `mute = true` leaves it out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from engine.bushings.parts import AXES, Bushing, Bushings, End, held_at
from engine.document import Figure
from engine.document.frames import Frame
from engine.document.mirrored import mirrored_turn, mirrored_vector
from engine.document.parts import Part
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.formats.figure_toml_joints import read_rest, readable, sided_name
from engine.formats.tables import TomlTable
from engine.formats.toml_values import toml_list, toml_table, toml_text
from engine.runtime.errors import EngineError

_ORIGIN = (0.0, 0.0, 0.0)
_KEYS = ("id", "name", "first", "second", *AXES, "mute", "sides")
_END_KEYS = ("joint", "at", "rest")


class BushingTables:
    """Reads and writes bushings."""

    keys = ("bushing",)
    kind: type[Part] = Bushings

    def read(self, top: TomlTable, figure: Figure, unit: float) -> Bushings | None:
        """Read the bushings of a figure; None where there are none."""
        if "bushing" not in top.values:
            return None
        found = list[Bushing]()
        for index, values in enumerate(top.rows("bushing")):
            line = top.source.header_line("bushing", index) or 1
            table = TomlTable(top.source, values, f"bushing {index + 1}", _KEYS, line)
            table.need("id", "first", "second")
            table.what = f"bushing {table.text('id')!r}"
            found += _read(table, figure, unit)
        return cast(Bushings, _made(top, Bushings, bushings=tuple(found)))

    def head(self, part: Part) -> Iterator[str]:
        """Yield nothing: all of them stands in tables."""
        yield from ()

    def blocks(self, part: Part, figure: Figure, *, degrees: bool) -> Iterator[str]:
        """Yield the tables that hold bushings."""
        assert isinstance(part, Bushings), "its kind"
        yield from ("\n".join(_lines(each)) for each in part.bushings)


TABLES = BushingTables()


def _read(table: TomlTable, figure: Figure, unit: float) -> Iterator[Bushing]:
    id, mute = table.text("id"), table.values.get("mute", False)
    if not isinstance(mute, bool):
        table.wrong("mute", "true or false")
    name = table.text("name") or readable(id)
    gains = {axis: table.vector(axis, _ORIGIN) for axis in AXES}
    for side in ("left", "right") if table.choice("sides", ("one", "both"), "one") == "both" else ("",):
        first, second = (_end(table, key, figure, unit, side) for key in ("first", "second"))
        made = _made(
            table,
            Bushing,
            id=f"{id}_{side}" if side else id,
            name=sided_name(name, side) if side else name,
            mute=mute,
            **held_at(first, second),
            **gains,
        )
        yield _mirrored(made) if side == "right" else made


def _end(whole: TomlTable, key: str, figure: Figure, unit: float, side: str) -> End:
    """The joint on which a frame stands, None for the ground, and the frame there."""
    line = whole.source.key_line(key, whole.line)
    table = TomlTable(whole.source, whole.values[key], f"the {key} body of {whole.what}", _END_KEYS, line)
    frame = Frame(table.vector("at", _ORIGIN), read_rest(table, unit))
    if "joint" not in table.values:
        return None, frame
    id, known = table.text("joint"), figure.joint_index
    if side and f"{id}_{side}" in known:
        return f"{id}_{side}", frame
    if id not in known:
        table.refuse("joint", f"{whole.what} has an unknown joint {id!r}", f"Joints: {', '.join(known)}")
    return id, frame


def _mirrored(bushing: Bushing) -> Bushing:
    """The mirror image: the x axes of its frames are turned around with it."""
    return replace(
        bushing,
        first_position=mirrored_vector(bushing.first_position),
        first_rotation=mirrored_turn(bushing.first_rotation),
        second_position=mirrored_vector(bushing.second_position),
        second_rotation=mirrored_turn(bushing.second_rotation),
    )


def _made(table: TomlTable, kind: Any, **fields: Any) -> Any:
    """Make a part; refuse what it refuses, at the line of its table."""
    try:
        return kind(**fields)
    except EngineError as error:
        table.source.refuse(str(error), f"Correct {table.what}", table.line)


def _lines(bushing: Bushing) -> Iterator[str]:
    yield "[[bushing]]"
    yield f"id = {toml_text(bushing.id)}"
    if bushing.name != readable(bushing.id):
        yield f"name = {toml_text(bushing.name)}"
    yield f"first = {_place(bushing.first, bushing.first_position, bushing.first_rotation)}"
    yield f"second = {_place(bushing.second, bushing.second_position, bushing.second_rotation)}"
    yield from (f"{axis} = {toml_list(value)}" for axis in AXES if (value := getattr(bushing, axis)) != _ORIGIN)
    if bushing.mute:
        yield "mute = true"


def _place(joint: str | None, position: Vector3, rotation: Quaternion) -> str:
    fields = {} if joint is None else {"joint": toml_text(joint)}
    fields["at"] = toml_list(position)
    if rotation != IDENTITY:
        fields["rest"] = toml_list(rotation)
    return toml_table(fields)
