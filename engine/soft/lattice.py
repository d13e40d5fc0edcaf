"""Lattices of cubes over closed surfaces, of the cubes that matter alone: those inside and those that the surface cuts.

Rays that count what they cross tell exactly whether the middle of a cube is inside; where a surface has holes that are
to be mended, its winding number does. A surface closer to itself than a cube, such as fingers side by side, is grown
together there: smaller cubes keep it apart.

A skeleton is embedded by raising the stiffness of the cells that its surface cuts, 250 times in Engell-Norregard 2012
(21, figure 36), and of those inside it: what is not cut lies wholly on one side, as do neighbours.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.ndimage import label

from engine.limits.triangles import build_tree
from engine.limits.winding import is_within
from engine.maths.arrays import Array, BoolArray, IntArray
from engine.runtime.errors import InvalidArguments
from engine.soft.cell_cuts import mark_cut_cells, mark_cut_places
from engine.soft.closed_surfaces import ClosedSurface, close_surface, within_surface
from engine.soft.mesh import MOST_CELLS, UnsoundBody, VolumeMesh
from engine.soft.meshing import Meshed, lattice_mesh

USUAL_FACTOR = 250.0
_MOST_PLACES = 64 * MOST_CELLS


def fill_surface(
    positions: Array,
    triangles: IntArray,
    *,
    spacing: float | None = None,
    along: int = 16,
    mend: bool = False,
    name: str = "the mesh",
) -> Meshed:
    """Fill a surface with cubes of a side `spacing` [m], or of as many as `along` its longest side."""
    surface = close_surface(positions, triangles, mend=mend, name=name)
    lower, upper = surface.positions.min(axis=0), surface.positions.max(axis=0)
    longest = float((upper - lower).max())
    if spacing is None:
        if not 1 <= along <= 1000:
            raise InvalidArguments(what="the cubes along the longest side", value=along, allowed="1 to 1000")
        spacing = longest / along
    if not (math.isfinite(spacing) and spacing > 0.0):
        raise InvalidArguments(what="the side of a cube", value=spacing, allowed="a length above zero")
    counts = np.maximum(np.ceil((upper - lower) / spacing - 1e-6), 1.0)
    if np.prod(counts) > _MOST_PLACES:
        least = longest * (np.prod((upper - lower) / longest) / _MOST_PLACES) ** (1.0 / 3.0)
        found = f"cubes of {spacing:.3g} m are {np.prod(counts):.3g} over it"
        raise UnsoundBody(name=name, found=found, remedy=f"Use cubes of {1.1 * least:.2g} m or larger.")
    lower = 0.5 * (lower + upper) - 0.5 * counts * spacing
    kept = _kept(surface, lower, spacing, counts.astype(np.int64))
    if np.count_nonzero(kept) > MOST_CELLS:
        found = f"cubes of {spacing:.3g} m are {np.count_nonzero(kept):,} in it"
        raise UnsoundBody(name=name, found=found, remedy=f"Use larger cubes, {MOST_CELLS:,} at most.")
    made = lattice_mesh(kept, spacing, (float(lower[0]), float(lower[1]), float(lower[2])))
    pieces = label(kept, structure=np.ones((3, 3, 3)))[1]
    said = (f"{name}: it is of {pieces} pieces that hang together nowhere",) if pieces > 1 else ()
    return Meshed(made.mesh, (*surface.notes, *said), made.places)


def stiffened(
    mesh: VolumeMesh, positions: Array, triangles: IntArray, factor: float = USUAL_FACTOR, *, name: str = "the skeleton"
) -> tuple[VolumeMesh, int]:
    """Raise the stiffness of the cells that a surface cuts or, where it is closed, encloses; and how many these are."""
    if mesh.shape not in ("tetrahedra", "hexahedra"):
        raise InvalidArguments(what="a body with a skeleton", value=mesh.shape, allowed="tetrahedra or hexahedra")
    if not (math.isfinite(factor) and factor > 0.0):
        raise InvalidArguments(what="the factor of a skeleton's stiffness", value=factor, allowed="a number above zero")
    marked = np.zeros(len(mesh.cells), dtype=np.bool_)
    surface = close_surface(positions, triangles, mend=True, name=name)
    tree = build_tree(surface.positions[surface.triangles])
    mark_cut_cells(mesh.points, mesh.cells, tree.boxes, tree.corners, marked)
    if not surface.holes:
        middles = mesh.points[mesh.cells].mean(axis=1)
        lower, upper = surface.positions.min(axis=0), surface.positions.max(axis=0)
        near = np.flatnonzero(((middles > lower) & (middles < upper)).all(axis=1) & ~marked)
        marked[near] = within_surface(surface, middles[near])
    if not marked.any():
        raise UnsoundBody(name=name, found="no cell of the body meets it", remedy="Move it into the body.")
    return mesh.with_factors(np.where(marked, factor * mesh.factors, mesh.factors)), int(marked.sum())


def _kept(surface: ClosedSurface, lower: Array, spacing: float, counts: Array) -> BoolArray:
    """Tell of each place whether its cube is inside or cut."""
    shape = (int(counts[0]), int(counts[1]), int(counts[2]))
    kept = np.zeros(shape, dtype=np.bool_)
    mark_cut_places(surface.positions, surface.triangles, lower, spacing, kept)
    middle = lower + 0.5 * spacing
    if surface.holes:
        left = np.argwhere(~kept)
        kept[~kept] = within_surface(surface, middle + left * spacing)
        return kept
    steps = np.full(3, spacing)
    inside = is_within(shape, middle, steps, surface.positions, surface.triangles, np.zeros((1, 3)))
    return np.asarray(kept | inside)
