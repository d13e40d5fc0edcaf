"""Kernels of spray, stretched along streams and flattened in sheets: the axes with which drops are drawn.

Si 2013, appendix A, after Yu and Turk 2010, "Reconstructing surfaces of particle-based fluids using anisotropic
kernels". Around each drop the weighted covariance C of its neighbours within r = 2 h (A.5 to A.7) is split into axes
R and variances (A.8), which are kept within a ratio k_r of each other (A.10), and gives the kernel's own G (A.11):

    W(d, G) = sigma det(G) P(|G d|),   G = R diag(1 / s) R^T / h.

The sum of W that the source takes a surface of is not made: drops are drawn one by one (`drops.py`).

Slips of the printed text, found by asking that W integrates to one, and that a drop alone and drops in bulk have round
kernels of the width h:

- (A.2), (A.3): sigma = -315 / (65 pi) belongs to no P. The kernel is positive; 315 / (64 pi) goes with (1 - x^2)^3, and
  P = (1 - x)^3 as printed needs 15 / pi. Here P = (1 - x^2)^3, which is smooth at its centre.
- (A.2): ||G|| must be the determinant; with a norm the integral of a stretched kernel is not one.
- before (A.10): a drop with few neighbours gets G = k_n I in the text, but s = k_n in (A.10), so G = I / (h k_n). The
  latter has the right unit, and a radius k_n h.
- (A.10): k_s = 1400 has the unit 1/m2 and holds for h = 0.04 alone. ||k_s C|| = 1 inside an even cloud gives k_s =
  1 / (0.15 r^2), since w = 1 - (d / r)^3 has a variance of 3/20 r^2 along each axis: 1042 for r = 0.08.
- (A.11): the printed inverse is right where s are standard deviations; C has variances, whose inverse would stretch
  twice as much. As both papers do, s = k_s sigma is used: k_r bounds the ratio of the kernels' axes.
- left out in the text: Yu and Turk move the centres towards the mean of neighbours, (1 - lambda) x + lambda x^w with
  lambda = 0.9, which is what makes sheets flat. Done here.

Lengths in the kernels are in cells of the grid.
"""

from __future__ import annotations

import math

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.jit import kernel
from engine.soft.projected import turn_symmetric

RATIO = 4.0  # k_r, largest ratio of axes
ALONE = 0.5  # k_n, radius of a kernel alone in h
FEW = 25  # N_epsilon: drops with no more neighbours are alone
SMOOTHING = 0.9  # lambda


@kernel
def sort_drops(places: Array, size: float, starts: IntArray, order: IntArray, counts: tuple[int, int, int]) -> None:
    """Sort drops into boxes of a size; `starts`: where each box begins in `order`, shape [boxes + 1]."""
    nx, ny, nz = counts
    starts[:] = 0
    for filling in range(2):
        for each in range(places.shape[0]):
            i = min(max(int(places[each, 0] / size), 0), nx - 1)
            j = min(max(int(places[each, 1] / size), 0), ny - 1)
            k = min(max(int(places[each, 2] / size), 0), nz - 1)
            box = (i * ny + j) * nz + k
            if filling:
                order[starts[box]] = each
                starts[box] += 1
            else:
                starts[box + 1] += 1
        if not filling:
            for box in range(nx * ny * nz):
                starts[box + 1] += starts[box]
    for box in range(nx * ny * nz, 0, -1):
        starts[box] = starts[box - 1]
    starts[0] = 0


@inlined
def round_weight(away: float) -> float:
    """Weight (A.7) of a neighbour at a distance in r."""
    return max(1.0 - away * away * away, 0.0)


@kernel
def shape_kernels(
    places: Array, h: float, starts: IntArray, order: IntArray, counts: tuple[int, int, int], out: Array
) -> None:
    """Work out each drop's kernel: centre, G (row by row), its determinant, how many drops are near, itself one of
    them; shape [drops, 14]."""
    nx, ny, nz = counts
    r = 2.0 * h
    matrix, axes, mean = np.zeros(9), np.zeros(9), np.zeros(3)
    for each in range(places.shape[0]):
        x, y, z = places[each, 0], places[each, 1], places[each, 2]
        near, total = 0, 0.0
        mean[:] = 0.0
        matrix[:] = 0.0
        for i in range(max(int(x / r) - 1, 0), min(int(x / r) + 2, nx)):
            for j in range(max(int(y / r) - 1, 0), min(int(y / r) + 2, ny)):
                for k in range(max(int(z / r) - 1, 0), min(int(z / r) + 2, nz)):
                    box = (i * ny + j) * nz + k
                    for at in range(starts[box], starts[box + 1]):
                        other = order[at]
                        a, b, c = places[other, 0] - x, places[other, 1] - y, places[other, 2] - z
                        weight = round_weight(math.sqrt(a * a + b * b + c * c) / r)
                        if weight <= 0.0:
                            continue
                        near, total = near + 1, total + weight
                        mean[0], mean[1], mean[2] = mean[0] + weight * a, mean[1] + weight * b, mean[2] + weight * c
                        matrix[0] += weight * a * a
                        matrix[1] += weight * a * b
                        matrix[2] += weight * a * c
                        matrix[4] += weight * b * b
                        matrix[5] += weight * b * c
                        matrix[8] += weight * c * c
        for a in range(3):
            mean[a] /= total
        for a in range(3):
            for b in range(a, 3):
                matrix[3 * a + b] = matrix[3 * a + b] / total - mean[a] * mean[b]
                matrix[3 * b + a] = matrix[3 * a + b]
        turn_symmetric(matrix, axes)
        set_kernel(places[each], mean, matrix, axes, h, near > FEW, out[each])
        out[each, 13] = near


@kernel
def set_kernel(place: Array, mean: Array, variances: Array, axes: Array, h: float, crowded: bool, out: Array) -> None:
    """Write one kernel from its axes and variances (A.10, A.11)."""
    scale = 1.0 / (0.15 * 4.0 * h * h)
    largest = max(variances[0], max(variances[4], variances[8]))
    determinant = 1.0
    for c in range(9):
        out[3 + c] = 0.0
    for n in range(3):
        out[n] = place[n] + (SMOOTHING * mean[n] if crowded else 0.0)
        stretch = scale * max(variances[4 * n], largest / RATIO) if crowded else ALONE
        factor = 1.0 / (h * stretch)
        determinant *= factor
        for a in range(3):
            for b in range(3):
                out[3 + 3 * a + b] += factor * axes[3 * a + n] * axes[3 * b + n]
    out[12] = determinant


def drop_kernels(places: Array, h: float, cells: tuple[int, int, int]) -> Array:
    """Kernels of drops at places [cells] in a grid, h in cells: centre, G, its determinant, how many drops are near;
    shape [drops, 14]."""
    places = np.ascontiguousarray(places, dtype=np.float64)
    if places.ndim != 2 or places.shape[1] != 3 or not np.isfinite(places).all():
        raise InvalidArguments(what="places of drops", value=places.shape, allowed="finite numbers, shape [drops, 3]")
    if not 0.0 < h <= 16.0:
        raise InvalidArguments(what="the width of a drop's kernel", value=h, allowed="above 0 and at most 16 cells")
    nx, ny, nz = (max(math.ceil(count / (2.0 * h)), 1) for count in cells)
    starts = np.zeros(nx * ny * nz + 1, dtype=np.int32)
    order = np.empty(len(places), dtype=np.int32)
    sort_drops(places, 2.0 * h, starts, order, (nx, ny, nz))
    found = np.empty((len(places), 14))
    shape_kernels(places, h, starts, order, (nx, ny, nz), found)
    return found
