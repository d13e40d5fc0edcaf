"""USD as text (.usda), written with the UsdSkel schema; not read.

A SkelRoot holds the Skeleton (joint paths, bind and rest transforms), its SkelAnimation, and the meshes with their
joint indices and weights; lengths are in metres unless `Options.unit` says otherwise, y is up unless `Options.up` says
z. Time codes are frames. USD multiplies row vectors, so matrices are written transposed. It has one bind transform for
each joint, where we have one for each joint of each skin: the first skin gives them, the others have a transform of
their own before it (geomBindTransform). A skin that was bound in yet another pose is written with vertices that stand
at rest where they stood. After Pixar's UsdSkel schemas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.document import Figure, Joint
from engine.document.frames import inverse
from engine.formats.conventions import laid_back, unit_of, upright
from engine.formats.format import Contents, Format, Options, Surface
from engine.formats.frames import USUAL_RATE, Frames, frames_of
from engine.formats.gltf_write import omits
from engine.formats.names import Names
from engine.formats.skins import dressed
from engine.formats.text import write_text
from engine.formats.turns import motion_of, quaternions
from engine.model.compile import rotation_matrix
from engine.runtime.errors import UnwritableFile

Array = NDArray[np.float64]

_SAME_POSE = 1e-7  # how far transforms may lie apart that count as one

MOST_NUMBERS = 50_000_000  # in one text


def write(path: Path, contents: Contents, options: Options) -> None:
    """Write the figure at rest, its motion and the surfaces."""
    figure = contents.figure if contents.figure is not None and contents.figure.joints else None
    surfaces = [each for each in dressed(contents) if len(each.triangles)]
    if figure is None and not surfaces:
        raise UnwritableFile(path=path, found="nothing to write", remedy="Choose a figure or a mesh.")
    if options.up == "x":
        raise UnwritableFile(path=path, found="x as the upward axis", remedy="USD knows y and z.")
    unit = unit_of(options, 1.0)
    frames = None
    if figure is not None:
        figure = laid_back(figure, options)
        frames = frames_of(path, figure, contents.layers, options) if contents.layers else None
    count = len(frames.q) * len(figure.joints) * 10 if frames is not None and figure is not None else 0
    if count > MOST_NUMBERS:
        remedy = "Write a part of the motion, or at a lower rate; glTF takes less room."
        raise UnwritableFile(path=path, found=f"{count:,} numbers as text", remedy=remedy)
    lines = list(_head(unit, options, frames, "Scene" if figure is None else "Figure"))
    if figure is None:
        lines += _group(
            "def Xform", "Scene", (line for each in _named(surfaces) for line in _mesh(*each, unit, options))
        )
    else:
        skeleton = _Skeleton(figure, unit)
        lines += _group("def SkelRoot", "Figure", _figure(skeleton, figure, frames, surfaces, options))
    write_text(path, "\n".join(lines) + "\n")


def _head(unit: float, options: Options, frames: Frames | None, root: str) -> Iterator[str]:
    rate = frames.rate if frames is not None else USUAL_RATE
    yield from ("#usda 1.0", "(", f'    defaultPrim = "{root}"', '    doc = "Written by Sinew"')
    yield f"    metersPerUnit = {unit!r}"
    if frames is not None:
        yield from ("    startTimeCode = 0", f"    endTimeCode = {len(frames.q) - 1}")
    yield f"    timeCodesPerSecond = {rate[0] / rate[1]!r}"
    yield f'    upAxis = "{(options.up or "y").upper()}"'
    yield ")"


def _group(kind: str, name: str, content: Iterable[str], about: Iterable[str] = ()) -> Iterator[str]:
    """A prim and what stands in it, indented."""
    about = list(about)
    yield f'{kind} "{name}"' + (" (" if about else "")
    if about:
        yield from (f"    {line}" for line in about)
        yield ")"
    yield "{"
    yield from (f"    {line}" for line in content)
    yield "}"


class _Skeleton:
    """Joints by their paths in the skeleton, and their transforms in the file's units."""

    def __init__(self, figure: Figure, unit: float) -> None:
        self.unit = unit
        self.paths: dict[str, str] = {}
        self.world: dict[str, Array] = {}
        self.local: dict[str, Array] = {}
        names: dict[str | None, Names] = {}
        for joint in figure.joints:
            name = names.setdefault(joint.parent, Names()).take(identifier(joint.name))
            self.paths[joint.id] = f"{self.paths[joint.parent]}/{name}" if joint.parent is not None else name
            local = np.eye(4)
            local[:3, :3], local[:3, 3] = rotation_matrix(joint.rest), np.array(joint.offset) / unit
            self.local[joint.id] = local
            self.world[joint.id] = (self.world[joint.parent] if joint.parent is not None else np.eye(4)) @ local
        self.index = {id: place for place, id in enumerate(self.paths)}
        self.bound: dict[str, Array] = {}  # world transforms in which the skins so far are bound

    def bind(self, joints: Iterable[str], binds: Array) -> Array | None:
        """Bind a skin, joint from mesh as [4, 4] each: what moves its vertices first; None: it fits no other's pose."""
        pairs = list(zip(joints, binds, strict=True))
        places = [self.bound[joint] @ bind for joint, bind in pairs if joint in self.bound]
        place = places[0] if places else np.eye(4)
        if not all(np.allclose(each, place, rtol=0.0, atol=_SAME_POSE) for each in places):
            return None
        for joint, bind in pairs:
            self.bound.setdefault(joint, place @ np.linalg.inv(bind))
        return place

    @property
    def bind_pose(self) -> dict[str, Array]:
        """Where each joint stands when the skins are bound; at rest where none hangs on it."""
        return {id: self.bound.get(id, rest) for id, rest in self.world.items()}

    @property
    def joints(self) -> str:
        """The list of joints as USD writes it."""
        return "uniform token[] joints = [" + ", ".join(f'"{path}"' for path in self.paths.values()) + "]"


def identifier(name: str) -> str:
    """A name of letters, digits and underscores that does not begin with a digit."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "joint"
    return f"_{plain}" if plain[0].isdigit() else plain


def _figure(
    skeleton: _Skeleton, figure: Figure, frames: Frames | None, surfaces: list[Surface], options: Options
) -> Iterator[str]:
    about = ['prepend apiSchemas = ["SkelBindingAPI"]']
    meshes = [line for each in _named(surfaces) for line in _mesh(*each, skeleton.unit, options, skeleton)]
    yield from _group("def Skeleton", "Skeleton", _bones(skeleton, frames is not None), about)
    if frames is not None:
        yield from _group("def SkelAnimation", "Motion", _motion(skeleton, figure, frames))
    yield from meshes


def _bones(skeleton: _Skeleton, moves: bool) -> Iterator[str]:
    yield skeleton.joints
    yield "uniform matrix4d[] bindTransforms = [" + ", ".join(map(_matrix, skeleton.bind_pose.values())) + "]"
    yield "uniform matrix4d[] restTransforms = [" + ", ".join(map(_matrix, skeleton.local.values())) + "]"
    if moves:
        yield "rel skel:animationSource = </Figure/Motion>"


def _motion(skeleton: _Skeleton, figure: Figure, frames: Frames) -> Iterator[str]:
    ways, turns = [], []
    for joint in figure.joints:
        way, rotation = _local_motion(figure, joint, frames)
        ways.append((way + np.array(joint.offset)) / skeleton.unit)
        turns.append(quaternions(rotation))
    yield skeleton.joints
    places, rotations = np.stack(ways, axis=1), np.stack(turns, axis=1)
    if (places == places[:1]).all():
        yield f"float3[] translations = {_tuples(places[0])}"
    else:
        yield from _samples("float3[] translations", places)
    yield from _samples("quatf[] rotations", rotations)
    yield f"half3[] scales = {_tuples(np.ones((len(figure.joints), 3)))}"


def _local_motion(figure: Figure, joint: Joint, frames: Frames) -> tuple[Array, Array]:
    columns = [figure.coordinate_index[name] for dof in joint.dofs for name in dof.coordinates]
    return motion_of(joint, frames.q[:, columns], rest=True)


def _samples(what: str, values: Array) -> Iterator[str]:
    yield f"{what}.timeSamples = {{"
    yield from (f"    {frame}: {_tuples(row)}," for frame, row in enumerate(values))
    yield "}"


def _named(surfaces: list[Surface]) -> Iterator[tuple[Surface, str]]:
    names = Names()
    for each in ("Skeleton", "Motion"):
        names.take(each)
    for surface in surfaces:
        yield surface, names.take(identifier(surface.name))


def _mesh(
    surface: Surface, name: str, unit: float, options: Options, skeleton: _Skeleton | None = None
) -> Iterator[str]:
    turn = rotation_matrix(inverse(upright(options)))
    points, normals = surface.positions @ turn.T / unit, surface.normals
    skin: list[str] = []
    if skeleton is not None and surface.weights is not None and surface.bind is not None:
        binds = _binds(surface.bind, skeleton.unit, turn)
        place = skeleton.bind(surface.joints, binds)
        if place is None:
            place, normals = np.eye(4), None
            points = _rebound(surface.joints, binds, surface.weights, points, skeleton)
        skin = list(_skin(surface, surface.weights, skeleton, place))
    about = ['prepend apiSchemas = ["SkelBindingAPI"]'] if skin else []
    content = [
        f"float3[] extent = {_tuples(np.stack((points.min(axis=0), points.max(axis=0))))}",
        f"int[] faceVertexCounts = [{', '.join(['3'] * len(surface.triangles))}]",
        f"int[] faceVertexIndices = [{', '.join(map(str, surface.triangles.ravel().tolist()))}]",
        f"point3f[] points = {_tuples(points)}",
        'uniform token subdivisionScheme = "none"',
    ]
    if normals is not None:
        content += [f"normal3f[] normals = {_tuples(normals @ turn.T)} (", '    interpolation = "vertex"', ")"]
    yield from _group("def Mesh", name, [*content, *skin], about)


def _binds(bind: Array, unit: float, turn: Array) -> Array:
    """Joint from mesh in the file's units and axes, shape [joint_count, 4, 4]."""
    binds = np.tile(np.eye(4), (len(bind), 1, 1))
    binds[:, :3, :3], binds[:, :3, 3] = bind[:, :, :3] @ turn.T, bind[:, :, 3] / unit
    return binds


def _rebound(joints: Iterable[str], binds: Array, weights: Array, points: Array, skeleton: _Skeleton) -> Array:
    """Vertices that the skeleton's bind transforms carry at rest to where their own would."""
    pairs = list(zip(joints, binds, strict=True))
    rest = [(skeleton.world[joint] @ bind)[:3] for joint, bind in pairs]
    theirs = [(skeleton.world[joint] @ np.linalg.inv(skeleton.bind_pose[joint]))[:3] for joint, _ in pairs]
    stand, move = (np.einsum("vj,jab->vab", weights, np.stack(each)) for each in (rest, theirs))
    target = np.einsum("vab,vb->va", stand[:, :, :3], points) + stand[:, :, 3]
    back = np.linalg.pinv(move[:, :, :3])
    return np.asarray(np.einsum("vab,vb->va", back, target - move[:, :, 3]))


def _skin(surface: Surface, weights: Array, skeleton: _Skeleton, place: Array) -> Iterator[str]:
    most = max(1, int((weights > 0.0).sum(axis=1).max()))
    order = np.argsort(-weights, axis=1, kind="stable")[:, :most]
    shares = np.take_along_axis(weights, order, axis=1)
    numbers = np.array([skeleton.index[joint] for joint in surface.joints])
    places = np.where(shares > 0.0, numbers[order], 0)
    size = f'    elementSize = {most}\n    interpolation = "vertex"'.split("\n")
    yield "rel skel:skeleton = </Figure/Skeleton>"
    yield "uniform matrix4d primvars:skel:geomBindTransform = " + _matrix(place)
    yield f"int[] primvars:skel:jointIndices = [{', '.join(map(str, places.ravel().tolist()))}] ("
    yield from (*size, ")")
    yield f"float[] primvars:skel:jointWeights = [{', '.join(_number(each) for each in shares.ravel().tolist())}] ("
    yield from (*size, ")")


def _matrix(matrix: Array) -> str:
    """A matrix for row vectors."""
    return "(" + ", ".join(f"({', '.join(repr(each + 0.0) for each in row)})" for row in matrix.T.tolist()) + ")"


def _tuples(rows: Array) -> str:
    width = rows.shape[1]
    row = "(" + ", ".join(["%.9g"] * width) + ")"
    return "[" + ", ".join(row % tuple(each) for each in (rows + 0.0).tolist()) + "]"


def _number(value: float) -> str:
    return f"{value:.9g}"


FORMAT = Format(
    name="USD text",
    suffixes=(".usda",),
    kind="motion",
    write=write,
    omits=omits,
    about="UsdSkel: skeleton, skinned meshes and motion in frames; written, not read; no materials.",
    limits=f"{MOST_NUMBERS:,} numbers",
    write_options=("unit", "up", "rate"),
)
