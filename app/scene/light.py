"""Light: where a picture's light comes from, and how strong each part of it is. Plain values, no OpenGL.

Three lights shine beside a hemisphere of sky over ground: a key, which casts shadows, a fill, which softens its dark
side, and a rim at the edges. Directions point to where a light is, in the world.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from app.scene.camera import Camera, Vector, vector
from app.scene.look import Look, rgb
from engine.model import SceneLight
from engine.runtime.quick_dataclass import dataclass

SHOULDER = (-0.45, 0.62, 0.64)  # of the eye: right, up and back, from where the key shines where nobody sets it
SIZE = math.radians(2.6)  # of the key, as half of the angle over which it is seen
UP: Vector = (0.0, 1.0, 0.0)
FILL = (math.radians(95.0), math.radians(18.0))  # from the key, and above the horizon
RIM = math.radians(38.0)  # above the horizon
DARKER = 0.22  # share of black at the bottom of a background


@dataclass(frozen=True, kw_only=True)
class Light:
    """The light of one view."""

    key: Vector  # a unit direction, as all others
    rim: Vector = UP
    fill: Vector = UP
    key_strength: float = 1.0
    fill_strength: float = 0.0
    rim_strength: float = 1.0
    sky_strength: float = 1.0  # of the hemisphere
    size: float = SIZE  # [rad]


def usual_light(camera: Camera) -> Light:
    """Give the light that goes with a view: its key shines from above the eye's left shoulder."""
    right, up, back = camera.axes
    key = SHOULDER[0] * right + SHOULDER[1] * up + SHOULDER[2] * back
    return Light(key=vector(key / np.linalg.norm(key)))


def light_of(camera: Camera, scene: SceneLight | None) -> Light:
    """Give the light of a view, by what a scene says of it. The fill stands at the key's side and low, the rim
    opposite."""
    if scene is None:
        return usual_light(camera)
    azimuth = scene.azimuth + (camera.azimuth if scene.with_view else 0.0)
    return Light(
        key=direction_of(azimuth, scene.elevation),
        fill=direction_of(azimuth + FILL[0], FILL[1]),
        rim=direction_of(azimuth + math.pi, RIM),
        key_strength=scene.key,
        fill_strength=scene.fill,
        rim_strength=scene.rim,
        sky_strength=scene.sky,
        size=scene.angle,
    )


def grounded(look: Look, scene: SceneLight | None) -> Look:
    """Give the look with the background of a scene, unless the look has one of its own."""
    if scene is None or not scene.background or look.own_ground:
        return look
    return replace(look, view_top=scene.background, view_bottom=mixed(scene.background, "#000000", DARKER))


def mixed(first: str, second: str, share: float) -> str:
    """Return a colour between two."""
    pairs = zip(rgb(first), rgb(second), strict=True)
    return "#" + "".join(f"{round(255 * ((1 - share) * one + share * two)):02x}" for one, two in pairs)


def direction_of(azimuth: float, elevation: float) -> Vector:
    """Return the unit direction to a light, by its azimuth and its height above the horizon [rad]."""
    level = math.cos(elevation)
    return level * math.sin(azimuth), math.sin(elevation), level * math.cos(azimuth)
