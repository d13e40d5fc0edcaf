"""Rehearsal: a tank on few cells, stepped ahead of a bake that takes long, to tell how the flow will develop.

How fast water calms down depends on the tank, its depth and what stands in it, and much less on the size of cells: the
kinetic energy of a dam on 16^3 cells goes the way of that on 64^3, and the fastest water by a factor of 1.2 to 1.8. So
some seconds of work tell what share of the sub-steps is still to come; by what factor the speeds differ, and how long a
sub-step takes, follows from the frames that are made meanwhile (pace.py). A guess by the width of the tank alone gave
0.69 of the truth for a dam on 64^3 cells, after a tenth of it; this one's is within a fifth.

Bodies that the water pushes are left out, since physics would have to be simulated with them.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.errors import EngineError
from engine.water.compile import TankScene, with_resolution
from engine.water.pace import Expected, FramePace
from engine.water.pushing import Links
from engine.water.running import WaterRun
from engine.water.surroundings import BodyPlaces

if TYPE_CHECKING:
    from engine.water.simulation import WaterSimulation

CELLS, FEWEST = 16**3, 4  # in all, and along each side
WORTH = 30.0  # [s] that the rest of a bake takes at least, for it to be rehearsed
COARSER = 1.5  # times as large as the tank's own cells, at least
_NOWHERE = BodyPlaces({}, {})


class Rehearsal:
    """Tells a pace what to expect, once, when it is worth the work."""

    def __init__(self, simulation: WaterSimulation, first: int, count: int, pace: FramePace) -> None:
        """Of frames from `first` on, up to so many in all."""
        self._simulation, self._first, self._count, self._pace = simulation, first, count, pace
        self._scene = coarser(simulation.scene, alone=simulation.alongside is not None)

    def when_worth(self, done: float) -> Generator[None, None, None]:
        """Rehearse now, if the frames after so many take long; yields after each frame."""
        left = self._pace.left(done)
        if self._scene is None or left is None or left < WORTH:
            return
        scene, self._scene = self._scene, None
        speeds = np.zeros(self._count)  # of the water before each frame
        try:
            run = WaterRun.begin(scene, self._bodies(0))
            for frame in range(1, self._count):
                speeds[frame] = run.fastest
                for step in range(scene.steps):
                    before, now = (self._bodies(frame - 1 + each / scene.steps) for each in (step, step + 1))
                    for _ in run.step(before, now, scene.dt):
                        pass
                yield
        except EngineError:  # bodies may be too small for such cells
            return
        self._pace.expect(sub_steps_by(self._simulation.scene, speeds[self._first :]))

    def _bodies(self, frame: float) -> BodyPlaces:
        simulation = self._simulation
        return _NOWHERE if simulation.alongside is not None else simulation.bodies_at(simulation.tick(frame))


def coarser(scene: TankScene, *, alone: bool) -> TankScene | None:
    """Give a tank on few cells, without bodies if it is to be alone; None where its own are few, or columns."""
    cells = scene.grid.cells
    size = scene.grid.spacing * (math.prod(cells) / CELLS) ** (0.5 if scene.grid.planar else 1.0 / 3.0)
    if scene.tank.is_height_field or size < COARSER * scene.grid.spacing:
        return None
    thinnest = min(scene.grid.size[: 2 if scene.grid.planar else 3])
    found = with_resolution(scene, max(1.0 / size, FEWEST / thinnest))
    return replace(found, bodies=(), links=Links(())) if alone else found


def sub_steps_by(scene: TankScene, speeds: Array) -> Expected:
    """Tell the sub-steps of frames by the speeds of rehearsed water [m/s], as timestep.py counts them; in the mean, for
    which of two whole numbers it will be is not known."""
    options, h, dt = scene.model.options, scene.grid.spacing, scene.dt
    pull = float(np.abs(scene.model.gravity).max()) * dt

    def expected(faster: float) -> Array:
        crossed = (faster * speeds + pull) * dt / (options.courant * h)
        return np.asarray(scene.steps * np.maximum(crossed + 0.5, 1.0))

    return expected
