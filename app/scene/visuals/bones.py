"""Bones: a slim octahedron from each joint to what it carries, and a ball at each joint; one draw call for all.

The shader stretches one unit bone between two bodies of the table, so a bone follows joints that slide, too. Its width
goes with its length up to half a metre: a hand's bones are thin, a thigh's are not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Array
from app.scene.gl import Vertices
from app.scene.picks import meet_segments
from app.scene.visuals.form import GLOBALS, Form
from app.scene.visuals.table import BodyTable
from engine.model import Bodies, Skeleton

FIELDS = (("local", 3), ("normal", 3), ("start", 1), ("end", 1), ("point", 3), ("radius", 1))
WAIST, WIDTH, LONGEST = 0.14, 0.085, 0.5  # along, half width beside the length, length [m] that counts for the width
BALL = 0.045  # radius of a joint's ball beside the length of its bones
LEAST_BALL, LONE_BALL = 0.004, 0.05  # [m]

Floats = NDArray[np.float32]

# Shared with the lines: the two ends of a bone.
FIND_ENDS = """
attribute float start;
attribute float end;
attribute vec3 point;
vec3 head;
vec3 tail;
vec3 side;
void find_ends() {
    find_body(end);
    tail = placed(point);
    find_body(start);
    head = placed(vec3(0.0));
    side = turned(vec3(1.0, 0.0, 0.0));
}
"""


class Bones(Form):
    """The form of skeletons: each item, and the number of its first body."""

    HEAD = (
        GLOBALS
        + FIND_ENDS
        + f"""
attribute vec3 local;
attribute vec3 normal;
attribute float radius;
void find() {{
    find_ends();
    vec3 way = tail - head;
    float span = max(length(way), 1e-6);
    vec3 z = way / span;
    side = abs(dot(side, z)) > 0.9 ? turned(vec3(0.0, 1.0, 0.0)) : side;
    vec3 x = normalize(side - dot(side, z) * z);
    vec3 y = cross(z, x);
    float wide = {WIDTH} * min(span, {LONGEST});
    if (radius > 0.0) {{
        away = facing = normal;
        at = head + radius * local;
    }} else {{
        vec3 across = x * local.y + y * local.z;
        at = head + z * (span * local.x) + across * wide;
        facing = normalize(z * (normal.x / span) + (x * normal.y + y * normal.z) / wide);
        away = dot(local.yz, local.yz) > 0.0 ? across : z * (local.x - 0.5);
    }}
    shade = 1.0;
    code = start;
}}
"""
    )

    def __init__(self, items: Sequence[tuple[Bodies, int]]) -> None:
        rows = np.concatenate([_rows(item, first) for item, first in items])
        self._ends = np.concatenate([ends_of(item.skeleton, first) for item, first in items])
        triangles = np.arange(len(rows), dtype=np.uint32).reshape(-1, 3)
        super().__init__(Vertices(rows, FIELDS), triangles, rows[::3, 6].astype(np.int64))

    def hit(self, table: BodyTable, code: int, origin: Array, direction: Array) -> tuple[int, float]:
        """Return where the ray comes nearest to the axis of one of the body's bones."""
        return code, meet_bones(table, self._ends, code, origin, direction)


def ends_of(skeleton: Skeleton, first: int) -> Floats:
    """Return the bones as rows: start, end and the point of the end, shape [bone_count, 5]."""
    return np.column_stack((skeleton.start + first, skeleton.end + first, skeleton.point)).astype(np.float32)


def meet_bones(table: BodyTable, ends: Floats, body: int, origin: Array, direction: Array) -> float:
    """Return how far along a ray it comes nearest to the bones of a body, or to its joint where it has none [m]."""
    head = table.transform(body)[:, 3]
    tails = [head]
    for row in ends[ends[:, 0] == body]:
        end = table.transform(int(row[1]))
        tails.append(end[:, :3] @ row[2:5] + end[:, 3])
    return meet_segments(origin, direction, np.tile(head, (len(tails), 1)), np.array(tails))


def _rows(item: Bodies, first: int) -> Floats:
    """Return the vertices of the bones of one item, then of its balls, without sharing corners."""
    ends, local, normal = ends_of(item.skeleton, first), *_octahedron()
    bones = np.empty((len(ends), len(local), 12), dtype=np.float32)
    bones[:, :, :3], bones[:, :, 3:6], bones[:, :, 6:11], bones[:, :, 11] = local, normal, ends[:, None], 0.0
    sphere = _sphere()
    balls = np.zeros((len(item.parts), len(sphere), 12), dtype=np.float32)
    balls[:, :, :3] = balls[:, :, 3:6] = sphere
    balls[:, :, 6] = balls[:, :, 7] = (np.arange(len(item.parts)) + first)[:, None]
    balls[:, :, 11] = ball_radii(item)[:, None]
    return np.concatenate((bones.reshape(-1, 12), balls.reshape(-1, 12)))


def ball_radii(item: Bodies) -> Floats:
    """Return the radii of the balls [m], by the lengths of the bones about each joint as the figure stands now."""
    skeleton, transforms = item.skeleton, item.transforms
    ends = transforms[skeleton.end]
    tails = np.einsum("bij,bj->bi", ends[:, :, :3], skeleton.point) + ends[:, :, 3]
    lengths = np.minimum(np.linalg.norm(tails - transforms[skeleton.start][:, :, 3], axis=1), LONGEST)
    radii = np.zeros(len(item.parts), dtype=np.float32)
    for joint in (skeleton.start, skeleton.end):
        np.maximum.at(radii, joint, (BALL * lengths).astype(np.float32))
    return np.maximum(radii, LEAST_BALL if len(lengths) else LONE_BALL)


def _octahedron() -> tuple[Floats, Floats]:
    """Return corners (along, across, across) of the flat faces of a unit bone, shape [24, 3], and their normals."""
    ring = [(WAIST, 1.0, 0.0), (WAIST, 0.0, 1.0), (WAIST, -1.0, 0.0), (WAIST, 0.0, -1.0)]
    head, tail = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)
    pairs = list(zip(ring, [*ring[1:], ring[0]], strict=True))
    faces = np.array([(a, b, tail) for a, b in pairs] + [(b, a, head) for a, b in pairs])
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    return faces.reshape(-1, 3).astype(np.float32), np.repeat(normals, 3, axis=0).astype(np.float32)


def _sphere() -> Floats:
    """Return the corners of the triangles of a unit ball: an octahedron cut twice, shape [count, 3]."""
    x, y, z = np.eye(3)
    faces = [(a * x, b * y, c * z)[:: int(a * b * c)] for a in (1, -1) for b in (1, -1) for c in (1, -1)]
    triangles = np.array(faces)
    for _ in range(2):
        a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
        d, e, f = (a + b) / 2, (b + c) / 2, (c + a) / 2
        triangles = np.concatenate([np.stack(each, axis=1) for each in ((a, d, f), (d, b, e), (f, e, c), (d, e, f))])
        triangles /= np.linalg.norm(triangles, axis=2, keepdims=True)
    return triangles.reshape(-1, 3).astype(np.float32)
