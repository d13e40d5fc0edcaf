"""Displays: how a view shows figures, and what stands in where a figure lacks the form."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from engine.model import Bodies, SkinSurface

Display = Literal["mannequin", "skin", "bones", "lines", "translucent"]
DISPLAYS: tuple[Display, ...] = get_args(Display)
DISPLAY_NAMES: dict[Display, str] = {
    "mannequin": "Mannequin", "skin": "Skin", "bones": "Bones", "lines": "Lines", "translucent": "Translucent",
}  # fmt: skip
FILLS = 0.5  # of the volume of a skin, from which on shapes fill it
SKINNED: tuple[Display, ...] = ("skin", "translucent")  # those that show skins


def fills(item: Bodies, skin: SkinSurface) -> bool:
    """Return True if the shapes of a figure fill its skin: they have half of its volume and more."""
    shapes = _volume(item.mesh.positions, item.mesh.triangles)
    return shapes > FILLS * _volume(skin.positions, skin.triangles)


def _volume(positions: NDArray[np.float32], triangles: NDArray[np.integer[Any]]) -> float:
    """Return the volume of closed surfaces [m3], that of each by itself."""
    a, b, c = (positions[triangles[:, corner]].astype(np.float64) for corner in range(3))
    return abs(float(np.einsum("ij,ij->", a, np.cross(b, c)))) / 6.0


def form_of(display: Display, item: Bodies, skinned: frozenset[str], filled: frozenset[str] = frozenset()) -> Display:
    """Return the form in which an item is drawn; `skinned` are the owners of skins, `filled` of those that shapes fill.

    A thing of one body is always drawn as it looks; a figure without a skin as a mannequin, one without shapes in its
    skin, one without either as bones. What is translucent is its skin alone: below that are its shapes, such as those
    of a skeleton, or where these would fill it, as a mannequin does, bones.
    """
    if display == "translucent" and item.owner in filled:
        return "bones"
    if display in ("bones", "lines") and len(item.parts) > 1:
        return display
    has_shapes, has_skin = len(item.mesh.triangles) > 0, item.owner in skinned
    if has_skin and display != "translucent" and (display == "skin" or not has_shapes):
        return "skin"
    return "mannequin" if has_shapes else "bones"
