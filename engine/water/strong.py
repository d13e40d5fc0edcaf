"""Steps of water with bodies that it moves: the strong form, and the interleaved forms beside it.

`strong` (Batty et al. 2007): bodies give way while the pressure is solved for. Six unknowns for each frame, or J M^-1
J^T where joints tie them, stand in the pressure's equation, so that the water feels at once how a body yields. It is
stable for bodies of any weight, and momentum goes from one to the other exactly.

`interleaved`: the water sees bodies that move as they did, and the pressure moves them afterwards. The mass of water
that goes along with a body comes a step late then, so that errors grow by (added mass / mass) in each step: it diverges
for bodies lighter than their added mass, half of the displaced mass for a ball, all of it for a long cylinder, at ANY
length of sub-steps. `interleaved_velocities` is Si's form (2013, 3.4): the forces (3.12) and (3.13) of velocities and
of the pseudo surface instead of pressure. It has no added mass to diverge by, and does not keep momentum.

Only the dynamic part of the force comes from the grid. Pressure in cells is a step function on a body's skin, whose
still part would lift the body by what cells it happens to fill; so that part is taken back, and put on exactly:

    force = J^T (p - rho g depth of cells) + integral of rho g depth (-n) dA

both up to a plane level of each surface (`hydrostatics.own_levels`). Therefore a body of the water's density stays
where it is put, and others float by Archimedes' law.

One sub-step, with the state and bodies at its beginning:

    1. bodies go on by their speeds; the water is carried along; gravity, viscosity    step.py
    2. distances to bodies, closed faces, depths                      solids.py, fractions.py, hydrostatics.py
    3. the surface is carried on through bodies                       pseudo_surface.py
    4. speeds that bodies would have at the end by all but pressure
    5. the projection with J R J^T, R the response to impulses        pressure.py
    6. impulses of pressure change the speeds of bodies

Forces that bodies feel over the whole step come out as wrenches, for physics to apply.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.water.boundaries import Boundaries
from engine.water.containing import hold_inside
from engine.water.distances import measure_solids
from engine.water.equation import Faces
from engine.water.exchange import WaterExchange, given_by_pressure, pushed_walls, water_momentum
from engine.water.fractions import close_faces
from engine.water.hydrodynamic import hydrodynamic_forces
from engine.water.hydrostatics import gather, hydrostatic_forces, own_levels, surface_heights
from engine.water.immersed import Immersed, body_terms, cell_distances
from engine.water.joined import RigidFrames, Surfaces, check_surfaces, join_surfaces, moved_on, sped_up
from engine.water.pseudo_surface import fill_bodies, vertical_depths
from engine.water.solids import sub_steps
from engine.water.step import PressureFound, WaterModel, WaterState, WaterWork, project, slide_along, transport
from engine.water.timestep import fastest, substeps

STRONG, INTERLEAVED, BY_VELOCITIES = "strong", "interleaved", "interleaved_velocities"
COUPLINGS = STRONG, INTERLEAVED, BY_VELOCITIES


@dataclass(frozen=True, kw_only=True, eq=False)
class BodyReport:
    """The effect of a step on bodies, beside the water's state."""

    substeps: int
    iterations: int
    converged: bool
    divergence: float
    wrenches: Array  # mean force [N] and torque about its origin [N m] on each frame over the step, shape [count, 6]
    vertex_forces: tuple[Array, ...]  # mean forces on the vertices of each surface [N]
    velocities: Array  # of the frames at the end, by the response alone, shape [count, 6]
    exchange: WaterExchange  # momenta over the step
    boundaries: Boundaries  # of the last sub-step


def step_with_bodies(
    model: WaterModel, state: WaterState, work: WaterWork, dt: float, bodies: Immersed, coupling: str = STRONG
) -> BodyReport:
    """Move water on by dt [s] with bodies in it, in as many sub-steps as the flow and the bodies ask for."""
    if coupling not in COUPLINGS:
        raise InvalidArguments(what="how water and bodies are coupled", value=coupling, allowed=", ".join(COUPLINGS))
    if not (dt > 0.0 and math.isfinite(dt)):
        raise InvalidArguments(what="the time step", value=dt, allowed="a finite number above 0")
    surfaces, frames = join_surfaces(bodies.solids), bodies.frames
    check_surfaces(model.grid, surfaces, [each.mesh for each in bodies.solids])
    count = _count(model, state, dt, bodies)
    growth = (bodies.free - bodies.frames.velocities) / count
    made, total, exchange = [], np.zeros((frames.count, 6)), WaterExchange.nothing()
    forces = np.zeros_like(surfaces.points)
    for _ in range(count):
        surfaces, frames = moved_on(surfaces, frames, dt / count)
        part = _SubStep(model, state, work, dt / count, bodies, surfaces, frames)
        part.run(coupling, growth)
        made.append(part)
        total, forces, exchange = total + part.impulse, forces + part.vertex_impulse, exchange + part.exchange
        surfaces, frames = sped_up(surfaces, frames, growth + part.change)
    state.time += dt
    return BodyReport(
        substeps=count,
        iterations=sum(each.solved.iterations for each in made),
        converged=all(each.solved.converged for each in made),
        divergence=made[-1].solved.divergence,
        wrenches=total / dt,
        vertex_forces=tuple(np.split(forces / dt, surfaces.vertices[1:-1])),
        velocities=frames.velocities,
        exchange=exchange,
        boundaries=made[-1].around,
    )


def _count(model: WaterModel, state: WaterState, dt: float, bodies: Immersed) -> int:
    speed, options = max(fastest([state.u, state.v, state.w]), bodies.fastest), model.options
    pull = float(np.abs(model.gravity).max())
    count = substeps(speed, pull, dt, model.grid.spacing, options.courant, options.most_substeps)
    return max(count, sub_steps(bodies.solids, model.grid, dt))


class _SubStep:
    """One sub-step; `run` makes all the rest."""

    solved: PressureFound
    around: Boundaries
    impulse: Array  # force times time on each frame
    change: Array  # of the frames' velocities by it
    vertex_impulse: Array
    exchange: WaterExchange

    def __init__(
        self,
        model: WaterModel,
        state: WaterState,
        work: WaterWork,
        dt: float,
        bodies: Immersed,
        surfaces: Surfaces,
        frames: RigidFrames,
    ) -> None:
        self._model, self._state, self._work, self._dt, self._bodies = model, state, work, dt, bodies
        self._frames, self._weight = frames, -model.density * model.gravity[1]
        self._distances, self._surfaces = measure_solids(model.grid, surfaces), surfaces
        self._distance = cell_distances(model.grid, self._distances)

    def run(self, coupling: str, growth: Array) -> None:
        """Carry the water along and let pressure act; `growth` is that of frames' velocities by all else."""
        grid, state, frames = self._model.grid, self._state, self._frames
        walls = self._work.walls
        transport(self._model, state, self._work, replace(walls, distance=self._distance), self._dt)
        levels = self._levels()
        fill_bodies(grid, state.phi, self._distance, levels)
        water = state.phi, levels
        self._faces = close_faces(grid, walls.weights, self._distances, self._surfaces, frames, water)
        wet = np.asarray((state.phi < 0.0) & self._faces.is_open)
        own, depths = own_levels(grid, levels, self._surfaces)
        still = self._faces.still_pushes(wet, own, self._weight)
        level = hydrostatic_forces(self._surfaces, depths, self._weight)
        lift = gather(self._surfaces, level, frames) - self._faces.pushed_by(still, frames.count)
        if coupling == STRONG:
            speeds = frames.velocities + growth + self._respond(self._dt * lift)
            self.around = self._bounded(speeds)
            self._project(replace(self.around, bodies=body_terms(self._faces, wet, self._bodies)))
        else:
            self.around = self._bounded(frames.velocities)
            self._project(self.around)
        if coupling == BY_VELOCITIES:
            forces = self._by_velocities()
            self.impulse = self._dt * gather(self._surfaces, forces, frames)
        else:
            pushes = self._faces.pushes(state.pressure) - still
            forces = level + self._faces.vertices_pushed_by(pushes, self._surfaces)
            self.impulse = self._dt * (lift + self._faces.pushed(state.pressure, frames.count))
        self.vertex_impulse = self._dt * forces
        whole = self.vertex_impulse.sum(axis=0)
        given = whole
        if coupling != BY_VELOCITIES:
            given = self._dt * given_by_pressure(self._faces, state.pressure)
        self.exchange = replace(self.exchange, given=given, corrected=whole - given)
        self._hold_inside(growth)
        self.change = self._respond(self.impulse)
        self.around = self._bounded(frames.velocities + growth + self.change)
        slide_along(self._model, state, self._work, self.around)

    def _hold_inside(self, growth: Array) -> None:
        """Let walls keep bodies in the tank."""
        then = self._frames.velocities + growth + self._respond(self.impulse)
        given = self._model.grid, self._surfaces, self._frames, then, self._bodies.response
        held = hold_inside(*given, self._dt)
        if held.any():
            self.vertex_impulse = self.vertex_impulse + held
            self.impulse = self.impulse + gather(self._surfaces, held, self._frames)

    def _bounded(self, velocities: Array) -> Boundaries:
        speeds, walls = self._faces.velocities(velocities), self._work.walls.velocities
        if self._model.ends is not None:
            speeds = speeds[0] + walls[0], speeds[1], speeds[2]
        swelling = self._faces.swelling(velocities)
        return Boundaries(weights=self._faces.weights, velocities=speeds, distance=self._distance, swelling=swelling)

    def _levels(self) -> Array:
        """Measure the water's level in each column [m]; the tank's floor where there is none."""
        grid = self._model.grid
        found = surface_heights(grid, self._state.phi, self._distance < 0.0)
        return np.where(np.isfinite(found), found, grid.origin[1])

    def _by_velocities(self) -> Array:
        """Find the forces (3.12) and (3.13) on vertices [N]."""
        grid, state, surfaces = self._model.grid, self._state, self._surfaces
        flow = Faces(state.u, state.v, state.w)
        drag = hydrodynamic_forces(grid, flow, state.phi, self._distance, surfaces, self._model.density)
        depths = vertical_depths(grid, state.phi, surfaces.points)
        return drag + hydrostatic_forces(surfaces, depths, self._weight)

    def _project(self, around: Boundaries) -> None:
        model, state, weights = self._model, self._state, self._faces.weights
        before = water_momentum(model, state, weights)
        self.solved = project(model, state, self._work, replace(around, distance=None), self._dt)
        gained = water_momentum(model, state, weights) - before
        walls = self._dt * pushed_walls(model.grid, state.pressure)
        self.exchange = replace(WaterExchange.nothing(), taken=-gained - walls, walls=walls)

    def _respond(self, impulses: Array) -> Array:
        """Change of the frames' velocities by impulses, shape [count, 6]."""
        return np.asarray(self._bodies.response @ impulses.reshape(-1)).reshape(-1, 6)
