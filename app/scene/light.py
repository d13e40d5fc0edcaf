"""Light: where a picture's light comes from, and how strong each part of it is. Plain values, no OpenGL.

Three lights shine beside a hemisphere of sky over ground: a key, which casts shadows, a fill, which softens its dark
side, and a rim at the edges. Directions point to where a light is, in the world.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.scene.camera import Camera, Vector, vector

Shadows = Literal["auto", "off", "contact", "quick", "full"]
"""Which shadows a picture has. Quick: that of the key is equally soft everywhere, and no notch is darker than the rest;
auto: contact, unless `shadow_pace` knows more."""


SHOULDER = (-0.45, 0.62, 0.64)  # of the eye: right, up and back, from where the key shines where nobody sets it
SIZE = math.radians(2.6)  # of the key, as half of the angle over which it is seen
UP: Vector = (0.0, 1.0, 0.0)


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
