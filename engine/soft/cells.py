"""Packs the cells of soft bodies into batches of LANES, SoA, as kernels take them (rows: `lanes.py`).

Tetrahedra stand as they are, corners in ascending order. A square is four flat triangles, one at each corner, of half
the weight, so that no diagonal is preferred; their last corner repeats the third, with a slope of zero. A hexahedron
has eight of Gauss's points, each with its own slopes and volume; of the co-rotational material it is ten tetrahedra of
half the weight, both ways of cutting five out of it.

`pack_tetrahedra` takes those of the co-rotational material, whose kernels are the quickest. `pack_samples` takes all
of the others, and again as viscous the flat ones of that material whose stiffness is damped. Rows of their cells: what
`lanes.py` lists, with the volumes of all samples in place of the slopes; then the slopes of all corners, sample after
sample.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.soft.corotational import STEEP
from engine.soft.lanes import FLAT, LAMBDA, LANES, MU, REST_ROWS, THIRD, VISCOUS_LAMBDA, VISCOUS_MU, VOLUME
from engine.soft.materials import LAWS, SoftMaterial
from engine.soft.mesh import UNIT, VolumeMesh
from engine.soft.pattern import Pattern, places_of

PAIRS = tuple((i, j) for i in range(4) for j in range(i, 4))
BRICK_PAIRS = tuple((i, j) for i in range(8) for j in range(i, 8))
FIVE = ((0, 1, 3, 4), (2, 3, 1, 6), (5, 4, 6, 1), (7, 6, 4, 3), (1, 3, 4, 6))
FIVE_MIRRORED = ((1, 2, 0, 5), (3, 0, 2, 7), (4, 7, 5, 0), (6, 5, 7, 2), (0, 2, 7, 5))
VISCOUS, DAMPED = 4, 8
_GAUSS = 0.5 + (UNIT - 0.5) / np.sqrt(3.0)


class CellBatches(NamedTuple):
    """Batches of cells with so many corners; flat arrays, batch after batch, row after row, lane after lane."""

    kinds: IntArray  # of each batch: its law, and DAMPED more if it is damped; shape [batch_count]
    nodes: IntArray  # shape [batch_count * corner_count * LANES]
    places: IntArray  # of the blocks of all pairs of corners, shape [batch_count * pair_count * LANES]
    rest: Array  # shape [batch_count * row_count * LANES]


class Springs(NamedTuple):
    """Springs along edges."""

    nodes: IntArray  # the lower point first, shape [spring_count, 2]
    places: IntArray  # of the blocks (low, low), (low, high), (high, high), shape [spring_count, 3]
    values: Array  # stiffness [N/m], length at rest [m], damping [N s/m], shape [spring_count, 3]


class PlacedBody(NamedTuple):
    """A body's cells, among the points of all bodies."""

    mesh: VolumeMesh
    material: SoftMaterial
    first: int  # its first point


def pack_tetrahedra(members: Sequence[PlacedBody], pattern: Pattern) -> CellBatches:
    """Pack the cells of the co-rotational material."""
    chosen = [each for each in members if each.material.law == "corotational"]
    found = [
        _Packed(VISCOUS if _thick(each) else 0, *_tetrahedra(each)) for each in chosen if each.mesh.shape != "edges"
    ]
    return _pack(found, pattern, PAIRS, REST_ROWS)


def pack_samples(members: Sequence[PlacedBody], pattern: Pattern, corners: int) -> CellBatches:
    """Pack the cells of other materials, and those that are damped; of four or eight corners."""
    found = []
    for each in members:
        law, shape = each.material.law, each.mesh.shape
        if law == "springs" or shape == "edges":
            continue
        whole = shape == "hexahedra" and law != "corotational"
        if whole != (corners == 8):
            continue
        nodes, rest = _bricks(each) if whole else _with_slopes(*_tetrahedra(each))
        damped = each.material.stiffness_damping > 0.0
        if law == "corotational":
            if damped and not _thick(each):
                found.append(_Packed(VISCOUS, nodes, rest))
        else:
            found.append(_Packed(LAWS.index(law) + (DAMPED if damped else 0), nodes, rest))
    samples = 8 if corners == 8 else 1
    return _pack(found, pattern, BRICK_PAIRS if corners == 8 else PAIRS, REST_ROWS + samples * corners * 3)


def _thick(member: PlacedBody) -> bool:
    """Tell whether the viscosity of co-rotational cells is added where their elasticity is."""
    return member.material.stiffness_damping > 0.0 and member.mesh.shape != "squares"


def pack_springs(members: Sequence[PlacedBody], pattern: Pattern) -> Springs:
    """Pack the edges of bodies of springs."""
    nodes, values = [np.zeros((0, 2), dtype=np.int32)], [np.zeros((0, 3))]
    for mesh, material, first in members:
        if material.law == "springs":
            nodes.append((mesh.edges + first).astype(np.int32))
            values.append(_springs(mesh, material))
    joined, numbers = np.concatenate(nodes), np.ascontiguousarray(np.concatenate(values))
    low, high = joined[:, 0], joined[:, 1]
    places = np.stack([places_of(pattern, a, b) for a, b in ((low, low), (low, high), (high, high))], axis=1)
    return Springs(np.ascontiguousarray(joined), np.ascontiguousarray(places), numbers)


def stiffness_of_pairs(members: Sequence[PlacedBody], pattern: Pattern) -> Array:
    """Give each block of a pattern the greatest factor of the cells that have both of its points."""
    found = np.ones(len(pattern.columns))
    for mesh, _, first in members:
        for i, j in itertools.combinations(range(mesh.cells.shape[1]), 2) if (mesh.factors != 1.0).any() else ():
            low, high = np.minimum(mesh.cells[:, i], mesh.cells[:, j]), np.maximum(mesh.cells[:, i], mesh.cells[:, j])
            np.maximum.at(found, places_of(pattern, low + np.int32(first), high + np.int32(first)), mesh.factors)
    return found


def _springs(mesh: VolumeMesh, material: SoftMaterial) -> Array:
    """Give each edge its share of the cells that it belongs to: E A / l0, with A l0 the share of the volume."""
    lengths = np.linalg.norm(mesh.points[mesh.edges[:, 1]] - mesh.points[mesh.edges[:, 0]], axis=1)
    corners = mesh.cells.shape[1]
    count = len(mesh.points)
    keys = mesh.edges[:, 0].astype(np.int64) * count + mesh.edges[:, 1]
    shares, factors = np.zeros(len(keys)), np.zeros(len(keys))
    sides = [(i, j) for i in range(corners) for j in range(i + 1, corners)]
    volumes = mesh.volumes * (material.thickness if mesh.shape in ("edges", "squares") else 1.0)
    for i, j in sides:
        low, high = np.minimum(mesh.cells[:, i], mesh.cells[:, j]), np.maximum(mesh.cells[:, i], mesh.cells[:, j])
        at = np.searchsorted(keys, low.astype(np.int64) * count + high)
        np.add.at(shares, at, volumes / len(sides))
        np.add.at(factors, at, mesh.factors * volumes / len(sides))
    stiffness = material.young * factors / lengths**2
    return np.stack([stiffness, lengths, material.stiffness_damping * stiffness], axis=1)


class _Packed(NamedTuple):
    kind: int
    nodes: IntArray  # shape [cell_count, corner_count]
    rest: Array  # shape [cell_count, row_count]


def _tetrahedra(member: PlacedBody) -> tuple[IntArray, Array]:
    mesh = member.mesh
    if mesh.shape == "squares":
        ring = np.arange(4)
        turns = np.stack([(ring - 1) % 4, ring, (ring + 1) % 4], axis=1)
        nodes = np.sort(mesh.cells[:, turns].reshape(-1, 3), axis=1)
        corners = mesh.points[nodes][:, :, :2]
        sides = corners[:, :2] - corners[:, 2:]
        flat_slopes = np.linalg.inv(sides).transpose(0, 2, 1)
        slopes = np.zeros((len(nodes), 3, 3))
        slopes[:, :2, :2] = flat_slopes
        slopes[:, 2, :2] = -flat_slopes.sum(axis=1)
        volumes = np.abs(np.linalg.det(sides)) / 4.0 * member.material.thickness
        nodes = np.concatenate([nodes, nodes[:, 2:]], axis=1)
        factors, flat = np.repeat(mesh.factors, 4), STEEP
    else:
        ways = np.array(FIVE + FIVE_MIRRORED) if mesh.shape == "hexahedra" else np.arange(4)[None]
        nodes = np.sort(mesh.cells[:, ways].reshape(-1, 4), axis=1)
        corners = mesh.points[nodes]
        sides = corners[:, :3] - corners[:, 3:]  # rows x_a - x_3
        slopes = np.array(np.linalg.inv(sides).transpose(0, 2, 1))
        volumes = np.abs(np.linalg.det(sides)) / (12.0 if len(ways) > 1 else 6.0)
        factors, flat = np.repeat(mesh.factors, len(ways)), 0.0
    rest = np.zeros((len(nodes), REST_ROWS))
    rest[:, :9] = slopes.reshape(-1, 9)
    rest[:, VOLUME], rest[:, FLAT] = volumes, flat
    _fill_moduli(rest, member.material, factors)
    return nodes + member.first, rest


def _with_slopes(nodes: IntArray, rest: Array) -> tuple[IntArray, Array]:
    """Lay tetrahedra out as cells of one sample."""
    slopes = np.concatenate([rest[:, :9], -rest[:, :9].reshape(-1, 3, 3).sum(axis=1)], axis=1)
    rows = np.concatenate([rest, slopes], axis=1)
    rows[:, 0] = rest[:, VOLUME]
    rows[:, 1:10] = 0.0
    rows[:, FLAT] = np.minimum(rows[:, FLAT], 1.0)
    return nodes, rows


def _bricks(member: PlacedBody) -> tuple[IntArray, Array]:
    mesh = member.mesh
    nodes = mesh.cells
    order = np.argsort(nodes, axis=1)
    corners = mesh.points[nodes]
    slopes, volumes = np.zeros((len(nodes), 8, 8, 3)), np.zeros((len(nodes), 8))
    for at, place in enumerate(_GAUSS):
        parts = np.where(UNIT == 1.0, place, 1.0 - place)
        own = np.stack([np.prod(np.delete(parts, way, 1), 1) * (2.0 * UNIT[:, way] - 1.0) for way in range(3)], axis=1)
        jacobian = np.einsum("mkx,kw->mxw", corners, own)  # dX / dxi
        slopes[:, at] = np.einsum("kw,mwx->mkx", own, np.linalg.inv(jacobian))
        volumes[:, at] = np.linalg.det(jacobian) / 8.0
    slopes = np.take_along_axis(slopes, order[:, None, :, None], axis=2)
    rest = np.zeros((len(nodes), REST_ROWS + 24 * 8))
    rest[:, REST_ROWS:] = slopes.reshape(len(nodes), -1)
    rest[:, :8] = volumes
    _fill_moduli(rest, member.material, mesh.factors)
    return np.sort(nodes, axis=1) + member.first, rest


def _fill_moduli(rest: Array, material: SoftMaterial, factors: Array) -> None:
    (mu, lam), moduli, time = material.lame, material.moduli, material.stiffness_damping
    for row, value in (
        (MU, moduli[0]),
        (LAMBDA, moduli[1]),
        (THIRD, moduli[2]),
        (VISCOUS_MU, time * mu),
        (VISCOUS_LAMBDA, time * lam),
    ):
        rest[:, row] = value * factors


def _pack(found: Sequence[_Packed], pattern: Pattern, pairs: Sequence[tuple[int, int]], rows: int) -> CellBatches:
    corners = 8 if len(pairs) == len(BRICK_PAIRS) else 4
    kinds: list[int] = []
    nodes, places, rests = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)], [np.zeros(0)]
    for kind in sorted({each.kind for each in found}):
        own = [each for each in found if each.kind == kind]
        joined = np.concatenate([each.nodes for each in own])
        rest = np.concatenate([each.rest for each in own])
        order = np.argsort(joined[:, 0], kind="stable")
        at = np.arange(-(-len(joined) // LANES) * LANES)
        last = order[np.minimum(at, len(order) - 1)]
        joined, rest = joined[last].reshape(-1, corners), rest[last].reshape(-1, rows)
        for row in (MU, LAMBDA, THIRD, VISCOUS_MU, VISCOUS_LAMBDA):
            rest[at >= len(order), row] = 0.0
        block = np.stack([places_of(pattern, joined[:, i], joined[:, j]) for i, j in pairs], axis=1)
        kinds.extend([kind] * (len(at) // LANES))
        nodes.append(_by_lanes(joined).astype(np.int32))
        places.append(_by_lanes(block).astype(np.int32))
        rests.append(_by_lanes(rest).astype(np.float64))
    return CellBatches(
        np.array(kinds, dtype=np.int32), np.concatenate(nodes), np.concatenate(places), np.concatenate(rests)
    )


def _by_lanes(values: Array | IntArray) -> Array | IntArray:
    """Turn [cell, row] into [batch, row, lane], flat."""
    return values.reshape(-1, LANES, values.shape[1]).transpose(0, 2, 1).ravel()
