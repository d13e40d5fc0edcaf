"""Writing ASF and AMC from any figure.

Bones begin where their parents end. A joint's bone reaches to its first child, or to the first handle of a joint
without children; a child that stands elsewhere hangs on a bone of its own without channels, `<name>_base`, and a
figure with several roots on one root at the origin. Joints whose degrees of freedom are slides and then up to three
hinges about different ones of x, y, z keep their channels; of others the turn (and the way, if they move) is written
as rx ry rz (and tx ty tz), computed in every frame, so that every joint's world position is kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.document import Dof, Figure, Joint
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.formats.bvh_write import depth_first
from engine.formats.conventions import CMU_UNIT, laid_back, unit_of
from engine.formats.format import Contents, Options
from engine.formats.frames import EVALUATED, figure_of, frames_of
from engine.formats.losses import figure_losses, listed, motion_losses
from engine.formats.names import Names
from engine.formats.text import read_text, write_text
from engine.formats.turns import motion_of, plain_dofs
from engine.maths.arrays import Array
from engine.maths.quaternions import product, turned
from engine.maths.rotation_arrays import euler_angles, rotation_matrix
from engine.runtime import progress
from engine.runtime.errors import UnreadableFile, UnwritableFile
from engine.runtime.quick_dataclass import dataclass

INCH = 0.0254  # [m]

_XYZ = (2, 1, 0)  # turns about fixed x, y, z are turns about moving z, y, x
_RESERVED = (
    "begin",
    "end",
    "root",
    "name",
    "id",
    "direction",
    "length",
    "axis",
    "dof",
    "limits",
    "bodymass",
    "cofmass",
)
_NEAR = 1e-12  # [m]
_SAFE = str.maketrans("(),#:", "_____")


@dataclass(frozen=True, eq=False)
class _Bone:
    """A bone as it is written; the joint is None for a bone that only reaches to another."""

    name: str
    parent: str | None
    axes: Quaternion  # C
    way: Vector3  # to its end, in the root's axes at rest [m]
    joint: Joint | None


def write_skeleton(path: Path, contents: Contents, options: Options) -> None:
    """Write the figure as an ASF file."""
    figure = laid_back(figure_of(path, contents), options)
    write_text(path, _skeleton_text(figure, unit_of(options, CMU_UNIT)))


def write_motion(path: Path, contents: Contents, options: Options) -> None:
    """Write the motion as an AMC file, and the skeleton beside it unless the same one is there."""
    figure = laid_back(figure_of(path, contents), options)
    unit = unit_of(options, CMU_UNIT)
    skeleton, text = path.with_suffix(".asf"), _skeleton_text(figure, unit)
    there = skeleton.exists()
    if there and not _holds(skeleton, text):
        remedy = "Choose another name, or move that file away first."
        raise UnwritableFile(path=path, found=f"{skeleton.name} beside it holds another skeleton", remedy=remedy)
    frames = frames_of(path, figure, contents, options)
    lines, columns = [], []
    for bone in _bones(figure):
        if bone.joint is None and bone.parent is not None:
            continue
        names, values = _channels(bone.joint, figure, frames.q, unit)
        if names:
            lines.append(f"{bone.name} " + " ".join(["%.12g"] * len(names)))
            columns.append(values)
    table = np.concatenate(columns, axis=1) + 0.0
    frame = "%d\n" + "\n".join(lines)
    with progress.part(EVALUATED, 1.0):
        rows = [frame % (number, *row) for number, row in enumerate(progress.each(table.tolist()), 1)]
    head = (f":SAMPLES-PER-SECOND {frames.rate[0] / frames.rate[1]:.12g}", ":FULLY-SPECIFIED", ":DEGREES")
    if not there:
        write_text(skeleton, text)
    try:
        write_text(path, "\n".join((*head, *rows)) + "\n")
    except UnwritableFile:
        if not there:
            skeleton.unlink(missing_ok=True)
        raise


def skeleton_omits(contents: Contents) -> tuple[str, ...]:
    """List what an ASF file cannot say of these contents."""
    motion = ("motion: save it as .amc",) if contents.layers else ()
    return (*_losses(contents), *motion)


def motion_omits(contents: Contents) -> tuple[str, ...]:
    """List what an AMC file and its skeleton cannot say of these contents."""
    return (*_losses(contents), *motion_losses(contents))


def _losses(contents: Contents) -> list[str]:
    figure = contents.figure
    if figure is None:
        return []
    lost = figure_losses(figure, contents.surfaces)
    resampled = [joint.name for joint in figure.joints if joint.dofs and _plain(joint) is None]
    if resampled:
        lost.append(f"axes and limits, written as rx, ry, rz in each frame: {listed(resampled)}")
    if figure.limits:
        lost.append(f"limits over several angles together: {listed([limit.name for limit in figure.limits])}")
    bones = _bones(figure)
    added = [bone.name for bone in bones if bone.joint is None]
    if added:
        lost.append(f"joints that do not begin where a bone ends, joined by further bones: {listed(added)}")
    names = [each.joint.name for each in bones if each.joint is not None and each.name != each.joint.name]
    if names:
        lost.append(f"names as they are: {listed(names)}")
    if any(joint.body is not None for joint in figure.joints):
        lost.append("inertia of bodies; their centres are moved onto the bones")
    ends = _ends(figure)
    if any(ends.get(handle.joint) != handle.point for handle in figure.handles):
        lost.append("handles that are not the end of a bone")
    return lost


def _skeleton_text(figure: Figure, unit: float) -> str:
    bones = _bones(figure)
    root = bones[0]
    lines = [":version 1.10", f":name {'_'.join(figure.name.split()) or 'figure'}", ":units", "  mass 1.0"]
    lines += [f"  length {INCH / unit:.12g}", "  angle deg", ":root"]
    order = [name.upper() for name in _channel_names(root.joint)]
    placed = root.joint.offset if root.joint is not None else (0.0, 0.0, 0.0)
    turn = root.joint.rest if root.joint is not None else IDENTITY
    lines += [f"  order {' '.join(order)}", "  axis XYZ", f"  position {_numbers(placed, unit)}"]
    lines += [f"  orientation {_angles(turn)}", ":bonedata"]
    for number, bone in enumerate(bones[1:], 1):
        lines += ["  begin", f"    id {number}", f"    name {bone.name}"]
        lines += [*_bone_lines(bone, unit), "  end"]
    lines += [":hierarchy", "  begin"]
    children: dict[str, list[str]] = {}
    for bone in bones[1:]:
        children.setdefault(bone.parent or "root", []).append(bone.name)
    lines += [f"    {parent} {' '.join(names)}" for parent, names in children.items()]
    return "\n".join((*lines, "  end")) + "\n"


def _bone_lines(bone: _Bone, unit: float) -> Iterator[str]:
    length = math.hypot(*bone.way)
    direction = (0.0, 0.0, 1.0) if length == 0.0 else bone.way
    yield f"    direction {_numbers(direction, length or 1.0)}"
    yield f"    length {length / unit:.12g}"
    yield f"    axis {_angles(bone.axes)} XYZ"
    if bone.joint is None:
        return
    body = bone.joint.body
    if body is not None:
        along = sum(each * part for each, part in zip(turned(bone.axes, body.centre), direction, strict=True))
        yield f"    bodymass {body.mass:.12g}"
        yield f"    cofmass {along / (length or 1.0) / unit:.12g}"
    if bone.joint.dofs:
        yield f"    dof {' '.join(_channel_names(bone.joint))}"
        yield from _limit_lines(bone.joint, unit)


def _limit_lines(joint: Joint, unit: float) -> Iterator[str]:
    plain = _plain(joint)
    if plain is None or all(dof.lower is None and dof.upper is None for dof, _, _ in plain):
        return
    word = "limits"
    for dof, _, sign in plain:
        scale = unit if dof.kind == "slide" else math.pi / 180.0
        limits = (dof.lower, dof.upper) if sign > 0.0 else (_negated(dof.upper), _negated(dof.lower))
        lower = "-inf" if limits[0] is None else f"{limits[0] / scale + 0.0:.12g}"
        upper = "inf" if limits[1] is None else f"{limits[1] / scale + 0.0:.12g}"
        yield f"    {word} ({lower} {upper})"
        word = "      "


def _bones(figure: Figure) -> list[_Bone]:
    """The bones with the root first, parents before children."""
    order = [joint for joint, _ in depth_first(figure)]
    ends = _ends(figure)
    names = Names()
    for word in _RESERVED:
        names.take(word)
    several = sum(joint.parent is None for joint in figure.joints) > 1
    bones = [_Bone("root", None, IDENTITY, _ZERO, None)] if several else []
    axes: dict[str, Quaternion] = {}
    written: dict[str, str] = {}
    for joint in order:
        if joint.parent is None and not several:
            axes[joint.id], written[joint.id] = IDENTITY, "root"
            bones.append(_Bone("root", None, IDENTITY, _ZERO, joint))
            continue
        above = IDENTITY if joint.parent is None else axes[joint.parent]
        parent, gap = ("root", joint.offset) if joint.parent is None else (written[joint.parent], joint.offset)
        end = _ZERO if joint.parent is None else ends.get(joint.parent, _ZERO)
        gap = (gap[0] - end[0], gap[1] - end[1], gap[2] - end[2])
        name = _unique(names, joint.name)
        if math.hypot(*gap) > _NEAR:
            base = _unique(names, f"{name}_base")
            bones.append(_Bone(base, parent, above, turned(above, gap), None))
            parent = base
        axes[joint.id], written[joint.id] = product(above, joint.rest), name
        way = turned(axes[joint.id], ends.get(joint.id, _ZERO))
        bones.append(_Bone(name, parent, axes[joint.id], way, joint))
    return bones


_ZERO: Vector3 = (0.0, 0.0, 0.0)


def _unique(names: Names, name: str) -> str:
    """A name as one word, different from the others in lower case too."""
    word = "_".join(name.translate(_SAFE).split()) or "bone"
    taken = names.take(word.lower())
    return word + taken[len(word.lower()) :]


def _ends(figure: Figure) -> dict[str, Vector3]:
    """Find the end of each joint's bone, in the joint's frame; the root's ends where it begins."""
    found: dict[str, Vector3] = {}
    roots = {joint.id for joint in figure.joints if joint.parent is None}
    if len(roots) > 1:
        roots = set()
    for joint in figure.joints:
        if joint.parent is not None and joint.parent not in roots:
            found.setdefault(joint.parent, joint.offset)
    for handle in figure.handles:
        if handle.joint not in roots:
            found.setdefault(handle.joint, handle.point)
    return found


def _plain(joint: Joint) -> list[tuple[Dof, int, float]] | None:
    """The degrees of freedom in the order of the file, with axis and sign; None if they must be computed."""
    found = plain_dofs(joint)
    if found is None:
        return None
    ways = [each for each in found if each[0].kind == "slide"]
    turns = [each for each in found if each[0].kind == "hinge"]
    if len({axis for _, axis, _ in turns}) < len(turns):
        return None
    return [*ways, *reversed(turns)]


def _channel_names(joint: Joint | None) -> list[str]:
    """List the channels of a bone, as in `dof` or the root's `order`; a root that cannot move is written with zeros."""
    everything = ["tx", "ty", "tz", "rx", "ry", "rz"]
    if joint is None or (joint.parent is None and not joint.dofs):
        return everything
    plain = _plain(joint)
    if plain is not None:
        return [("t" if dof.kind == "slide" else "r") + "xyz"[axis] for dof, axis, _ in plain]
    return everything if any(dof.kind == "slide" for dof in joint.dofs) else everything[3:]


def _channels(joint: Joint | None, figure: Figure, q: Array, unit: float) -> tuple[list[str], Array]:
    """The names of a bone's channels and their numbers, shape [frames, channels]."""
    names = _channel_names(joint)
    if joint is None or (joint.parent is None and not joint.dofs):
        return names, np.zeros((len(q), len(names)))
    plain = _plain(joint)
    if plain is not None:
        columns = [figure.coordinate_index[dof.id] for dof, _, _ in plain]
        scale = [sign / unit if dof.kind == "slide" else sign * 180.0 / math.pi for dof, _, sign in plain]
        return names, q[:, columns] * scale
    columns = [figure.coordinate_index[name] for dof in joint.dofs for name in dof.coordinates]
    way, rotation = motion_of(joint, q[:, columns], rest=False)
    turns = np.degrees(euler_angles(rotation, _XYZ))[:, ::-1]
    return names, np.concatenate((way / unit, turns), axis=1) if len(names) == 6 else turns


def _angles(turn: Quaternion) -> str:
    z, y, x = np.degrees(euler_angles(rotation_matrix(turn)[None], _XYZ))[0].tolist()
    return " ".join(f"{each + 0.0:.12g}" for each in (x, y, z))


def _numbers(vector: Vector3, unit: float) -> str:
    return " ".join(f"{each / unit + 0.0:.12g}" for each in vector)


def _negated(limit: float | None) -> float | None:
    return None if limit is None else -limit


def _holds(path: Path, text: str) -> bool:
    try:
        return read_text(path, "an ASF file").lines == text.splitlines()
    except UnreadableFile:
        return False
