"""Writing a `.figure.toml`: every joint in full, so that reading gives an equal figure.

Angles are written in degrees where every one of them comes back exactly, else all in radians.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from engine.document import Box, Capsule, Dof, DrivenBy, Ellipsoid, Figure, Handle, Joint, Loft, Shape, TriangleMesh
from engine.document.parts import Part
from engine.document.values import IDENTITY
from engine.formats.figure_tables import tables_of
from engine.formats.figure_toml_dofs import dof_id
from engine.formats.figure_toml_joints import readable
from engine.formats.format import Contents
from engine.formats.limit_tables_write import limit_lines
from engine.formats.mesh_npz import mesh_file
from engine.formats.shape_tables import AS_IN_FRONT, COLUMNS
from engine.formats.tables import DIRECTIONS
from engine.formats.toml_values import exact_degrees, toml_list, toml_number, toml_table, toml_text

_ORIGIN = (0.0, 0.0, 0.0)


def figure_text(figure: Figure, parts: Sequence[Part] = ()) -> str:
    """The whole file; of the parts of systems, those that have tables."""
    degrees = all(exact_degrees(each) is not None for each in _angles(figure))
    name = figure.name if figure.name.strip() else "Figure"
    held = tuple(tables_of(parts))
    head = [f"name = {toml_text(name)}", f'angles = "{"degrees" if degrees else "radians"}"']
    blocks = ["\n".join((*head, *(line for tables, part in held for line in tables.head(part))))]
    hinges = frozenset(dof.id for dof in figure.dofs if dof.kind == "hinge") if degrees else frozenset[str]()
    blocks += ["\n".join(_joint_lines(joint, hinges)) for joint in figure.joints]
    blocks += ["\n".join(_handle_lines(handle)) for handle in figure.handles]
    blocks += ["\n".join(limit_lines(limit, degrees)) for limit in figure.limits]
    blocks += [block for tables, part in held for block in tables.blocks(part, figure, degrees=degrees)]
    return "\n\n".join(blocks) + "\n"


def _angles(figure: Figure) -> Iterator[float]:
    """List the angles of all hinges: their limits, where their springs rest, and where they drive and are driven."""
    for dof in figure.dofs:
        turns = dof.kind == "hinge"
        yield from (each for each in (dof.lower, dof.upper) if turns and each is not None)
        yield from (dof.neutral,) if turns else ()
        for driver in dof.driven:
            yield from driver.values if turns else ()
            yield from driver.at if figure.coordinate_dof[driver.dof].kind == "hinge" else ()


def omits(contents: Contents) -> tuple[str, ...]:
    """List what a figure's text cannot hold."""
    lost = []
    if contents.document is not None:
        lost.append("the scene: a figure alone is written")
    if contents.layers:
        lost.append("motion")
    if contents.surfaces:
        lost.append("surfaces")
    if contents.figure is not None and contents.figure.skins:
        lost.append("skins")
    if contents.figure is not None and not all(name.strip() for name in _names(contents.figure)):
        lost.append("blank names, written as the ids")
    return tuple(lost)


def _names(figure: Figure) -> Iterator[str]:
    yield from (joint.name for joint in figure.joints)
    yield from (dof.name for dof in figure.dofs)
    yield from (handle.name for handle in figure.handles)
    yield from (limit.name for limit in figure.limits)


def _joint_lines(joint: Joint, degrees: Set[str]) -> Iterator[str]:
    """Write a joint; `degrees`: the hinges whose angles are in degrees."""
    yield "[[joint]]"
    yield f"id = {toml_text(joint.id)}"
    yield from _name_line(joint.name, joint.id)
    if joint.parent is not None:
        yield f"parent = {toml_text(joint.parent)}"
    if joint.side != "middle":
        yield f"side = {toml_text(joint.side)}"
    if joint.mirror is not None:
        yield f"mirror = {toml_text(joint.mirror)}"
    if joint.group:
        yield f"group = {toml_text(joint.group)}"
    if joint.offset != _ORIGIN:
        yield f"offset = {toml_list(joint.offset)}"
    if joint.rest != IDENTITY:
        yield f"rest = {toml_list(joint.rest)}"
    yield from _rows("dofs", [_dof(dof, joint.id, degrees) for dof in joint.dofs])
    yield from _rows("shapes", [_shape(shape) for shape in joint.shapes])
    if joint.body is not None:
        body = {"mass": toml_number(joint.body.mass)}
        body |= {"centre": toml_list(joint.body.centre)} if joint.body.centre != _ORIGIN else {}
        body |= {"inertia": toml_list(joint.body.inertia)} if any(joint.body.inertia) else {}
        yield f"body = {toml_table(body)}"
    if joint.density != 1000.0:
        yield f"density = {toml_number(joint.density)}"


def _handle_lines(handle: Handle) -> Iterator[str]:
    yield "[[handle]]"
    yield f"id = {toml_text(handle.id)}"
    yield from _name_line(handle.name, handle.id)
    yield f"joint = {toml_text(handle.joint)}"
    if handle.point != _ORIGIN:
        yield f"point = {toml_list(handle.point)}"


def _name_line(name: str, id: str) -> Iterator[str]:
    if name.strip() and name != readable(id):
        yield f"name = {toml_text(name)}"


def _dof(dof: Dof, joint: str, degrees: Set[str]) -> str:
    own = dof.id.removeprefix(f"{joint}.")
    name = dof.name if dof.name.strip() else own
    fields = {"name": toml_text(name)}
    if own == dof.id:
        fields["whole_id"] = toml_text(dof.id)
    elif own != dof_id(name):
        fields["id"] = toml_text(own)
    if dof.kind != "hinge":
        fields["kind"] = toml_text(dof.kind)
    if dof.kind != "ball" or dof.axis != DIRECTIONS["x"]:
        fields["axis"] = _direction(dof.axis)
    if dof.lower is not None or dof.upper is not None:
        turns = dof.id in degrees
        fields["limits"] = f"[{_limit(dof.lower, '-inf', turns)}, {_limit(dof.upper, 'inf', turns)}]"
    if dof.stiffness != 1.0:
        fields["stiffness"] = toml_number(dof.stiffness)
    if dof.damping != 0.0:
        fields["damping"] = toml_number(dof.damping)
    if dof.spring != 0.0:
        fields["spring"] = toml_number(dof.spring)
    if dof.neutral != 0.0:
        fields["neutral"] = _limit(dof.neutral, "", dof.id in degrees)
    if dof.driven:
        fields["driven"] = f"[{', '.join(_driven_by(each, dof.id, degrees) for each in dof.driven)}]"
    return toml_table(fields)


def _driven_by(driver: DrivenBy, dof: str, degrees: Set[str]) -> str:
    at, values = (
        f"[{', '.join(_limit(each, '', id in degrees) for each in numbers)}]"
        for numbers, id in ((driver.at, driver.dof), (driver.values, dof))
    )
    return toml_table({"by": toml_text(driver.dof), "at": at, "values": values})


def _limit(value: float | None, none: str, degrees: bool) -> str:
    number = exact_degrees(value) if degrees and value is not None else value
    return none if number is None else toml_number(number)


def _shape(shape: Shape) -> str:
    fields = {"kind": toml_text(type(shape).__name__.lower())}
    if isinstance(shape, Capsule):
        fields |= {"start": toml_list(shape.start), "end": toml_list(shape.end), "radius": toml_number(shape.radius)}
    elif isinstance(shape, Ellipsoid):
        fields |= {"radii": toml_list(shape.radii), "centre": toml_list(shape.centre)}
    elif isinstance(shape, Box):
        fields |= {
            "half": toml_list(shape.half),
            "centre": toml_list(shape.centre),
            "rounding": toml_number(shape.rounding),
        }
    elif isinstance(shape, TriangleMesh):
        fields = {"kind": toml_text("mesh"), "file": toml_text(mesh_file(shape))}
    else:
        fields |= _loft(shape)
    if shape.tone != 1.0:
        fields["tone"] = toml_number(shape.tone)
    return toml_table(fields)


def _loft(loft: Loft) -> dict[str, str]:
    plain = {"back": None}
    used = [
        name
        for name, field in COLUMNS.items()
        if name in ("along", "width", "depth")
        or any(getattr(section, field) != plain.get(name, 0.0) for section in loft.sections)
    ]
    rows = [", ".join(_cell(getattr(section, COLUMNS[name])) for name in used) for section in loft.sections]
    return {
        "axis": _direction(loft.axis),
        "side": _direction(loft.side),
        "origin": toml_list(loft.origin),
        "caps": toml_list(loft.caps),
        "columns": toml_text(" ".join(used)),
        "sections": "[\n    " + ",\n    ".join(f"[{row}]" for row in rows) + ",\n  ]",
    }


def _rows(key: str, rows: Sequence[str]) -> Iterator[str]:
    if rows:
        yield f"{key} = ["
        yield from (f"  {row}," for row in rows)
        yield "]"


def _cell(value: float | None) -> str:
    return toml_text(AS_IN_FRONT) if value is None else toml_number(value)


def _direction(vector: tuple[float, float, float]) -> str:
    named = [name for name, each in DIRECTIONS.items() if str(each) == str(vector)]
    return toml_text(named[0]) if named else toml_list(vector)
