"""A height field for wide, calm water: the shallow water equations without advection, on a staggered grid of columns.

    du/dt = -g d(eta)/dx - damping u,   d(depth)/dt = -d(depth u)/dx - d(depth w)/dz,   eta = bed + depth + pressed

`pressed` is the weight on the water there, as a height of water [m]. The depth at a face is that of the column upwind
(Chentanez and Muller 2010, "Real-time simulation of large bodies of water with small scale details"), and no column
gives more than it has: depths stay at least zero, and the volume is kept to rounding. Waves of all lengths run at
sqrt(g depth), so it holds for waves longer than some ten depths, and none of them breaks. Sub-steps keep
sqrt(2 g depth) dt below a column's width.

A wave maker's face moves through the first columns, which are one for it (`Piston`): as wide as the room before the
face, of one depth, so that what the face pushes is in the water to the last drop. Columns behind it have no width.
"""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import Diverged, InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.water.ends import EndZones
from engine.water.grid import LEAST_CELLS
from engine.water.marching_cubes import WaterMesh

_SAFETY = 0.7


@dataclass(frozen=True, kw_only=True)
class HeightOptions:
    """Numbers of a height field."""

    gravity: float = 9.81  # [m/s2]
    damping: float = 0.05  # [1/s]


@dataclass(frozen=True)
class Piston:
    """The room before a wave maker's face: how many columns it is in all, and how wide it is now [m]."""

    columns: int
    width: float


@dataclass(kw_only=True, eq=False)
class HeightField:
    """Columns of water, and what flows between them."""

    spacing: float  # [m]
    bed: Array  # [m], shape [nx, nz]
    depth: Array  # [m], shape [nx, nz]
    u: Array  # [m/s], shape [nx + 1, nz]
    w: Array  # [m/s], shape [nx, nz + 1]
    widths: Array = field(default_factory=lambda: np.zeros(0))  # [m] of columns along x, shape [nx]

    def __post_init__(self) -> None:
        if not len(self.widths):
            self.widths = np.full(len(self.depth), self.spacing)

    @property
    def volume(self) -> float:
        """Volume of the water [m3]."""
        return float(self.widths @ self.depth.sum(axis=1)) * self.spacing

    def make_room(self, piston: Piston) -> None:
        """Let the first columns be one, of that width, as deep as they are."""
        self.widths[: piston.columns] = 0.0
        self.widths[piston.columns - 1] = piston.width

    def squeeze(self, piston: Piston) -> None:
        """Give that one another width; its water rises or falls."""
        last = piston.columns - 1
        self.depth[: piston.columns] = self.depth[last] * (self.widths[last] / piston.width)
        self.make_room(piston)


def level_water(bed: Array, level: float, spacing: float) -> HeightField:
    """Fill a bed up to a level with water at rest."""
    bed = np.array(bed, dtype=np.float64)
    fits = bed.ndim == 2 and bed.shape[0] >= LEAST_CELLS and (bed.shape[1] == 1 or bed.shape[1] >= LEAST_CELLS)
    if not fits or not np.isfinite(bed).all():
        allowed = "finite heights, at least 3 by 3 columns, or 1 along z"
        raise InvalidArguments(what="the bed", value=bed.shape, allowed=allowed)
    if not (spacing > 0.0 and math.isfinite(spacing)):
        raise InvalidArguments(what="the width of a column", value=spacing, allowed="a finite length above 0 m")
    depth = np.maximum(level - bed, 0.0)
    if not depth.any():
        raise InvalidArguments(what="the water's level", value=level, allowed=f"above the bed, {float(bed.min()):g} m")
    nx, nz = bed.shape
    return HeightField(spacing=spacing, bed=bed, depth=depth, u=np.zeros((nx + 1, nz)), w=np.zeros((nx, nz + 1)))


def step_heights(
    water: HeightField,
    dt: float,
    options: HeightOptions,
    *,
    pressed: Array | None = None,
    piston: Piston | None = None,
    ends: EndZones | None = None,
) -> int:
    """Step by dt in as many sub-steps as the fastest wave needs; how many. `piston`: as it is at the end."""
    fastest = math.sqrt(2.0 * options.gravity * max(float(water.depth.max()), 1e-6))
    driven = 0.0 if piston is None else abs(piston.width - water.widths[piston.columns - 1]) / dt
    quickest = max(float(np.abs(water.u).max()), float(np.abs(water.w).max()), driven)
    steps = max(1, math.ceil((fastest + quickest) * dt / (_SAFETY * water.spacing)))
    push = np.zeros_like(water.depth) if pressed is None else pressed
    before = 0.0 if piston is None else float(water.widths[piston.columns - 1])
    for number in range(1, steps + 1):
        if piston is not None:
            width = before + (piston.width - before) * number / steps
            water.squeeze(Piston(piston.columns, width))
        _step(water, dt / steps, options, push, ends)
    if not np.isfinite(water.depth).all():
        raise Diverged(what="the height field of the water", value="not a number")
    return steps


def _step(water: HeightField, dt: float, options: HeightOptions, pressed: Array, ends: EndZones | None) -> None:
    """Take one sub-step: speeds from slopes, then depths from what flows."""
    depth, bed, u, w, widths = water.depth, water.bed, water.u, water.w, water.widths
    eta = bed + depth + pressed
    slower = 1.0 / (1.0 + options.damping * dt)
    apart = 0.5 * (widths[1:] + widths[:-1])
    open_faces = (widths[:-1] > 0.0)[:, None]
    fall = np.diff(eta, axis=0) / np.where(apart > 0.0, apart, 1.0)[:, None]
    current = 0.0 if ends is None else ends.speed
    u[1:-1] = np.where(open_faces, current + slower * (u[1:-1] - current - options.gravity * dt * fall), 0.0)
    w[:, 1:-1] = slower * (w[:, 1:-1] - options.gravity * dt / water.spacing * np.diff(eta, axis=1))
    w[widths == 0.0] = 0.0
    if ends is not None:
        ends.lead(u, w, dt)
    _flow(water, dt)
    if ends is not None:
        ends.let_through(depth, bed + pressed, dt)
    behind = int(np.count_nonzero(widths == 0.0))
    depth[:behind] = depth[behind]


def _flow(water: HeightField, dt: float) -> None:
    """Let water flow between columns, as much as these have."""
    depth, u, w = water.depth, water.u, water.w
    per = dt / np.where(water.widths > 0.0, water.widths, water.spacing)[:, None]
    ratio = dt / water.spacing
    flow_u = u[1:-1] * np.where(u[1:-1] > 0.0, depth[:-1], depth[1:])
    flow_w = ratio * w[:, 1:-1] * np.where(w[:, 1:-1] > 0.0, depth[:, :-1], depth[:, 1:])
    gives = np.zeros_like(depth)
    gives[:-1] += per[:-1] * np.maximum(flow_u, 0.0)
    gives[1:] += per[1:] * np.maximum(-flow_u, 0.0)
    gives[:, :-1] += np.maximum(flow_w, 0.0)
    gives[:, 1:] += np.maximum(-flow_w, 0.0)
    share = np.minimum(1.0, depth / np.maximum(gives, 1e-300))
    flow_u *= np.where(flow_u > 0.0, share[:-1], share[1:])
    flow_w *= np.where(flow_w > 0.0, share[:, :-1], share[:, 1:])
    depth[:-1] -= per[:-1] * flow_u
    depth[1:] += per[1:] * flow_u
    depth[:, :-1] -= flow_w
    depth[:, 1:] += flow_w
    np.maximum(depth, 0.0, out=depth)


def mesh_heights(
    heights: Array, spacing: float, floor: float, origin: tuple[float, float] = (0.0, 0.0), first: float = -math.inf
) -> WaterMesh:
    """Mesh the water below heights of columns [m] as one closed body down to a floor [m]; `origin`: x and z of its
    corner, `first`: x where it begins, if that is beyond."""
    padded = np.pad(heights, 1, mode="edge")
    top = 0.25 * (padded[:-1, :-1] + padded[1:, :-1] + padded[:-1, 1:] + padded[1:, 1:])
    nx, nz = top.shape
    x = np.maximum(origin[0] + spacing * np.arange(nx)[:, None], first) + np.zeros((1, nz))
    z = origin[1] + spacing * np.arange(nz)[None, :] + np.zeros((nx, 1))
    slope_x, slope_z = (np.gradient(top, spacing, axis=axis) for axis in (0, 1))
    up = np.stack([-slope_x, np.ones_like(top), -slope_z], axis=-1)
    up /= np.linalg.norm(up, axis=-1, keepdims=True)
    number = np.arange(nx * nz, dtype=np.int32).reshape(nx, nz)
    pieces = [(np.stack([x, top, z], axis=-1), up, _quads(number))]
    for normal, line, turned in (
        ((-1.0, 0.0, 0.0), np.s_[0], False),
        ((1.0, 0.0, 0.0), np.s_[-1], True),
        ((0.0, 0.0, -1.0), np.s_[:, 0], True),
        ((0.0, 0.0, 1.0), np.s_[:, -1], False),
    ):
        upper = np.stack([x[line], top[line], z[line]], axis=-1)
        side = np.stack([np.where([True, False, True], upper, floor), upper])
        faces = _quads(np.arange(side[..., 0].size, dtype=np.int32).reshape(side.shape[:2]))
        pieces.append((side, np.broadcast_to(np.array(normal), side.shape), faces[:, ::-1] if turned else faces))
    low = np.stack([x, np.full_like(x, floor), z], axis=-1)
    pieces.append((low, np.broadcast_to(np.array((0.0, -1.0, 0.0)), low.shape), _quads(number)[:, ::-1]))
    starts = np.cumsum([0, *(place[..., 0].size for place, _, _ in pieces)])
    return WaterMesh(
        positions=np.concatenate([place.reshape(-1, 3) for place, _, _ in pieces]).astype(np.float32),
        normals=np.concatenate([normal.reshape(-1, 3) for _, normal, _ in pieces]).astype(np.float32),
        triangles=np.concatenate(
            [faces + start for (_, _, faces), start in zip(pieces, starts[:-1], strict=True)]
        ).astype(np.int32),
    )


def _quads(number: IntArray) -> IntArray:
    """Two triangles for each square of a sheet of vertices, anticlockwise where the axes run as z, x."""
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    first, second = np.stack([a, d, c], axis=-1), np.stack([a, c, b], axis=-1)
    return np.concatenate([first.reshape(-1, 3), second.reshape(-1, 3)])
