"""Compiles the kernels of meshes, embedding, mass-spring bodies and splines, with the types of the application."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.soft.embedding import embed, surface_facets
from engine.soft.lattice import fill_surface, stiffened
from engine.soft.mesh import VolumeMesh
from engine.soft.meshing import box, cube_grid, square_grid
from engine.soft.regions import paint_inside
from engine.soft.splines import DrawnSpline, bind_splines
from engine.soft.springs import spring_body


def warm() -> Iterator[str]:
    """Mesh, embed, bind and step small bodies; yields what is ready."""
    block = box((1.0, 1.0, 2.0), (1, 1, 2))
    grids: list[VolumeMesh] = [square_grid((2, 1), 0.5), cube_grid((2, 1, 1), 0.5).mesh, block]
    for mesh in grids:
        held = embed(mesh, mesh.points[:2] * 1.01)  # a trifle outside
        held.weights.spread(np.zeros((2, 3)), len(mesh.points))
    yield "embed"
    facets, _ = surface_facets(block)
    made = fill_surface(block.points, facets, along=4)
    fill_surface(block.points, facets[1:], along=2, mend=True)
    yield "fill_surface"
    stiffened(made.mesh, 0.5 * block.points, facets)
    stiffened(block, 0.5 * block.points, facets)
    paint_inside(block, block.points, facets)
    yield "stiffened"
    masses = block.masses(1000.0)
    spline = DrawnSpline(controls=np.array([(0.0, 0.0, -0.8), (0.0, 0.0, 0.8)]), samples=3)
    virtual = bind_splines(block, masses, [spline], young=1e5).springs
    virtual.forces(block.points, np.zeros_like(block.points), np.ones(2))
    yield "add_virtual_forces"
    body = spring_body(block, masses, stiffness=1000.0, virtual=virtual, ground=-1.0)
    body.advance(block.points.copy(), np.zeros_like(block.points), np.ones(2), 0.001)
    yield "advance_springs"
