"""Drawn: items of a tank: its box, its water and spray, a slice of its flow, arrows, the wave maker."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from engine.model.snapshot import Arrows, LineSet, LiquidSurface, Role, SliceSheet, SnapshotItem
from engine.water.compile import TankScene
from engine.water.moments import WaterMoment
from engine.water.seen_surface import SeenSurface

BEFORE = 0.002  # [m] that a slice lies before a planar tank
LENGTH = 0.1  # [m] of an arrow for each metre a second
MOST_ARROWS = 24  # along each side
_EDGES = np.array(
    [(0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7)], dtype=np.int32
)
_CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=np.float64)
_FACE = np.array([(0, 1), (1, 2), (2, 3), (3, 0)], dtype=np.int32)


def drawn(
    scene: TankScene, moment: WaterMoment, surface: SeenSurface, seconds: float, *, visible: bool
) -> Iterator[SnapshotItem]:
    """Draw a tank some seconds after its start."""
    owner, tank = scene.actor.id, scene.tank
    low = np.array(scene.lower)
    upper = (low + np.array(tank.box)).tolist()
    yield LiquidSurface(
        owner=owner,
        role="water",
        positions=surface.positions,
        normals=surface.normals,
        triangles=surface.triangles,
        foam=surface.foam,
        shell=surface.shell,
        drops=surface.drops,
        lower=scene.lower,
        upper=(upper[0], upper[1], upper[2]),
        visible=visible,
    )
    yield _lines(owner, "box", low + _CORNERS * np.array(tank.box), _EDGES, visible)
    if scene.paddle is not None:
        outline = scene.deepened(scene.paddle.outline(seconds).astype(np.float32))
        yield _lines(owner, "paddle", outline, _FACE, visible)
    if surface.net is not None and len(surface.net[0]):
        yield _lines(owner, "net", *surface.net, visible, role="pseudo")
    if tank.slice != "none":
        yield _slice(owner, scene, moment, visible)
    if tank.arrows:
        yield _arrows(owner, scene, moment, visible)


def _lines(
    owner: str, what: str, places: NDArray[np.floating], ends: NDArray[np.int32], visible: bool, *, role: Role = "tank"
) -> LineSet:
    topology = blake2b(f"water {what}".encode() + ends.tobytes(), digest_size=16).hexdigest()
    spots = places.astype(np.float32)
    return LineSet(owner=owner, role=role, ends=ends, positions=spots, topology=topology, visible=visible)


def plane(scene: TankScene, count: int) -> tuple[int, float]:
    """Give which of so many samples in z a slice goes through, and where that is [m]: of a planar tank before it."""
    if scene.tank.planar:
        return 0, scene.lower[2] + scene.tank.box[2] + BEFORE
    index = min(max(int(scene.tank.slice_place * count), 0), count - 1)
    return index, scene.lower[2] + (index + 0.5) / count * scene.tank.box[2]


def _slice(owner: str, scene: TankScene, moment: WaterMoment, visible: bool) -> SliceSheet:
    tank, flow = scene.tank, moment.flow.astype(np.float32)
    index, z = plane(scene, flow.shape[3])
    here = flow[:, :, :, index]
    values = np.sqrt((here[:3] ** 2).sum(axis=0)) if tank.slice == "speed" else here[3]
    (x, y, _), (wide, high, _) = scene.lower, tank.box
    corners = np.array(((x, y, z), (x + wide, y, z), (x + wide, y + high, z), (x, y + high, z)), dtype=np.float32)
    there = values[np.isfinite(values)]
    high_value = float(there.max(initial=0.0))
    low_value = min(float(there.min(initial=0.0)), 0.0)
    return SliceSheet(
        owner=owner,
        role="flow",
        corners=corners,
        values=np.ascontiguousarray(values.T),
        low=low_value,
        high=max(high_value, low_value + 1e-6),
        visible=visible,
    )


def _arrows(owner: str, scene: TankScene, moment: WaterMoment, visible: bool) -> Arrows:
    flow = moment.flow.astype(np.float32)
    index, z = plane(scene, flow.shape[3])
    by = max(1, -(-max(flow.shape[1:3]) // MOST_ARROWS))
    here = flow[:3, by // 2 :: by, by // 2 :: by, index]
    (x, y, _), (wide, high, _) = scene.lower, scene.tank.box
    across = (np.arange(flow.shape[1])[by // 2 :: by] + 0.5) / flow.shape[1] * wide + x
    up = (np.arange(flow.shape[2])[by // 2 :: by] + 0.5) / flow.shape[2] * high + y
    places = np.stack(np.broadcast_arrays(across[:, None], up[None, :], np.float64(z)), axis=-1).reshape(-1, 3)
    vectors = here.reshape(3, -1).T
    there = np.isfinite(vectors).all(axis=1)
    return Arrows(
        owner=owner,
        role="flow",
        starts=np.ascontiguousarray(places[there], dtype=np.float32),
        vectors=np.ascontiguousarray(LENGTH * vectors[there], dtype=np.float32),
        visible=visible,
    )
