"""Displays: how a view shows figures, and what stands in where a figure lacks the form."""

from __future__ import annotations

from typing import Literal, get_args

from engine.model import Bodies

Display = Literal["mannequin", "skin", "bones", "lines", "translucent"]
DISPLAYS: tuple[Display, ...] = get_args(Display)
DISPLAY_NAMES: dict[Display, str] = {
    "mannequin": "Mannequin", "skin": "Skin", "bones": "Bones", "lines": "Lines", "translucent": "Translucent",
}  # fmt: skip
SKINNED: tuple[Display, ...] = ("skin", "translucent")  # those that show skins


def form_of(display: Display, item: Bodies, skinned: frozenset[str]) -> Display:
    """Return the form in which an item is drawn; `skinned` are the owners of skins.

    A thing of one body is always drawn as it looks; a figure without a skin as a mannequin, one without shapes in its
    skin, one without either as bones. What is translucent is its skin alone: below that it is a mannequin.
    """
    if display in ("bones", "lines") and len(item.parts) > 1:
        return display
    has_shapes, has_skin = len(item.mesh.triangles) > 0, item.owner in skinned
    if has_skin and display != "translucent" and (display == "skin" or not has_shapes):
        return "skin"
    return "mannequin" if has_shapes else "bones"
