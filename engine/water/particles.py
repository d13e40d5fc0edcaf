"""The particle level set: particles on both sides of the surface, which mend the level set where it has lost them.

Enright, Fedkiw, Ferziger and Mitchell 2002, "A hybrid particle level set method for improved interface capturing".
A particle is a sphere that touches the surface: radius r = s phi(x), held between 0.1 and 0.5 cells, s = -1 in the
water and 1 above it. All go along with the flow. One that is found on the wrong side by more than its radius has
*escaped*: there the level set is wrong, and the spheres of escaped particles correct it at the middles of the cells
around them,

    phi+ = max(phi, r - |x - x_p|) over s = 1,   phi- = min(phi, |x - x_p| - r) over s = -1,

of which the one of smaller size becomes phi. Reseeding brings the particles in a cell near the surface back to a
number, forgets those that are far from it and keeps those that have escaped; places come from a hash of seed, count of
reseedings, cell and number, so that the same run has the same bytes.

A row of `particles` is x, y, z [cells] and s r [cells].
"""

from __future__ import annotations

import math

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.water.interpolation import sample_gradient, sample_linear, sample_velocity

LEAST, MOST = 0.1, 0.5  # [cells], radii
SEEDED = 2.0  # [cells] from the surface: where particles are


@inlined
def hash_unit(seed: int, place: int, number: int) -> float:
    """Hash three whole numbers to a number from 0 up to 1."""
    a = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(place)
    for _ in range(2):
        a = (a ^ (a >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        a = (a ^ (a >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        a = (a ^ (a >> np.uint64(31))) + np.uint64(number) * np.uint64(0xD1342543DE82EF95)
    return float(a >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def move_particles(particles: Array, count: int, u: Array, v: Array, w: Array, scale: float) -> None:
    """Move particles along with the flow, by the midpoint rule, within the walls."""
    nx, ny, nz = u.shape[0] - 1, v.shape[1] - 1, w.shape[2] - 1
    wall = 1e-3
    for each in range(count):
        x, y, z = particles[each, 0], particles[each, 1], particles[each, 2]
        a, b, c = sample_velocity(u, v, w, x, y, z)
        half = 0.5 * scale
        a, b, c = sample_velocity(u, v, w, x + half * a, y + half * b, z + half * c)
        particles[each, 0] = min(max(x + scale * a, wall), nx - wall)
        particles[each, 1] = min(max(y + scale * b, wall), ny - wall)
        if nz > 1:
            particles[each, 2] = min(max(z + scale * c, wall), nz - wall)


@inlined
def mark_sphere(x: float, y: float, z: float, signed: float, h: float, plus: Array, minus: Array) -> None:
    """Let an escaped particle correct the cells whose middles are around it; `x, y, z` counted in middles."""
    nx, ny, nz = plus.shape
    radius = abs(signed)
    i, j, k = math.floor(x), math.floor(y), math.floor(z)
    for a in range(max(i, 0), min(i + 2, nx)):
        for b in range(max(j, 0), min(j + 2, ny)):
            for c in range(max(k, 0), min(k + 2, nz)):
                away = math.sqrt((x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2)
                if signed > 0.0:
                    plus[a, b, c] = max(plus[a, b, c], (radius - away) * h)
                else:
                    minus[a, b, c] = min(minus[a, b, c], (away - radius) * h)


@inlined
def join_sides(plus: Array, minus: Array, phi: Array) -> None:
    """Give phi the correction of smaller size."""
    nx, ny, nz = phi.shape
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                over, under = plus[i, j, k], minus[i, j, k]
                phi[i, j, k] = over if abs(over) <= abs(under) else under


@kernel
def correct_surface(particles: Array, count: int, phi: Array, h: float, solid: Array, plus: Array, minus: Array) -> int:
    """Correct phi by the particles that have escaped and are in no solid; how many.

    `solid`: signed distance to solids [m] at the middles of cells, or one number for none.
    """
    plus[:] = phi
    minus[:] = phi
    escaped = 0
    for each in range(count):
        x, y, z = particles[each, 0] - 0.5, particles[each, 1] - 0.5, particles[each, 2] - 0.5
        signed = particles[each, 3]
        far = sample_linear(phi, x, y, z)
        if (far if signed > 0.0 else -far) >= -abs(signed) * h:
            continue
        if solid.size > 1 and sample_linear(solid, x, y, z) < 0.0:
            continue
        escaped += 1
        mark_sphere(x, y, z, signed, h, plus, minus)
    if escaped:
        join_sides(plus, minus, phi)
    return escaped


@kernel
def settle_particles(particles: Array, count: int, phi: Array, h: float, shifts: Array) -> None:
    """Move particles outwards with a surface that has been moved by `shifts` [cells]; give them their radii anew."""
    nx, ny, nz = phi.shape
    wall = 1e-3
    for each in range(count):
        signed = particles[each, 3]
        x, y, z = particles[each, 0], particles[each, 1], particles[each, 2]
        shift = sample_linear(shifts, x - 0.5, y - 0.5, z - 0.5)
        if shift == 0.0:
            far = sample_linear(phi, x - 0.5, y - 0.5, z - 0.5) / h
        else:
            far, a, b, c = sample_gradient(phi, x - 0.5, y - 0.5, z - 0.5)
            far = far / h + shift
            by = shift / max(math.sqrt(a * a + b * b + c * c), 1e-9 * h)
            particles[each, 0] = min(max(x + by * a, wall), nx - wall)
            particles[each, 1] = min(max(y + by * b, wall), ny - wall)
            if nz > 1:
                particles[each, 2] = min(max(z + by * c, wall), nz - wall)
        if signed > 0.0:
            if far > -signed:
                particles[each, 3] = min(max(far, LEAST), MOST)
        elif far < -signed:
            particles[each, 3] = -min(max(-far, LEAST), MOST)


@kernel
def count_particles(
    particles: Array, count: int, phi: Array, h: float, per_cell: int, cells: IntArray, keeps: IntArray
) -> int:
    """Work out what reseeding does: which particles stay (`keeps`), and where each cell's begin (`cells`, shape
    [cells + 1, 2]: where, how many of the old ones). How many there will be."""
    nx, ny, nz = phi.shape
    cells[:] = 0
    for each in range(count):
        x, y, z, signed = particles[each, 0], particles[each, 1], particles[each, 2], particles[each, 3]
        far = sample_linear(phi, x - 0.5, y - 0.5, z - 0.5) / h
        astray = far < -signed if signed > 0.0 else far > -signed
        place = (int(x) * ny + int(y)) * nz + int(z)
        stays = astray or (abs(far) <= SEEDED and cells[place, 1] < 2 * per_cell)
        keeps[each] = place if stays else -1
        if stays:
            cells[place, 1] += 1
    total = 0
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                place = (i * ny + j) * nz + k
                cells[place, 0] = total
                near = abs(phi[i, j, k]) <= (SEEDED - 0.5) * h
                total += per_cell if near and 2 * cells[place, 1] < per_cell else cells[place, 1]
    cells[nx * ny * nz, 0] = total
    return total


@kernel
def seed_particles(
    particles: Array, count: int, phi: Array, h: float, seed: int, cells: IntArray, keeps: IntArray, out: Array
) -> None:
    """Put the particles that stay into the order of their cells, and new ones where there are too few."""
    _, ny, nz = phi.shape
    cells[:, 1] = 0
    for each in range(count):
        place = keeps[each]
        if place >= 0:
            to = cells[place, 0] + cells[place, 1]
            cells[place, 1] += 1
            for c in range(4):
                out[to, c] = particles[each, c]
    for place in range(cells.shape[0] - 1):
        first, last = cells[place, 0] + cells[place, 1], cells[place + 1, 0]
        i, j, k = place // (ny * nz), (place // nz) % ny, place % nz
        for to in range(first, last):
            number = 3 * (to - cells[place, 0])
            x = i + 0.002 + 0.996 * hash_unit(seed, place, number)
            y = j + 0.002 + 0.996 * hash_unit(seed, place, number + 1)
            z = k + 0.002 + 0.996 * hash_unit(seed, place, number + 2) if nz > 1 else 0.5
            far = sample_linear(phi, x - 0.5, y - 0.5, z - 0.5) / h
            out[to, 0], out[to, 1], out[to, 2] = x, y, z
            out[to, 3] = math.copysign(min(max(abs(far), LEAST), MOST), far)
