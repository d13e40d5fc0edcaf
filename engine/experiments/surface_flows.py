"""Given flows that surfaces are followed through, and by how much they come out wrong.

Zalesak's disk and its sphere turn once around the middle of the domain; the disk of Bell's vortex and LeVeque's sphere
are drawn out to sheets and come back (Enright et al. 2002, section 5). The volume that is lost is measured at the end,
and the error of the shape as there: the space where computed and exact surface differ, divided by the exact surface, in
cells.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass
from engine.water.equation import Faces
from engine.water.surface import (
    NO_SOLID,
    SurfaceOptions,
    SurfaceState,
    advance_surface,
    start_surface,
    surface_work,
)
from engine.water.volume import measure_water

_STILL = np.zeros(3)


@dataclass(frozen=True, kw_only=True)
class GivenFlow:
    """A shape in a box of unit size, and the flow that carries it until it is back."""

    label: str
    distance: Callable[[Array, Array, Array], Array]  # below zero inside; need not be exact far away
    velocity: Callable[[Array, Array, Array, float], tuple[Array, Array, Array]]
    seconds: float
    fastest: float  # [m/s]
    volume: float  # exact, of the plane where it is planar
    surface: float  # likewise
    planar: bool


@dataclass(frozen=True, kw_only=True)
class CarriedShape:
    """How a shape came out."""

    lost: float  # of the volume, below zero where it grew
    wrong: float  # [cells]
    phi: Array
    state: SurfaceState
    steps: int


def _slotted(radius: Array, x: Array, y: Array) -> Array:
    """Cut the slot of Zalesak's disk, 0.05 wide and 0.25 long, out of a disk around (0.5, 0.75)."""
    top = 0.85
    aside, above = np.abs(x - 0.5) - 0.025, y - top
    slot = np.where((aside > 0.0) & (above > 0.0), np.hypot(aside, above), np.maximum(aside, above))
    return np.maximum(radius, -slot)


def _disk(x: Array, y: Array, z: Array) -> Array:
    return _slotted(np.hypot(x - 0.5, y - 0.75) - 0.15 + 0.0 * z, x, y)


def _ball(x: Array, y: Array, z: Array) -> Array:
    return _slotted(np.sqrt((x - 0.5) ** 2 + (y - 0.75) ** 2 + (z - 0.5) ** 2) - 0.15, x, y)


def _turning(x: Array, y: Array, z: Array, t: float) -> tuple[Array, Array, Array]:
    nothing = 0.0 * (x + y + z)
    turn = 2.0 * math.pi
    return turn * (0.5 - y) + nothing, turn * (x - 0.5) + nothing, nothing


def _vortex(x: Array, y: Array, z: Array, t: float) -> tuple[Array, Array, Array]:
    pi, slow = math.pi, math.cos(math.pi * t / 8.0)
    nothing = 0.0 * (x + y + z)
    u = -2.0 * slow * np.sin(pi * x) ** 2 * np.sin(pi * y) * np.cos(pi * y)
    v = 2.0 * slow * np.sin(pi * y) ** 2 * np.sin(pi * x) * np.cos(pi * x)
    return u + nothing, v + nothing, nothing


def _deforming(x: Array, y: Array, z: Array, t: float) -> tuple[Array, Array, Array]:
    pi, slow = math.pi, math.cos(math.pi * t / 3.0)
    u = 2.0 * slow * np.sin(pi * x) ** 2 * np.sin(2.0 * pi * y) * np.sin(2.0 * pi * z)
    v = -slow * np.sin(2.0 * pi * x) * np.sin(pi * y) ** 2 * np.sin(2.0 * pi * z)
    w = -slow * np.sin(2.0 * pi * x) * np.sin(2.0 * pi * y) * np.sin(pi * z) ** 2
    return u, v, w


def _counted(distance: Callable[[Array, Array, Array], Array], planar: bool) -> float:
    """Volume inside a surface, by points."""
    count = 2000 if planar else 200
    line: Array = (np.arange(count, dtype=np.float64) + 0.5) / count
    x, y = line[:, None, None], line[None, :, None]
    z: Array = np.full((1, 1, 1), 0.5) if planar else line[None, None, :]
    return float(np.mean(distance(x, y, z) < 0.0))


def zalesak_disk() -> GivenFlow:
    """Zalesak's disk, one turn."""
    return GivenFlow(
        label="Zalesak's disk",
        distance=_disk,
        velocity=_turning,
        seconds=1.0,
        fastest=math.pi,
        volume=_counted(_disk, True),
        surface=2.0 * math.pi * 0.15 - 0.05 + 2.0 * 0.25,
        planar=True,
    )


def zalesak_ball() -> GivenFlow:
    """Zalesak's sphere, one turn around z."""
    return GivenFlow(
        label="Zalesak's sphere",
        distance=_ball,
        velocity=_turning,
        seconds=1.0,
        fastest=math.pi,
        volume=_counted(_ball, False),
        surface=4.0 * math.pi * 0.15**2 + 2.0 * 0.06,
        planar=False,
    )


def vortex(seconds: float = 8.0) -> GivenFlow:
    """A disk in a single vortex that turns back."""
    return GivenFlow(
        label="vortex",
        distance=lambda x, y, z: np.hypot(x - 0.5, y - 0.75) - 0.15 + 0.0 * z,
        velocity=_vortex,
        seconds=seconds,
        fastest=1.0,
        volume=math.pi * 0.15**2,
        surface=2.0 * math.pi * 0.15,
        planar=True,
    )


def deformation() -> GivenFlow:
    """LeVeque's sphere, drawn out by two vortices and back."""
    return GivenFlow(
        label="deformation",
        distance=lambda x, y, z: np.sqrt((x - 0.35) ** 2 + (y - 0.35) ** 2 + (z - 0.35) ** 2) - 0.15,
        velocity=_deforming,
        seconds=3.0,
        fastest=2.0,
        volume=4.0 / 3.0 * math.pi * 0.15**3,
        surface=4.0 * math.pi * 0.15**2,
        planar=False,
    )


def follow(
    flow: GivenFlow, cells: int, options: SurfaceOptions, *, courant: float = 1.0, part: float = 1.0
) -> CarriedShape:
    """Carry a shape through a part of its flow on a grid of `cells` along each side."""
    h = 1.0 / cells
    ends: Array = np.arange(cells + 1, dtype=np.float64) * h
    middles: Array = ends[:-1] + 0.5 * h
    x, y = middles[:, None, None], middles[None, :, None]
    z: Array = np.full((1, 1, 1), 0.5) if flow.planar else middles[None, None, :]
    phi = np.ascontiguousarray(flow.distance(x, y, z))
    work = surface_work(phi)
    state = start_surface(phi, h, options, work)
    steps = max(1, round(part * math.ceil(flow.seconds * flow.fastest / (courant * h))))
    dt = part * flow.seconds / steps
    edge_z = z if flow.planar else ends[None, None, :]
    for each in range(steps):
        t = (each + 0.5) * dt
        u = flow.velocity(ends[:, None, None], y, z, t)[0]
        v = flow.velocity(x, ends[None, :, None], z, t)[1]
        w = np.zeros((cells, cells, 2)) if flow.planar else flow.velocity(x, y, edge_z, t)[2]
        faces = tuple(np.ascontiguousarray(field) for field in (u, v, w))
        advance_surface(phi, Faces(*faces), h, dt, options, state, work, gravity=_STILL)
    found = measure_water(phi, h, NO_SOLID)[0] / (h if flow.planar else 1.0)
    return CarriedShape(
        lost=1.0 - found / flow.volume, wrong=_difference(flow, phi, h) / h, phi=phi, state=state, steps=steps
    )


def _difference(flow: GivenFlow, phi: Array, h: float) -> float:
    """Space where the computed and the exact shape differ over the exact surface [m]; four samples along a cell."""
    cells, fine = len(phi), 4
    places: Array = (np.arange(fine * cells, dtype=np.float64) + 0.5) / fine - 0.5
    low = np.clip(np.floor(places).astype(int), 0, cells - 1)
    high, share = np.minimum(low + 1, cells - 1), np.clip(places - np.floor(places), 0.0, 1.0)
    share[places < 0.0] = 0.0
    for axis in range(2 if flow.planar else 3):
        shape = [1, 1, 1]
        shape[axis] = -1
        part = share.reshape(shape)
        phi = np.take(phi, low, axis) * (1.0 - part) + np.take(phi, high, axis) * part
    line: Array = (places + 0.5) * h
    z: Array = np.full((1, 1, 1), 0.5) if flow.planar else line[None, None, :]
    exact = flow.distance(line[:, None, None], line[None, :, None], z)
    return float(np.mean((phi < 0.0) != (exact < 0.0))) / flow.surface
