"""Checks that a mesh can bound a region of Euler space: closed, facing one way, crossing itself nowhere."""

from __future__ import annotations

import math

import numpy as np

from engine.limits.triangles import LEAF, build_tree, corners_of
from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidDocument
from engine.runtime.jit import kernel

_WHAT = "the mesh of a limit"


def check_mesh(positions: Array, faces: IntArray) -> None:
    """Refuse what encloses nothing: lines of two angles or triangles of three, with where it is and how often."""
    size = positions.shape[1]
    if size not in (2, 3):
        _refuse(f"one of {size} angles", "a closed line of two angles, a closed surface of three")
    if not len(faces):
        _refuse("one without faces", "a closed surface")
    _check_corners(positions, faces)
    if size == 2:
        _check_ends(positions, faces)
    else:
        _check_edges(positions, faces)
    if abs(_volume(positions, faces)) < 1e-12:
        _refuse("one that encloses nothing", "a surface with room inside")
    _check_crossings(positions, faces)


def outwards(positions: Array, faces: IntArray) -> IntArray:
    """The faces turned so that they look outwards; a modeller may have turned all of them inside out."""
    return faces if _volume(positions, faces) >= 0.0 else np.ascontiguousarray(faces[:, ::-1])


def _volume(positions: Array, faces: IntArray) -> float:
    """Signed volume [rad^3] or area [rad^2]."""
    corners = positions[faces] - positions.mean(axis=0)
    return float(np.linalg.det(corners).sum()) / math.factorial(positions.shape[1])


def _check_corners(positions: Array, faces: IntArray) -> None:
    ordered = np.sort(faces, axis=1)
    bad = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    if len(bad):
        found = f"one with {_faces(len(bad))} that name a vertex twice, the first of them face {bad[0] + 1}"
        _refuse(found, "different vertices for each face")


def _check_ends(positions: Array, lines: IntArray) -> None:
    """Each vertex that is used begins one line and ends another."""
    starts, ends = (np.bincount(lines[:, each], minlength=len(positions)) for each in range(2))
    bad = np.flatnonzero((starts != ends) | (starts > 1))
    if not len(bad):
        return
    place, many = _place(positions[bad[0]]), f"{len(bad)} vertices" if len(bad) > 1 else "one vertex"
    if starts[bad[0]] + ends[bad[0]] == 1:
        _refuse(f"a line that is open at {many}, the first at {place}", "closed lines")
    _refuse(f"lines that meet wrongly at {many}, the first at {place}", "closed lines that all lead one way round")


def _check_edges(positions: Array, faces: IntArray) -> None:
    """Each edge belongs to two faces that pass it in opposite directions."""
    directed = np.concatenate((faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]])).astype(np.int64)
    keys = np.sort(directed, axis=1) @ np.array([len(positions), 1])
    edges, at, count = np.unique(keys, return_inverse=True, return_counts=True)
    balance = np.bincount(at.ravel(), weights=np.where(directed[:, 0] < directed[:, 1], 1.0, -1.0))
    cases = (
        (count == 1, "open at", "a closed surface: fill the holes"),
        (count > 2, "shared by three faces or more at", "two faces at every edge"),
        (balance != 0.0, "turned over at", "faces that all look outwards: recalculate the normals"),
    )
    for wrong, found, allowed in cases:
        bad = edges[wrong]
        if len(bad):
            ends = " and ".join(_place(positions[each]) for each in divmod(int(bad[0]), len(positions)))
            many = "one edge, between" if len(bad) == 1 else f"{len(bad):,} edges, the first between"
            _refuse(f"one that is {found} {many} {ends}", allowed)


def _check_crossings(positions: Array, faces: IntArray) -> None:
    corners = corners_of(positions, faces)
    edges = np.unique(np.sort(faces[:, :2] if faces.shape[1] == 2 else _sides(faces), axis=1), axis=0)
    if faces.shape[1] == 2:
        found = _crossing_lines(positions, edges)
    else:
        tree = build_tree(corners)
        found = np.empty((1, 2), dtype=np.int32)
        count = find_piercings(tree.boxes, tree.corners, faces[tree.numbers], positions, edges, found)
        found = found[: min(count, 1)]
        if count:
            _refuse_crossing(positions, edges[found[0, 0]], count)
        return
    if len(found):
        _refuse_crossing(positions, edges[found[0]], len(found))


def _sides(faces: IntArray) -> IntArray:
    return np.concatenate((faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]))


def _crossing_lines(positions: Array, lines: IntArray) -> IntArray:
    """The lines that properly cross a later one."""
    found = []
    a, b = positions[lines[:, 0]], positions[lines[:, 1]]
    for line in range(len(lines) - 1):
        later = slice(line + 1, None)
        c, d = a[later], b[later]
        apart = _side(a[line], b[line], c) * _side(a[line], b[line], d)
        across = _side(c, d, a[line]) * _side(c, d, b[line])
        if ((apart < 0.0) & (across < 0.0)).any():
            found.append(line)
    return np.array(found, dtype=np.int32)


def _side(a: Array, b: Array, c: Array) -> Array:
    way, to = b - a, c - a
    return np.asarray(way[..., 0] * to[..., 1] - way[..., 1] * to[..., 0])


@kernel
def find_piercings(
    boxes: Array, corners: Array, faces: IntArray, positions: Array, edges: IntArray, out_first: IntArray
) -> int:
    """Count the edges that pierce a triangle that they share no vertex with; the first edge and its triangle."""
    stack = np.empty(64, dtype=np.int64)
    first_leaf = boxes.shape[0] // 2
    count = 0
    for edge in range(edges.shape[0]):
        start, end = positions[edges[edge, 0]], positions[edges[edge, 1]]
        stack[0], depth, pierced = 0, 1, -1
        while depth > 0 and pierced < 0:
            depth -= 1
            box = stack[depth]
            meets = True
            for axis in range(3):
                if max(start[axis], end[axis]) < boxes[box, axis] or min(start[axis], end[axis]) > boxes[box, 3 + axis]:
                    meets = False
            if not meets:
                continue
            if box < first_leaf:
                stack[depth], stack[depth + 1] = 2 * box + 1, 2 * box + 2
                depth += 2
                continue
            leaf = (box - first_leaf) * LEAF
            for triangle in range(leaf, min(leaf + LEAF, corners.shape[0])):
                shared = False
                for corner in range(3):
                    if faces[triangle, corner] == edges[edge, 0] or faces[triangle, corner] == edges[edge, 1]:
                        shared = True
                if not shared and pierces(start, end, corners[triangle]):
                    pierced = triangle
        if pierced >= 0:
            if count == 0:
                out_first[0, 0], out_first[0, 1] = edge, pierced
            count += 1
    return count


@kernel
def pierces(start: Array, end: Array, corners: Array) -> bool:
    """Tell whether the inside of a line goes through a triangle or its border; no, where it lies in the plane."""
    ux, uy, uz = corners[3] - corners[0], corners[4] - corners[1], corners[5] - corners[2]
    vx, vy, vz = corners[6] - corners[0], corners[7] - corners[1], corners[8] - corners[2]
    dx, dy, dz = end[0] - start[0], end[1] - start[1], end[2] - start[2]
    px, py, pz = dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx
    det = ux * px + uy * py + uz * pz
    sx, sy, sz = start[0] - corners[0], start[1] - corners[1], start[2] - corners[2]
    qx, qy, qz = sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux
    if det < 0.0:
        det, px, py, pz, qx, qy, qz = -det, -px, -py, -pz, -qx, -qy, -qz
    sizes = (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz) * (dx * dx + dy * dy + dz * dz)
    if det <= 1e-9 * math.sqrt(sizes):
        return False
    least = 1e-9 * det
    v, w, t = sx * px + sy * py + sz * pz, dx * qx + dy * qy + dz * qz, vx * qx + vy * qy + vz * qz
    return bool(v > -least and w > -least and v + w < det + least and t > least and t < det - least)


def _refuse_crossing(positions: Array, edge: IntArray, count: int) -> None:
    many = "one edge" if count == 1 else f"{count:,} edges"
    found = f"one that crosses itself at {many}, the first from {' to '.join(_place(positions[each]) for each in edge)}"
    _refuse(found, "a surface that crosses itself nowhere")


def _refuse(found: str, allowed: str) -> None:
    raise InvalidDocument(what=_WHAT, value=found, allowed=allowed)


def _faces(count: int) -> str:
    return "one face" if count == 1 else f"{count:,} faces"


def _place(angles: Array) -> str:
    return "(" + ", ".join(f"{each:.1f}" for each in np.degrees(angles)) + ")°"
