"""Water as particles that carry its velocity, on the same projection: FLIP and APIC.

Zhu and Bridson 2005, "Animating sand as a fluid"; Jiang et al. 2015, "The affine particle-in-cell method". A step gives
the particles' velocities to the faces of cells (linear weights), which are then projected as any others, takes the
velocities back, moves the particles along and makes a level set of them.

    FLIP  v_p = BLEND (v_p + (u_new - u_old)(x_p)) + (1 - BLEND) u_new(x_p)
    APIC  v_p = u_new(x_p), and the rows of C_p = the gradient of u_new at x_p, which go to faces as v_p + C_p (x - x_p)

FLIP keeps eddies and noise, APIC angular momentum without noise. The level set is |x - mean(x_p)| - RADIUS around
particles near the surface, the mean weighted by (1 - (d / 1.5)^2)^3 within 1.5 cells; it is redistanced afterwards.

A row of `particles` is x, y, z [cells], velocity [m/s] and, for APIC, C row by row [1/s].
"""

from __future__ import annotations

import math

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.jit import kernel
from engine.water.interpolation import sample_gradient, sample_linear, sample_velocity
from engine.water.particles import hash_unit

PER_SIDE = 2  # particles along each side of a cell
BLEND = 0.97
RADIUS = 0.42  # [cells], of a particle: where the surface is, beyond the outermost ones
_REACH = 1.5  # [cells]
LOOSE = 24  # particles in 27 cells, 216 in the water's midst, among which one is seen by itself
DROP = 0.31  # [cells], radius of a ball as large as the water that a particle stands for
PLAIN, AFFINE = 6, 15  # columns


@kernel
def fill_particles(phi: Array, seed: int, particles: Array) -> int:
    """Put jittered particles into the water, where they still fit; how many there are."""
    nx, ny, nz = phi.shape
    deep = PER_SIDE if nz > 1 else 1
    count = 0
    for place in range(nx * ny * nz):
        i, j, k = place // (ny * nz), (place // nz) % ny, place % nz
        for number in range(PER_SIDE * PER_SIDE * deep):
            a, b, c = number % PER_SIDE, (number // PER_SIDE) % PER_SIDE, number // (PER_SIDE * PER_SIDE)
            x = i + (a + 0.25 + 0.5 * hash_unit(seed, place, 3 * number)) / PER_SIDE
            y = j + (b + 0.25 + 0.5 * hash_unit(seed, place, 3 * number + 1)) / PER_SIDE
            z = k + (c + 0.25 + 0.5 * hash_unit(seed, place, 3 * number + 2)) / PER_SIDE if nz > 1 else 0.5
            if sample_linear(phi, x - 0.5, y - 0.5, z - 0.5) < 0.0:
                if count < particles.shape[0]:
                    particles[count, :] = 0.0
                    particles[count, 0], particles[count, 1], particles[count, 2] = x, y, z
                count += 1
    return count


@inlined
def spread_value(
    field: Array, mass: Array, x: float, y: float, z: float, value: float, slope: tuple[float, float, float]
) -> None:
    """Add a value that changes by `slope` per point, and its weights, to the eight points around a place."""
    nx, ny, nz = field.shape
    from_x, from_y, from_z = x, y, z
    x, y, z = min(max(x, 0.0), nx - 1.0), min(max(y, 0.0), ny - 1.0), min(max(z, 0.0), nz - 1.0)
    i, j, k = int(x), int(y), int(z)
    x, y, z = x - i, y - j, z - k
    for a in range(2):
        at_x, weight_x = min(i + a, nx - 1), x if a else 1.0 - x
        for b in range(2):
            at_y, weight_y = min(j + b, ny - 1), weight_x * (y if b else 1.0 - y)
            for c in range(2):
                at_z, weight = min(k + c, nz - 1), weight_y * (z if c else 1.0 - z)
                moved = value + slope[0] * (at_x - from_x) + slope[1] * (at_y - from_y) + slope[2] * (at_z - from_z)
                field[at_x, at_y, at_z] += weight * moved
                mass[at_x, at_y, at_z] += weight


@kernel
def give_velocity(
    particles: Array, count: int, h: float, faces: tuple[Array, Array, Array], masses: tuple[Array, Array, Array]
) -> None:
    """Give the particles' velocities to faces; faces that no particle is near keep zero, and a mass of zero."""
    affine = particles.shape[1] == AFFINE
    for axis in range(3):
        field, mass = faces[axis], masses[axis]
        field[:] = 0.0
        mass[:] = 0.0
        a = 0.0 if axis == 0 else 0.5
        b = 0.0 if axis == 1 else 0.5
        c = 0.0 if axis == 2 else 0.5
        for each in range(count):
            slope = (0.0, 0.0, 0.0)
            if affine:
                at = 6 + 3 * axis
                slope = (h * particles[each, at], h * particles[each, at + 1], h * particles[each, at + 2])
            x, y, z = particles[each, 0] - a, particles[each, 1] - b, particles[each, 2] - c
            spread_value(field, mass, x, y, z, particles[each, 3 + axis], slope)
        for i in range(field.shape[0]):
            for j in range(field.shape[1]):
                for k in range(field.shape[2]):
                    if mass[i, j, k] > 1e-9:
                        field[i, j, k] /= mass[i, j, k]
                    else:
                        mass[i, j, k] = 0.0


@kernel
def take_velocity(
    particles: Array,
    count: int,
    dt: float,
    h: float,
    new: tuple[Array, Array, Array],
    old: tuple[Array, Array, Array],
    carrying: tuple[Array, Array, Array],
) -> None:
    """Take velocities back from faces, and move the particles along with `carrying`, within the walls."""
    affine = particles.shape[1] == AFFINE
    nx, ny, nz = new[0].shape[0] - 1, new[1].shape[1] - 1, new[2].shape[2] - 1
    scale = dt / h
    for each in range(count):
        x, y, z = particles[each, 0], particles[each, 1], particles[each, 2]
        for axis in range(3):
            a = x if axis == 0 else x - 0.5
            b = y if axis == 1 else y - 0.5
            c = z if axis == 2 else z - 0.5
            if affine:
                value, p, q, r = sample_gradient(new[axis], a, b, c)
                at = 6 + 3 * axis
                particles[each, at], particles[each, at + 1], particles[each, at + 2] = p / h, q / h, r / h
                particles[each, 3 + axis] = value
            else:
                value = sample_linear(new[axis], a, b, c)
                moved = particles[each, 3 + axis] - sample_linear(old[axis], a, b, c)
                particles[each, 3 + axis] = value + BLEND * moved
        a, b, c = sample_velocity(carrying[0], carrying[1], carrying[2], x, y, z)
        half = 0.5 * scale
        a, b, c = sample_velocity(carrying[0], carrying[1], carrying[2], x + half * a, y + half * b, z + half * c)
        particles[each, 0] = min(max(x + scale * a, 1e-3), nx - 1e-3)
        particles[each, 1] = min(max(y + scale * b, 1e-3), ny - 1e-3)
        if nz > 1:
            particles[each, 2] = min(max(z + scale * c, 1e-3), nz - 1e-3)


@kernel
def push_out(particles: Array, solid: Array, h: float) -> None:
    """Move particles out of solids; `solid`: signed distance to them [m] at the middles of cells."""
    for each in range(particles.shape[0]):
        x, y, z = particles[each, 0] - 0.5, particles[each, 1] - 0.5, particles[each, 2] - 0.5
        far, a, b, c = sample_gradient(solid, x, y, z)
        size = math.sqrt(a * a + b * b + c * c)
        if far >= 0.0 or size == 0.0:
            continue
        a, b, c = a / size, b / size, c / size
        for axis in range(3):
            along = a if axis == 0 else (b if axis == 1 else c)
            most = solid.shape[axis] - 1e-3
            particles[each, axis] = min(max(particles[each, axis] - far / h * along, 1e-3), most)


@inlined
def is_deep(crowd: IntArray, i: int, j: int, k: int) -> bool:
    """Tell whether a cell and all its neighbours within the walls hold particles."""
    nx, ny, nz = crowd.shape
    for a in range(max(i - 1, 0), min(i + 2, nx)):
        for b in range(max(j - 1, 0), min(j + 2, ny)):
            for c in range(max(k - 1, 0), min(k + 2, nz)):
                if crowd[a, b, c] == 0:
                    return False
    return True


@kernel
def cover_particles(particles: Array, count: int, h: float, crowd: IntArray, sums: Array, phi: Array) -> None:
    """Make a level set around particles: far from them one cell, deep among them minus one cell."""
    nx, ny, nz = phi.shape
    crowd[:] = 0
    sums[:] = 0.0
    for each in range(count):
        crowd[int(particles[each, 0]), int(particles[each, 1]), int(particles[each, 2])] += 1
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                phi[i, j, k] = -h if is_deep(crowd, i, j, k) else h
    for each in range(count):
        x, y, z = particles[each, 0], particles[each, 1], particles[each, 2]
        i, j, k = int(x), int(y), int(z)
        for a in range(max(i - 1, 0), min(i + 2, nx)):
            for b in range(max(j - 1, 0), min(j + 2, ny)):
                for c in range(max(k - 1, 0), min(k + 2, nz)):
                    if phi[a, b, c] < 0.0:
                        continue
                    p, q, r = x - a - 0.5, y - b - 0.5, z - c - 0.5
                    inner = 1.0 - (p * p + q * q + r * r) / (_REACH * _REACH)
                    if inner > 0.0:
                        weight = inner * inner * inner
                        sums[a, b, c, 0] += weight
                        sums[a, b, c, 1] += weight * p
                        sums[a, b, c, 2] += weight * q
                        sums[a, b, c, 3] += weight * r
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                weight = sums[i, j, k, 0]
                if phi[i, j, k] > 0.0 and weight > 1e-9:
                    p, q, r = sums[i, j, k, 1], sums[i, j, k, 2], sums[i, j, k, 3]
                    far = math.sqrt(p * p + q * q + r * r) / weight - RADIUS
                    phi[i, j, k] = h * far


@kernel
def find_crowding(crowd: IntArray, phi: Array, solid: Array, h: float, even: float, rate: float, out: Array) -> None:
    """Write the divergence [1/s] that evens particles out: `rate` of how many more there are in the 27 cells around
    than `even` a cell of the level set there; nothing where that fills less than half of these, or solids are near.
    `crowd`: the particles in each cell; `solid`: signed distance to solids [m], or one number for none."""
    nx, ny, nz = crowd.shape
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                out[i, j, k] = 0.0
                if phi[i, j, k] >= 0.0 or (solid.size > 1 and solid[i, j, k] < 2.5 * h):
                    continue
                held, cells, count = 0, 0.0, 0
                for a in range(max(i - 1, 0), min(i + 2, nx)):
                    for b in range(max(j - 1, 0), min(j + 2, ny)):
                        for c in range(max(k - 1, 0), min(k + 2, nz)):
                            held, count = held + crowd[a, b, c], count + 1
                            cells += min(max(0.5 - phi[a, b, c] / h, 0.0), 1.0)
                if 2.0 * cells >= count:
                    out[i, j, k] = rate * (held / (even * cells) - 1.0)


@kernel
def loose_particles(particles: Array, crowd: IntArray, out: Array) -> int:
    """Write particles with few others in the cells around, as rows of spray; how many. `crowd`: room for
    the number of particles in each cell."""
    nx, ny, nz = crowd.shape
    crowd[:] = 0
    for each in range(particles.shape[0]):
        crowd[int(particles[each, 0]), int(particles[each, 1]), int(particles[each, 2])] += 1
    least = LOOSE if nz > 1 else LOOSE // 6
    count = 0
    for each in range(particles.shape[0]):
        i, j, k = int(particles[each, 0]), int(particles[each, 1]), int(particles[each, 2])
        near = 0
        for a in range(max(i - 1, 0), min(i + 2, nx)):
            for b in range(max(j - 1, 0), min(j + 2, ny)):
                for c in range(max(k - 1, 0), min(k + 2, nz)):
                    near += crowd[a, b, c]
        if near > least:
            continue
        for column in range(6):
            out[count, column] = particles[each, column]
        out[count, 6], out[count, 7], out[count, 8] = DROP, 1.0, 1.0
        count += 1
    return count


def start_particles(phi: Array, seed: int, *, affine: bool) -> Array:
    """Particles for the water that a level set describes, at rest."""
    if phi.ndim != 3 or not np.isfinite(phi).all():
        raise InvalidArguments(what="a level set", value=phi.shape, allowed="finite numbers of shape [nx, ny, nz]")
    columns = AFFINE if affine else PLAIN
    count = fill_particles(phi, seed, np.empty((0, columns), dtype=phi.dtype))
    particles = np.empty((count, columns), dtype=phi.dtype)
    fill_particles(phi, seed, particles)
    return particles
