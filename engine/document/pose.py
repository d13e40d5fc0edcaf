"""Pose: values of a figure's coordinates apart from any document, with the names by which another figure finds them.

As text it is JSON for the clipboard and TOML for the pose library, the same table in both: `sinew_pose` (the version),
`name`, `figure`, and `values`, a row for each coordinate: its id, the names of its joint and of its degree of freedom,
and the value [rad or m]. Floats are written so that they are read as the same number.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Collection, Iterable, Mapping

from engine.document.figure import Figure
from engine.runtime.errors import InvalidArguments, shown
from engine.runtime.quick_dataclass import dataclass

Name = tuple[str, str, str]  # a coordinate; the names of its joint and of its degree of freedom
Values = tuple[tuple[str, float], ...]

VERSION = 1
MOST_LETTERS = 4_000_000
_SHOWN = 40


@dataclass(frozen=True, kw_only=True)
class Pose:
    """Values [rad or m], each with its names."""

    name: str
    figure: str  # whose pose it was
    names: tuple[Name, ...]
    values: tuple[float, ...]

    def fit(self, figure: Figure) -> tuple[Values, tuple[str, ...]]:
        """The values in a figure's own coordinates, and what it has no place for, in words."""
        partner = partners(figure, self.names)
        found = {
            partner[name[0]]: value for name, value in zip(self.names, self.values, strict=True) if name[0] in partner
        }
        # A ball is one rotation: a part of its four numbers is none.
        for dof in figure.dofs:
            if dof.kind == "ball" and not all(name in found for name in dof.coordinates):
                for name in dof.coordinates:
                    found.pop(name, None)
        values = tuple((name, found[name]) for name in figure.coordinates if name in found)
        missing = [joint for name, joint, _ in self.names if partner.get(name) not in found]
        return values, tuple(dict.fromkeys(missing))

    def to_json(self) -> str:
        """Encode the pose for the clipboard."""
        table = {"sinew_pose": VERSION, "name": self.name, "figure": self.figure, "values": self._rows()}
        return json.dumps(table, ensure_ascii=False)

    def to_toml(self) -> str:
        """Encode the pose for a file of the library."""
        rows = (f"  {_text(row)}," for row in self._rows())
        head = f"sinew_pose = {VERSION}\nname = {_text(self.name)}\nfigure = {_text(self.figure)}\n"
        return f"# Angles in radians, lengths in metres.\n{head}values = [\n" + "\n".join(rows) + "\n]\n"

    def _rows(self) -> list[list[str | float]]:
        return [[*name, value] for name, value in zip(self.names, self.values, strict=True)]


def pose_of(figure: Figure, values: Mapping[str, float], *, name: str, joints: Collection[str] | None = None) -> Pose:
    """The pose of a figure, or of some joints of it."""
    chosen = None if joints is None else set(coordinates_of(figure, joints))
    names = tuple(each for each in names_of(figure) if each[0] in values and (chosen is None or each[0] in chosen))
    return Pose(name=name, figure=figure.name, names=names, values=tuple(float(values[each[0]]) for each in names))


def read_pose(text: str, what: str = "the text to paste") -> Pose:
    """The pose that `to_json` or `to_toml` wrote; refused by name where it is anything else."""
    table = _table(text, what)
    if table.get("sinew_pose") != VERSION:
        allowed = f"a pose of version {VERSION}, as this version of Sinew writes it"
        raise InvalidArguments(what=f"the version of {what}", value=table.get("sinew_pose"), allowed=allowed)
    names: list[Name] = []
    values: list[float] = []
    rows = table.get("values")
    for row in rows if isinstance(rows, list) else ():
        name, value = _row(row, what)
        names.append(name)
        values.append(value)
    if not names or len({name[0] for name in names}) != len(names):
        raise InvalidArguments(what=f"the values of {what}", value=_cut(rows), allowed="one or more, each once")
    label, figure = (_string(table.get(key), f"the {key} of {what}") for key in ("name", "figure"))
    return Pose(name=label, figure=figure, names=tuple(names), values=tuple(values))


def rest_of(figure: Figure, joints: Collection[str] | None = None) -> Values:
    """The rest pose of a figure, or of some joints of it, within limits."""
    chosen = None if joints is None else set(coordinates_of(figure, joints))
    return tuple(
        (name, figure.rest[name]) for dof in figure.dofs for name in dof.coordinates if chosen is None or name in chosen
    )


def place_of(figure: Figure) -> frozenset[str]:
    """The coordinates that say where on the floor a figure stands and which way it faces: sideways slides of its roots
    and turns about the vertical that come before any other. A ball says all at once, and is none of them."""
    found: set[str] = set()
    for joint in figure.joints:
        for dof in joint.dofs if joint.parent is None else ():
            height = abs(dof.axis[1])
            if (height < 1e-3) if dof.kind == "slide" else (dof.kind == "hinge" and height > 0.999):
                found.add(dof.id)
            elif dof.kind != "slide":
                break
    return frozenset(found)


def coordinates_of(figure: Figure, joints: Collection[str]) -> tuple[str, ...]:
    """The coordinates of some joints."""
    return tuple(name for id in joints for dof in figure.joint(id).dofs for name in dof.coordinates)


def names_of(figure: Figure) -> tuple[Name, ...]:
    """Each coordinate with the names of its joint and degree of freedom; a ball's with their letter."""
    return tuple(
        (name, joint.name, f"{dof.name} {name[-1]}" if dof.kind == "ball" else dof.name)
        for joint in figure.joints
        for dof in joint.dofs
        for name in dof.coordinates
    )


def partners(figure: Figure, names: Iterable[Name]) -> dict[str, str]:
    """The coordinate of the figure for each of those named that has one: of the same id and names, else of the same
    names, where only one has them."""
    own = names_of(figure)
    known = {name: (joint, dof) for name, joint, dof in own}
    by_name: dict[tuple[str, str], list[str]] = {}
    for name, joint, dof in own:
        by_name.setdefault((joint.casefold(), dof.casefold()), []).append(name)
    found: dict[str, str] = {}
    for name, joint, dof in names:
        same = by_name.get((joint.casefold(), dof.casefold()), [])
        if known.get(name) == (joint, dof):
            found[name] = name
        elif len(same) == 1:
            found[name] = same[0]
    return found


def _table(text: str, what: str) -> dict[str, object]:
    allowed = "a pose that was copied or saved by Sinew"
    if len(text) > MOST_LETTERS:
        raise InvalidArguments(what=f"the length of {what}", value=len(text), allowed=f"at most {MOST_LETTERS}")
    try:
        found = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or "sinew_pose" not in found:
        raise InvalidArguments(what=what, value=_cut(text), allowed=allowed)
    return found


def _row(row: object, what: str) -> tuple[Name, float]:
    if isinstance(row, list) and len(row) == 4 and all(isinstance(each, str) for each in row[:3]):
        value = row[3]
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max:
            return (row[0], row[1], row[2]), float(value)
    allowed = "a coordinate, the names of its joint and degree of freedom, and a finite number"
    raise InvalidArguments(what=f"a row of {what}", value=_cut(row), allowed=allowed)


def _string(value: object, what: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidArguments(what=what, value=value, allowed="some text")
    return value


def _text(value: object) -> str:
    """JSON, which TOML reads too."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _cut(value: object) -> str:
    text = value if isinstance(value, str) else shown(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
