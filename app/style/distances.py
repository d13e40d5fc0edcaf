"""Distances in colour: inside one hue that deepens, outside another that fades, a line where it is zero.

Brings numpy: for use once there is something to colour.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.style.theme import Theme

DEEP, FAR = 0.6, 1.6  # [rad] where the hue of inside is full, and that of outside is gone
BAND = 0.1745329  # [rad] between two faint lines: 10 degrees
_INSIDE, _OUTSIDE = (0.30, 0.75), (0.42, 0.06)  # shares of the hue: at the boundary, far from it
CLEAR = (0.85, 0.6, 0.15)  # opacities of what is seen through: inside, beside the boundary, far outside
_SHADE = 0.06  # by which every other band is darker
_LINE = 1.0  # [px] half the width of the line at zero

Rgba = NDArray[np.uint8]


def distance_colours(values: NDArray[np.float64], theme: Theme, *, clear: bool = False, lined: bool = True) -> Rgba:
    """Return premultiplied colours of signed distances [rad], shape [..., 4]; neighbours in the array are neighbours
    seen.

    `clear`: outside they are seen through, the more the farther. `lined`: with a line where they are zero.
    """
    ground, inside, outside, line = (_rgb(each) for each in (theme.field, theme.accent, theme.axis_z, theme.text))
    depth = np.clip(-values / DEEP, 0.0, 1.0)
    away = np.clip(values / FAR, 0.0, 1.0)
    shares = np.where(
        values <= 0.0,
        _INSIDE[0] + (_INSIDE[1] - _INSIDE[0]) * depth,
        _OUTSIDE[0] + (_OUTSIDE[1] - _OUTSIDE[0]) * away,
    )[..., None]
    colours = ground + shares * (np.where(values[..., None] <= 0.0, inside, outside) - ground)
    colours *= 1.0 - _SHADE * (np.floor(values / BAND) % 2.0)[..., None]
    near = np.zeros_like(values)
    if lined:
        steepness = np.sqrt(sum(each * each for each in np.gradient(values)))
        near = np.clip(_LINE + 0.5 - np.abs(values) / np.maximum(steepness, 1e-9), 0.0, 1.0)
        colours += near[..., None] * (line - colours)
    found = np.empty((*values.shape, 4), dtype=np.uint8)
    opacity = np.ones_like(values)
    if clear:
        opacity = np.where(values <= 0.0, CLEAR[0], CLEAR[1] + (CLEAR[2] - CLEAR[1]) * np.sqrt(away))
        opacity = np.maximum(opacity, near)
    found[..., :3] = np.round(255.0 * opacity[..., None] * np.clip(colours, 0.0, 1.0))
    found[..., 3] = np.round(255.0 * opacity)
    return found


def _rgb(colour: str) -> NDArray[np.float64]:
    return np.array([int(colour[at : at + 2], 16) / 255.0 for at in (1, 3, 5)])
