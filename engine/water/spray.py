"""Spray: drops that the level set cannot hold, which fly and fall back.

A negative particle that is still outside the water by more than `LOST` cells after it has corrected the level set is a
drop smaller than a cell (the removed negative particles of Enright, Marschner and Fedkiw 2002, "Animation and
rendering of complex water surfaces"). It leaves the particles, and flies by its velocity, gravity and the drag of air
until it is in the water again, where it is a negative particle as before. Its momentum is lost to the water: drops are
light. Walls and solids stop what goes into them.

A row of `spray` is x, y, z [cells], velocity [m/s], radius [cells], for how long it flies [s], and how large it is
drawn beside its radius: particles that are lost have the least radius of all, and drops of one size look like grains
of rice.
"""

from __future__ import annotations

import math

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.water.equation import Faces
from engine.water.interpolation import sample_gradient, sample_linear, sample_velocity
from engine.water.particles import join_sides, mark_sphere

LOST = 0.75
DRAG = 0.1  # [1/s] of the air
COLUMNS = 9
SMALLEST, LARGEST = 0.45, 1.75  # drawn beside the radius; most drops are small


@inlined
def drawn_size(x: float, y: float, z: float) -> float:
    """Draw the size of a drop by the place where it comes to be, in [SMALLEST, LARGEST)."""
    mixed = 43758.5453 * math.sin(127.1 * x + 311.7 * y + 74.7 * z)
    share = mixed - math.floor(mixed)
    return SMALLEST + (LARGEST - SMALLEST) * share * share * share


@kernel
def release_spray(
    particles: Array,
    count: int,
    phi: Array,
    h: float,
    velocities: Faces,
    solid: Array,
    spray: Array,
    flying: int,
    plus: Array,
    minus: Array,
) -> tuple[int, int]:
    """Make drops of the negative particles that are lost, forget such positive ones; how many of both there are.

    What has escaped beside them corrects phi, as in `correct_surface`.
    """
    plus[:] = phi
    minus[:] = phi
    kept = 0
    for each in range(count):
        x, y, z, signed = particles[each, 0], particles[each, 1], particles[each, 2], particles[each, 3]
        far = sample_linear(phi, x - 0.5, y - 0.5, z - 0.5) / h
        wrong = far if signed < 0.0 else -far
        if wrong >= LOST:
            if signed < 0.0 and flying < spray.shape[0]:
                u, v, w = velocities
                spray[flying, 0], spray[flying, 1], spray[flying, 2] = x, y, z
                spray[flying, 3], spray[flying, 4], spray[flying, 5] = sample_velocity(u, v, w, x, y, z)
                spray[flying, 6], spray[flying, 7] = -signed, 0.0
                spray[flying, 8] = drawn_size(x, y, z)
                flying += 1
            continue
        if kept != each:
            for c in range(4):
                particles[kept, c] = particles[each, c]
        kept += 1
        if wrong > abs(signed):
            x, y, z = x - 0.5, y - 0.5, z - 0.5
            if solid.size == 1 or sample_linear(solid, x, y, z) >= 0.0:
                mark_sphere(x, y, z, signed, h, plus, minus)
    join_sides(plus, minus, phi)
    return kept, flying


@kernel
def fly_spray(
    spray: Array,
    flying: int,
    dt: float,
    h: float,
    gravity: Array,
    phi: Array,
    solid: Array,
    particles: Array,
    count: int,
) -> tuple[int, int]:
    """Let drops fly for a step; those that fall into the water become particles. How many fly, how many particles.

    `solid`: signed distance to solids [m] at the middles of cells, or one number for none.
    """
    nz = phi.shape[2]
    kept = 0
    slower = 1.0 / (1.0 + DRAG * dt)
    for each in range(flying):
        for c in range(3):
            speed = (spray[each, 3 + c] + gravity[c] * dt) * slower
            at = spray[each, c] + speed * dt / h
            wall = phi.shape[c] - 1e-3
            if at < 1e-3 or at > wall or (c == 2 and nz == 1):
                at, speed = min(max(at, 1e-3), wall), 0.0
            if c == 2 and nz == 1:
                at = 0.5
            spray[each, c], spray[each, 3 + c] = at, speed
        spray[each, 7] += dt
        x, y, z = spray[each, 0] - 0.5, spray[each, 1] - 0.5, spray[each, 2] - 0.5
        if solid.size > 1:
            far, p, q, r = sample_gradient(solid, x, y, z)
            size = math.sqrt(p * p + q * q + r * r)
            if far < 0.0 and size > 0.0:
                p, q, r = p / size, q / size, r / size
                into = min(p * spray[each, 3] + q * spray[each, 4] + r * spray[each, 5], 0.0)
                out = -far / h
                spray[each, 0], spray[each, 3] = spray[each, 0] + out * p, spray[each, 3] - into * p
                spray[each, 1], spray[each, 4] = spray[each, 1] + out * q, spray[each, 4] - into * q
                spray[each, 2], spray[each, 5] = spray[each, 2] + out * r, spray[each, 5] - into * r
        if sample_linear(phi, x, y, z) < 0.0 and count < particles.shape[0]:
            particles[count, 0], particles[count, 1] = spray[each, 0], spray[each, 1]
            particles[count, 2], particles[count, 3] = spray[each, 2], -spray[each, 6]
            count += 1
            continue
        if kept != each:
            for d in range(COLUMNS):
                spray[kept, d] = spray[each, d]
        kept += 1
    return kept, count
