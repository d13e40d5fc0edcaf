"""`.figure.toml`: a figure as text that a person writes; docs/figure-format.md teaches it.

    name = "Lamp"
    angles = "degrees"                     # or "radians"; always stated

    [[joint]]
    id = "arm"
    parent = "base"                        # a joint written above; none for the root
    offset = [0, 0.05, 0]                  # [m] in the parent's frame
    rest = [["z", 20]]                     # turns one after the other, or a quaternion [w, x, y, z]
    dofs = [{ name = "Swing", axis = "-x", limits = [-60, 60] }]     # id: arm.swing
    shapes = [{ kind = "capsule", start = [0, 0, 0], end = [0, 0.3, 0], radius = 0.01 }]
    body = { mass = 0.4, centre = [0, 0.15, 0] }                     # else from the shapes and `density`
    group = "Arm"

    [[handle]]
    id = "tip"
    joint = "arm"
    point = [0, 0.3, 0]

    [[limit]]                              # over the angles of some hinges together: `engine.formats.limit_tables`
    id = "swing"
    hinges = ["arm.swing"]
    kind = "box"
    lower = [-50]
    upper = [60]
    grid = { counts = [32], first = [-90], spacing = [6] }

A degree of freedom is a hinge unless `kind` says "slide" (limits in metres) or "ball"; `order` and `root` are short
forms (`engine.formats.figure_toml_dofs`). Systems have tables of their own here (`engine.formats.figure_tables`), such
as muscles (`engine.muscles.tables`). A shape is a loft, capsule, ellipsoid, box or mesh (`file`: a mesh file in
the same folder); the rows of a loft's
`sections` are what its `columns` name. `sides = "both"` on a joint writes it once for the left, at positive x, and
mirrors it: ids get `_left` and `_right`, names and groups begin with the side, the two are each other's `mirror`, and
hinges turn so that one number is one anatomical movement on both sides. A parent that has sides is meant on the same
side. `sides = "both"` on a shape adds its mirror image to the same body, on a handle a second handle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from engine.document import Figure, TriangleMesh
from engine.document.parts import Part
from engine.document.shipped import SHIPPED, load_skin
from engine.document.validation import validate_figure
from engine.formats import limit_arrays, mesh_npz
from engine.formats.figure_tables import figure_tables
from engine.formats.figure_toml_joints import HANDLE_KEYS, JOINT_KEYS, Joints
from engine.formats.figure_toml_write import figure_text, omits
from engine.formats.format import Contents, Format, Options
from engine.formats.limit_tables import ARRAYS, LIMIT_KEYS, limit_file, read_limits
from engine.formats.shipped import shipped_file, shipped_names
from engine.formats.tables import MOST_BYTES, TomlTable, read_source
from engine.formats.text import write_text
from engine.runtime.errors import InvalidDocument, UnknownPart, UnreadableFile, UnwritableFile

SUFFIX = ".figure.toml"

_FIGURE_KEYS = ("name", "angles", "joint", "handle", "limit")


def read(path: Path | str) -> Figure:
    """The figure in a file; raises `UnreadableFile`."""
    return read_whole(path)[0]


def read_whole(path: Path | str) -> tuple[Figure, tuple[Part, ...]]:
    """The figure in a file, and what it has of systems, such as muscles; raises `UnreadableFile`."""
    source, content = read_source(Path(path))
    beside = figure_tables()
    top = TomlTable(source, content, "the figure", (*_FIGURE_KEYS, *(key for each in beside for key in each.keys)))
    top.need("name", "angles", "joint")
    unit = math.pi / 180.0 if top.choice("angles", ("degrees", "radians"), "") == "degrees" else 1.0
    joints = Joints(source, unit)
    for index, values in enumerate(top.rows("joint")):
        joints.add(TomlTable(source, values, f"joint {index + 1}", JOINT_KEYS, source.header_line("joint", index) or 1))
    rows = [
        TomlTable(source, values, f"handle {index + 1}", HANDLE_KEYS, source.header_line("handle", index) or 1)
        for index, values in enumerate(top.rows("handle"))
    ]
    ranges = [
        TomlTable(source, values, f"limit {index + 1}", LIMIT_KEYS, source.header_line("limit", index) or 1)
        for index, values in enumerate(top.rows("limit"))
    ]
    try:
        handles = tuple(handle for row in rows for handle in joints.handles(row))
        limits = tuple(limit for row in ranges for limit in read_limits(row, unit, joints.sided_dofs))
        figure = Figure(name=top.text("name"), joints=joints.driven(), handles=handles, limits=limits)
        validate_figure(figure)
        parts = (each.read(top, figure, unit) for each in beside)
        return figure, tuple(part for part in parts if part is not None)
    except (InvalidDocument, UnknownPart) as error:
        raise UnreadableFile(path=source.path, found=str(error), remedy="Correct the parts named") from error


def write(path: Path | str, figure: Figure, parts: Sequence[Part] = ()) -> None:
    """Write a figure whole, meshes and arrays of limits beside it, and the parts of systems that have tables; raises
    `UnwritableFile`. Reading it again gives an equal figure, and equal parts."""
    path = Path(path)
    meshes = {shape for joint in figure.joints for shape in joint.shapes if isinstance(shape, TriangleMesh)}
    for shape in meshes:
        mesh_npz.write(path.parent / mesh_npz.mesh_file(shape), shape)
    for limit in figure.limits:
        if type(limit.range) in ARRAYS:
            arrays = {name: getattr(limit.range, name) for name in ARRAYS[type(limit.range)]}
            limit_arrays.write(path.parent / limit_file(limit), arrays)
    write_text(path, figure_text(figure, parts))


def figure_names() -> tuple[str, ...]:
    """Names of the figures that come with the application."""
    return shipped_names("figure", SUFFIX)


def load_figure(name: str) -> Figure:
    """A figure that comes with the application, such as "human"; the same object each time."""
    return _load_whole(name)[0]


def load_parts(name: str) -> tuple[Part, ...]:
    """Load what the file of a figure that comes with the application has of systems, such as muscles."""
    return _load_whole(name)[1]


@cache
def _load_whole(name: str) -> tuple[Figure, tuple[Part, ...]]:
    with shipped_file("figure", name, SUFFIX) as path:
        return read_whole(path)


@cache
def load_skinned_figure(name: str) -> Figure:
    """Load a figure that comes with the application, with its skin where it has one; the same object each time."""
    figure = load_figure(name)
    return replace(figure, skins=(load_skin(name),)) if name in SHIPPED else figure


def _read_contents(path: Path, options: Options) -> Contents:
    figure, parts = read_whole(path)
    return Contents(figure=figure, parts=parts)


def _write_contents(path: Path, contents: Contents, options: Options) -> None:
    if contents.figure is None:
        raise UnwritableFile(path=path, found="no figure to write", remedy="Choose a figure, with or without motion.")
    write(path, contents.figure, contents.parts)


FORMAT = Format(
    name="Sinew figure",
    suffixes=(SUFFIX,),
    kind="figure",
    read=_read_contents,
    write=_write_contents,
    omits=omits,
    about="A figure as text that a person writes: joints, limits, handles, masses, shapes, muscles. Metres; no motion.",
    limits=f"{MOST_BYTES // 2**20} MB",
)
