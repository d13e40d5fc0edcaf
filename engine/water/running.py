"""WaterRun: the state of the water in one tank while it is stepped.

A step is divided so that no body moves by more than a cell at once. Bodies are placed anew for each part.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array
from engine.water.boundaries import Boundaries, walls
from engine.water.distance_surface import TrackedSurface
from engine.water.fractions import RigidFrames, close_faces, join_surfaces
from engine.water.moments import MOST_SAMPLES, NUMBERS, WaterMoment
from engine.water.marching_cubes import mesh_water
from engine.water.solids import measure_solids, sub_steps
from engine.water.step import WaterReport, WaterState, load, save, start, step
from engine.water.surroundings import Bodies, moving

if TYPE_CHECKING:
    from engine.water.compile import TankScene
    from engine.water.solids import MovingMesh

Saved = Mapping[str, NDArray[Any]]
_OWN = ("own_forces", "own_seconds", "own_report")
_NO_FRAMES = RigidFrames(origins=np.zeros((0, 3)), velocities=np.zeros((0, 6)))


class WaterRun:
    """Steps one state; used by one thread."""

    def __init__(self, scene: TankScene, state: WaterState, surface: TrackedSurface) -> None:
        self._scene, self._state, self._surface = scene, state, surface
        self._work = start(scene.model, state, surface)
        self.forces = np.zeros((len(scene.bodies), 6))
        self.seconds = 0.0  # since the start
        self._numbers = np.zeros(NUMBERS)

    @classmethod
    def begin(cls, scene: TankScene, bodies: Bodies) -> WaterRun:
        """Put the water into the tank."""
        state = scene.model.new_state(scene.first_distance())
        if scene.tank.current:
            state.u[:] = scene.tank.current
        made = cls(scene, state, TrackedSurface.begin(scene.grid, state.phi, scene.tank))
        made._measure(None)
        return made

    @classmethod
    def load(cls, scene: TankScene, saved: Saved) -> WaterRun:
        """Take up a checkpoint."""
        state = load(scene.model, {name: each for name, each in saved.items()})
        made = cls(scene, state, TrackedSurface.load(scene.grid, scene.tank, saved))
        made.forces = saved["own_forces"].copy()
        made.seconds, made._numbers = float(saved["own_seconds"][0]), saved["own_report"].copy()
        return made

    def save(self) -> Saved:
        """Make a checkpoint."""
        own = self.forces.copy(), np.array([self.seconds]), self._numbers.copy()
        return {**save(self._state), **self._surface.save(), **dict(zip(_OWN, own, strict=True))}

    def step(self, before: Bodies, now: Bodies, dt: float) -> Generator[float, None, None]:
        """Move on by a step of dt [s], with bodies that go from one place to another; yields the share that is done."""
        scene = self._scene
        inside = [each for each in scene.bodies if _is_near(each.at(now), scene) or _is_near(each.at(before), scene)]
        moved = [moving(each, before, now, 0.0, dt) for each in inside]
        if scene.paddle is not None:
            moved.append(scene.paddle.moving(self.seconds + 0.5 * dt))
        count = sub_steps(moved, scene.grid, dt)
        for part in range(count):
            share = (part + 0.5) / count
            solids = [moving(each, before, now, share, dt) for each in inside]
            if scene.paddle is not None:
                solids.append(scene.paddle.moving(self.seconds + 0.5 * dt / count))
            around = self._around(solids)
            report = step(scene.model, self._state, self._work, dt / count, around)
            self.seconds += dt / count
            self._measure(report)
            yield (part + 1) / count

    def moment(self) -> WaterMoment:
        """Give what is seen and measured now."""
        scene, h = self._scene, self._scene.grid.spacing
        mesh = mesh_water(self._state.phi, h, scene.grid.origin)
        return WaterMoment(
            mesh.positions,
            mesh.normals,
            mesh.triangles.astype(np.int32),
            self._surface.drops(),
            self._flow(),
            self._numbers.copy(),
            self.forces.astype(np.float64),
        )

    def _around(self, solids: list[MovingMesh]) -> Boundaries | None:
        scene = self._scene
        if not solids and not scene.tank.current:
            return None
        base = walls(scene.grid)
        velocities = base.velocities
        for each in solids:
            each.check(scene.grid)
        weights, distance = base.weights, None
        if solids:
            distances = measure_solids(scene.grid, solids)
            faces = close_faces(scene.grid, base.weights, distances, join_surfaces(solids), _NO_FRAMES)
            weights, velocities = faces.weights, faces.velocities(_NO_FRAMES.velocities)
            distance = _at_centres(distances.values)
        if scene.tank.current:
            velocities[0][0] = velocities[0][-1] = scene.tank.current
        return Boundaries(weights=weights, velocities=velocities, distance=distance)

    def _flow(self) -> NDArray[np.float16]:
        """Give velocity and pressure of some cells, at most so many along each side."""
        state, cells = self._state, self._scene.grid.cells
        by = max(1, -(-max(cells) // MOST_SAMPLES))
        at = tuple(slice(by // 2, None, by) for _ in range(3))
        u, v, w = state.u, state.v, state.w
        middles = 0.5 * (u[1:] + u[:-1]), 0.5 * (v[:, 1:] + v[:, :-1]), 0.5 * (w[:, :, 1:] + w[:, :, :-1])
        found = np.stack([each[at] for each in (*middles, 1e-3 * state.pressure)]).astype(np.float16)
        found[:, state.phi[at] > 0.0] = np.nan
        return np.ascontiguousarray(found)

    def _measure(self, report: WaterReport | None) -> None:
        """Note the numbers of what was reached."""
        scene, state = self._scene, self._state
        density, h = scene.model.density, scene.grid.spacing
        share = np.clip(0.5 - state.phi / h, 0.0, 1.0)
        u, v, w = state.u, state.v, state.w
        x, y, z = 0.5 * (u[1:] + u[:-1]), 0.5 * (v[:, 1:] + v[:, :-1]), 0.5 * (w[:, :, 1:] + w[:, :, :-1])
        mass = density * h**3 * share
        heights = scene.grid.centres()[1] - scene.grid.origin[1]
        self._numbers = np.array(
            (
                self._surface.volume,
                self._surface.taken_back,
                *(float((mass * each).sum()) for each in (x, y, z)),
                0.5 * float((mass * (x * x + y * y + z * z)).sum()),
                -scene.model.gravity[1] * float((mass * heights).sum()),
                0.0 if report is None else report.divergence,
                0 if report is None else report.iterations,
                0 if report is None else report.substeps,
            )
        )


def _is_near(points: Array, scene: TankScene) -> bool:
    """Tell whether the box about a surface meets the tank."""
    low, size = np.array(scene.grid.origin), np.array(scene.grid.size)
    return bool((points.max(axis=0) > low).all() and (points.min(axis=0) < low + size).all())


def _at_centres(corners: Array) -> Array:
    """Take the mean over the corners of each cell."""
    found = 0.5 * (corners[1:] + corners[:-1])
    found = 0.5 * (found[:, 1:] + found[:, :-1])
    return found if found.shape[2] == 1 else 0.5 * (found[:, :, 1:] + found[:, :, :-1])
