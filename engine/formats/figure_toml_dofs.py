"""Degrees of freedom of a joint in a `.figure.toml`: the long list `dofs`, or the short forms `order` and `root`.

`order = "ZYX"` gives three hinges `z`, `y`, `x`, one after the other; a letter that comes twice is `z2` the second
time. `root` gives a joint without parent one of the usual kinds: `fixed`; `planar` (slides `move_x`, `move_y`, a hinge
`z`); `slides+hinges` (slides `move_x` to `move_z`, hinges in `order`, YXZ if none is given); `slides+ball` (the
slides, a unit quaternion `turn`). `limits` of a short form is a table by those names.
"""

from __future__ import annotations

import math
from typing import cast

from engine.document import Dof, DrivenBy
from engine.document.figure import DOF_KINDS, DofKind
from engine.formats.tables import DIRECTIONS, TomlTable, is_finite

DOF_KEYS = ("id", "whole_id", "name", "kind", "axis", "limits", "stiffness", "damping", "spring", "neutral", "driven")
_DRIVEN_KEYS = ("by", "at", "values")
ROOTS = ("fixed", "planar", "slides+hinges", "slides+ball")
ORDERS = tuple(a + b + c for a in "XYZ" for b in "XYZ" for c in "XYZ" if a != b != c)

_USUAL_ORDER = "YXZ"
_SLIDES = ("move_x", "move_y", "move_z")


def read_dofs(table: TomlTable, joint: str, unit: float) -> tuple[Dof, ...]:
    """The degrees of freedom of a joint; `unit` is radians per unit of its angles."""
    for key in ("order", "root"):
        if key in table.values and "dofs" in table.values:
            table.refuse(key, f"{table.what} has both {key!r} and 'dofs'", "Keep one of them")
    if "order" in table.values or "root" in table.values:
        return _short(table, joint, unit)
    if "limits" in table.values:
        remedy = "Write them into its dofs, or give the joint an order or a root"
        table.refuse("limits", f"{table.what} has limits of its own", remedy)
    what = f"a degree of freedom of {joint!r}"
    rows = [TomlTable(table.source, row, what, DOF_KEYS, table.line) for row in table.rows("dofs")]
    return tuple(_dof(row, joint, unit) for row in rows)


def dof_id(name: str) -> str:
    """The id that a name gives where none is written."""
    return name.lower().replace(" ", "_")


def _dof(table: TomlTable, joint: str, unit: float) -> Dof:
    table.need("name")
    name = table.text("name")
    kind = cast(DofKind, table.choice("kind", DOF_KINDS, "hinge"))
    lower, upper = _limits(table, "limits", unit if kind == "hinge" else 1.0)
    return Dof(
        id=table.text("whole_id") or f"{joint}.{table.text('id') or dof_id(name)}",
        name=name,
        kind=kind,
        axis=table.vector("axis", DIRECTIONS["x"]),
        lower=lower,
        upper=upper,
        stiffness=table.number("stiffness", 1.0),
        damping=table.number("damping", 0.0),
        spring=table.number("spring", 0.0),
        neutral=table.number("neutral", 0.0) * (unit if kind == "hinge" else 1.0),
        driven=tuple(_driven_by(table, row) for row in table.rows("driven")),
    )


def _driven_by(table: TomlTable, row: object) -> DrivenBy:
    """Read what drives it as it stands in the file: numbers get their units when the kind of the driver is known."""
    line = table.source.key_line("driven", table.line)
    driver = TomlTable(table.source, row, f"a driver of {table.what}", _DRIVEN_KEYS, line)
    driver.need("by", "at", "values")
    return DrivenBy(dof=driver.text("by"), at=_knots(driver, "at"), values=_knots(driver, "values"))


def _knots(table: TomlTable, key: str) -> tuple[float, ...]:
    rows = table.rows(key)
    if not all(is_finite(each) for each in rows):
        table.wrong(key, "numbers in square brackets")
    return tuple(float(each) for each in rows if is_finite(each))


def _short(table: TomlTable, joint: str, unit: float) -> tuple[Dof, ...]:
    root = table.choice("root", ROOTS, ROOTS[0])
    if "root" in table.values and "parent" in table.values:
        table.refuse("root", f"{table.what} has a parent and a root", "Give one of them, or an order and a parent")
    if "order" in table.values and "root" in table.values and root != "slides+hinges":
        table.refuse("order", f"{table.what} has an order and the root {root!r}", 'Write root = "slides+hinges"')
    names = list({"fixed": (), "planar": _SLIDES[:2]}.get(root, _SLIDES))
    if root == "planar":
        names.append("z")
    elif root == "slides+ball":
        names.append("turn")
    elif "order" in table.values or root == "slides+hinges":
        names += _hinges(table)
    values = table.values.get("limits", {})
    limits = TomlTable(
        table.source, values, f"limits of {table.what}", names, table.source.key_line("limits", table.line)
    )
    return tuple(_short_dof(limits, joint, name, unit) for name in names)


def _hinges(table: TomlTable) -> list[str]:
    order = table.text("order", _USUAL_ORDER).upper()
    if not 1 <= len(order) <= 3 or not any(each.startswith(order) for each in ORDERS):
        table.wrong("order", 'one to three of the letters X, Y, Z, neighbours different, such as "ZYX"')
    letters = order.lower()
    return [letter + ("2" if letter in letters[:place] else "") for place, letter in enumerate(letters)]


def _short_dof(limits: TomlTable, joint: str, name: str, unit: float) -> Dof:
    if name == "turn":
        if name in limits.values:
            limits.refuse(name, "limits on a ball", "Delete them, or take the root 'slides+hinges'")
        return Dof(id=f"{joint}.turn", name="Turn", kind="ball")
    slides = name in _SLIDES
    lower, upper = _limits(limits, name, 1.0 if slides else unit)
    return Dof(
        id=f"{joint}.{name}",
        name=name.replace("_", " ").title() if slides else f"Turn {name.upper()}",
        kind="slide" if slides else "hinge",
        axis=DIRECTIONS[name[-1] if slides else name[0]],
        lower=lower,
        upper=upper,
    )


def _limits(table: TomlTable, key: str, unit: float) -> tuple[float | None, float | None]:
    """Lower and upper; an infinite one is none."""
    if key not in table.values:
        return None, None
    lower, upper = table.numbers(key, 2, ())
    return None if lower == -math.inf else lower * unit, None if upper == math.inf else upper * unit
