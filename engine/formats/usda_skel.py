"""UsdSkel: a figure as a SkelRoot with its Skeleton, its SkelAnimation and the meshes that hang on it.

USD multiplies row vectors, so matrices are written transposed. A Skeleton has one bind transform for each joint, where
we have one for each joint of each skin: a skin that was moved as a whole before it was bound says so by its
geomBindTransform, and one that was bound in another pose hangs on a further Skeleton of the same joints and the same
animation. After Pixar's UsdSkel schemas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from engine.document import Figure
from engine.formats.format import Contents, FileMesh
from engine.formats.mesh_shapes import with_body
from engine.formats.names import Names
from engine.formats.skins import skin_surface
from engine.formats.turns import motion_of
from engine.formats.usda_text import called, group, identifier, matrix, moves, numbers_of, quoted, tuples, varying
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import quaternions, rotation_matrix
from engine.runtime.quick_dataclass import dataclass

_SAME_POSE = 1e-7  # how far transforms may lie apart that count as one
_BINDS = 'prepend apiSchemas = ["SkelBindingAPI"]'


class UsdSkeleton:
    """Joints by their paths, and their transforms at rest in the file's unit."""

    def __init__(self, figure: Figure, unit: float) -> None:
        self.figure, self.unit = figure, unit
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
        titles = Names()
        self.titles = [titles.take(joint.name) for joint in figure.joints]  # each another, as USD wants them
        self.index = {id: place for place, id in enumerate(self.paths)}

    @property
    def joints(self) -> str:
        """The list of joints as USD writes it."""
        return "uniform token[] joints = [" + ", ".join(f'"{path}"' for path in self.paths.values()) + "]"


@dataclass
class _Bound:
    """A skin, how it blends, and what moves its vertices first."""

    surface: FileMesh
    dual: bool
    place: Array


@dataclass
class _Binding:
    """Skins that agree on the pose that they are bound in."""

    transforms: dict[str, Array] = field(default_factory=dict)  # of joints, in that pose
    skins: list[_Bound] = field(default_factory=list)

    def take(self, surface: FileMesh, dual: bool, unit: float) -> bool:
        """Bind a skin too; False if it was bound in another pose."""
        pairs = list(zip(surface.joints, _binds(surface, unit), strict=True))
        places = [self.transforms[joint] @ bind for joint, bind in pairs if joint in self.transforms]
        place = places[0] if places else np.eye(4)
        if not all(np.allclose(each, place, rtol=0.0, atol=_SAME_POSE) for each in places):
            return False
        for joint, bind in pairs:
            self.transforms.setdefault(joint, place @ np.linalg.inv(bind))
        self.skins.append(_Bound(surface, dual, place))
        return True


def skel_root(
    name: str, title: str, figure: Figure, q: Array, numbers: range, unit: float, head: list[str]
) -> Iterator[str]:
    """A figure in its coordinates `q`, shape [frames, coordinate_count]; `head`: where it stands."""
    inside = _inside(f"/Scene/{name}", UsdSkeleton(figure, unit), q, numbers)
    yield from group("def SkelRoot", name, chain(head, inside), [_BINDS, *called(title)])


def _inside(path: str, skeleton: UsdSkeleton, q: Array, numbers: range) -> Iterator[str]:
    names = Names()
    names.take("Motion")
    for binding in _bindings(skeleton.figure, skeleton.unit):
        place = names.take("Skeleton")
        yield from group("def Skeleton", place, _bones(skeleton, binding, f"{path}/Motion"), [_BINDS])
        for each in binding.skins:
            own = names.take(identifier(each.surface.name))
            yield from _skin(own, each, skeleton, f"{path}/{place}")
    yield from group("def SkelAnimation", "Motion", _motion(skeleton, q, numbers))


def _bindings(figure: Figure, unit: float) -> list[_Binding]:
    """The skins, or where there are none the shapes of all bodies as one; one binding at least."""
    skins = [(skin_surface(skin), skin.blending == "dual") for skin in figure.skins]
    bindings = [_Binding()]
    for surface, dual in skins or [(each, False) for each in with_body(Contents(figure=figure))]:
        if not len(surface.triangles):
            continue
        if not any(binding.take(surface, dual, unit) for binding in bindings):
            bindings.append(_Binding())
            bindings[-1].take(surface, dual, unit)
    return bindings


def _binds(surface: FileMesh, unit: float) -> Array:
    """Joint from mesh in the file's unit, shape [joint_count, 4, 4]."""
    assert surface.bind is not None, "it hangs on joints"
    binds = np.tile(np.eye(4), (len(surface.bind), 1, 1))
    binds[:, :3, :3], binds[:, :3, 3] = surface.bind[:, :, :3], surface.bind[:, :, 3] / unit
    return binds


def _bones(skeleton: UsdSkeleton, binding: _Binding, motion: str) -> Iterator[str]:
    bound = [binding.transforms.get(id, rest) for id, rest in skeleton.world.items()]
    yield skeleton.joints
    yield "uniform matrix4d[] bindTransforms = [" + ", ".join(map(matrix, bound)) + "]"
    yield "uniform matrix4d[] restTransforms = [" + ", ".join(map(matrix, skeleton.local.values())) + "]"
    yield "uniform token[] jointNames = [" + ", ".join(map(quoted, skeleton.titles)) + "]"
    yield f"rel skel:animationSource = <{motion}>"


def _motion(skeleton: UsdSkeleton, q: Array, numbers: range) -> Iterator[str]:
    figure, ways, turns = skeleton.figure, [], []
    for joint in figure.joints:
        columns = [figure.coordinate_index[name] for dof in joint.dofs for name in dof.coordinates]
        way, rotation = motion_of(joint, q[:, columns], rest=True)
        ways.append((way + np.array(joint.offset)) / skeleton.unit)
        turns.append(quaternions(rotation))
    places, rotations = np.stack(ways, axis=1), np.stack(turns, axis=1)
    yield skeleton.joints
    yield from varying("float3[] translations", map(tuples, places), numbers, moves=moves(places))
    yield from varying("quatf[] rotations", map(tuples, rotations), numbers, moves=moves(rotations))
    yield f"half3[] scales = {tuples(np.ones((len(figure.joints), 3)))}"


def mesh_lines(points: Array, triangles: NDArray[np.int32], normals: Array | None) -> list[str]:
    """Compose the lines of a mesh of triangles."""
    lines = [
        f"float3[] extent = {tuples(np.stack((points.min(axis=0), points.max(axis=0))))}",
        f"int[] faceVertexCounts = [{', '.join(['3'] * len(triangles))}]",
        f"int[] faceVertexIndices = [{numbers_of(triangles)}]",
        f"point3f[] points = {tuples(points)}",
        'uniform token subdivisionScheme = "none"',
    ]
    if normals is not None:
        lines += [f"normal3f[] normals = {tuples(normals)} (", '    interpolation = "vertex"', ")"]
    return lines


def _skin(name: str, bound: _Bound, skeleton: UsdSkeleton, path: str) -> Iterator[str]:
    surface = bound.surface
    assert surface.weights is not None, "it hangs on joints"
    most = max(1, int((surface.weights > 0.0).sum(axis=1).max()))
    order = np.argsort(-surface.weights, axis=1, kind="stable")[:, :most]
    shares = np.take_along_axis(surface.weights, order, axis=1)
    joints = np.array([skeleton.index[joint] for joint in surface.joints])
    size = [f"    elementSize = {most}", '    interpolation = "vertex"', ")"]
    content: Iterable[str] = [
        *mesh_lines(surface.positions / skeleton.unit, surface.triangles, surface.normals),
        f"rel skel:skeleton = <{path}>",
        "uniform matrix4d primvars:skel:geomBindTransform = " + matrix(bound.place),
        *(['uniform token primvars:skel:skinningMethod = "dualQuaternion"'] if bound.dual else []),
        f"int[] primvars:skel:jointIndices = [{numbers_of(np.where(shares > 0.0, joints[order], 0))}] (",
        *size,
        f"float[] primvars:skel:jointWeights = [{numbers_of(shares)}] (",
        *size,
    ]
    yield from group("def Mesh", name, content, [_BINDS, *called(surface.name)])
