"""Dome: a handle for a direction of light, a ball on a ball about what is seen, and how a pointer turns it. No Qt, no
OpenGL.

The pointer moves the ball over the side of the dome on which it was taken. Beyond the rim as the view sees it the ball
goes on over the other side: as far inside as the pointer is outside.
"""

from __future__ import annotations

import math

import numpy as np

from app.scene.camera import Array, Bounds, Camera, Size, Vector, vector
from app.scene.guides import Guide
from engine.runtime.quick_dataclass import dataclass

AROUND = 0.62  # of the diagonal of what is seen, that the dome's radius is
ROOM = 0.78  # of half of a view's shorter side, that it fills at most
BALL, HOT = 0.055, 0.075  # radius of the ball in shares of the dome's, under the pointer
HEAD, TIP = 0.1, 0.3  # of the dome's radius: length of the arrow's head, and where it ends
REACH = 13.0  # [logical px] from the ball within which it is taken
_ROUND = np.linspace(0.0, 2.0 * math.pi, 49)


@dataclass(frozen=True)
class Dome:
    """A ball in one view."""

    centre: Vector  # [m]
    radius: float

    def place(self, direction: Vector) -> Array:
        """Return where the ball of a direction is [m]."""
        return np.array(self.centre) + self.radius * np.array(direction)

    def is_hit(self, direction: Vector, camera: Camera, pixel: tuple[float, float], size: Size) -> bool:
        """Return True if a pixel is on the ball."""
        x, y, depth = camera.project(self.place(direction), size).tolist()
        return math.hypot(x - pixel[0], y - pixel[1]) <= REACH and (camera.orthographic or depth > 0.0)

    def turned(self, direction: Vector, camera: Camera, way: tuple[float, float], size: Size) -> Vector:
        """Return the direction after the pointer has gone `way` pixels to the right and down."""
        axes = np.stack(camera.axes)
        x, y, towards = axes @ np.array(direction)
        pixels = self.radius / camera.metres_per_pixel(self.place(direction), size)
        x, y = x + way[0] / pixels, y - way[1] / pixels
        away, side = math.hypot(x, y), 1.0 if towards >= 0.0 else -1.0
        if away > 1.0:
            inside = max(2.0 - away, 0.0)
            x, y, away, side = x * inside / away, y * inside / away, inside, -side
        return vector(np.array((x, y, side * math.sqrt(max(1.0 - away * away, 0.0)))) @ axes)

    def guides(self, direction: Vector, camera: Camera, *, view: int, hot: bool) -> tuple[Guide, ...]:
        """Return the lines of a view: the dome's horizon and the way up through the ball, the ball, and an arrow from
        it inwards."""
        azimuth, _ = angles_of(direction)
        level = np.array((math.sin(azimuth), 0.0, math.cos(azimuth)))
        horizon = [self.place((math.sin(each), 0.0, math.cos(each))) for each in _ROUND]
        rise = np.linspace(0.0, 0.5 * math.pi, 17)
        up = [self.place(vector(math.cos(each) * level + (0.0, math.sin(each), 0.0))) for each in rise]
        at, right, above = self.place(direction), camera.axes[0], camera.axes[1]
        radius = (HOT if hot else BALL) * self.radius
        ball = [at + radius * (math.cos(each) * right + math.sin(each) * above) for each in _ROUND]
        inwards = -np.array(direction)
        beside = np.cross(inwards, camera.axes[2])
        beside = beside / max(float(np.linalg.norm(beside)), 1e-6)
        tip = at + (1.0 - TIP) * self.radius * inwards
        back = tip - HEAD * self.radius * inwards
        head = [back + 0.5 * HEAD * self.radius * beside, tip, back - 0.5 * HEAD * self.radius * beside]
        quiet = [Guide(points=tuple(map(vector, each)), colour="faint", view=view) for each in (horizon, up)]
        return (
            *quiet,
            Guide(points=(vector(at + radius * inwards), vector(tip)), colour="accent", view=view),
            Guide(points=tuple(map(vector, head)), colour="accent", view=view),
            Guide(points=tuple(map(vector, ball)), colour="accent", filled=True, view=view),
        )


def dome_about(bounds: Bounds | None, camera: Camera, size: Size) -> Dome:
    """Return the dome about what is seen, where the view shows all of it, else about what the view looks at."""
    most = ROOM * camera.half_height * min(1.0, max(size[0], 1.0) / max(size[1], 1.0))
    if bounds is not None:
        centre = np.array(bounds.centre)
        radius = AROUND * float(np.linalg.norm(np.subtract(bounds.upper, bounds.lower)))
        aside = np.stack(camera.axes[:2]) @ (centre - np.array(camera.target))
        if 0.25 * most < radius and radius + float(np.linalg.norm(aside)) <= 1.15 * most:
            return Dome(bounds.centre, radius)
    return Dome(camera.target, most)


def angles_of(direction: Vector) -> tuple[float, float]:
    """Return the azimuth, from +Z towards +X, and the elevation of a direction [rad]."""
    x, y, z = direction
    return math.atan2(x, z), math.atan2(y, math.hypot(x, z))
