"""SoftMember: one soft body of a scene, compiled: its mesh, its splines, and the surface that its cells carry."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from engine.document import Actor
from engine.maths.arrays import Array, IntArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.skins import vertex_normals
from engine.runtime.bounded import Bounded
from engine.runtime.errors import UnknownPart
from engine.runtime.quick_dataclass import dataclass
from engine.soft.embedding import Weights, embed
from engine.soft.materials import SoftMaterial
from engine.soft.mesh import VolumeMesh, volume_mesh
from engine.soft.outsides import Outside, by_surface
from engine.soft.parts import ActivationSpline, SoftBody
from engine.soft.splines import BoundSplines, DrawnSpline, bind_splines
from engine.soft.virtual_springs import VirtualSprings

Floats = NDArray[np.float32]

_MESHES: Bounded[tuple[str, ...], VolumeMesh] = Bounded(16)  # by what they are made of
_CARRIED: Bounded[tuple[str, ...], Weights] = Bounded(16)
_OUTSIDES: Bounded[tuple[str, ...], Outside] = Bounded(16)


@dataclass(frozen=True, eq=False)
class SoftMember:
    """One body, whose points are a slice of those of the scene, and segments of splines likewise."""

    actor: Actor
    body: SoftBody
    mesh: VolumeMesh  # at rest
    masses: Array  # [kg]
    bound: BoundSplines
    points: slice
    segments: slice
    joint_of: Mapping[str, int]  # number of the joint that an attachment, by its id, is to

    @property
    def springs(self) -> VirtualSprings:
        """The springs of its splines."""
        return self.bound.springs

    @property
    def splines(self) -> tuple[ActivationSpline, ...]:
        """The splines that pull, in the order of their segments."""
        return pulling(self.body)

    def of_spline(self, id: str) -> slice | None:
        """The segments of a spline among those of the body; None of one that does not pull."""
        numbers = {each.id: number for number, each in enumerate(self.splines)}
        if id not in numbers:
            return None
        found = np.flatnonzero(self.springs.spline == numbers[id])
        return slice(int(found[0]), int(found[-1]) + 1)

    # What is drawn

    @cached_property
    def triangles(self) -> IntArray:
        """Those of the surface."""
        found: IntArray = self.body.triangles.array
        return found

    @cached_property
    def body_of_vertex(self) -> IntArray:
        """Zeros: each vertex belongs to the one joint."""
        found = np.zeros(self.body.positions.shape[0], dtype=np.int32)
        found.flags.writeable = False
        return found

    @cached_property
    def topology(self) -> str:
        """The digest of the triangles."""
        text = f"soft {self.body.triangles.digest} {len(self.body_of_vertex)}"
        return blake2b(text.encode(), digest_size=16).hexdigest()

    def surface(self, points: Array) -> tuple[Floats, Floats] | None:
        """Positions [m] and unit normals of the surface where the body's points are; None where it has none."""
        if not len(self.triangles):
            return None
        found = self.carried(points)
        return found.astype(np.float32), vertex_normals(found, self.triangles).astype(np.float32)

    def carried(self, points: Array) -> Array:
        """Positions of the surface's vertices [m]."""
        found = self.carrying.carried(np.ascontiguousarray(points))
        return found if self._lift is None else found + self._lift

    def place(self, points: Array, spot: int) -> Array:
        """Where a vertex of the surface is [m], or a point of a body that has none."""
        known = len(self.body_of_vertex) or len(points)
        if not 0 <= spot < known:
            raise UnknownPart(kind=f"point of {self.actor.name}", id=str(spot), known=(f"0 to {known - 1}",))
        return np.asarray(self.carried(points)[spot] if len(self.body_of_vertex) else points[spot])

    @cached_property
    def carrying(self) -> Weights:
        """Weights of the points for each vertex of the surface."""
        body = self.body

        def found() -> Weights:
            if self.mesh.shape == "edges":  # each vertex goes with the nearest point
                _, nearest = cKDTree(self.mesh.points).query(body.positions.array)
                count = len(nearest)
                return Weights(np.arange(count + 1, dtype=np.int32), nearest.astype(np.int32), np.ones(count))
            places = body.positions.array.astype(np.float64)
            if self.mesh.planar:  # what stands out of its plane goes where the plane goes
                places[:, 2] = 0.0
            return embed(self.mesh, places).weights

        return _CARRIED.find((body.points.digest, body.cells.digest, body.positions.digest), found)

    @cached_property
    def outside(self) -> Outside | None:
        """Vertices of the surface that it touches with; None where it does with points of its cells."""
        body, volume = self.body, self.body.shape in ("tetrahedra", "hexahedra")
        if not (body.touches_by_surface and volume and len(self.triangles)):
            return None

        def found() -> Outside:
            return by_surface(self.mesh, self.carrying, body.positions.array.astype(np.float64), self.triangles)

        key = (body.points.digest, body.cells.digest, body.positions.digest, body.triangles.digest)
        return _OUTSIDES.find(key, found)

    @cached_property
    def _lift(self) -> Array | None:
        """How far vertices are drawn out of the plane of a planar body, or beside the points of one of edges."""
        if self.mesh.shape == "edges" and len(self.triangles):
            beside = self.body.positions.array - self.carrying.carried(self.mesh.points)
            return np.asarray(beside @ rotation_matrix(self.actor.placement.rotation).T)
        if not self.mesh.planar:
            return None
        across = rotation_matrix(self.actor.placement.rotation)[:, 2]
        return np.asarray(self.body.positions.array[:, 2:].astype(np.float64) * across)

    @cached_property
    def spline_ends(self) -> IntArray:
        """Which points of the splines are joined."""
        return self.springs.segments

    @cached_property
    def spline_topology(self) -> str:
        """The digest of that."""
        return blake2b(self.spline_ends.tobytes(), digest_size=16).hexdigest()

    def spline_points(self, points: Array) -> Floats:
        """Where the points of the splines are [m]."""
        return self.springs.places(np.ascontiguousarray(points)).astype(np.float32)


def mesh_of(body: SoftBody) -> VolumeMesh:
    """Make the mesh of a body; kept, since an edit of its material leaves it as it is."""
    factors = body.factors
    key = (body.points.digest, body.cells.digest, "" if factors is None else factors.digest)

    def made() -> VolumeMesh:
        given = None if factors is None else factors.array
        return volume_mesh(body.points.array, body.cells.array, body.shape, factors=given, name="the body")

    return _MESHES.find(key, made)


def material_of(body: SoftBody) -> SoftMaterial:
    """Make the material of a body."""
    laid = body.heading is not None
    return SoftMaterial(
        law=_LAWS[body.material],  # type: ignore[arg-type]
        young=body.young,
        poisson=body.poisson,
        density=body.density,
        mass_damping=body.mass_damping,
        stiffness_damping=body.stiffness_damping,
        share=body.share,
        thickness=body.thickness,
        friction=body.friction * (body.forward if laid else 1.0),
        friction_backward=body.friction * body.backward if laid else None,
        friction_sideways=body.friction * body.sideways if laid else None,
        forward=body.heading,
    )


def pulling(body: SoftBody) -> tuple[ActivationSpline, ...]:
    """The splines of a body that pull."""
    return tuple(each for each in body.splines if not each.mute)


def bound_splines(body: SoftBody, mesh: VolumeMesh, masses: Array, young: float) -> BoundSplines:
    """Bind the splines of a body that pull to its mesh."""
    return bind_splines(mesh, masses, [_drawn(each) for each in pulling(body)], young=young)


def _drawn(spline: ActivationSpline) -> DrawnSpline:
    """The spline as it is bound; one whose region nothing is painted of yet acts on the cells that it crosses."""
    painted = None if spline.weights is None else spline.weights.array.astype(np.float64)
    is_bare = spline.region == "painted" and painted is not None and not painted.any()
    return DrawnSpline(
        controls=np.array(spline.points),
        name=spline.name,
        curve=_CURVES[spline.curve],  # type: ignore[arg-type]
        samples=spline.samples,
        ratio=spline.stiffness,
        tau=spline.tau if spline.response == "time" else None,
        region="cell" if is_bare else spline.region,  # type: ignore[arg-type]
        radius=spline.radius,
        painted=painted,
    )


_LAWS = {
    "springs": "springs",
    "corotational": "corotational",
    "neo_hookean": "neo-hookean",
    "mooney_rivlin": "mooney-rivlin",
}
_CURVES = {"catmull_rom": "catmull-rom", "b_spline": "b-spline"}
