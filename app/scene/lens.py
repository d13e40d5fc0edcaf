"""Lens: through which places of an opening the pictures of a mean are seen, so that what is out of focus is blurred.

What lies in the plane of focus stands in one place in all of them; a point before or behind it goes over a disc, as
through a thin lens: of an opening A wide that is focused at u, what is d away is blurred over A |1/u - 1/d| as the
picture has it 1 m away. The mean is exact where edges hide each other, and has no halos; its grain is that of so many
pictures.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene.camera import Camera

FEWEST, MOST = 16, 96  # pictures of a mean
APART = 2.0  # [px] between the places that what is far away has in neighbouring ones, unless that takes more
_GOLDEN = math.pi * (3.0 - math.sqrt(5.0))

Point = tuple[float, float]


@dataclass(frozen=True)
class Lens:
    """The opening of an eye, and where it sees sharply."""

    aperture: float  # [m] width
    focus: float  # [m] before the eye, along its line of sight

    def circle(self, camera: Camera, height: float, distance: float = math.inf) -> float:
        """Return the width [px] of what a point at a distance is in a picture of this height."""
        scale = 0.5 * height / math.tan(0.5 * camera.fov)
        return self.aperture * abs(1.0 / self.focus - 1.0 / distance) * scale


@dataclass(frozen=True)
class LensSample:
    """One picture of a mean."""

    shift: Point = (0.0, 0.0)  # [px]
    lens: Point = (0.0, 0.0)  # of the opening, whose radius is 1: to the right and up


def opening(count: int) -> tuple[Point, ...]:
    """Return places in a disc of radius 1 whose mean is near its middle: those of a spiral, in an order by which few
    of them cover all of it."""
    step = _step(count)
    polar = ((math.sqrt((each + 0.5) / count), _GOLDEN * each) for each in (k * step % count for k in range(count)))
    return tuple((radius * math.cos(angle), radius * math.sin(angle)) for radius, angle in polar)


def shifts(count: int) -> tuple[Point, ...]:
    """Return places within a pixel [px], as rooks: no two share a row or a column, and their mean is its middle."""
    step = _step(count)
    return tuple(
        ((2 * each + 1 - count) / (2 * count), (2 * (each * step % count) + 1 - count) / (2 * count))
        for each in range(count)
    )


def _step(count: int) -> int:
    """Return about the golden section of a number, without a divisor in common with it."""
    first = round(count * (math.sqrt(5) - 1) / 2) or 1
    return next(each for each in range(first, count + 1) if math.gcd(each, count) == 1)
