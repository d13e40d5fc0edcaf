"""`.figure.toml`: a figure as text that a person writes.

    name = "Lamp"
    angles = "degrees"                     # or "radians"; always stated

    [[joint]]
    id = "arm"
    parent = "base"                        # a joint written above; none for the root
    offset = [0, 0.05, 0]                  # [m] in the parent's frame
    rest = [["z", 20]]                     # turns, one after the other, that make up the rest orientation
    dofs = [{ name = "Swing", axis = "-x", limits = [-60, 60] }]     # id: arm.swing
    shapes = [{ kind = "capsule", start = [0, 0, 0], end = [0, 0.3, 0], radius = 0.01 }]

A degree of freedom is a hinge unless `kind` says "slide" (limits in metres) or "ball". A shape is a loft, capsule,
ellipsoid or box; the rows of a loft's `sections` are what its `columns` name. `sides = "both"` on a joint writes it
once for the left, at positive x, and mirrors it: the ids get `_left` and `_right`, and hinges turn so that one number
is one anatomical movement on both sides. A parent that has sides is meant on the same side. `sides = "both"` on a
shape adds its mirror image to the same body.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Literal, cast

from engine.document import Dof, Figure, Joint
from engine.document.figure import DOF_KINDS, DofKind
from engine.document.validation import validate_figure
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.formats.shape_tables import mirrored_shape, mirrored_vector, read_shape
from engine.formats.tables import DIRECTIONS, Source, Table, is_number, read_source
from engine.runtime.errors import InvalidDocument, UnknownPart, UnreadableFile

SUFFIX = ".figure.toml"

_FIGURE_KEYS = ("name", "angles", "joint")
_JOINT_KEYS = ("id", "name", "parent", "sides", "offset", "rest", "dofs", "shapes")
_DOF_KEYS = ("id", "name", "kind", "axis", "limits", "stiffness", "damping")


def read(path: Path | str) -> Figure:
    """The figure in a file; raises `UnreadableFile`."""
    source, content = read_source(Path(path))
    top = Table(source, content, "the figure", _FIGURE_KEYS)
    top.need("name", "angles", "joint")
    unit = math.pi / 180.0 if top.choice("angles", ("degrees", "radians"), "") == "degrees" else 1.0
    joints = _Joints(source, unit)
    for index, values in enumerate(top.rows("joint")):
        joints.add(Table(source, values, f"joint {index + 1}", _JOINT_KEYS, source.header_line("joint", index) or 1))
    figure = Figure(name=top.text("name"), joints=joints.listed())
    try:
        validate_figure(figure)
    except InvalidDocument as error:
        raise UnreadableFile(path=source.path, found=str(error), remedy="Correct the joints named") from error
    return figure


@cache
def load_figure(name: str) -> Figure:
    """A figure that comes with the application, such as "human"; the same object each time."""
    folder = files("resources").joinpath("figures")
    known = sorted(each.name.removesuffix(SUFFIX) for each in folder.iterdir() if each.name.endswith(SUFFIX))
    if name not in known:
        raise UnknownPart(kind="figure", id=name, known=known)
    with as_file(folder.joinpath(name + SUFFIX)) as path:
        return read(path)


class _Joints:
    """Joints in the order written; a chain with sides is listed left as a whole, then right."""

    def __init__(self, source: Source, unit: float) -> None:
        self._source, self._unit = source, unit
        self._sided: dict[str, bool] = {}
        self._done: list[Joint] = []
        self._left: list[Joint] = []
        self._right: list[Joint] = []

    def add(self, table: Table) -> None:
        """Read one `[[joint]]`."""
        table.need("id")
        id = table.text("id")
        table.what = f"joint {id!r}"
        if id in self._sided:
            table.refuse("id", f"a second joint {id!r}", "Give each joint its own id")
        sided = table.choice("sides", ("one", "both"), "one") == "both"
        parent = table.text("parent") or None
        if parent is not None and parent not in self._sided:
            known = ", ".join(self._sided) or "none"
            table.refuse("parent", f"{table.what} has an unknown parent {parent!r}", f"Joints written above: {known}")
        parent_sided = parent is not None and self._sided[parent]
        if parent_sided and not sided:
            table.refuse("parent", f"{table.what} has one side, its parent both", 'Add sides = "both"')
        self._sided[id] = sided
        if not parent_sided:
            self._flush()
        joint = self._joint(table, id, parent)
        if sided:
            self._left.append(_side(joint, "left", parent_sided))
            self._right.append(_side(mirrored_joint(joint), "right", parent_sided))
        else:
            self._done.append(joint)

    def listed(self) -> tuple[Joint, ...]:
        """All joints."""
        self._flush()
        return tuple(self._done)

    def _flush(self) -> None:
        self._done += self._left + self._right
        self._left, self._right = [], []

    def _joint(self, table: Table, id: str, parent: str | None) -> Joint:
        what = f"a degree of freedom of {id!r}"
        dofs = [Table(self._source, row, what, _DOF_KEYS, table.line) for row in table.rows("dofs")]
        try:
            return Joint(
                id=id,
                name=table.text("name") or id.replace("_", " ").capitalize(),
                parent=parent,
                offset=table.vector("offset", (0.0, 0.0, 0.0)),
                rest=self._rest(table),
                dofs=tuple(self._dof(row, id) for row in dofs),
                shapes=tuple(shape for row in table.rows("shapes") for shape in read_shape(table, row)),
            )
        except InvalidDocument as error:
            self._source.refuse(str(error), f"Correct {table.what}", table.line)

    def _dof(self, table: Table, joint: str) -> Dof:
        table.need("name")
        name = table.text("name")
        kind = cast(DofKind, table.choice("kind", DOF_KINDS, "hinge"))
        unit = self._unit if kind == "hinge" else 1.0
        limits = table.numbers("limits", 2, ()) if "limits" in table.values else None
        return Dof(
            id=f"{joint}.{table.text('id') or name.lower().replace(' ', '_')}",
            name=name,
            kind=kind,
            axis=table.vector("axis", DIRECTIONS["x"]),
            lower=None if limits is None else limits[0] * unit,
            upper=None if limits is None else limits[1] * unit,
            stiffness=table.number("stiffness", 1.0),
            damping=table.number("damping", 0.0),
        )

    def _rest(self, table: Table) -> Quaternion:
        rotation = IDENTITY
        for turn in table.rows("rest"):
            if not isinstance(turn, list) or len(turn) != 2 or turn[0] not in DIRECTIONS or not is_number(turn[1]):
                table.wrong("rest", 'a list of turns such as [["z", 20], ["x", -5]]')
            half = 0.5 * self._unit * float(turn[1])
            x, y, z = (math.sin(half) * each for each in DIRECTIONS[turn[0]])
            rotation = _product(rotation, (math.cos(half), x, y, z))
        return rotation


def mirrored_joint(joint: Joint) -> Joint:
    """The joint seen in a mirror across x = 0; a hinge's number means the mirror image of the same movement."""
    w, x, y, z = joint.rest
    return replace(
        joint,
        offset=mirrored_vector(joint.offset),
        rest=(w, x, 0.0 - y, 0.0 - z),
        dofs=tuple(_mirrored_dof(dof) for dof in joint.dofs),
        shapes=tuple(mirrored_shape(shape) for shape in joint.shapes),
    )


def _mirrored_dof(dof: Dof) -> Dof:
    x, y, z = dof.axis
    # A turn by a about n becomes a turn by -a about n's mirror image, which is one by a about the opposite direction.
    axis: Vector3 = (x, 0.0 - y, 0.0 - z) if dof.kind == "hinge" else mirrored_vector(dof.axis)
    return replace(dof, axis=axis)


def _side(joint: Joint, side: Literal["left", "right"], parent_sided: bool) -> Joint:
    parent = f"{joint.parent}_{side}" if parent_sided else joint.parent
    id, name = f"{joint.id}_{side}", f"{side.capitalize()} {joint.name[:1].lower()}{joint.name[1:]}"
    dofs = tuple(replace(dof, id=f"{id}.{dof.id.removeprefix(joint.id + '.')}") for dof in joint.dofs)
    mirror = f"{joint.id}_{'right' if side == 'left' else 'left'}"
    return replace(joint, id=id, name=name, parent=parent, dofs=dofs, side=side, mirror=mirror)


def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    """First the turn `a`, then the turn `b` in the frame that `a` has left."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )
