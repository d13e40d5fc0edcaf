"""Follows the surface of the water through a step: level set, particles, spray, volume.

    phi and particles go along with the flow                     level_set.py, particles.py
    escaped particles correct phi                                particles.py
    phi goes on into solids                                      level_set.py
    phi becomes a distance again                                 reinitialise.py
    drops fly, lost particles become drops                       spray.py
    escaped particles correct phi once more                      particles.py
    what has not got the volume that flowed there is moved       fluxes.py
    a drift of the volume is taken back                          volume.py
    particles get their radii anew                               particles.py
    every so many steps particles are seeded anew

What mends (from the corrections by particles to the release of drops) moves the surface by a little each time, however
short the step: it waits until water near the surface has travelled `MENDED_EVERY`. Done in each step, a dam in steps of
1/960 s grew a surface a seventh larger before it had met anything.

`level_set` leaves particles and spray out; `particle_level_set` has all of it. Volumes are of the water that the level
set holds and of the drops that fly.
"""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.water.equation import Faces, Flags
from engine.water.fluxes import carry_shares, find_shifts, measure_shares
from engine.water.level_set import BAND, NEAR, carry_surface
from engine.water.particles import correct_surface, count_particles, move_particles, seed_particles, settle_particles
from engine.water.pseudo_surface import fill_solids
from engine.water.reinitialise import DistanceWork, distance_work, redistance
from engine.water.spray import COLUMNS, fly_spray, release_spray
from engine.water.volume import LARGEST_SHIFT, RATE, measure_water, shift_all, shift_surface

NO_SOLID = np.zeros((1, 1, 1))
MENDED_EVERY = 0.5  # [cells] that water travels


@dataclass(frozen=True, kw_only=True)
class SurfaceOptions:
    """How the surface is followed."""

    particles: bool = True  # the particle level set, or the level set alone
    per_cell: int = 12  # particles in a cell near the surface
    reseed_every: int = 20  # [steps]
    conserve: bool = False  # the volume that flows through cells' faces
    correct_volume: bool = True
    spray: bool = True
    most_spray: int = 50_000
    seed: int = 1

    def __post_init__(self) -> None:
        for name, least, most in (("per_cell", 4, 64), ("reseed_every", 1, 1000), ("most_spray", 0, 1_000_000)):
            value = getattr(self, name)
            if not least <= value <= most:
                raise InvalidArguments(what=name, value=value, allowed=f"{least} to {most}")
        if not 0 <= self.seed < 2**31:
            raise InvalidArguments(what="seed", value=self.seed, allowed="0 to 2147483647")


@dataclass(kw_only=True)
class SurfaceState:
    """The memory of the surface from step to step, beside phi."""

    particles: Array  # shape [capacity, 4]
    count: int = 0
    spray: Array  # shape [capacity, 7]
    flying: int = 0
    steps: int = 0
    seedings: int = 0
    volume_wanted: float = 0.0  # [m3]
    taken_back: float = 0.0  # [m3], sum of all corrections of the volume
    travelled: float = 0.0  # [cells] by water near the surface, at most, since phi was mended
    waiting: float = 0.0  # [m3] that flowed where there is too little surface: for the whole surface


@dataclass(frozen=True, kw_only=True)
class SurfaceReport:
    """The effect of a step on the surface."""

    volume: float  # [m3], drops that fly included
    surface: float  # [m2]
    drift: float  # [m3] before this step's correction, that of all steps before taken back
    taken_back: float  # [m3], sum of all corrections so far
    particles: int
    escaped: int
    flying: int


@dataclass(eq=False)
class SurfaceWork:
    """Memory of a step."""

    distance: DistanceWork
    plus: Array
    minus: Array
    cells: IntArray
    before: Array
    shares: Array
    areas: Array
    busy: Flags
    keeps: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int32))


def surface_work(phi: Array) -> SurfaceWork:
    """Memory for level sets like this one."""
    cells = np.zeros((phi.size + 1, 2), dtype=np.int32)
    plus, minus, before, shares, areas = (np.zeros_like(phi) for _ in range(5))
    busy = np.zeros((2, *phi.shape[:2]), dtype=np.uint8)
    return SurfaceWork(distance_work(phi), plus, minus, cells, before, shares, areas, busy)


def start_surface(
    phi: Array, h: float, options: SurfaceOptions, work: SurfaceWork, free: Array = NO_SOLID
) -> SurfaceState:
    """Make phi a distance, seed the particles, note the volume."""
    redistance(phi, h, BAND * h, work.distance)
    kind = phi.dtype
    state = SurfaceState(particles=np.empty((0, 4), dtype=kind), spray=np.empty((0, COLUMNS), dtype=kind))
    if options.particles:
        reseed(phi, h, options, state, work)
    state.volume_wanted = measure_water(phi, h, free)[0]
    return state


def advance_surface(
    phi: Array,
    velocities: Faces,
    h: float,
    dt: float,
    options: SurfaceOptions,
    state: SurfaceState,
    work: SurfaceWork,
    *,
    gravity: Array,
    free: Array = NO_SOLID,
    solid: Array = NO_SOLID,
) -> SurfaceReport:
    """Carry the surface through a step; phi is written in place.

    free: the part of each cell that is not solid; solid: signed distance to solids [m]; both for cells, or left out.
    """
    u, v, w = velocities
    scale, band = dt / h, BAND * h
    work.minus[:] = phi
    if options.conserve:
        work.before[:] = phi
        measure_shares(phi, h, work.shares)
        carry_shares(phi, h, u, v, w, scale, work.shares)
    drops_before = spray_volume(state, h)
    state.travelled += carry_surface(work.minus, u, v, w, scale, NEAR * h, band, phi)
    escaped, mends = 0, state.travelled >= MENDED_EVERY
    if options.particles:
        move_particles(state.particles, state.count, u, v, w, scale)
    if options.particles and mends:
        escaped = correct_surface(state.particles, state.count, phi, h, solid, work.plus, work.minus)
    if solid.size > 1:
        fill_solids(phi, solid, h)
    if mends:
        redistance(phi, h, band, work.distance)
        state.travelled = 0.0
    if options.particles:
        if options.spray:
            _fly(phi, velocities, h, dt, options, state, gravity, solid, work, releases=mends)
        elif mends:
            correct_surface(state.particles, state.count, phi, h, solid, work.plus, work.minus)
    drops = spray_volume(state, h)
    shifts = work.shares
    if options.conserve:
        _give_back(phi, h, dt, solid, free, drops - drops_before, state, work)
    else:
        shifts[:] = 0.0
    volume, surface = measure_water(phi, h, free)
    drift = volume + drops - state.volume_wanted
    shift = 0.0
    if options.correct_volume and surface > 0.0:
        most = LARGEST_SHIFT * h * dt
        shift = min(max(-min(RATE * dt, 1.0) * drift / surface, -most), most)
        state.taken_back += shift * surface
        shift_all(phi, shift, band)
        shifts += shift / h
    if options.particles:
        settle_particles(state.particles, state.count, phi, h, shifts)
    state.steps += 1
    if options.particles and state.steps % options.reseed_every == 0:
        reseed(phi, h, options, state, work)
    return SurfaceReport(
        volume=volume + drops + shift * surface,
        surface=surface,
        drift=drift,
        taken_back=state.taken_back,
        particles=state.count,
        escaped=escaped,
        flying=state.flying,
    )


def _give_back(
    phi: Array,
    h: float,
    dt: float,
    solid: Array,
    free: Array,
    drops: float,
    state: SurfaceState,
    work: SurfaceWork,
) -> None:
    """Find by how many cells the surface has to move so that it holds what flowed there, less what became drops [m3];
    that stands in `work.shares`."""
    left = find_shifts(work.before, phi, h, solid, work.shares, work.areas, work.plus, work.busy)
    state.waiting += left * h**3 - drops
    surface = measure_water(phi, h, free)[1]
    if surface > 0.0:
        most = LARGEST_SHIFT * dt * h
        shift = min(max(state.waiting / surface, -most), most)
        state.waiting -= shift * surface
        work.shares += shift / h
    shift_surface(phi, work.shares, h, BAND * h)


def spray_volume(state: SurfaceState, h: float) -> float:
    """Volume of the drops that fly [m3]."""
    radii = state.spray[: state.flying, 6].astype(np.float64)
    return float(np.sum(radii**3)) * 4.0 / 3.0 * math.pi * h**3


def reseed(phi: Array, h: float, options: SurfaceOptions, state: SurfaceState, work: SurfaceWork) -> None:
    """Bring the particles in cells near the surface back to their number."""
    if len(work.keeps) < state.count:
        work.keeps = np.empty(max(state.count, 2 * len(work.keeps)), dtype=np.int32)
    total = count_particles(state.particles, state.count, phi, h, options.per_cell, work.cells, work.keeps)
    seed = (options.seed * 1_000_003 + state.seedings) % 2**31
    seeded = np.empty((total + total // 8 + 64, 4), dtype=phi.dtype)
    seed_particles(state.particles, state.count, phi, h, seed, work.cells, work.keeps, seeded)
    state.particles, state.count, state.seedings = seeded, total, state.seedings + 1


def _fly(
    phi: Array,
    velocities: Faces,
    h: float,
    dt: float,
    options: SurfaceOptions,
    state: SurfaceState,
    gravity: Array,
    solid: Array,
    work: SurfaceWork,
    *,
    releases: bool,
) -> None:
    """Let drops fly, and make new ones of lost particles."""
    room = min(state.flying + 4096, options.most_spray)
    if len(state.spray) < room:
        grown = np.zeros((min(2 * room, options.most_spray), COLUMNS), dtype=phi.dtype)
        grown[: state.flying] = state.spray[: state.flying]
        state.spray = grown
    if len(state.particles) < state.count + state.flying:
        grown = np.empty((state.count + 2 * state.flying, 4), dtype=phi.dtype)
        grown[: state.count] = state.particles[: state.count]
        state.particles = grown
    state.flying, state.count = fly_spray(
        state.spray, state.flying, dt, h, gravity, phi, solid, state.particles, state.count
    )
    if releases:
        state.count, state.flying = release_spray(
            state.particles,
            state.count,
            phi,
            h,
            velocities,
            solid,
            state.spray,
            state.flying,
            work.plus,
            work.minus,
        )
