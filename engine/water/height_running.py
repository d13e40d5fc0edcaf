"""HeightRun: a height field in a tank while it is stepped, with bodies in it.

Bodies stand in columns of water. What of them is below the calm level in a column is its thickness S; it weighs on the
column as water of that height would, so that still water is level beneath and beside a body. The water itself is all
that is in `depth`: its volume is kept to rounding, whatever is in it.

Bodies feel the still pressure of their columns, rho g (depth + S - y) (-n), integrated exactly over their triangles:
Archimedes' law on calm water, and down the slope of a wave. Where a hull goes down faster than the water beneath it
flows away, depth + S is above the level; that brakes it, by as much as runs off in waves: with the hull at y over all
of a column,

    V = rho g ((depth - y)^2 + y^2 + 2 calm (depth - y)) / 2,   eta = dV/d(depth) / rho g,   lift = -dV/dy

so that nothing is won or lost between them. (Thickness below the level around a body, in place of the calm one, lets
floating boxes rock themselves up: how the level follows the water around has no reaction there.) Drag acts where bodies
move into the water, rho / 2 (n . v)^2. Sub-steps of at most 1/120 s carry bodies along, so that light ones do not
shake. Not in it: the mass of water that goes along, and what drag does to the water.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.water.containing import hold_inside
from engine.water.covering import cover_columns, drag_triangles, press_columns
from engine.water.height_field import HeightField, HeightOptions, Piston, level_water, mesh_heights, step_heights
from engine.water.hydrostatics import carried_on, depths_at, gather
from engine.water.joined import RigidFrames, Surfaces, check_surfaces, join_surfaces, moved_on, sped_up
from engine.water.moments import NOT_CUT, WaterMoment, samples
from engine.water.solids import MovingMesh
from engine.water.spray import COLUMNS
from engine.water.surroundings import BodyPlaces, PushedBodies
from engine.water.tank_run import Saved, TankRun

if TYPE_CHECKING:
    from engine.water.compile import TankScene

_LONGEST = 1.0 / 120.0  # [s], of a sub-step with bodies
_TOUCHED = 1e-9  # [m], thickness from which a column is covered
_ARRAYS = "depth", "u", "w", "widths", "levels"


class HeightRun(TankRun):
    """Water as heights of columns."""

    def __init__(self, scene: TankScene, water: HeightField) -> None:
        super().__init__(scene)
        self._water = water
        self._levels = water.depth.copy()  # [m] of the surface above the floor, also where bodies cover it
        self._calm = np.full_like(water.depth, scene.first_heights().mean() + scene.grid.origin[1])
        low, h = scene.grid.origin, scene.grid.spacing
        self._room = np.array((low[0], low[2], h))
        self._options = HeightOptions(gravity=-scene.model.gravity[1])

    @classmethod
    def begin(cls, scene: TankScene, bodies: BodyPlaces) -> HeightRun:
        """Put the water into the tank, and take out what bodies displace."""
        heights = scene.first_heights()
        water = level_water(np.zeros_like(heights), float(heights.max()), scene.grid.spacing)
        water.depth[:] = heights
        made = cls(scene, water)
        standing = made._standing(bodies)
        if standing:
            water.depth[:] = np.maximum(heights - made._thickness(join_surfaces(standing)), 0.0)
        water.u[1:-1] = scene.tank.current
        piston = made._piston(0.0)
        if piston is not None:
            water.make_room(piston)
        made._measure(0)
        return made

    @classmethod
    def load(cls, scene: TankScene, saved: Saved) -> HeightRun:
        """Take up a checkpoint."""
        depth, u, w, widths, levels = (saved[name].copy() for name in _ARRAYS)
        water = HeightField(spacing=scene.grid.spacing, bed=np.zeros_like(depth), depth=depth, u=u, w=w, widths=widths)
        made = cls(scene, water)
        made._levels = levels
        made._load_own(saved)
        return made

    def save(self) -> Saved:
        """Make a checkpoint."""
        water = self._water
        arrays = water.depth, water.u, water.w, water.widths, self._levels
        return {**{name: each.copy() for name, each in zip(_ARRAYS, arrays, strict=True)}, **self._own()}

    def step(
        self, before: BodyPlaces, now: BodyPlaces, dt: float, pushed: PushedBodies | None = None
    ) -> Generator[float, None, None]:
        """Move on by a step."""
        found = self._in_tank(before, now, dt, pushed)
        solids = [*found.led, *(() if found.pushed is None else found.pushed.solids)]
        if solids:
            given = found.immersed(solids)
            made = _FloatingStep(self, solids, given.frames, (given.free, given.response), dt)
            yield from made.run()
            self._note(found, before, made.vertex_forces, made.wrenches)
            steps = made.steps
        else:
            steps = self._flow(dt, None)
            self._find_levels(None)
            self.pushes.append(self._no_push())
        self._measure(steps)
        yield 1.0

    def _flow(self, dt: float, pressed: Array | None) -> int:
        """Let the water flow on for dt [s]; in how many sub-steps."""
        self.seconds += dt
        steps = step_heights(
            self._water, dt, self._options, pressed=pressed, piston=self._piston(self.seconds),
            ends=self._scene.model.ends,
        )  # fmt: skip
        return steps

    def _find_levels(self, pressed: Array | None) -> None:
        """Find the surface, which goes on over columns that bodies cover."""
        depth = self._water.depth
        covered = np.zeros(depth.shape, dtype=np.bool_) if pressed is None else pressed > _TOUCHED
        if pressed is None or not covered.any():
            self._levels = depth.copy()
        else:
            self._levels = depth + pressed if covered.all() else carried_on(depth, ~covered)

    def _thickness(self, surfaces: Surfaces) -> Array:
        """Measure how thick bodies are below the calm level, by columns [m]."""
        found = np.zeros_like(self._levels)
        cover_columns(surfaces.points, surfaces.triangles, self._calm, self._room, found)
        return np.maximum(found, 0.0)

    def _forces(self, surfaces: Surfaces, thickness: Array) -> Array:
        """Find the forces of the water on vertices [N]."""
        scene, water, out = self._scene, self._water, np.zeros_like(surfaces.points)
        levels = scene.grid.origin[1] + water.depth + thickness
        weight = -scene.model.density * scene.model.gravity[1]
        press_columns(surfaces.points, surfaces.triangles, levels, self._room, weight, out)
        depths = depths_at(scene.grid, levels, surfaces.points)
        flow = 0.5 * (water.u[1:] + water.u[:-1]), 0.5 * (water.w[:, 1:] + water.w[:, :-1])
        half = 0.5 * scene.model.density
        drag_triangles(surfaces.points, surfaces.velocities, surfaces.triangles, depths, flow, self._room, half, out)
        return out

    def _piston(self, seconds: float) -> Piston | None:
        """Give the room before the wave maker's face."""
        paddle, grid = self._scene.paddle, self._scene.grid
        if paddle is None:
            return None
        columns = 2 + math.ceil(paddle.stroke / grid.spacing - 1e-9)
        if columns >= grid.cells[0]:
            most = (grid.cells[0] - 3) * grid.spacing
            raise InvalidArguments(
                what="the stroke of the wave maker", value=f"{paddle.stroke:g} m", allowed=f"at most {most:g} m"
            )
        return Piston(columns, grid.origin[0] + columns * grid.spacing - paddle.face(seconds))

    def moment(self) -> WaterMoment:
        """Give what is seen and measured now."""
        scene, (x, y, z), h = self._scene, self._scene.grid.origin, self._scene.grid.spacing
        first = -math.inf if scene.paddle is None else scene.paddle.face(self.seconds)
        mesh = mesh_heights(self._levels + y, h, y, (x, z), first)
        return WaterMoment(
            positions=mesh.positions,
            normals=mesh.normals,
            triangles=mesh.triangles,
            foam=np.zeros(len(mesh.positions), dtype=np.float32),
            spray=np.zeros((0, COLUMNS), dtype=np.float32),
            cut=NOT_CUT,
            flow=self._flow_below(),
            numbers=self._numbers.copy(),
            forces=self.forces.astype(np.float64),
            pushes=self._joined(),
        )

    def _flow_below(self) -> NDArray[np.float16]:
        """Give velocity and pressure at some places; both follow from those of the column."""
        grid, water = self._scene.grid, self._water
        at_x, at_y, at_z = samples(grid.cells)
        heights = grid.spacing * (np.arange(grid.cells[1]) + 0.5)[at_y]
        levels = self._levels[at_x, at_z][:, None, :]
        u = 0.5 * (water.u[1:] + water.u[:-1])[at_x, at_z][:, None, :]
        w = 0.5 * (water.w[:, 1:] + water.w[:, :-1])[at_x, at_z][:, None, :]
        below = levels - heights[None, :, None]
        weight = -1e-3 * self._scene.model.density * self._scene.model.gravity[1]
        found = np.stack([np.broadcast_to(each, below.shape) for each in (u, 0.0 * u, w, weight * below)])
        found = found.astype(np.float16)
        found[:, below < 0.0] = np.nan
        return np.ascontiguousarray(found)

    def _measure(self, steps: int) -> None:
        """Note the numbers of what was reached."""
        scene, water = self._scene, self._water
        u, w = 0.5 * (water.u[1:] + water.u[:-1]), 0.5 * (water.w[:, 1:] + water.w[:, :-1])
        mass = scene.model.density * water.spacing * water.widths[:, None] * water.depth
        amounts = (
            water.volume,
            0.0,
            *(float((mass * each).sum()) for each in (u, 0.0 * u, w)),
            0.5 * float((mass * (u * u + w * w)).sum()),
            -0.5 * scene.model.gravity[1] * float((mass * water.depth).sum()),
        )
        self._numbers = np.array((*(scene.slabs * each for each in amounts), 0.0, 0.0, steps))


class _FloatingStep:
    """One step with bodies."""

    def __init__(
        self, run: HeightRun, solids: Sequence[MovingMesh], frames: RigidFrames, laws: tuple[Array, Array], dt: float
    ) -> None:
        self._run, self._frames, self._dt = run, frames, dt
        self._surfaces = join_surfaces(solids)
        self._free, self._response = laws
        check_surfaces(run._scene.grid, self._surfaces, [each.mesh for each in solids])
        self.steps = 0
        self.wrenches, self.vertex_forces = np.zeros((frames.count, 6)), list[Array]()

    def run(self) -> Generator[float, None, None]:
        """Make it; yields the share that is done."""
        run, surfaces, frames = self._run, self._surfaces, self._frames
        count = math.ceil(self._dt / _LONGEST - 1e-9)
        dt, growth = self._dt / count, (self._free - frames.velocities) / count
        total, thickness = np.zeros_like(surfaces.points), np.zeros_like(run._levels)
        for number in range(count):
            surfaces, frames = moved_on(surfaces, frames, dt)
            thickness = run._thickness(surfaces)
            forces = run._forces(surfaces, thickness)
            given = gather(surfaces, forces, frames)
            then = frames.velocities + growth + self._respond(dt * given)
            held = hold_inside(run._scene.grid, surfaces, frames, then, self._response, dt)
            if held.any():
                forces = forces + held / dt
                given = gather(surfaces, forces, frames)
            self.steps += run._flow(dt, thickness)
            surfaces, frames = sped_up(surfaces, frames, growth + self._respond(dt * given))
            total, self.wrenches = total + forces / count, self.wrenches + given / count
            yield (number + 1) / (count + 1)
        run._find_levels(thickness)
        self.vertex_forces = np.split(total, surfaces.vertices[1:-1])

    def _respond(self, impulses: Array) -> Array:
        return np.asarray(self._response @ impulses.reshape(-1)).reshape(-1, 6)
