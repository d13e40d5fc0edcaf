"""Saved views: cameras and layout of the views as plain values, as the preferences keep them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from app.scene.camera import Camera
from app.scene.displays import DISPLAYS, Display
from engine.runtime.quick_dataclass import dataclass

_LATER = {"roll": 0.0, "near": 0.0}  # fields of a camera that are written only where they say something


@dataclass(frozen=True)
class SavedViews:
    """The four views as they were."""

    cameras: tuple[Camera, ...]
    displays: tuple[Display, ...]
    maximised: int | None
    active: int


def plain_views(views: SavedViews) -> dict[str, Any]:
    """Return cameras and layout as plain values."""
    return {
        "cameras": [_plain(camera) for camera in views.cameras],
        "displays": list(views.displays),
        "maximised": views.maximised,
        "active": views.active,
    }


def views_in(saved: Mapping[str, Any], displays: Sequence[Display]) -> SavedViews | None:
    """Return what `plain_views` gave, None if it is damaged; `displays` are those of preferences without any."""
    try:
        cameras = tuple(Camera(**(each | {"target": tuple(each["target"])})) for each in saved["cameras"])
        maximised, active = saved["maximised"], saved["active"]
        shown: tuple[Display, ...] = tuple(saved.get("displays", displays))
        if len(shown) != 4 or not all(each in DISPLAYS for each in shown):
            return None
        if len(cameras) != 4 or not all(camera.is_sound for camera in cameras):
            return None
        if maximised not in (None, 0, 1, 2, 3) or active not in (0, 1, 2, 3):
            return None
    except (KeyError, TypeError, ValueError):
        return None
    return SavedViews(cameras, shown, maximised, active)


def _plain(camera: Camera) -> dict[str, Any]:
    return {name: value for name, value in asdict(camera).items() if name not in _LATER or value != _LATER[name]}
