"""USD as text (.usda): actors as they are seen, with the UsdSkel schema; written, not read.

Each figure is a SkelRoot (`usda_skel`), each prop an Xform with its mesh, all in one Xform, `Scene`. Where an actor
stands is its own transform, frame by frame if it is carried; joints turn within it. Time codes are frames, counted
from 0 at the beginning of time. Lengths are in metres unless `Options.unit` says otherwise, y is up unless
`Options.up` says z. Names that USD cannot take are kept as display names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.document import Actor, Figure, Joint
from engine.formats.conventions import unit_of, upright
from engine.formats.format import Contents, Format, Options
from engine.formats.names import Names
from engine.formats.scene import MOST_FRAMES, Scene, Times
from engine.formats.scene_losses import has_surface, motion_losses, shape_losses, skeleton_losses
from engine.formats.text import write_text
from engine.formats.turns import motion_of
from engine.formats.usda_skel import mesh_lines, skel_root
from engine.formats.usda_text import called, group, identifier, moves, numbers_of, tuples, varying, vector
from engine.maths.arrays import Array
from engine.maths.quaternions import inverse
from engine.maths.rotation_arrays import quaternions, rotation_matrix
from engine.model.compile import ROW
from engine.model.meshes import build_mesh
from engine.model.snapshot import LiquidSurface, SkinSurface
from engine.runtime import progress
from engine.runtime.errors import Diverged, UnwritableFile
from engine.runtime.quick_dataclass import dataclass

MOST_NUMBERS = 50_000_000  # of motion in one text
SAMPLED = 0.6  # the share of the work that is done once every frame is worked out


@dataclass
class _Surface:
    """A surface that a system draws, frame by frame; its triangles are those of the first frame unless each has own
    ones."""

    name: str
    numbers: int = 0
    triangles: list[NDArray[np.int32]] = field(default_factory=list)
    positions: list[NDArray[np.float32]] = field(default_factory=list)  # [m] in the world


def gradually(path: Path, contents: Contents, options: Options) -> Iterator[float]:
    """Write the scene in slices."""
    scene = contents.scene
    if scene is None or not scene.chosen:
        raise UnwritableFile(path=path, found="nothing to write", remedy="Choose an actor.")
    if options.up == "x":
        raise UnwritableFile(path=path, found="x as the upward axis", remedy="USD knows y and z.")
    times = scene.times(path, options.rate, options.start, options.end)
    count = len(times) * sum(7 * len(actor.figure.joints) + 7 for actor in scene.actors)
    if count > MOST_NUMBERS:
        remedy = "Write a part of the motion, or at a lower rate; glTF takes less room."
        raise UnwritableFile(path=path, found=f"{count:,} numbers as text", remedy=remedy)
    rows: dict[str, Array] = {}
    surfaces: dict[str, list[_Surface]] = {actor.id: [] for actor in scene.actors if has_surface(actor)}
    for share in _sampled(path, scene, times, rows, surfaces):
        yield SAMPLED * share
    lines, pace = list(_head(times, options)), progress.Pace()
    names = Names()
    for place, actor in enumerate(scene.actors):
        name, own = names.take(identifier(actor.name)), rows.pop(actor.id)
        if actor.id in surfaces:
            inside = _surfaced(name, actor, surfaces.pop(actor.id), times, options)
        else:
            inside = _actor(name, actor, own, times, options)
        for line in inside:
            lines.append(f"    {line}")
            if pace.due():
                yield SAMPLED + (1.0 - SAMPLED) * place / len(scene.actors)
    write_text(path, "\n".join([*lines, "}", ""]))


def write(path: Path, contents: Contents, options: Options) -> None:
    """Write the scene at one go."""
    for share in gradually(path, contents, options):
        progress.report(share)


def _sampled(
    path: Path, scene: Scene, times: Times, rows: dict[str, Array], surfaces: dict[str, list[_Surface]]
) -> Iterator[float]:
    """Fill in where each actor's base is and how it is posed in every frame, shape [frames, 12 + coordinate_count], and
    the surfaces of those that a system draws."""
    seen, pace = scene.seen(), progress.Pace()
    for actor in scene.actors:
        rows[actor.id] = np.empty((len(times), ROW + len(actor.figure.coordinates)))
    for place, time in enumerate(times):
        found = seen.rows(scene.document, time)
        for actor in scene.actors:
            rows[actor.id][place] = found[actor.id]
            if not np.isfinite(found[actor.id]).all():
                raise Diverged(what=f"the pose of {actor.name}", value="a number that is not finite")
        snapshot = seen.snapshot(scene.document, time) if surfaces else None
        for each in () if snapshot is None else snapshot.skins:
            if each.owner in surfaces:
                _take(path, surfaces[each.owner], each, len(times))
        for liquid in () if snapshot is None else snapshot.liquids:
            if liquid.owner in surfaces:
                _take_remeshed(path, surfaces[liquid.owner], liquid)
        if pace.due():
            yield place / len(times)


def _take(path: Path, found: list[_Surface], seen: SkinSurface, count: int) -> None:
    """Keep one frame of a surface."""
    own = next((each for each in found if each.name == seen.skin), None)
    if own is None:
        own = _Surface(seen.skin, triangles=[seen.triangles])
        found.append(own)
        _check(path, seen.positions.size * count)
    own.positions.append(seen.positions)


def _take_remeshed(path: Path, found: list[_Surface], seen: LiquidSurface) -> None:
    """Keep one frame of a surface with triangles of its own."""
    if not found:
        found.append(_Surface("surface"))
    points, _, triangles = seen.closed
    found[0].numbers += points.size + triangles.size
    _check(path, found[0].numbers)
    found[0].positions.append(points)
    found[0].triangles.append(triangles)


def _check(path: Path, count: int) -> None:
    """Refuse to write too many numbers."""
    if count > MOST_NUMBERS:
        remedy = "Write a part of the motion, or at a lower rate; an OBJ sequence takes any number of frames."
        raise UnwritableFile(path=path, found=f"{count:,} numbers as text", remedy=remedy)


def _surfaced(name: str, actor: Actor, surfaces: list[_Surface], times: Times, options: Options) -> Iterator[str]:
    """An actor that is surfaces alone, each with its points in every frame."""
    turn, unit = rotation_matrix(inverse(upright(options))), unit_of(options, 1.0)
    content = [] if actor.visible else ['token visibility = "invisible"']
    taken = Names()
    for each in surfaces:
        frames, moves = [points.astype(float) @ turn.T / unit for points in each.positions], len(each.positions) > 1
        sides = [np.stack((frame.min(axis=0), frame.max(axis=0))) for frame in frames if len(frame)]
        low, high = np.stack(sides or [np.zeros((2, 3))]).transpose(1, 0, 2)
        lines = [f"float3[] extent = {tuples(np.stack((low.min(axis=0), high.max(axis=0))))}"]
        own = moves and len(each.triangles) > 1
        counts = (f"[{', '.join(['3'] * len(faces))}]" for faces in each.triangles)
        lines += varying("int[] faceVertexCounts", counts, times.numbers, moves=own)
        corners = (f"[{numbers_of(faces)}]" for faces in each.triangles)
        lines += varying("int[] faceVertexIndices", corners, times.numbers, moves=own)
        lines.append('uniform token subdivisionScheme = "none"')
        lines += varying("point3f[] points", map(tuples, frames), times.numbers, moves=moves)
        content += group("def Mesh", taken.take(identifier(each.name)), lines)
    yield from group("def Xform", name, content, called(actor.name))


def _head(times: Times, options: Options) -> Iterator[str]:
    yield from ("#usda 1.0", "(", '    defaultPrim = "Scene"', '    doc = "Written by Sinew"')
    yield f"    metersPerUnit = {unit_of(options, 1.0)!r}"
    yield from (f"    startTimeCode = {times.numbers[0]}", f"    endTimeCode = {times.numbers[-1]}")
    yield f"    timeCodesPerSecond = {times.rate[0] / times.rate[1]!r}"
    yield f'    upAxis = "{(options.up or "y").upper()}"'
    yield from (")", 'def Xform "Scene"', "{")


def _actor(name: str, actor: Actor, rows: Array, times: Times, options: Options) -> Iterator[str]:
    turn, unit = rotation_matrix(inverse(upright(options))), unit_of(options, 1.0)
    rotation, position, q = rows[:, :9].reshape(-1, 3, 3), rows[:, 9:ROW], rows[:, ROW:]
    figure = actor.figure
    if not _is_rigid(figure):
        head = _standing(actor, turn @ rotation, position @ turn.T / unit, times.numbers)
        yield from skel_root(name, actor.name, figure, q, times.numbers, unit, head)
        return
    for joint in figure.joints:
        way, own = motion_of(joint, q, rest=True)
        position = position + np.einsum("fij,fj->fi", rotation, way + np.array(joint.offset))
        rotation = rotation @ own
    content = _standing(actor, turn @ rotation, position @ turn.T / unit, times.numbers)
    mesh = build_mesh([joint.shapes for joint in figure.joints])
    if len(mesh.triangles):
        points, normals = mesh.positions.astype(float) / unit, mesh.normals.astype(float)
        content += group("def Mesh", "Mesh", mesh_lines(points, mesh.triangles.astype(np.int32), normals))
    yield from group("def Xform", name, content, called(actor.name))


def _is_rigid(figure: Figure) -> bool:
    """Tell whether nothing of it moves against the rest: a prop, which needs no skeleton."""
    return len(figure.joints) < 2 and not figure.skins


def _joints(figure: Figure) -> tuple[Joint, ...]:
    """List the joints that the file names."""
    return () if _is_rigid(figure) else figure.joints


def _standing(actor: Actor, rotation: Array, position: Array, numbers: range) -> list[str]:
    """Compose an actor's transform, in the file's unit and axes, and whether it is shown."""
    turns = quaternions(rotation)
    return [
        *([] if actor.visible else ['token visibility = "invisible"']),
        *varying("double3 xformOp:translate", map(vector, position), numbers, moves=moves(position)),
        *varying("quatd xformOp:orient", map(vector, turns), numbers, moves=moves(turns)),
        'uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]',
    ]


def omits(contents: Contents) -> tuple[str, ...]:
    """List what a USD file cannot say of a scene."""
    actors = contents.scene.actors if contents.scene is not None else ()
    lost = []
    if any(not _is_rigid(actor.figure) for actor in actors):
        lost.append("degrees of freedom: each joint is written as free to move and to turn")
    for actor in actors:
        names = Names()
        for joint in _joints(actor.figure):
            names.take(joint.name)
        lost += [f"{each} (of {actor.name})" for each in names.note("joints")]
    return (*lost, *skeleton_losses(actors), *shape_losses(actors), *motion_losses(actors))


FORMAT = Format(
    name="USD text",
    suffixes=(".usda",),
    kind="motion",
    write=write,
    gradually=gradually,
    takes_scene=True,
    omits=omits,
    about="Whole scenes as they are seen, with UsdSkel: skeletons, skins, props and motion in frames; surfaces "
    "that bend or flow, also where triangles are others in each frame; no materials.",
    limits=f"{MOST_NUMBERS:,} numbers, {MOST_FRAMES:,} frames",
    write_options=("unit", "up", "rate", "start", "end"),
)
