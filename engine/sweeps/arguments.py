"""The edits of a study with their arguments, at any depth of which a value may vary: a hole that each row fills."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import field
from difflib import get_close_matches
from inspect import Parameter, signature
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin

from engine.document.conformance import field_hints
from engine.document.part_types import PART_TYPES
from engine.edits import EDITS
from engine.formats.tables import Source, TomlTable, is_finite
from engine.runtime.child import Json
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.sweeps.varied import KEYS, SPACINGS, Draw, Plain, Varied

MOST_ROWS = 100_000
MOST_PARAMETERS = 32
MOST_EDITS = 64


@dataclass(frozen=True)
class Hole:
    """A place in the arguments of an edit that the value of a parameter is put into."""

    parameter: int


@dataclass(frozen=True)
class EditTemplate:
    """An edit with holes."""

    name: str
    arguments: Mapping[str, object]  # plain values and holes
    line: int

    def filled(self, values: tuple[Plain, ...]) -> dict[str, Json]:
        """Record the edit of a row."""
        arguments = {name: _filled(each, values) for name, each in self.arguments.items()}
        return {"edit": self.name, "arguments": arguments}


@dataclass(frozen=True)
class StudyReading:
    """A study while it is read."""

    draw: Draw
    varied: list[Varied] = field(default_factory=list)


def read_edits(top: TomlTable, source: Source, reading: StudyReading) -> Iterator[EditTemplate]:
    rows = top.rows("edit")
    if not 1 <= len(rows) <= MOST_EDITS:
        remedy = f'Write 1 to {MOST_EDITS} tables [[edit]], each with edit = "NAME" and its arguments'
        source.refuse(f"{len(rows)} edits", remedy, source.header_line("edit", 0) or 1)
    for index, values in enumerate(rows):
        line = source.header_line("edit", index) or 1
        name = values.get("edit") if isinstance(values, dict) else None
        head = TomlTable(source, values, f"edit {index + 1}", tuple(values) if isinstance(values, dict) else (), line)
        head.need("edit")
        if not isinstance(name, str) or name not in EDITS:
            remedy = f"{_near(str(name), EDITS)} python -m engine edits lists them all"
            source.refuse(f"there is no edit {name!r}", remedy, source.key_line("edit", line + 1))
        known = list(signature(EDITS[name]).parameters.values())[1:]
        table = TomlTable(source, values, f"edit {index + 1}, {name},", ("edit", *(each.name for each in known)), line)
        table.need(*(each.name for each in known if each.default is Parameter.empty))
        hints = field_hints(EDITS[name])
        arguments = {
            key: _argument(table, key, value, f"{name}.{key}", hints[key], reading)
            for key, value in table.values.items()
            if key != "edit"
        }
        yield EditTemplate(name, arguments, line)
    if len(reading.varied) > MOST_PARAMETERS:
        source.refuse(
            f"{len(reading.varied)} arguments vary", f"At most {MOST_PARAMETERS} may", source.header_line("edit", 0)
        )


def _argument(table: TomlTable, key: str, value: object, path: str, hint: Any, reading: StudyReading) -> object:
    """An argument with holes where it varies, at any depth."""
    if isinstance(value, list):
        hints = _hints_within(hint, len(value))
        return [
            _argument(table, key, each, f"{path}.{number}", within, reading)
            for number, (each, within) in enumerate(zip(value, hints, strict=True), 1)
        ]
    if isinstance(value, dict):
        kind = PART_TYPES.get(str(value.get("type")))
        if kind is None and value.keys() & {"type", "blob", "part"}:
            table.wrong(key, "a part by its type: " + ", ".join(PART_TYPES))
        if kind is not None:
            hints_of = field_hints(kind)
            return {
                name: each
                if name == "type"
                else _argument(table, key, each, f"{path}.{name}", hints_of.get(name), reading)
                for name, each in value.items()
            }
        reading.varied.append(_varied(table, key, value, path, _plain(hint), reading.draw))
        return Hole(len(reading.varied) - 1)
    if not isinstance(value, bool | int | float | str) or (isinstance(value, float) and not is_finite(value)):
        table.wrong(key, "a number, a text, true or false, a list of these, or a table such as { values = [1, 2] }")
    return _fitted(value, hint)


def _varied(table: TomlTable, key: str, value: dict[str, object], path: str, hint: Any, draw: Draw) -> Varied:
    source, line = table.source, table.source.key_line(key, table.line)
    own = TomlTable(source, value, f"what varies of {key}", KEYS, line)
    name = own.text("name", path)
    if "values" in value:
        listed = own.rows("values")
        if not listed or not all(isinstance(each, bool | int | float | str) for each in listed):
            own.wrong("values", "one or more numbers or texts, as in { values = [2, 4, 8] }")
        if any(isinstance(each, float) and not math.isfinite(each) for each in listed):
            own.wrong("values", "finite numbers")
        if len(listed) > MOST_ROWS:
            own.wrong("values", f"at most {MOST_ROWS:,} values")
        return Varied(name=name, values=tuple(_fitted(each, hint) for each in cast(list[Plain], listed)))
    own.need("from", "to")
    for end in ("from", "to"):
        if not is_finite(value[end]):
            own.wrong(end, "a finite number")
    if draw == "grid":
        own.need("count")
    whole = value.get("whole", hint is int)
    if not isinstance(whole, bool):
        own.wrong("whole", "true or false")
    try:
        return Varied(
            name=name,
            lower=own.number("from", 0.0),
            upper=own.number("to", 0.0),
            count=whole_number(own, "count", 0, 1, MOST_ROWS),
            spacing=own.choice("spacing", SPACINGS, "linear"),
            whole=whole,
        )
    except InvalidArguments as problem:
        source.refuse(str(problem), "Correct it", line)


def _filled(value: object, values: tuple[Plain, ...]) -> Json:
    if isinstance(value, Hole):
        return values[value.parameter]
    if isinstance(value, list):
        return [_filled(each, values) for each in value]
    if isinstance(value, dict):
        return {name: _filled(each, values) for name, each in value.items()}
    return cast(Json, value)


def _plain(hint: Any) -> Any:
    """The hint of an argument where it is given: without the None of one that may be left out."""
    kinds = [each for each in get_args(hint) if each is not type(None)]
    return kinds[0] if get_origin(hint) in (Union, UnionType) and len(kinds) == 1 else hint


def _hints_within(hint: Any, count: int) -> list[Any]:
    """The hints of the items of a list."""
    inner = get_args(_plain(hint)) if get_origin(_plain(hint)) is tuple else ()
    if inner[1:] == (Ellipsis,):
        return [inner[0]] * count
    return [inner[place] if place < len(inner) else None for place in range(count)]


def _fitted(value: Plain, hint: Any) -> Plain:
    """A value as an edit would have it: whole numbers as fractions where it takes those."""
    return float(value) if type(value) is int and _plain(hint) is float else value


def whole_number(table: TomlTable, key: str, default: int, least: int, most: int = 2**63 - 1) -> int:
    """A whole number between two."""
    value = table.values.get(key, default)
    if key in table.values and not (type(value) is int and least <= value <= most):
        table.wrong(key, f"a whole number from {least} to {most:,}")
    return cast(int, value)


def _near(name: str, known: Mapping[str, object]) -> str:
    near = get_close_matches(name, known, n=1)
    return f"Did you mean {near[0]!r}?" if near else "Choose another."
