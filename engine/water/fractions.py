"""How much of each face of a grid solids close, and how they move there.

A face is closed where its corners' distances, interpolated along its edges, are negative (marching squares), so that
shares change smoothly as a body moves. What one closed face does is kept in a record for each frame that moves the
surface there: with e the face's axis, x its middle, o the frame's origin and s the frame's share, the solid moves at

    own + sum over frames of s (e . v + (x - o) x e . w)

along the axis, v and w being the frame's velocities; `own` is what the surface moves beside its frames. Taken with the
closed share of the face the same numbers tell how pressure pushes each frame, so that the water gets back what it
gives: of any motion of all water and bodies along an axis no cell is filled or emptied.

A body that bends, and one whose speeds are known at its skin alone, moves at the faces of a cell within as if it
swelled there. Where such a cell is open at a corner only, by a thousandth of a face, all of that would have to pass
there: 18 m/s and 5 bar about a duck at rest. So with f the least closed share of a cell's faces the flow out of it is

    sum over faces of sign (closed - f) speed

of which the second part is nothing for rigid bodies, and grows from nothing as the cell fills. Pressure pushes by the
same shares; the second part of that adds up to no force along any axis.

Upright faces of the surface, between a wet cell and a dry one above it, stand for the surface itself, which is up to
half a cell higher or lower: they are as closed as the bodies' section at the water's level there. So a body that lies
in the top layer of cells alone pushes water as soon as it touches it.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from engine.maths.arrays import Array, BoolArray, IntArray, LongArray
from engine.runtime.jit import kernel
from engine.runtime.quick_dataclass import dataclass
from engine.water.boundaries import Shares
from engine.water.distances import Distances
from engine.water.grid import WaterGrid
from engine.water.joined import RigidFrames, Surfaces

AXIS, FACE, LEFT, RIGHT, FRAME, SURFACE, TRIANGLE, INTS = range(8)
CLOSED, OWN, MOTION, WHERE, FILLED, FLOATS = 0, 1, 2, 8, 11, 13
SIDES = (LEFT, FILLED, 1.0), (RIGHT, FILLED + 1, -1.0)  # of a record: cell, share of it that is filled, sign
LEAST_OPEN = 1e-6  # share of a face: less is none, else rounding would leave pores in what lies against a wall


@dataclass(frozen=True, kw_only=True, eq=False)
class SolidFaces:
    """Open shares of the faces across x, y and z, and records of what closes them."""

    grid: WaterGrid
    weights: tuple[Shares, Shares, Shares]
    ints: IntArray  # shape [count, INTS]; cells of -1 are none
    floats: Array  # closed share of the face, own speed [m/s], motion (6), where on the triangle (3), filled cells (2)

    @cached_property
    def is_open(self) -> BoolArray:
        """Which cells have an open face."""
        u, v, w = self.weights
        return np.asarray(
            (u[1:] > 0) | (u[:-1] > 0) | (v[:, 1:] > 0) | (v[:, :-1] > 0) | (w[:, :, 1:] > 0) | (w[:, :, :-1] > 0)
        )

    def velocities(self, frames: Array) -> tuple[Array, Array, Array]:
        """Velocities of solids along the axis at all faces [m/s], where frames move as given, shape [count, 6]."""
        speeds, out = self._speeds(frames), []
        for axis, shape in enumerate(self.grid.faces):
            own = self.ints[:, AXIS] == axis
            size = shape[0] * shape[1] * shape[2]
            found = np.bincount(self.ints[own, FACE], weights=speeds[own], minlength=size)
            out.append(found.astype(np.float64, copy=False).reshape(shape))
        return out[0], out[1], out[2]

    def _speeds(self, frames: Array) -> Array:
        """Give what each record adds to the speed of its face [m/s]."""
        frame = self.ints[:, FRAME]
        moved = np.einsum("ij,ij->i", self.floats[:, MOTION:WHERE], frames[frame])
        return np.asarray(self.floats[:, OWN] + np.where(frame >= 0, moved, 0.0))

    def swelling(self, frames: Array) -> Array | None:
        """Find what flows out of the filled share of each cell because what fills it is no rigid body [m/s]: no water
        does. None where nothing is filled."""
        if not self.floats[:, FILLED:].any():
            return None
        speeds, out = self._speeds(frames), np.zeros(self.grid.cells)
        for side, filled, sign in SIDES:
            there = np.flatnonzero(self.floats[:, filled])
            np.add.at(out.reshape(-1), self.ints[there, side], sign * self.floats[there, filled] * speeds[there])
        return out

    def driven(self, frames: Array) -> Array:
        """The flow that frames that move so drive out of each cell, as a share of a face's area times speed [m/s]."""
        frame = self.ints[:, FRAME]
        speeds = np.einsum("ij,ij->i", self.floats[:, MOTION:WHERE], frames[frame])
        speeds[frame < 0] = 0.0
        out, found = np.zeros(self.grid.cells), self.ints
        for side, filled, sign in SIDES:
            there = found[:, side] >= 0
            amounts = (self.floats[:, CLOSED] - self.floats[:, filled]) * speeds
            np.add.at(out.reshape(-1), found[there, side], sign * amounts[there])
        return out

    def pushed(self, pressure: Array, count: int) -> Array:
        """Forces and torques about their origins that pressure [Pa] in cells puts on frames, shape [count, 6]."""
        return self.pushed_by(self.pushes(pressure), count)

    def pushed_by(self, pushes: Array, count: int) -> Array:
        """Gather pushes of the records [N] on frames, shape [count, 6]."""
        moving = self.ints[:, FRAME] >= 0
        out = np.zeros((count, 6))
        np.add.at(out, self.ints[moving, FRAME], pushes[moving, None] * self.floats[moving, MOTION:WHERE])
        return out

    def pushed_vertices(self, pressure: Array, surfaces: Surfaces) -> Array:
        """Forces that pressure [Pa] in cells puts on the vertices of surfaces, [N], as numbered through."""
        return self.vertices_pushed_by(self.pushes(pressure), surfaces)

    def vertices_pushed_by(self, pushes: Array, surfaces: Surfaces) -> Array:
        """Gather pushes of the records [N] on the vertices of surfaces."""
        out = np.zeros_like(surfaces.points)
        alone = np.flatnonzero(self.ints[:, TRIANGLE] >= 0)
        _, first = np.unique(self.ints[alone, AXIS].astype(np.int64) << 32 | self.ints[alone, FACE], return_index=True)
        found = alone[np.sort(first)]
        for corner in range(3):
            vertex = surfaces.triangles[self.ints[found, TRIANGLE], corner]
            np.add.at(out, (vertex, self.ints[found, AXIS]), pushes[found] * self.floats[found, WHERE + corner])
        return out

    def still_pushes(self, wet: BoolArray, levels: Array, weight: float) -> Array:
        """Find how still water of a specific weight [N/m3] in wet cells pushes, up to the level of each surface
        (`hydrostatics.own_levels`)."""
        pressures, flat, own = [], np.append(wet.reshape(-1), [False]), levels[self.ints[:, SURFACE]]
        for side in (LEFT, RIGHT):
            cell = self.ints[:, side]
            x, y, z = (self.grid.origin[axis] + self.grid.spacing * (at + 0.5) for axis, at in self._places(cell))
            depth = own[:, 0] + own[:, 1] * x + own[:, 2] * z - y
            pressures.append(np.where(flat[cell], weight * np.maximum(depth, 0.0), 0.0))
        return self._pushes(pressures[0], pressures[1])

    def _places(self, cells: IntArray) -> tuple[tuple[int, IntArray], ...]:
        _, ny, nz = self.grid.cells
        return (0, cells // (ny * nz)), (1, cells // nz % ny), (2, cells % nz)

    def pushes(self, pressure: Array) -> Array:
        """Force along the axis on what closes the face of each record [N]."""
        flat = np.append(pressure.reshape(-1), 0.0)  # where -1 leads
        return self._pushes(flat[self.ints[:, LEFT]], flat[self.ints[:, RIGHT]])

    def _pushes(self, left: Array, right: Array) -> Array:
        within = self.floats[:, FILLED] * left - self.floats[:, FILLED + 1] * right
        return np.asarray((self.floats[:, CLOSED] * (left - right) - within) * self.grid.spacing**2)


def close_faces(
    grid: WaterGrid,
    weights: tuple[Shares, Shares, Shares],
    distances: Distances,
    surfaces: Surfaces,
    frames: RigidFrames,
    water: tuple[Array, Array] | None = None,
) -> SolidFaces:
    """Close faces by solids, of open shares that walls leave; `water`: distance to its surface in cells [m], and the
    level of each column [m] (`hydrostatics.surface_heights`), where faces of the surface stand for it."""
    if water is None:
        water = np.ones((1, 1, 1)), np.zeros((1, 1))
    open_shares = [each.copy() for each in weights]
    box = np.array(
        [*(each.start for each in distances.box), *(each.stop for each in distances.box), *distances.values.shape],
        dtype=np.int64,
    )
    room = np.array((*grid.origin, grid.spacing))
    moving = np.concatenate((frames.origins, frames.velocities), axis=1)
    nodes = distances.values.reshape(-1), distances.surface.reshape(-1), distances.triangle.reshape(-1)
    capacity = 64 + 6 * int(np.count_nonzero(distances.values[distances.box] < 0.0))
    while True:
        ints, floats, count = np.zeros((capacity, INTS), dtype=np.int32), np.zeros((capacity, FLOATS)), 0
        for axis in range(2 if grid.planar else 3):
            given = weights[axis], open_shares[axis]
            count = write_records(axis, count, nodes, box, room, water, surfaces, moving, *given, ints, floats)
        if count <= capacity:
            break
        capacity = count
    shares = open_shares[0], open_shares[1], open_shares[2]
    fill_cells(ints[:count], surfaces.rigid, 4 if grid.planar else 6, np.zeros((2, math.prod(grid.cells))), floats)
    return SolidFaces(grid=grid, weights=shares, ints=ints[:count], floats=floats[:count])


@kernel
def closed_share(a: float, b: float, c: float, d: float) -> float:
    """Share of a square that is negative, by values at its corners, which follow each other around it."""
    values, xs, ys = (a, b, c, d), (0.0, 1.0, 1.0, 0.0), (0.0, 0.0, 1.0, 1.0)
    twice, first_x, first_y, last_x, last_y, begun = 0.0, 0.0, 0.0, 0.0, 0.0, False
    for corner in range(4):
        after = (corner + 1) % 4
        here, there = values[corner], values[after]
        for part in range(2):
            x, y, counts = xs[corner], ys[corner], here < 0.0
            if part == 1:
                counts = (here < 0.0) != (there < 0.0)
                share = here / (here - there) if counts else 0.0
                x, y = x + share * (xs[after] - x), y + share * (ys[after] - y)
            if not counts:
                continue
            if begun:
                twice += last_x * y - last_y * x
            else:
                first_x, first_y, begun = x, y, True
            last_x, last_y = x, y
    twice += last_x * first_y - last_y * first_x
    return float(0.5 * twice)


@kernel
def write_records(
    axis: int,
    count: int,
    nodes: tuple[Array, IntArray, IntArray],
    box: LongArray,
    room: Array,
    water: tuple[Array, Array],
    surfaces: Surfaces,
    moving: Array,
    weights: Shares,
    out_weights: Shares,
    out_ints: IntArray,
    out_floats: Array,
) -> int:
    """Close the faces across an axis, and write records from number `count` on; how many there are now, written or
    not."""
    (values, nearest_surface, nearest_triangle), (phi, levels) = nodes, water
    strides = (box[7] * box[8], box[8], 1 if box[8] > 1 else 0)  # of nodes
    one, two = strides[1 if axis == 0 else 0], strides[1 if axis == 2 else 2]  # along the face
    found, amounts = np.empty(64, np.int64), np.empty((64, 7))
    where, at, value = np.empty(3), np.empty(3), np.empty(4)
    rows, deep = weights.shape[1], weights.shape[2]
    for i in range(box[0], min(box[3], weights.shape[0])):
        for j in range(box[1], min(box[4], rows)):
            for k in range(box[2], min(box[5], deep)):
                if weights[i, j, k] == 0.0:
                    continue
                node, share, shift = i * strides[0] + j * strides[1] + k * strides[2], 0.0, 0
                if axis == 1 and phi.size > 1 and 0 < j < rows - 1 and phi[i, j - 1, k] < 0.0 <= phi[i, j, k]:
                    share = min(max((levels[i, k] - room[1]) / room[3] - j, -1.0), 1.0)
                    shift, share = (strides[1] if share > 0.0 else -strides[1]), abs(share)
                deepest, best = np.inf, node
                for corner in range(4):
                    other = node + (one if 1 <= corner <= 2 else 0) + (two if corner >= 2 else 0)
                    value[corner] = values[other] + share * (values[other + shift] - values[other])
                    if value[corner] < deepest:
                        deepest, best = value[corner], other
                if deepest >= 0.0:
                    continue
                if (share > 0.5 and nearest_surface[best + shift] >= 0) or nearest_surface[best] < 0:
                    best += shift
                else:
                    shift = 0
                owner, triangle = nearest_surface[best], -1
                if owner < 0:
                    continue
                closest = -np.inf
                for corner in range(4):
                    other = node + (one if 1 <= corner <= 2 else 0) + (two if corner >= 2 else 0) + shift
                    known = nearest_triangle[other] >= 0 and nearest_surface[other] == owner
                    if known and values[other] > closest:
                        closest, triangle = values[other], nearest_triangle[other]
                closed = closed_share(value[0], value[1], value[2], value[3])
                closed = closed if closed < 1.0 - LEAST_OPEN else 1.0
                out_weights[i, j, k] = weights[i, j, k] * (1.0 - closed)
                for way in range(3):
                    at[way] = room[way] + room[3] * ((i, j, k)[way] + (0.0 if way == axis else 0.5))
                moved = move_face(axis, at, owner, triangle, surfaces, moving, found, amounts, where)
                for each in range(max(moved, 1)):
                    if count < out_ints.shape[0]:
                        ints, floats = out_ints[count], out_floats[count]
                        ints[0], ints[1] = axis, (i * rows + j) * deep + k
                        write_cells(axis, i, j, k, weights.shape, ints)
                        ints[4] = found[each] if moved > 0 else -1
                        ints[5], ints[6] = owner, found[63]
                        floats[0] = np.float64(weights[i, j, k]) - np.float64(out_weights[i, j, k])
                        floats[1] = amounts[63, 0] if each == 0 else 0.0
                        for number in range(6):
                            floats[2 + number] = amounts[each, number] if moved > 0 else 0.0
                        for number in range(3):
                            floats[8 + number] = where[number]
                    count += 1
    return count


@kernel
def fill_cells(ints: IntArray, rigid: IntArray, sides: int, room: Array, out_floats: Array) -> None:
    """Write the filled share of the cells beside each face: the least closed share of a cell's faces, where one surface
    that is not rigid, of known speed, closes all of them a little; zero elsewhere. room: two numbers of each cell."""
    least, found = room  # found: faces so far, or fewer than none where that cannot be
    owners = np.full(room.shape[1], -1, np.int32)
    for each in range(ints.shape[0]):
        if each > 0 and ints[each, 0] == ints[each - 1, 0] and ints[each, 1] == ints[each - 1, 1]:
            continue  # one more frame of the same face
        for side in range(2):
            cell, owner = ints[each, 2 + side], ints[each, 5]
            if cell < 0:
                continue
            if owners[cell] < 0:
                owners[cell], least[cell] = owner, 1.0
            if owners[cell] != owner or rigid[owner] >= 0 or ints[each, 6] < 0:
                found[cell] = -12.0
            least[cell] = min(least[cell], out_floats[each, 0])
            found[cell] += 1.0
    for each in range(ints.shape[0]):
        for side in range(2):
            cell = ints[each, 2 + side]
            if cell >= 0 and found[cell] == sides:
                out_floats[each, 11 + side] = least[cell]


@kernel
def write_cells(axis: int, i: int, j: int, k: int, shape: tuple[int, int, int], out_ints: IntArray) -> None:
    """Write the numbers of the cells before and behind a face, -1 for none."""
    ny, nz = shape[1] - (axis == 1), shape[2] - (axis == 2)
    step = (ny * nz, nz, 1)[axis]
    place, last = (i, j, k)[axis], shape[axis] - 1
    behind = (i * ny + j) * nz + k
    out_ints[2] = behind - step if place > 0 else -1
    out_ints[3] = behind if place < last else -1


@kernel
def move_face(
    axis: int,
    at: Array,
    surface: int,
    triangle: int,
    surfaces: Surfaces,
    moving: Array,
    out_found: LongArray,
    out_amounts: Array,
    out_where: Array,
) -> int:
    """Find the frames that move a surface at a place and what each does along the axis; how many they are.

    The last entry holds the triangle, numbered through, and the speed beside that of the frames. What bends is taken at
    the nearest place on its surface, where pressure goes to its vertices: so both turn it alike. `at` becomes that.
    """
    out_found[63], out_amounts[63, 0] = -1, 0.0
    frame, count = surfaces.rigid[surface], 0
    if triangle >= 0:
        triangle += surfaces.first[surface]
        out_found[63] = triangle
        write_place(surfaces.points, surfaces.triangles[triangle], at, out_where)
    if frame >= 0:
        out_found[0], count = frame, 1
        write_motion(axis, 1.0, at, moving[frame], out_amounts[0])
        return count
    if triangle < 0:
        return 0
    corners = surfaces.triangles[triangle]
    speed = 0.0
    for corner in range(3):
        vertex = corners[corner]
        speed += out_where[corner] * surfaces.velocities[vertex, axis]
        for column in range(surfaces.frames.shape[1]):
            frame, share = surfaces.frames[vertex, column], out_where[corner] * surfaces.shares[vertex, column]
            if frame < 0 or share == 0.0:
                continue
            place = 0
            while place < count and out_found[place] != frame:
                place += 1
            if place == count:
                count += 1
                out_found[place], out_amounts[place, 6] = frame, 0.0
            out_amounts[place, 6] += share
    for way in range(3):
        at[way] = 0.0
        for corner in range(3):
            at[way] += out_where[corner] * surfaces.points[corners[corner], way]
    for place in range(count):
        frame = out_found[place]
        write_motion(axis, out_amounts[place, 6], at, moving[frame], out_amounts[place])
        for number in range(6):
            speed -= out_amounts[place, number] * moving[frame, 3 + number]
    out_amounts[63, 0] = speed
    return count


@kernel
def write_motion(axis: int, share: float, at: Array, moving: Array, out_amounts: Array) -> None:
    """Write what unit velocities of a frame, then unit turning, do at a place along the axis."""
    after, before = (axis + 1) % 3, (axis + 2) % 3
    out_amounts[:6] = 0.0
    out_amounts[axis] = share
    out_amounts[3 + after] = share * (at[before] - moving[before])
    out_amounts[3 + before] = -share * (at[after] - moving[after])


@kernel
def write_place(points: Array, corners: IntArray, at: Array, out_where: Array) -> None:
    """Write the barycentric coordinates of the place on a triangle that is below a point, or near to it."""
    a, b, c = points[corners[0]], points[corners[1]], points[corners[2]]
    uu = uv = vv = pu = pv = 0.0
    for axis in range(3):
        u, v, p = b[axis] - a[axis], c[axis] - a[axis], at[axis] - a[axis]
        uu, uv, vv, pu, pv = uu + u * u, uv + u * v, vv + v * v, pu + p * u, pv + p * v
    area = uu * vv - uv * uv
    second = (vv * pu - uv * pv) / area if area > 0.0 else 0.0
    third = (uu * pv - uv * pu) / area if area > 0.0 else 0.0
    second, third = min(max(second, 0.0), 1.0), min(max(third, 0.0), 1.0)
    total = max(second + third, 1.0)
    out_where[0], out_where[1], out_where[2] = 1.0 - (second + third) / total, second / total, third / total
