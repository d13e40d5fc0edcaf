"""Soft bodies made of meshes: the part of a document, with the surface that is drawn of it.

A surface of its own (a mesh file, a skin) is carried by the cells; else the outer sides of the cells are it, with sharp
edges where they bend. A planar body is drawn as a slab about its plane.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from engine.document import Actor, Blob, Layer, Placement, prop
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.maths.arrays import Array, IntArray
from engine.model.creases import creased
from engine.runtime.errors import InvalidArguments
from engine.soft.embedding import surface_facets
from engine.soft.mesh import Shape, VolumeMesh, volume_mesh
from engine.soft.meshing import box, cube_grid, cylinder, square_grid
from engine.soft.parts import MATERIALS, USUAL, SoftBody

FRESH: Mapping[str, Any] = {
    "pushes": True,
    "touches_wearer": True,
    "touches_by_surface": True,
    "touches_itself": True,
}
"""Options of a body that a person makes, which a document that does not tell of them has otherwise."""


def body_of(
    mesh: VolumeMesh,
    *,
    surface: tuple[Array, IntArray] | None = None,
    thickness: float = 0.0,
    **options: Any,
) -> SoftBody:
    """Make the part of a mesh: with a surface [m], or the outer sides of its cells; `thickness` [m] of a planar one."""
    positions, triangles = _sides(mesh, thickness) if surface is None else surface
    even = bool((mesh.factors == 1.0).all())
    given: dict[str, Any] = {"material": USUAL[mesh.shape], **options}
    if given["material"] not in MATERIALS[mesh.shape]:
        allowed = ", ".join(MATERIALS[mesh.shape])
        raise InvalidArguments(what=f"the material of {mesh.shape}", value=given["material"], allowed=allowed)
    return SoftBody(
        points=Blob(mesh.points),
        cells=Blob(mesh.cells.astype(np.int32)),
        shape=mesh.shape,
        positions=Blob(positions.astype(np.float32)),
        triangles=Blob(triangles.astype(np.int32)),
        factors=None if even else Blob(mesh.factors),
        planar=mesh.planar,
        **given,
    )


def box_mesh(size: Vector3, counts: tuple[int, int, int], *, cells: Shape = "tetrahedra") -> VolumeMesh:
    """Make a box about the origin [m], of so many bricks along its axes: as they are, or five tetrahedra each."""
    if cells == "tetrahedra":
        return box(size, counts)
    if cells == "squares":
        flat = square_grid(counts[:2], 1.0)
        points = (flat.points / np.array((*counts[:2], 1)) - np.array((0.5, 0.5, 0.0))) * np.array((*size[:2], 0.0))
        return volume_mesh(points, flat.cells, "squares", name="the plate")
    if cells != "hexahedra":
        raise InvalidArguments(what="the cells of a box", value=cells, allowed="tetrahedra, hexahedra, squares")
    grid = cube_grid(counts, 1.0).mesh
    points = (grid.points / np.array(counts) - 0.5) * np.array(size)
    return volume_mesh(points, grid.cells, "hexahedra", name="the box")


def soft_box(size: Vector3, counts: tuple[int, int, int], *, cells: Shape = "tetrahedra", **options: Any) -> SoftBody:
    """Make a soft box; of squares it is a planar one, and `size[2]` how thick it is drawn."""
    thickness = size[2] if cells == "squares" else 0.0
    return body_of(box_mesh(size, counts, cells=cells), thickness=thickness, **options)


def soft_cylinder(radius: float, length: float, *, rings: int, layers: int, axis: int = 1, **options: Any) -> SoftBody:
    """Make a soft cylinder of tetrahedra about the origin, along an axis."""
    return body_of(cylinder(radius, length, rings=rings, layers=layers, axis=axis), **options)


def soft_actor(
    id: str, name: str, body: SoftBody, *, position: Vector3 = (0.0, 0.0, 0.0), rotation: Quaternion = IDENTITY
) -> Actor:
    """Make the actor that a soft body is of: a prop without shapes, whose joint says where the body stands."""
    return Actor(
        id=id,
        name=name,
        figure=prop(name, ()),
        placement=Placement(position=position, rotation=rotation),
        layers=(Layer(id="pose"),),
        parts=(body,),
    )


def with_splines(body: SoftBody, *splines: Any) -> SoftBody:
    """Give a soft body these splines."""
    return replace(body, splines=splines)


def _sides(mesh: VolumeMesh, thickness: float) -> tuple[Array, IntArray]:
    """Find the outer sides of the cells as a surface of its own vertices."""
    if mesh.shape == "squares":
        return _slab(mesh, thickness)
    facets, _ = surface_facets(mesh)
    if mesh.shape == "edges":
        return np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32)
    found = creased(mesh.points, cast("NDArray[np.integer[Any]]", facets))
    return found.positions, found.triangles.astype(np.int32)


def _slab(mesh: VolumeMesh, thickness: float) -> tuple[Array, IntArray]:
    """Both faces of a planar body, and the walls between them."""
    count, lift = len(mesh.points), np.array((0.0, 0.0, 0.5 * thickness))
    front = mesh.cells[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)
    edges, _ = surface_facets(mesh)
    low, high = edges[:, 0], edges[:, 1]
    walls = np.concatenate((np.stack((low, high, high + count), 1), np.stack((low, high + count, low + count), 1)))
    points = np.concatenate((mesh.points - lift, mesh.points + lift))
    back = front[:, ::-1]
    found = creased(points, np.concatenate((front + count, back, walls)))
    return found.positions, found.triangles.astype(np.int32)
