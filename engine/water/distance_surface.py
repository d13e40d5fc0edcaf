"""TrackedSurface: the surface of a tank's water, followed by the particle level set, for the steps of the flow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array
from engine.water.boundaries import Boundaries
from engine.water.grid import Grid
from engine.water.parts import WaterTank
from engine.water.step import WaterModel, WaterState
from engine.water.surface import SurfaceOptions, SurfaceState, advance_surface, start_surface, surface_work
from engine.water.volume import measure_water

_COUNTS = ("count", "flying", "steps", "seedings")
_NO_SOLID = np.zeros((1, 1, 1))


class TrackedSurface:
    """The surface of one state; used by one thread."""

    def __init__(self, grid: Grid, options: SurfaceOptions, phi: Array, state: SurfaceState | None) -> None:
        self._grid, self._options, self._work = grid, options, surface_work(phi)
        self._state = start_surface(phi, grid.spacing, options, self._work) if state is None else state
        self.volume = measure_water(phi, grid.spacing, _NO_SOLID)[0] if state is None else 0.0

    @classmethod
    def begin(cls, grid: Grid, phi: Array, tank: WaterTank) -> TrackedSurface:
        """Begin with a distance, which is mended in place."""
        return cls(grid, options_of(tank), phi, None)

    @classmethod
    def load(cls, grid: Grid, tank: WaterTank, saved: Mapping[str, NDArray[Any]]) -> TrackedSurface:
        """Take up what was saved."""
        numbers = saved["surface_numbers"]
        state = SurfaceState(
            particles=saved["surface_particles"].copy(),
            spray=saved["surface_spray"].copy(),
            **{name: int(numbers[place]) for place, name in enumerate(_COUNTS)},
            volume_wanted=float(numbers[4]),
            taken_back=float(numbers[5]),
        )
        made = cls(grid, options_of(tank), saved["phi"], state)
        made.volume = float(numbers[6])
        return made

    def save(self) -> dict[str, NDArray[Any]]:
        """Make a checkpoint."""
        state = self._state
        numbers = [*(getattr(state, name) for name in _COUNTS), state.volume_wanted, state.taken_back, self.volume]
        return {
            "surface_particles": state.particles.copy(),
            "surface_spray": state.spray.copy(),
            "surface_numbers": np.array(numbers, dtype=np.float64),
        }

    @property
    def taken_back(self) -> float:
        """What corrections of the volume have put back so far [m3]."""
        return self._state.taken_back

    def carry(self, model: WaterModel, state: WaterState, boundaries: Boundaries, dt: float) -> None:
        """Move `state.phi` on by dt [s], and leave it a signed distance."""
        h, distance = self._grid.spacing, boundaries.distance
        free = _NO_SOLID if distance is None else np.clip(0.5 + distance / h, 0.0, 1.0)
        if self._state.steps == 0:  # what bodies displace from the beginning is no water
            self._state.volume_wanted = measure_water(state.phi, h, free)[0]
        report = advance_surface(
            state.phi,
            (state.u, state.v, state.w),
            h,
            dt,
            self._options,
            self._state,
            self._work,
            gravity=np.array(model.gravity),
            free=free,
            solid=_NO_SOLID if distance is None else distance,
        )
        self.volume = report.volume

    def drops(self) -> NDArray[np.float32]:
        """Give the middles of the drops that fly [m]."""
        places = self._state.spray[: self._state.flying, :3] * self._grid.spacing + np.array(self._grid.origin)
        return places.astype(np.float32)


def options_of(tank: WaterTank) -> SurfaceOptions:
    """Give how the surface of a tank's water is followed."""
    return SurfaceOptions(
        particles=tank.surface == "particle_level_set",
        correct_volume=tank.keep_volume,
        spray=tank.spray,
    )
