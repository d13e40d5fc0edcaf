"""Joints and handles of a `.figure.toml`, and the mirror images of those that are written once for both sides."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast

from engine.document import Body, Dof, Handle, Joint
from engine.document.figure import Side
from engine.document.mirrored import mirrored_joint, mirrored_vector
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.formats.figure_toml_dofs import read_dofs
from engine.formats.shape_tables import read_shape
from engine.formats.tables import DIRECTIONS, Source, TomlTable, is_finite, is_number
from engine.maths.quaternions import product
from engine.runtime.errors import InvalidDocument

JOINT_KEYS = (
    *("id", "name", "parent", "sides", "side", "mirror", "group", "offset", "rest"),
    *("dofs", "order", "root", "limits", "shapes", "body", "density"),
)
HANDLE_KEYS = ("id", "name", "joint", "sides", "point")
BODY_KEYS = ("mass", "centre", "inertia")
SIDES: tuple[Side, ...] = ("left", "middle", "right")

_NO_POINT: Vector3 = (0.0, 0.0, 0.0)


class Joints:
    """Joints in the order written; a chain with sides is listed left as a whole, then right."""

    def __init__(self, source: Source, unit: float) -> None:
        self._source, self._unit = source, unit
        self._sided: dict[str, bool] = {}
        self._sided_dofs: dict[str, str] = {}
        self._done: list[Joint] = []
        self._left: list[Joint] = []
        self._right: list[Joint] = []

    def add(self, table: TomlTable) -> None:
        """Read one `[[joint]]`."""
        table.need("id")
        id = table.text("id")
        table.what = f"joint {id!r}"
        if id in self._sided or any(joint.id == id for joint in self._left + self._right):
            table.refuse("id", f"a second joint {id!r}", "Give each joint its own id")
        sided = table.choice("sides", ("one", "both"), "one") == "both"
        for key in ("side", "mirror"):
            if sided and key in table.values:
                table.refuse(key, f"{table.what} has {key!r} and both sides", f"Delete {key!r}: both sides imply it")
        parent = table.text("parent") or None
        parent_sided = parent is not None and self._has_sides(table, parent)
        if parent_sided and not sided:
            table.refuse("parent", f"{table.what} has one side, its parent both", 'Add sides = "both"')
        self._sided[id] = sided
        if not parent_sided:
            self._flush()
        joint = self._joint(table, id, parent)
        if sided:
            self._sided_dofs |= dict.fromkeys((dof.id for dof in joint.dofs), id)
            self._left.append(_side(joint, "left", parent_sided))
            self._right.append(_side(mirrored_joint(joint), "right", parent_sided))
        else:
            self._done.append(joint)

    @property
    def sided_dofs(self) -> Mapping[str, str]:
        """Each degree of freedom that was written for both sides, and its joint."""
        return self._sided_dofs

    def listed(self) -> tuple[Joint, ...]:
        """All joints."""
        self._flush()
        return tuple(self._done)

    def driven(self) -> tuple[Joint, ...]:
        """All joints, what drives their coordinates found on its side, and its numbers in radians and metres."""
        joints = self.listed()
        known = {dof.id: dof for joint in joints for dof in joint.dofs}
        return tuple(
            replace(joint, dofs=tuple(self._driven(dof, joint, known) for dof in joint.dofs))
            if any(dof.driven for dof in joint.dofs)
            else joint
            for joint in joints
        )

    def _driven(self, dof: Dof, joint: Joint, known: Mapping[str, Dof]) -> Dof:
        found = []
        for each in dof.driven:
            sided = self._sided_dofs.get(each.dof)
            id = each.dof if sided is None or joint.side == "middle" else sided_id(each.dof, sided, joint.side)
            if id not in known:
                remedy = f"Degrees of freedom: {', '.join(known)}"
                self._source.refuse(f"{dof.id} is driven by an unknown degree of freedom {each.dof!r}", remedy)
            found.append(
                replace(each, dof=id, at=self._turned(each.at, known[id]), values=self._turned(each.values, dof))
            )
        return replace(dof, driven=tuple(found))

    def _turned(self, numbers: tuple[float, ...], dof: Dof) -> tuple[float, ...]:
        return tuple(each * self._unit for each in numbers) if dof.kind == "hinge" else numbers

    def handles(self, table: TomlTable) -> list[Handle]:
        """Read one `[[handle]]`: one handle, or a left and a right one."""
        table.need("id", "joint")
        id, joint, point = table.text("id"), table.text("joint"), table.vector("point", _NO_POINT)
        table.what = f"handle {id!r}"
        name = table.text("name") or readable(id)
        joint_sided = self._sided.get(joint, False)
        if table.choice("sides", ("one", "both"), "one") == "both":
            left, right = (f"{joint}_left", f"{joint}_right") if joint_sided else (joint, joint)
            self._need_joint(table, left)
            return [
                Handle(id=f"{id}_left", name=sided_name(name, "left"), joint=left, point=point),
                Handle(id=f"{id}_right", name=sided_name(name, "right"), joint=right, point=mirrored_vector(point)),
            ]
        if joint_sided:
            remedy = f'Add sides = "both", or write joint = "{joint}_left"'
            table.refuse("joint", f"{table.what} has one side, its joint both", remedy)
        self._need_joint(table, joint)
        return [Handle(id=id, name=name, joint=joint, point=point)]

    def _need_joint(self, table: TomlTable, id: str) -> None:
        known = [joint.id for joint in self.listed()]
        if id not in known:
            table.refuse("joint", f"{table.what} has an unknown joint {id!r}", f"Joints: {', '.join(known)}")

    def _has_sides(self, table: TomlTable, parent: str) -> bool:
        """Tell whether a parent stands for a left and a right joint; refuse it where there is no such joint."""
        if parent in self._sided:
            return self._sided[parent]
        if not any(joint.id == parent for joint in self._done + self._left + self._right):
            known = ", ".join(self._sided) or "none"
            table.refuse("parent", f"{table.what} has an unknown parent {parent!r}", f"Joints written above: {known}")
        return False

    def _flush(self) -> None:
        self._done += self._left + self._right
        self._left, self._right = [], []

    def _joint(self, table: TomlTable, id: str, parent: str | None) -> Joint:
        try:
            return Joint(
                id=id,
                name=table.text("name") or readable(id),
                parent=parent,
                offset=table.vector("offset", _NO_POINT),
                rest=read_rest(table, self._unit),
                dofs=read_dofs(table, id, self._unit),
                shapes=tuple(shape for row in table.rows("shapes") for shape in read_shape(table, row)),
                body=_body(table),
                density=table.number("density", 1000.0),
                side=cast(Side, table.choice("side", SIDES, "middle")),
                mirror=table.text("mirror") or None,
                group=table.text("group"),
            )
        except InvalidDocument as error:
            self._source.refuse(str(error), f"Correct {table.what}", table.line)


def read_rest(table: TomlTable, unit: float) -> Quaternion:
    """The `rest` of a table: turns one after the other, each by so many units, or a quaternion."""
    rows = table.rows("rest")
    if rows and all(is_number(each) for each in rows):
        w, x, y, z = table.numbers("rest", 4, IDENTITY)
        return (w, x, y, z)
    rotation = IDENTITY
    for turn in rows:
        if not isinstance(turn, list) or len(turn) != 2 or turn[0] not in DIRECTIONS or not is_finite(turn[1]):
            table.wrong("rest", 'a list of turns such as [["z", 20], ["x", -5]], or a quaternion [w, x, y, z]')
        half = 0.5 * unit * float(turn[1])
        x, y, z = (math.sin(half) * each for each in DIRECTIONS[turn[0]])
        rotation = product(rotation, (math.cos(half), x, y, z))
    return rotation


def readable(id: str) -> str:
    """The name that an id gives where none is written."""
    return id.replace("_", " ").capitalize()


def _body(table: TomlTable) -> Body | None:
    if "body" not in table.values:
        return None
    line = table.source.key_line("body", table.line)
    body = TomlTable(table.source, table.values["body"], f"the body of {table.what}", BODY_KEYS, line)
    body.need("mass")
    xx, yy, zz, xy, xz, yz = body.numbers("inertia", 6, (0.0,) * 6)
    centre = body.vector("centre", _NO_POINT)
    return Body(mass=body.number("mass", 0.0), centre=centre, inertia=(xx, yy, zz, xy, xz, yz))


def _side(joint: Joint, side: Literal["left", "right"], parent_sided: bool) -> Joint:
    id = f"{joint.id}_{side}"
    return replace(
        joint,
        id=id,
        name=sided_name(joint.name, side),
        parent=f"{joint.parent}_{side}" if parent_sided else joint.parent,
        dofs=tuple(replace(dof, id=sided_id(dof.id, joint.id, side)) for dof in joint.dofs),
        side=side,
        mirror=f"{joint.id}_{'right' if side == 'left' else 'left'}",
        group=sided_name(joint.group, side) if joint.group else "",
    )


def sided_id(dof: str, joint: str, side: str) -> str:
    """The id of a degree of freedom of one side's joint."""
    own = dof.removeprefix(f"{joint}.")
    return f"{joint}_{side}.{own}" if own != dof else f"{dof}_{side}"


def sided_name(name: str, side: str) -> str:
    """A name with its side in front."""
    return f"{side.capitalize()} {name[:1].lower()}{name[1:]}"
