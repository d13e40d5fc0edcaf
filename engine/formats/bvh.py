"""BVH, Biovision's skeleton and motion in one text: `HIERARCHY`, then `MOTION` with one row of numbers for each frame.

There is no official text of the format; this follows what its files have in common. A joint turns about its channels
in their order, each about the axis that the one before has left. A position channel gives the joint's place in its
parent's frame and takes the place of that part of OFFSET: here the joint keeps its offset, so that the figure keeps its
shape at rest, and the slide holds the way from there. Positions act before rotations wherever they stand in the list.
An End Site becomes a handle. Joint `Hips` with the channel `Yrotation` gives the coordinate `Hips.ry` [rad].

The file does not say its unit (taken as 0.01 m unless `Options.unit` says otherwise) or which axis is up (y unless
`Options.up` says otherwise; then the roots are turned, and every channel keeps its numbers).
"""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

from engine.document import Blob, Dof, Figure, Handle, Joint, Layer, Samples
from engine.formats.bvh_text import (
    MOST_FRAMES,
    MOST_JOINTS,
    Branch,
    BvhChannel,
    BvhMotion,
    Hierarchy,
    read_hierarchy,
    read_motion,
)
from engine.formats.bvh_write import USUAL_UNIT, omits, write
from engine.formats.conventions import placed, size_note, unit_of, upright
from engine.formats.format import Contents, Format, Options
from engine.formats.losses import listed
from engine.formats.names import Names
from engine.formats.text import MOST_BYTES, read_text
from engine.maths.quaternions import AXES
from engine.runtime.errors import InvalidDocument, UnreadableFile, printable

__all__ = ["FORMAT", "omits", "read", "write"]

_ZERO = (0.0, 0.0, 0.0)


def read(path: Path, options: Options) -> Contents:
    """The figure, and its motion as one layer of samples."""
    file = read_text(path, "a BVH file")
    hierarchy = read_hierarchy(file)
    return _contents(path, hierarchy, read_motion(file, hierarchy, options.rate), options)


def _contents(path: Path, hierarchy: Hierarchy, motion: BvhMotion, options: Options) -> Contents:
    unit, turn = unit_of(options, USUAL_UNIT), upright(options)
    names = Names()
    ids = [names.take(branch.name) for branch in hierarchy.branches]
    try:
        joints = [_joint(branch, id, ids, unit) for branch, id in zip(hierarchy.branches, ids, strict=True)]
        figure = Figure(
            name=printable(path.stem),
            joints=tuple(placed(joint, turn) if joint.parent is None else joint for joint in joints),
            handles=_handles(hierarchy, ids, unit),
        )
        layers = _layers(printable(path.stem), hierarchy, figure, motion, unit)
    except InvalidDocument as error:
        raise UnreadableFile(path=path, found=str(error), remedy="Correct the numbers named.") from error
    notes = (*hierarchy.notes, *names.note("joints"), *_order_notes(hierarchy, ids), *motion.notes)
    return Contents(
        figure=figure,
        layers=layers,
        rate=motion.rate,
        assumed_unit=unit,
        notes=(*notes, *size_note(figure, unit)),
        again=partial(_contents, path, hierarchy, motion),
    )


def _joint(branch: Branch, id: str, ids: list[str], unit: float) -> Joint:
    channels = branch.channels or ()
    positions = [each for each in channels if each.kind == "position"]
    dofs: list[Dof] = []
    for channel in (*positions, *(each for each in channels if each.kind == "rotation")):
        repeats = sum(dof.name == channel.name for dof in dofs)
        letter = "t" if channel.kind == "position" else "r"
        dofs.append(
            Dof(
                id=f"{id}.{letter}{'xyz'[channel.axis]}{repeats + 1 if repeats else ''}",
                name=channel.name,
                kind="slide" if channel.kind == "position" else "hinge",
                axis=AXES[channel.axis],
            )
        )
    x, y, z = branch.offset or _ZERO
    parent = None if branch.parent is None else ids[branch.parent]
    return Joint(id=id, name=id, parent=parent, offset=(x * unit, y * unit, z * unit), dofs=tuple(dofs))


def _handles(hierarchy: Hierarchy, ids: list[str], unit: float) -> tuple[Handle, ...]:
    found = []
    for branch, id in zip(hierarchy.branches, ids, strict=True):
        for number, site in enumerate(branch.sites, 1):
            x, y, z = site.offset or _ZERO
            suffix = "" if number == 1 else f" {number}"
            handle = f"{id}.end{number if number > 1 else ''}"
            name, point = site.name or f"{id} end{suffix}", (x * unit, y * unit, z * unit)
            found.append(Handle(id=handle, name=name, joint=id, point=point))
    return tuple(found)


def _layers(name: str, hierarchy: Hierarchy, figure: Figure, motion: BvhMotion, unit: float) -> tuple[Layer, ...]:
    """The rows as radians and as metres from the joints' offsets."""
    if not figure.coordinates or not len(motion.values):
        return ()
    order, scale, shift = [], [], []
    column = 0
    for branch in hierarchy.branches:
        channels = list(enumerate(branch.channels or (), column))
        column += len(channels)
        for place, channel in sorted(channels, key=_rotates):
            order.append(place)
            position = channel.kind == "position"
            scale.append(unit if position else math.pi / 180.0)
            shift.append((branch.offset or _ZERO)[channel.axis] * unit if position else 0.0)
    values = motion.values if order == sorted(order) else motion.values[:, order]
    values = values * scale
    values -= shift
    samples = Samples(coordinates=figure.coordinates, values=Blob(values), rate=motion.rate)
    return (Layer(id="motion", name=name, samples=samples),)


def _rotates(numbered: tuple[int, BvhChannel]) -> bool:
    return numbered[1].kind == "rotation"


def _order_notes(hierarchy: Hierarchy, ids: list[str]) -> tuple[str, ...]:
    moving, late = [], []
    for branch, id in zip(hierarchy.branches, ids, strict=True):
        kinds = [channel.kind for channel in branch.channels or ()]
        if branch.parent is not None and "position" in kinds:
            moving.append(id)
        if kinds != sorted(kinds):
            late.append(id)
    notes = []
    if moving:
        notes.append(f"positions in the parent's frame, kept as slides from the offset: {listed(moving)}")
    if late:
        notes.append(f"position channels after rotations, which act before them: {listed(late)}")
    return tuple(notes)


FORMAT = Format(
    name="BVH motion",
    suffixes=(".bvh",),
    kind="motion",
    read=read,
    write=write,
    omits=omits,
    about="A skeleton of hinges and slides along x, y, z and its motion; no unit, no limits, no shapes.",
    limits=f"{MOST_BYTES // 2**20} MB, {MOST_JOINTS:,} joints, {MOST_FRAMES:,} frames",
    read_options=("unit", "up", "rate"),
    write_options=("unit", "up", "rate", "start", "end"),
)
