"""Skinning: the vertices of a surface follow the joints of a figure.

Linear blend skinning, with S_j = X_j B_j, X_j the world transform of joint j and B_j its bind (joint from mesh):
    x = sum_j w_j S_j x_0,    n = sum_j w_j R_j n_0, normalised.
Dual quaternion skinning (Kavan, Collins, Zara and O'Sullivan 2008, ACM Trans. Graph. 27:105, algorithm 1): the
S_j as unit dual quaternions (r_j, d_j), d = 1/2 t r, are blended with the signs that put every r_j in the half space of
the heaviest influence's (antipodality), and normalised; it keeps the volume of a twisted limb. It takes the rotation
and the translation of S_j: binds are to be rigid.

A *palette* holds what the vertices blend, one row for each joint of the skin: 12 numbers of S_j (rotation row by row,
then position), or 8 of the dual quaternion (r, then d). Normals by the blended rotation are exact for rigid weights
and neglect the gradient of the weights elsewhere.

Influences of a vertex stand in falling order of weight; a weight of 0 ends the list. Palette rows are computed in
float64 and kept, like the vertices, in float32.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray
from engine.model.compile import ROW
from engine.runtime.jit import kernel

Floats = NDArray[np.float32]

LINEAR_ROW, DUAL_ROW = 12, 8


@kernel
def compose_with_bind(state: Array, at: int, bind: Array, joint: int, out_rows: Array) -> None:
    """S = X B as 12 numbers, X the rows of the state from `at`."""
    for line in range(3):
        a, b, c = state[at + 3 * line], state[at + 3 * line + 1], state[at + 3 * line + 2]
        for column in range(3):
            out_rows[3 * line + column] = (
                a * bind[joint, 0, column] + b * bind[joint, 1, column] + c * bind[joint, 2, column]
            )
        moved = a * bind[joint, 0, 3] + b * bind[joint, 1, 3] + c * bind[joint, 2, 3]
        out_rows[9 + line] = state[at + 9 + line] + moved


@kernel
def write_linear_palette(state: Array, joints: IntArray, bind: Array, out_rows: Array, out_palette: Floats) -> None:
    """Palette of linear blending. `joints` are numbers in the figure; `out_rows` is scratch, shape [12]."""
    for joint in range(joints.shape[0]):
        compose_with_bind(state, (joints[joint] + 1) * ROW, bind, joint, out_rows)
        for each in range(LINEAR_ROW):
            out_palette[joint, each] = out_rows[each]


@kernel
def write_dual_palette(state: Array, joints: IntArray, bind: Array, out_rows: Array, out_palette: Floats) -> None:
    """Palette of dual quaternions; the quaternion by Shepperd's choice of the largest component."""
    for joint in range(joints.shape[0]):
        compose_with_bind(state, (joints[joint] + 1) * ROW, bind, joint, out_rows)
        m = out_rows
        trace = m[0] + m[4] + m[8]
        if trace >= m[0] and trace >= m[4] and trace >= m[8]:
            w, x, y, z = 1.0 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1]
        elif m[0] >= m[4] and m[0] >= m[8]:
            w, x, y, z = m[7] - m[5], 1.0 + 2.0 * m[0] - trace, m[1] + m[3], m[2] + m[6]
        elif m[4] >= m[8]:
            w, x, y, z = m[2] - m[6], m[1] + m[3], 1.0 + 2.0 * m[4] - trace, m[5] + m[7]
        else:
            w, x, y, z = m[3] - m[1], m[2] + m[6], m[5] + m[7], 1.0 + 2.0 * m[8] - trace
        scale = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
        w, x, y, z = scale * w, scale * x, scale * y, scale * z
        tx, ty, tz = 0.5 * m[9], 0.5 * m[10], 0.5 * m[11]
        out_palette[joint, 0], out_palette[joint, 1], out_palette[joint, 2], out_palette[joint, 3] = w, x, y, z
        out_palette[joint, 4] = -tx * x - ty * y - tz * z
        out_palette[joint, 5] = tx * w + ty * z - tz * y
        out_palette[joint, 6] = ty * w + tz * x - tx * z
        out_palette[joint, 7] = tz * w + tx * y - ty * x


@kernel
def skin_linear(
    influences: IntArray, weights: Floats, rest: Floats, palette: Floats, out_positions: Floats, out_normals: Floats
) -> None:
    """Positions [m] and unit normals of every vertex by linear blending.

    `influences` [palette row] and `weights`, shape [vertex_count, influence_count]; `rest` holds position and normal in
    the mesh's own frame, shape [vertex_count, 6].
    """
    one = np.float32(1.0)
    for vertex in range(rest.shape[0]):
        row, weight = influences[vertex, 0], weights[vertex, 0]
        xx, xy, xz = weight * palette[row, 0], weight * palette[row, 1], weight * palette[row, 2]
        yx, yy, yz = weight * palette[row, 3], weight * palette[row, 4], weight * palette[row, 5]
        zx, zy, zz = weight * palette[row, 6], weight * palette[row, 7], weight * palette[row, 8]
        px, py, pz = weight * palette[row, 9], weight * palette[row, 10], weight * palette[row, 11]
        for each in range(1, influences.shape[1]):
            weight = weights[vertex, each]
            if weight == 0.0:
                break
            row = influences[vertex, each]
            xx, xy, xz = (
                xx + weight * palette[row, 0],
                xy + weight * palette[row, 1],
                xz + weight * palette[row, 2],
            )
            yx, yy, yz = (
                yx + weight * palette[row, 3],
                yy + weight * palette[row, 4],
                yz + weight * palette[row, 5],
            )
            zx, zy, zz = (
                zx + weight * palette[row, 6],
                zy + weight * palette[row, 7],
                zz + weight * palette[row, 8],
            )
            px, py, pz = (
                px + weight * palette[row, 9],
                py + weight * palette[row, 10],
                pz + weight * palette[row, 11],
            )
        x, y, z = rest[vertex, 0], rest[vertex, 1], rest[vertex, 2]
        out_positions[vertex, 0] = xx * x + xy * y + xz * z + px
        out_positions[vertex, 1] = yx * x + yy * y + yz * z + py
        out_positions[vertex, 2] = zx * x + zy * y + zz * z + pz
        x, y, z = rest[vertex, 3], rest[vertex, 4], rest[vertex, 5]
        nx, ny, nz = xx * x + xy * y + xz * z, yx * x + yy * y + yz * z, zx * x + zy * y + zz * z
        square = nx * nx + ny * ny + nz * nz
        scale = one / np.float32(math.sqrt(square)) if square > 0.0 else one
        out_normals[vertex, 0], out_normals[vertex, 1], out_normals[vertex, 2] = scale * nx, scale * ny, scale * nz


@kernel
def skin_dual(
    influences: IntArray, weights: Floats, rest: Floats, palette: Floats, out_positions: Floats, out_normals: Floats
) -> None:
    """Positions [m] and unit normals of every vertex by blended dual quaternions; arguments as `skin_linear`."""
    one, two, zero = np.float32(1.0), np.float32(2.0), np.float32(0.0)
    for vertex in range(rest.shape[0]):
        first = influences[vertex, 0]
        fw, fx, fy, fz = palette[first, 0], palette[first, 1], palette[first, 2], palette[first, 3]
        w, x, y, z, dw, dx, dy, dz = zero, zero, zero, zero, zero, zero, zero, zero
        for each in range(influences.shape[1]):
            weight = weights[vertex, each]
            if weight == 0.0:
                break
            row = influences[vertex, each]
            aw, ax, ay, az = palette[row, 0], palette[row, 1], palette[row, 2], palette[row, 3]
            if fw * aw + fx * ax + fy * ay + fz * az < 0.0:
                weight = -weight
            w, x, y, z = w + weight * aw, x + weight * ax, y + weight * ay, z + weight * az
            dw, dx = dw + weight * palette[row, 4], dx + weight * palette[row, 5]
            dy, dz = dy + weight * palette[row, 6], dz + weight * palette[row, 7]
        scale = one / np.float32(math.sqrt(w * w + x * x + y * y + z * z))
        w, x, y, z = scale * w, scale * x, scale * y, scale * z
        dw, dx, dy, dz = scale * dw, scale * dx, scale * dy, scale * dz
        px = two * (w * dx - dw * x + y * dz - z * dy)
        py = two * (w * dy - dw * y + z * dx - x * dz)
        pz = two * (w * dz - dw * z + x * dy - y * dx)
        for part in range(2):
            vx, vy, vz = rest[vertex, 3 * part], rest[vertex, 3 * part + 1], rest[vertex, 3 * part + 2]
            tx, ty, tz = two * (y * vz - z * vy), two * (z * vx - x * vz), two * (x * vy - y * vx)
            vx, vy, vz = (
                vx + w * tx + (y * tz - z * ty),
                vy + w * ty + (z * tx - x * tz),
                vz + w * tz + (x * ty - y * tx),
            )
            if part == 0:
                out_positions[vertex, 0] = vx + px
                out_positions[vertex, 1] = vy + py
                out_positions[vertex, 2] = vz + pz
            else:
                out_normals[vertex, 0], out_normals[vertex, 1], out_normals[vertex, 2] = vx, vy, vz
