"""Energy, gradient and matrix of one implicit step, summed over cells, springs, ties, contact and attachments.

    E(x) = |x - x~|^2_M / (2 dt^2) + a |x - x_n|^2_M / (2 dt) + Psi(x) + ...,   x~ = x_n + dt v_n + dt^2 g

whose minimum is the state after a step of implicit Euler; a: damping of the mass. Levels: energies alone, gradients as
well, the exact matrix, or one in which the part of each cell and spring is positive definite. Held points are summed
like all others, so that their gradient is the force that holds them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import entered_kernel, kernel
from engine.soft.cells import DAMPED, VISCOUS, CellBatches, Springs
from engine.soft.contact import ColliderContacts, add_outer, press, relag
from engine.soft.corotational import stiffen_lanes, turn_lanes
from engine.soft.damped import HALVES, remember_tetrahedra, resist_lanes, thicken_lanes
from engine.soft.hulls import Hull
from engine.soft.lanes import (
    ENERGY,
    FORCES,
    PLACE,
    REST_ROWS,
    L,
    gather_lanes,
    scatter_block,
    scatter_corners,
)
from engine.soft.meeting import Meeting, press_bodies
from engine.soft.pattern import Pattern
from engine.soft.projected import add_projected
from engine.soft.samples import ENERGY as ENERGY_ROW
from engine.soft.samples import (
    Lanes,
    deform_sample,
    force_corners,
    form_block,
    gather_corners,
    resist,
    respond,
    square_sample,
    turn_corners,
)
from engine.soft.spots import ContactSkin
from engine.soft.strings import Strings, pull_strings


class SoftBodies(NamedTuple):
    """All that does not change while bodies move."""

    masses: Array  # [kg], shape [point_count]
    drags: Array  # damping of the mass times the mass [kg/s]
    pattern: Pattern
    tetrahedra: CellBatches
    samples: CellBatches  # of four corners and one sample
    bricks: CellBatches  # of eight and eight
    memories: tuple[Array, Array, Array]  # C_n / 2 at the samples of both, and of damped tetrahedra
    springs: Springs
    strings: Strings
    skin: ContactSkin
    hull: Hull


class Around(NamedTuple):
    """All that acts on the bodies in this step."""

    colliders: Array
    touching: ColliderContacts
    meeting: Meeting
    grips: Array  # what points of the skin hold on to
    pulled: IntArray  # points on springs to moving targets
    pulls: Array  # target [m], stiffness [N/m], damping [N s/m], velocity of the target: shape [count, 8]
    alphas: Array  # of all segments of splines; none: 1


class Stepping(NamedTuple):
    """Vectors of a step, each of shape [3 point_count]."""

    x: Array
    before: Array
    aim: Array  # x~
    gradient: Array
    values: Array  # of the matrix
    frames: Array  # rotations of the points, shape [9 point_count]
    buffer: Array
    block: Array
    lanes: Lanes
    room: Array  # of `projected.py`, and of contact
    energies: Array  # inertia and damping of the mass, elastic, springs, contact; shape [5]


ENERGIES, GRADIENT, EXACT, POSITIVE = 0, 1, 2, 3
INERTIAL, ELASTIC, STRINGS, PULLS, CONTACT, ENERGY_COUNT = 0, 1, 2, 3, 4, 5


@kernel
def assemble(bodies: SoftBodies, around: Around, stepping: Stepping, dt: float, level: int) -> float:
    """Sum all; the energy."""
    x, gradient, energies = stepping.x, stepping.gradient, stepping.energies
    energies[:] = 0.0
    energies[INERTIAL] = begin_sums(bodies, stepping, dt, level)
    energies[ELASTIC] += sum_tetrahedra(bodies.tetrahedra, bodies.memories[2], stepping, dt, level)
    energies[ELASTIC] += sum_samples(bodies.samples, bodies.memories[0], 4, stepping, dt, level)
    energies[ELASTIC] += sum_samples(bodies.bricks, bodies.memories[1], 8, stepping, dt, level)
    energies[ELASTIC] += sum_springs(bodies.springs, stepping, dt, level)
    energies[STRINGS] = pull_strings(bodies.strings, x, dt, level, gradient)
    energies[PULLS] = sum_pulls(bodies.pattern, around, stepping, dt, level)
    places = x, stepping.before, stepping.room[:12]
    energies[CONTACT] = press(
        bodies.skin, around.colliders, around.touching, stepping.frames, places, dt, level,
        stepping.values, bodies.pattern, gradient,
    )  # fmt: skip
    energies[CONTACT] += press_bodies(
        bodies.skin, bodies.hull, around.meeting, stepping.frames, places, dt, level, gradient
    )
    return float(energies.sum())


@entered_kernel
def lag_forces(around: Around) -> float:
    """Take the forces of contact at hand as those of friction; how much they have changed, over what they are."""
    return max(
        relag(around.touching.states, around.touching.number[0]),
        relag(around.meeting.states, around.meeting.tied.number[0]),
    )


@inlined
def begin_sums(bodies: SoftBodies, stepping: Stepping, dt: float, level: int) -> float:
    """Begin with inertia."""
    energy, x, values = 0.0, stepping.x, stepping.values
    if level >= 2:
        values[:] = 0.0
    for point in range(bodies.masses.shape[0]):
        at = (3 * point) & PLACE
        inert, drag = bodies.masses[point] / (dt * dt), bodies.drags[point] / dt
        for way in range(3):
            ahead, moved = x[at + way] - stepping.aim[at + way], x[at + way] - stepping.before[at + way]
            energy += 0.5 * (inert * ahead * ahead + drag * moved * moved)
            if level >= 1:
                stepping.gradient[at + way] = inert * ahead + drag * moved
        if level >= 2:
            k = (9 * bodies.pattern.starts[point]) & PLACE
            values[k] = values[k + 4] = values[k + 8] = inert + drag
    return energy


@kernel
def sum_tetrahedra(cells: CellBatches, memory: Array, stepping: Stepping, dt: float, level: int) -> float:
    """Add tetrahedra and flat triangles."""
    energy, buffer = 0.0, stepping.buffer
    for batch in range(cells.kinds.shape[0]):
        gather_lanes(cells.nodes, cells.rest, batch, stepping.x, buffer)
        turn_lanes(level, buffer)
        damped = cells.kinds[batch] != 0
        if damped:
            first_half = (batch * HALVES * L) & PLACE
            resist_lanes(memory[first_half : first_half + HALVES * L], dt, level, buffer)
        for lane in range(L):
            energy += buffer[ENERGY * L + lane]
        if level >= 1:
            scatter_corners(cells.nodes, batch, 4, buffer[FORCES * L : (FORCES + 12) * L], stepping.gradient)
        if level >= 2:
            place = batch * 10 * L
            for first in range(4):
                for second in range(first, 4):
                    stiffen_lanes(first, second, buffer, stepping.block)
                    if damped:
                        thicken_lanes(first, second, dt, buffer, stepping.block)
                    scatter_block(cells.places, place & PLACE, stepping.block, stepping.values)
                    place += L
    return energy


@kernel
def sum_samples(cells: CellBatches, memory: Array, corners: int, stepping: Stepping, dt: float, level: int) -> float:
    """Add cells of samples."""
    energy, lanes = 0.0, stepping.lanes
    samples, pairs = 1 if corners == 4 else 8, corners * (corners + 1) // 2
    rows = (REST_ROWS + 3 * corners * samples) * L
    for batch in range(cells.kinds.shape[0]):
        kind, rest = cells.kinds[batch], cells.rest[batch * rows : (batch + 1) * rows]
        gather_corners(cells.nodes, batch, corners, stepping.x, lanes.corners)
        lanes.forces[:] = 0.0
        if level >= EXACT:
            lanes.blocks[: pairs * 9 * L] = 0.0
        for each in range(samples):
            start = (REST_ROWS + 3 * corners * each) * L
            slopes, volume = rest[start : start + 3 * corners * L], rest[each * L : (each + 1) * L]
            deform_sample(corners, lanes.corners, slopes, rest, lanes.sample)
            respond(kind % DAMPED, rest, volume, lanes.sample)
            if kind >= DAMPED or kind == VISCOUS:
                first = 6 * (batch * samples + each) * L
                resist(rest, volume, memory[first : first + 6 * L], dt, lanes.sample)
            for lane in range(L):
                energy += lanes.sample[ENERGY_ROW * L + lane]
            if level >= GRADIENT:
                force_corners(corners, slopes, lanes.sample, lanes.forces)
            if level == EXACT:
                turn_corners(corners, slopes, lanes.sample, lanes.turned)
                pair = 0
                for first in range(corners):
                    for second in range(first, corners):
                        block = lanes.blocks[9 * pair * L : (9 * pair + 9) * L]
                        form_block(first, second, slopes, lanes.sample, lanes.turned, block)
                        pair += 1
            elif level == POSITIVE:
                add_projected(corners, slopes, lanes.sample, stepping.room, lanes.blocks)
        if level >= GRADIENT:
            scatter_corners(cells.nodes, batch, corners, lanes.forces, stepping.gradient)
        if level >= EXACT:
            for pair in range(pairs):
                place = (batch * pairs + pair) * L
                scatter_block(
                    cells.places, place & PLACE, lanes.blocks[9 * pair * L : (9 * pair + 9) * L], stepping.values
                )
    return energy


@kernel
def remember(bodies: SoftBodies, stepping: Stepping) -> None:
    """Take C / 2 of all cells as what it is before the step."""
    remember_tetrahedra(bodies.tetrahedra, bodies.memories[2], stepping.before, stepping.buffer)
    remember_samples(bodies.samples, bodies.memories[0], 4, stepping)
    remember_samples(bodies.bricks, bodies.memories[1], 8, stepping)


@kernel
def remember_samples(cells: CellBatches, memory: Array, corners: int, stepping: Stepping) -> None:
    """Take C / 2 of all samples as what it is before the step."""
    lanes, samples = stepping.lanes, 1 if corners == 4 else 8
    rows = (REST_ROWS + 3 * corners * samples) * L
    for batch in range(cells.kinds.shape[0]):
        if cells.kinds[batch] < VISCOUS:
            continue
        rest = cells.rest[batch * rows : (batch + 1) * rows]
        gather_corners(cells.nodes, batch, corners, stepping.before, lanes.corners)
        for each in range(samples):
            start, first = (REST_ROWS + 3 * corners * each) * L, 6 * (batch * samples + each) * L
            deform_sample(corners, lanes.corners, rest[start : start + 3 * corners * L], rest, lanes.sample)
            square_sample(lanes.sample, memory[first : first + 6 * L])


@kernel
def sum_springs(springs: Springs, stepping: Stepping, dt: float, level: int) -> float:
    """Add springs along edges."""
    energy, x, y, gradient, values = 0.0, stepping.x, stepping.before, stepping.gradient, stepping.values
    for each in range(springs.nodes.shape[0]):
        i, j = (3 * springs.nodes[each, 0]) & PLACE, (3 * springs.nodes[each, 1]) & PLACE
        stiff, rest, slow = springs.values[each, 0], springs.values[each, 1], springs.values[each, 2] / dt
        a, b, c = x[j] - x[i], x[j + 1] - x[i + 1], x[j + 2] - x[i + 2]
        length = max(math.sqrt(a * a + b * b + c * c), 1e-12)
        longer, faster = length - rest, 0.0
        if slow > 0.0:
            u, v, w = y[j] - y[i], y[j + 1] - y[i + 1], y[j + 2] - y[i + 2]
            faster = length - math.sqrt(u * u + v * v + w * w)
        energy += 0.5 * (stiff * longer * longer + slow * faster * faster)
        if level < 1:
            continue
        force = stiff * longer + slow * faster
        a, b, c = a / length, b / length, c / length
        gradient[i] -= force * a
        gradient[i + 1] -= force * b
        gradient[i + 2] -= force * c
        gradient[j] += force * a
        gradient[j + 1] += force * b
        gradient[j + 2] += force * c
        if level < 2:
            continue
        around = force / length if level < POSITIVE else max(0.0, force / length)
        along = stiff + slow - around
        for place in range(3):
            k, sign = (9 * springs.places[each, place]) & PLACE, -1.0 if place == 1 else 1.0
            add_outer(values, k, sign * along, a, b, c, a, b, c)
            values[k] += sign * around
            values[k + 4] += sign * around
            values[k + 8] += sign * around
    return energy


@kernel
def sum_pulls(pattern: Pattern, around: Around, stepping: Stepping, dt: float, level: int) -> float:
    """Add springs to moving targets."""
    energy, x, y, values = 0.0, stepping.x, stepping.before, stepping.values
    for each in range(around.pulled.shape[0]):
        point, pull = around.pulled[each], around.pulls[each]
        at, stiff, slow = (3 * point) & PLACE, pull[3], pull[4] / dt
        for way in range(3):
            away = x[at + way] - pull[way]
            slip = x[at + way] - y[at + way] - dt * pull[5 + way]
            energy += 0.5 * (stiff * away * away + slow * slip * slip)
            if level >= 1:
                stepping.gradient[at + way] += stiff * away + slow * slip
        if level >= 2:
            k = (9 * pattern.starts[point]) & PLACE
            for way in range(3):
                values[k + 4 * way] += stiff + slow
    return energy
