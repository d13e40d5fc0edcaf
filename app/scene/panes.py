"""Panes: the rectangles and names of the views on the canvas. Pure geometry in physical pixels, y down."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field

from app.scene.camera import RIGHT_ANGLE, Camera, wrap
from app.scene.displays import Display
from app.scene.lens import Lens
from engine.runtime.quick_dataclass import dataclass

TOP, PERSPECTIVE, FRONT, RIGHT = range(4)  # the views, in reading order

# Azimuth and elevation [rad]. Right and left are those of someone who looks at the figure's face.
DIRECTIONS: dict[str, tuple[float, float]] = {
    "Front": (0.0, 0.0),
    "Back": (math.pi, 0.0),
    "Right": (RIGHT_ANGLE, 0.0),
    "Left": (-RIGHT_ANGLE, 0.0),
    "Top": (0.0, RIGHT_ANGLE),
    "Bottom": (0.0, -RIGHT_ANGLE),
}


@dataclass(frozen=True)
class Pane:
    """A rectangle of the canvas."""

    x: int
    y: int
    width: int
    height: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height

    def holds(self, x: float, y: float) -> bool:
        """Return True if a point of the canvas lies inside."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True)
class Tile:
    """A part of a picture that is larger than what can be drawn at once; it may reach beyond the picture."""

    x: int  # [px] from the left
    y: int  # [px] from below
    width: int
    height: int
    whole: tuple[int, int]  # width and height of the picture


@dataclass(frozen=True)
class Shot:
    """The views in one picture, their panes and cameras."""

    width: int  # [physical px]
    height: int
    panes: dict[int, Pane]
    cameras: Sequence[Camera]
    displays: Sequence[Display]
    pixel_ratio: float
    tile: Tile | None = None  # that is drawn of a picture of one view
    titles: Mapping[int, str] = field(default_factory=dict)  # of views that have one of their own
    lenses: Mapping[int, Lens] = field(default_factory=dict)  # of views of which not all is sharp

    def title(self, view: int) -> str:
        """Return what stands in a view's corner."""
        return self.titles.get(view) or view_name(self.cameras[view])


def divide(width: int, height: int, maximised: int | None, gap: int) -> dict[int, Pane]:
    """Return the panes of the shown views, by view."""
    if maximised is not None:
        return {maximised: Pane(0, 0, width, height)}
    left, upper = max((width - gap) // 2, 1), max((height - gap) // 2, 1)
    right, lower = max(width - gap - left, 1), max(height - gap - upper, 1)
    return {
        TOP: Pane(0, 0, left, upper),
        PERSPECTIVE: Pane(left + gap, 0, right, upper),
        FRONT: Pane(0, upper + gap, left, lower),
        RIGHT: Pane(left + gap, upper + gap, right, lower),
    }


def first_cameras() -> tuple[Camera, Camera, Camera, Camera]:
    """Return the cameras of a new scene, for a figure of human size at the origin."""
    top, front, right = (
        Camera(azimuth=DIRECTIONS[name][0], elevation=DIRECTIONS[name][1], orthographic=True)
        for name in ("Top", "Front", "Right")
    )
    return top, Camera(azimuth=math.radians(28.0), elevation=math.radians(9.0)), front, right


def direction_name(camera: Camera) -> str | None:
    """Return the standard direction that a camera looks from, if it is one."""
    for name, (azimuth, elevation) in DIRECTIONS.items():
        if not camera.roll and abs(wrap(camera.azimuth - azimuth)) < 1e-6 and abs(camera.elevation - elevation) < 1e-6:
            return name
    return None


def view_name(camera: Camera) -> str:
    """Return the name of a view, for its corner."""
    if not camera.orthographic:
        return "Perspective"
    return direction_name(camera) or "Orthographic"
