"""The ways in which a tank's surface is followed, each behind the same few calls of a step.

    level_set            the level set alone: thin parts are lost
    particle_level_set   with particles on both sides, spray, volume kept                     surface.py
    flip, apic           particles carry the velocity too; the level set is made of them      flip.py

A step asks for the surface to be carried along, then whether it `gives` velocities of its own; if not, they are
carried on the grid.

A level set that has lost volume is moved outwards (volume.py). Particles define it anew in each step, so that moving it
would leave them where they crowd; theirs is mended by the flow: the projection leaves a divergence,

    div u = rate (V wanted - V) / V,  at most `FASTEST_SWELLING`

in all wet cells alike (Kim et al. 2007, "Simulation of bubbles in foam with the volume control method"), by which water
swells or shrinks evenly, its particles and what floats in it with it. V is that of the level set around the particles.

Whether that is on or not, particles are evened out: gravity lets them sink into the layer below the surface, where they
crowd, since cells whose middle is air do not hold them up. To the divergence of each cell is added

    div u = APART (particles in the 27 cells around / those that the level set there would hold, evenly - 1)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.water.boundaries import Boundaries
from engine.water.equation import Faces
from engine.water.flip import (
    cover_particles,
    find_crowding,
    give_velocity,
    loose_particles,
    push_out,
    start_particles,
    take_velocity,
)
from engine.water.grid import WaterGrid
from engine.water.level_set import BAND
from engine.water.reinitialise import redistance
from engine.water.spray import COLUMNS
from engine.water.surface import (
    NO_SOLID,
    SurfaceOptions,
    SurfaceReport,
    SurfaceState,
    SurfaceWork,
    advance_surface,
    start_surface,
    surface_work,
)
from engine.water.volume import measure_water

LEVEL_SET, PARTICLE_LEVEL_SET, FLIP, APIC = "level_set", "particle_level_set", "flip", "apic"
SURFACES = PARTICLE_LEVEL_SET, LEVEL_SET, FLIP, APIC
RATE, FASTEST_SWELLING = 4.0, 0.5  # [1/s]
APART = 2.0  # [1/s], at which crowded particles part
LABELS = "Particle level set", "Level set alone", "FLIP particles", "APIC particles"


class WaterSurface(Protocol):
    """The questions of a step to a surface."""

    @property
    def swelling(self) -> float:
        """The divergence that the next projection shall leave in water [1/s]."""

    @property
    def apart(self) -> Array | None:
        """The divergence of each cell that goes with it [1/s]: what moves crowded particles apart."""

    @property
    def taken_back(self) -> float:
        """The sum of all corrections of the volume [m3]."""

    def carry(self, phi: Array, velocities: Faces, around: Boundaries, dt: float) -> SurfaceReport:
        """Move the surface on by dt [s], and leave phi a signed distance near it."""

    def give(self, velocities: Faces, masses: Faces) -> bool:
        """Write velocities to faces, with masses of zero where none are known; tell whether this surface has any."""

    def allow(self, volume: float) -> None:
        """Count so much water [m3] that came in by open ends: it is no drift."""

    def spray(self) -> Array:
        """Drops that fly beside the water: place [m], velocity [m/s], radius [m]; shape [drops, 7]."""

    def drops(self) -> Array:
        """Drops that are to be seen one by one, of the water or beside it; as `spray`."""

    def save(self) -> Mapping[str, Array]:
        """The memory beside phi."""

    def load(self, arrays: Mapping[str, Array]) -> None:
        """Take up what was saved."""


def new_surface(
    method: str, grid: WaterGrid, phi: Array, gravity: tuple[float, float, float], options: SurfaceOptions
) -> WaterSurface:
    """Begin to follow the surface of phi, which becomes a distance near it."""
    if method not in SURFACES:
        raise UnknownPart(kind="way to follow the surface of water", id=method, known=SURFACES)
    if method in (FLIP, APIC):
        return ParticleSurface(grid, phi, options, affine=method == APIC)
    return LevelSetSurface(grid, phi, gravity, options, particles=method == PARTICLE_LEVEL_SET)


def free_share(around: Boundaries, h: float) -> Array:
    """The part of each cell that is not solid, from the distance at its middle; one number where nothing is solid."""
    return NO_SOLID if around.distance is None else np.clip(0.5 + around.distance / h, 0.0, 1.0)


class LevelSetSurface:
    """A level set, with or without particles."""

    def __init__(
        self,
        grid: WaterGrid,
        phi: Array,
        gravity: tuple[float, float, float],
        options: SurfaceOptions,
        *,
        particles: bool,
    ) -> None:
        self._grid, self._options, self._gravity = grid, options, np.array(gravity, dtype=np.float64)
        self._options = options if particles == options.particles else _without_particles(options)
        self._work: SurfaceWork = surface_work(phi)
        self.state: SurfaceState = start_surface(phi, grid.spacing, self._options, self._work)

    @property
    def swelling(self) -> float:
        """None: the surface itself is moved."""
        return 0.0

    @property
    def apart(self) -> Array | None:
        """None: nothing crowds."""
        return None

    @property
    def taken_back(self) -> float:
        """By moving the surface."""
        return self.state.taken_back

    def carry(self, phi: Array, velocities: Faces, around: Boundaries, dt: float) -> SurfaceReport:
        """Move the surface on."""
        h = self._grid.spacing
        free = free_share(around, h)
        if self.state.steps == 0:  # what bodies displace from the beginning is no water that could be lost
            self.state.volume_wanted = measure_water(phi, h, free)[0]
        return advance_surface(
            phi,
            velocities,
            h,
            dt,
            self._options,
            self.state,
            self._work,
            gravity=self._gravity,
            free=free,
            solid=NO_SOLID if around.distance is None else around.distance,
        )

    def give(self, velocities: Faces, masses: Faces) -> bool:
        """Leave velocities to the grid."""
        return False

    def allow(self, volume: float) -> None:
        """Want so much more."""
        self.state.volume_wanted += volume

    def spray(self) -> Array:
        """Drops in metres."""
        drops = self.state.spray[: self.state.flying].astype(np.float64)
        drops[:, :3] = drops[:, :3] * self._grid.spacing + np.array(self._grid.origin)
        drops[:, 6] *= self._grid.spacing
        return drops

    def drops(self) -> Array:
        """The spray."""
        return self.spray()

    def save(self) -> Mapping[str, Array]:
        """Particles, drops and counters."""
        state = self.state
        numbers = [state.steps, state.seedings, state.volume_wanted, state.taken_back, state.waiting, state.travelled]
        return {
            "particles": state.particles[: state.count].copy(),
            "spray": state.spray[: state.flying].copy(),
            "surface": np.array(numbers, dtype=np.float64),
        }

    def load(self, arrays: Mapping[str, Array]) -> None:
        """Take them up."""
        particles, spray = _rows(arrays, "particles", 4), _rows(arrays, "spray", COLUMNS)
        steps, seedings, wanted, back, waiting, travelled = _rows(arrays, "surface", 0)
        self.state = SurfaceState(
            particles=particles,
            count=len(particles),
            spray=spray,
            flying=len(spray),
            steps=int(steps),
            seedings=int(seedings),
            volume_wanted=float(wanted),
            taken_back=float(back),
            waiting=float(waiting),
            travelled=float(travelled),
        )


class ParticleSurface:
    """FLIP or APIC particles."""

    def __init__(self, grid: WaterGrid, phi: Array, options: SurfaceOptions, *, affine: bool) -> None:
        self._grid, self._corrects = grid, options.correct_volume
        self.particles = start_particles(phi, options.seed, affine=affine)
        self._given = [np.zeros(shape) for shape in grid.faces]
        self._crowd, self._sums = np.zeros(grid.cells, dtype=np.int32), np.zeros((*grid.cells, 4))
        self.apart = np.zeros(grid.cells)
        self._work = surface_work(phi)
        self._wanted = self._first = self._cover(phi, NO_SOLID)[0]
        self.swelling, self.taken_back, self._steps = 0.0, 0.0, 0

    def carry(self, phi: Array, velocities: Faces, around: Boundaries, dt: float) -> SurfaceReport:
        """Take velocities from faces, move the particles, and make a level set of them."""
        h = self._grid.spacing
        new = (velocities[0], velocities[1], velocities[2])
        given = (self._given[0], self._given[1], self._given[2])
        take_velocity(self.particles, len(self.particles), dt, h, new, given, new)
        if around.distance is not None:
            push_out(self.particles, around.distance, h)
        volume, surface = self._cover(phi, free_share(around, h))
        if self._steps == 0:  # what bodies displace from the beginning is no water that could be lost
            self._wanted = self._first = volume
        self._steps += 1
        solid = NO_SOLID if around.distance is None else around.distance
        even = len(self.particles) * h**3 / max(self._wanted if self._corrects else self._first, h**3)
        find_crowding(self._crowd, phi, solid, h, even, APART, self.apart)
        drift = volume - self._wanted
        if self._corrects and volume > 0.0:
            self.swelling = min(max(-RATE * drift / volume, -FASTEST_SWELLING), FASTEST_SWELLING)
            self.taken_back += dt * self.swelling * volume
        return SurfaceReport(
            volume=volume,
            surface=surface,
            drift=drift,
            taken_back=self.taken_back,
            particles=len(self.particles),
            escaped=0,
            flying=0,
        )

    def _cover(self, phi: Array, free: Array) -> tuple[float, float]:
        h = self._grid.spacing
        cover_particles(self.particles, len(self.particles), h, self._crowd, self._sums, phi)
        redistance(phi, h, BAND * h, self._work.distance)
        return measure_water(phi, h, free)

    def give(self, velocities: Faces, masses: Faces) -> bool:
        """Give the particles' velocities to faces, and remember them."""
        faces, weights = (velocities[0], velocities[1], velocities[2]), (masses[0], masses[1], masses[2])
        give_velocity(self.particles, len(self.particles), self._grid.spacing, faces, weights)
        for kept, each in zip(self._given, faces, strict=True):
            kept[:] = each
        return True

    def allow(self, volume: float) -> None:
        """Want so much more."""
        self._wanted += volume

    def spray(self) -> Array:
        """None: all drops are particles."""
        return np.zeros((0, COLUMNS))

    def drops(self) -> Array:
        """Particles with few others around, of which the level set shows some, now and then."""
        found = np.empty((len(self.particles), COLUMNS))
        count = loose_particles(self.particles, self._crowd, found)
        drops = found[:count].copy()
        drops[:, :3] = drops[:, :3] * self._grid.spacing + np.array(self._grid.origin)
        drops[:, 6] *= self._grid.spacing
        return drops

    def save(self) -> Mapping[str, Array]:
        """Particles, and what they gave to faces."""
        names = ("given_u", "given_v", "given_w")
        return {
            "particles": self.particles.copy(),
            "surface": np.array([self._wanted, self.swelling, self.taken_back, self._steps, self._first]),
            **{name: each.copy() for name, each in zip(names, self._given, strict=True)},
        }

    def load(self, arrays: Mapping[str, Array]) -> None:
        """Take them up."""
        self.particles = _rows(arrays, "particles", self.particles.shape[1])
        wanted, swelling, back, steps, first = _rows(arrays, "surface", 0)
        self._wanted, self.swelling, self.taken_back = float(wanted), float(swelling), float(back)
        self._steps, self._first = int(steps), float(first)
        for kept, name in zip(self._given, ("given_u", "given_v", "given_w"), strict=True):
            if arrays[name].shape != kept.shape:
                raise InvalidArguments(
                    what=f"{name} of a checkpoint", value=arrays[name].shape, allowed=f"shape {kept.shape}"
                )
            kept[:] = arrays[name]


def _without_particles(options: SurfaceOptions) -> SurfaceOptions:
    """Take these options for the level set alone."""
    return replace(options, particles=False)


def _rows(arrays: Mapping[str, Array], name: str, columns: int) -> Array:
    """One array of a checkpoint, finite and of so many columns (0: a row of numbers)."""
    found = np.array(arrays.get(name, ()), dtype=np.float64)
    fits = found.ndim == 2 and found.shape[1] == columns if columns else found.ndim == 1 and len(found) > 0
    if not fits or not np.isfinite(found).all():
        allowed = f"finite numbers of {columns} columns" if columns else "finite numbers"
        raise InvalidArguments(what=f"{name} of a checkpoint", value=found.shape, allowed=allowed)
    return found
