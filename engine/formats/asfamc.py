"""ASF and AMC, Acclaim's skeleton and motion in two texts.

After the Acclaim Skeleton File definition 1.10 (M. Schafer, 1994) and the notes on it of Oxford Metrics. A bone begins
at the end of its parent and points along `direction` in the axes of the root at rest. Its angles turn it about fixed
axes that `axis` has turned by C, in the order of `dof`: the bone's world rotation is W = W_p C M C^-1 with, for
`dof rx ry rz`, M = R_z R_y R_x. The joint's frame here is W C, so that its rest orientation in its parent's frame is
C_p^-1 C, and its hinges stand along x, y and z in the reverse order of `dof`; ways (tx ty tz) act before them. The
root's `position` and `orientation` place the whole: they are its offset and rest. The end of a bone without children
is its handle. Bone `lfemur` with `rx` gives the coordinate `lfemur.rx`.

Lengths: `length` states how many units make an inch (0.45 in the CMU database), unless `Options.unit` gives metres per
unit. An AMC file seldom states its rate (`:SAMPLES-PER-SECOND`): 120 frames a second, unless `Options.rate` is given.
"""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

import numpy as np

from engine.document import Blob, Body, Dof, Figure, Handle, Joint, Layer, Samples
from engine.document.motion import Rate
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.formats.amc_text import Takes, fill_skipped, read_takes, whole_turn
from engine.formats.asf_text import MOST_BONES, STRETCH, TURNS, WAYS, AsfSkeleton, Bone, read_skeleton
from engine.formats.asfamc_write import INCH, motion_omits, skeleton_omits, write_motion, write_skeleton
from engine.formats.conventions import placed, size_note, unit_of, upright
from engine.formats.format import Contents, Format, Options
from engine.formats.text import MOST_BYTES, read_text
from engine.maths.quaternions import AXES, inverse, product, turn_about, turned
from engine.runtime.errors import InvalidDocument, UnreadableFile, printable

__all__ = [
    "MOTION",
    "SKELETON",
    "motion_omits",
    "read_figure",
    "read_motion",
    "skeleton_beside",
    "skeleton_omits",
    "write_motion",
    "write_skeleton",
]

USUAL_RATE: Rate = (120, 1)


def read_figure(path: Path, options: Options) -> Contents:
    """The skeleton of an ASF file."""
    figure, unit, notes = _figure_of(path, _read_skeleton(path), options)
    return Contents(figure=figure, notes=(*notes, *size_note(figure, unit)))


def read_motion(path: Path, options: Options) -> Contents:
    """The motion of an AMC file, and its skeleton."""
    file = read_text(path, "an AMC file")
    beside = options.figure if isinstance(options.figure, Path) else skeleton_beside(path)
    skeleton = _read_skeleton(beside)
    takes = read_takes(file, {key: len(skeleton.bone(key).dofs) for key in skeleton.order})
    degrees = skeleton.degrees if takes.degrees is None else takes.degrees
    turning = [name in TURNS for key in takes.bones for name in skeleton.bone(key).dofs]
    fill_skipped(file, takes, whole_turn(degrees), np.array(turning, dtype=np.bool_))
    return _motion_of(path, beside, skeleton, takes, math.pi / 180.0 if degrees else 1.0, options)


def _motion_of(
    path: Path, beside: Path, skeleton: AsfSkeleton, takes: Takes, angle: float, options: Options
) -> Contents:
    figure, unit, notes = _figure_of(beside, skeleton, options)
    rate = options.rate or takes.rate
    silent = () if rate else (f"the file states no rate, taken as {USUAL_RATE[0]} frames a second",)
    try:
        layers = _layers(printable(path.stem), takes, skeleton, (unit, angle), rate or USUAL_RATE)
    except InvalidDocument as error:
        raise UnreadableFile(path=path, found=str(error), remedy="Correct the numbers named.") from error
    said = (*notes, *takes.notes, *silent, *size_note(figure, unit))
    again = partial(_motion_of, path, beside, skeleton, takes, angle)
    return Contents(figure=figure, layers=layers, rate=rate, notes=said, again=again)


def skeleton_beside(path: Path) -> Path:
    """The ASF file of an AMC file: of the same name, or the only one in the folder, or the longest name that begins
    the motion's own."""
    stem = path.stem.lower()
    found = sorted(each for each in path.absolute().parent.iterdir() if each.suffix.lower() == ".asf")
    same = [each for each in found if each.stem.lower() == stem]
    if same or len(found) == 1:
        return (same or found)[0]
    fitting = sorted((each for each in found if stem.startswith(each.stem.lower())), key=lambda each: len(each.stem))
    if fitting:
        return fitting[-1]
    what = "no .asf file beside it" if not found else f"{len(found)} .asf files beside it, none of them of its name"
    remedy = f"Put {path.stem}.asf into the same folder, or give the skeleton's file."
    raise UnreadableFile(path=path, found=what, remedy=remedy)


def _read_skeleton(path: Path) -> AsfSkeleton:
    return read_skeleton(read_text(path, "an ASF file"))


def _figure_of(path: Path, skeleton: AsfSkeleton, options: Options) -> tuple[Figure, float, tuple[str, ...]]:
    """The figure, its metres per unit, and what was odd about it."""
    unit = unit_of(options, INCH / skeleton.length)
    try:
        figure = _figure(printable(path.stem), skeleton, unit)
        joints = (placed(each, upright(options)) if each.parent is None else each for each in figure.joints)
        figure = Figure(name=figure.name, joints=tuple(joints), handles=figure.handles)
    except InvalidDocument as error:
        raise UnreadableFile(path=path, found=str(error), remedy="Correct the numbers named.") from error
    notes = [*skeleton.notes]
    stretched = [skeleton.bone(key).name for key in skeleton.order if STRETCH in skeleton.bone(key).dofs]
    if stretched:
        notes.append(f"the channel l (a bone that stretches) was left out: {', '.join(stretched[:8])}")
    if skeleton.root.position != (0.0, 0.0, 0.0) or skeleton.root.axis != (0.0, 0.0, 0.0):
        notes.append("the root's position and orientation place the whole figure")
    return figure, unit, tuple(notes)


def _figure(name: str, skeleton: AsfSkeleton, unit: float) -> Figure:
    angle = math.pi / 180.0 if skeleton.degrees else 1.0
    axes = {key: _turn(skeleton.bone(key), angle) for key in skeleton.order}
    placement, axes["root"] = axes["root"], IDENTITY
    parents = set(skeleton.parents.values())
    joints, handles = [], []
    for key in skeleton.order:
        bone = skeleton.bone(key)
        parent = skeleton.parents.get(key)
        offset, rest = _scaled(bone.position, unit), placement
        if parent is not None:
            above = skeleton.bone(parent)
            offset = turned(inverse(axes[parent]), _scaled(above.direction, above.length * unit))
            rest = product(inverse(axes[parent]), axes[key])
        end = turned(inverse(axes[key]), _scaled(bone.direction, bone.length * unit))
        joints.append(
            Joint(
                id=bone.name,
                name=bone.name,
                parent=None if parent is None else skeleton.bone(parent).name,
                offset=offset,
                rest=rest,
                dofs=_dofs(bone, unit, angle),
                body=_body(bone, end, unit, skeleton.mass),
            )
        )
        if parent is not None and key not in parents and bone.length != 0.0:
            handles.append(Handle(id=f"{bone.name}.end", name=f"{bone.name} end", joint=bone.name, point=end))
    return Figure(name=name, joints=tuple(joints), handles=tuple(handles))


def _turn(bone: Bone, angle: float) -> Quaternion:
    """Angles about fixed x, y, z: the first in the order acts first, so it stands last in the product."""
    turn = IDENTITY
    for axis in bone.axis_order:
        turn = product(turn_about(AXES[axis], bone.axis[axis] * angle), turn)
    return turn


def _dofs(bone: Bone, unit: float, angle: float) -> tuple[Dof, ...]:
    found = []
    limits = dict(zip(bone.dofs, bone.limits, strict=False))
    for name in _in_order(bone):
        scale = angle if name in TURNS else unit
        lower, upper = limits.get(name, (None, None))
        found.append(
            Dof(
                id=f"{bone.name}.{name}",
                name=name,
                kind="hinge" if name in TURNS else "slide",
                axis=AXES["xyz".index(name[1])],
                lower=None if lower is None else lower * scale,
                upper=None if upper is None else upper * scale,
            )
        )
    return tuple(found)


def _in_order(bone: Bone) -> list[str]:
    """The channels as the joint applies them: ways, then turns from the last one stated to the first."""
    ways = [name for name in bone.dofs if name in WAYS]
    return [*ways, *reversed([name for name in bone.dofs if name in TURNS])]


def _body(bone: Bone, end: Vector3, unit: float, mass_unit: float) -> Body | None:
    """A slender rod from the joint to the bone's end, its centre where the file says."""
    if bone.mass is None:
        return None
    mass, length = bone.mass * mass_unit, math.hypot(*end)
    share = 0.5 if bone.mass_at is None or length == 0.0 else bone.mass_at * unit / length
    x, y, z = end
    third = mass / 12.0
    inertia = (y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z)
    xx, yy, zz, xy, xz, yz = (third * each for each in inertia)
    return Body(mass=mass, centre=_scaled(end, share), inertia=(xx, yy, zz, xy, xz, yz))


def _layers(
    name: str, takes: Takes, skeleton: AsfSkeleton, units: tuple[float, float], rate: Rate
) -> tuple[Layer, ...]:
    """The rows in metres and radians, in the order of the figure's coordinates."""
    columns: dict[tuple[str, str], int] = {}
    for key in takes.bones:
        for channel in skeleton.bone(key).dofs:
            columns[key, channel] = len(columns)
    order = [(key, channel) for key in skeleton.order for channel in _in_order(skeleton.bone(key))]
    order = [each for each in order if each in columns]
    if not order:
        return ()
    values = takes.values[:, [columns[each] for each in order]]
    values *= [units[channel in TURNS] for _, channel in order]
    coordinates = tuple(f"{skeleton.bone(key).name}.{channel}" for key, channel in order)
    samples = Samples(coordinates=coordinates, values=Blob(values), rate=rate)
    return (Layer(id="motion", name=name, samples=samples),)


def _scaled(vector: Vector3, factor: float) -> Vector3:
    return (vector[0] * factor, vector[1] * factor, vector[2] * factor)


SKELETON = Format(
    name="ASF skeleton",
    suffixes=(".asf",),
    kind="figure",
    read=read_figure,
    write=write_skeleton,
    omits=skeleton_omits,
    about="A skeleton of bones, each beginning where its parent ends, with limits; its motions are AMC files.",
    limits=f"{MOST_BYTES // 2**20} MB, {MOST_BONES:,} bones",
    read_options=("unit", "up"),
    write_options=("unit", "up"),
)

MOTION = Format(
    name="AMC motion",
    suffixes=(".amc",),
    kind="motion",
    read=read_motion,
    write=write_motion,
    omits=motion_omits,
    about="The motion of an ASF skeleton, which lies beside it; writing it writes both files.",
    limits=f"{MOST_BYTES // 2**20} MB, {MOST_BONES:,} bones",
    read_options=("unit", "up", "rate", "figure"),
    write_options=("unit", "up", "rate", "start", "end"),
)
