"""Manipulator: arrows that move and rings that turn, as large on the screen wherever they stand. No Qt, no OpenGL.

What is drawn is what is hit: `strokes` gives both, in pixels of a view. A pull goes from where the pointer took a
part to where it is now, so that what was taken stays under the pointer: along an axis by the point of it that comes
nearest to the ray, over a plane and about a ring seen well by where the ray meets it, about a ring seen edge-on by the
way along it. Where a ray meets nothing in front of the eye there is no answer, and who asks keeps the last one.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal

import numpy as np

from app.scene.camera import Array, Camera, Size, Vector, vector
from engine.runtime.quick_dataclass import dataclass

Part = Literal["x", "y", "z", "yz", "zx", "xy", "view", "free"]
Triple = tuple[Vector, Vector, Vector]
Pixel = tuple[float, float]

AXES: tuple[Part, Part, Part] = ("x", "y", "z")
PLANES: tuple[Part, Part, Part] = ("yz", "zx", "xy")  # each without the axis of the same number
MOVES: frozenset[Part] = frozenset((*AXES, *PLANES, "view"))
TURNS: frozenset[Part] = frozenset((*AXES, "view", "free"))
WORLD: Triple = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

ARM = 88.0  # [logical px] length of an arrow, radius of a ring
GRAB = 7.0  # [logical px] from a line it is still taken
FINE = 0.1  # of the pointer's way that counts with the key for fine work
_BALL = 8.0  # [logical px]
_OUTER = 1.2  # radius of the ring that faces the eye, in arms
_STEM, _HEAD, _HEAD_WIDTH = 0.16, 0.83, 6.0  # where an arrow and its head begin, in arms; [logical px]
_SQUARE = (0.32, 0.54)  # from where to where a square reaches along both axes, in arms
_SIDES = 96  # of a ring
_TAKEN = 0.5  # how well a part must be seen to be taken
_WELL = 0.2  # cosine of the angle between a ring's axis and the line of sight above which its plane is met
_LARGEST_SHARE = 0.24  # of the smaller side of a view that an arm takes at most
_FAR = 1000.0  # [distances of the camera] beyond which a ray that meets something counts as meeting nothing


@dataclass(frozen=True, kw_only=True)
class Manipulator:
    """Position, axes and parts of a manipulator."""

    kind: Literal["move", "rotate"]
    origin: Vector
    axes: Triple = WORLD  # unit vectors in the world; those of rings may stand at any angles
    parts: frozenset[Part] = MOVES


@dataclass(frozen=True, kw_only=True)
class Pull:
    """A part that is dragged, as it is drawn."""

    part: Part
    words: str = ""  # how far, beside the pointer
    warns: bool = False  # whether the text is a warning
    pixel: Pixel | None = None  # of the pointer, in the view `view`
    view: int = -1
    axis: Vector | None = None  # of a turn
    first: Vector | None = None  # the direction from which it is counted, at right angles to the axis
    angle: float = 0.0  # [rad]
    step: float = 0.0  # between ticks [rad]; 0: none


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A manipulator as it is drawn: which part lights up, and what a pull has done so far."""

    manipulator: Manipulator
    hot: Part | None = None
    pull: Pull | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class PartStroke:
    """A line, or an area, of a part as it is seen."""

    part: Part
    points: Array  # [px], shape [count, 2]
    depth: float  # distance of its middle in front of the eye [m]
    seen: float = 1.0  # 0: edge-on, neither drawn nor taken, to 1
    closed: bool = False
    filled: bool = False


def arm_of(camera: Camera, origin: Vector, size: Size) -> float:
    """Return the length of an arrow [m]; 0 where the place cannot be seen."""
    depth = float((camera.eye - np.array(origin)) @ camera.axes[2])
    if not camera.orthographic and depth < 1e-3 * camera.distance:
        return 0.0
    pixels = min(ARM, _LARGEST_SHARE * min(size))
    return camera.metres_per_pixel(np.array(origin), size) * pixels


def to_eye(camera: Camera, origin: Vector) -> Array:
    """Return the direction from a place towards the eye, a unit vector."""
    if camera.orthographic:
        return camera.axes[2]
    way: Array = camera.eye - np.array(origin)
    return way / max(float(np.linalg.norm(way)), 1e-12)


@lru_cache(maxsize=32)
def strokes(manipulator: Manipulator, camera: Camera, size: Size) -> tuple[PartStroke, ...]:
    """Return all lines and areas, the farthest first; none of a place behind the eye."""
    arm = arm_of(camera, manipulator.origin, size)
    if arm == 0.0 or not math.isfinite(arm):
        return ()
    find = _arrows if manipulator.kind == "move" else _rings
    found = [each for each in find(manipulator, camera, size, arm) if each.part in manipulator.parts]
    return tuple(sorted(found, key=lambda each: -each.depth))


def part_at(manipulator: Manipulator, camera: Camera, pixel: Pixel, size: Size) -> Part | None:
    """Return the part under a pixel: the middle first, then the nearest line, then an area."""
    seen = [each for each in strokes(manipulator, camera, size) if each.seen >= _TAKEN]
    best: tuple[float, float] | None = None
    found: Part | None = None
    area: Part | None = None
    for each in seen:
        if each.filled and _inside(each.points, pixel):
            area = each.part
            if each.part == "view":
                return "view"
        distance = _distance(each.points, pixel, closed=each.closed or each.filled)
        if each.part != "free" and distance <= GRAB and (best is None or (round(distance), each.depth) < best):
            best, found = (round(distance), each.depth), each.part
    return found or area


def shift(
    manipulator: Manipulator, part: Part, camera: Camera, size: Size, start: Pixel, now: Pixel
) -> tuple[float, float, float] | None:
    """Return how far a drag from one pixel to another moves a place, along the manipulator's axes [m]."""
    places = [_met(manipulator, part, camera, size, pixel) for pixel in (start, now)]
    if places[0] is None or places[1] is None:
        return None
    way = np.array(manipulator.axes) @ (places[1] - places[0])
    if part in AXES:
        way = np.where(np.arange(3) == AXES.index(part), way, 0.0)
    elif part in PLANES:
        way = np.where(np.arange(3) == PLANES.index(part), 0.0, way)
    return vector(way)


def turn(
    manipulator: Manipulator, part: Part, camera: Camera, size: Size, start: Pixel, now: Pixel, before: float = 0.0
) -> tuple[Vector, float] | None:
    """Return the axis and the angle [rad] by which a drag from one pixel to another turns, continuous with `before`."""
    facing = to_eye(camera, manipulator.origin)
    if part == "free":
        right, up, _ = camera.axes
        rolled = (now[0] - start[0]) * up + (now[1] - start[1]) * right
        way = float(np.linalg.norm(rolled))
        radius = arm_of(camera, manipulator.origin, size) / camera.metres_per_pixel(np.array(manipulator.origin), size)
        return (vector(rolled / way), way / max(radius, 1.0)) if way > 0.0 else (vector(up), 0.0)
    axis = facing if part == "view" else np.array(manipulator.axes[AXES.index(part)])
    well = part == "view" or abs(float(axis @ facing)) >= _WELL
    angle = (_about if well else _along)(manipulator, axis, camera, size, start, now)
    if angle is None:
        return None
    if well:
        angle += 2.0 * math.pi * round((before - angle) / (2.0 * math.pi))
    return vector(axis), angle


def taken_at(manipulator: Manipulator, axis: Vector, camera: Camera, size: Size, pixel: Pixel) -> Vector:
    """Return the direction from the middle in which a ring about an axis was taken, a unit vector normal to it."""
    facing, around = to_eye(camera, manipulator.origin), np.array(axis)
    points = circle(manipulator.origin, around, arm_of(camera, manipulator.origin, size))
    points = points[(points - np.array(manipulator.origin)) @ facing >= -1e-9 * camera.distance]
    ways = camera.project(points, size)[:, :2] - pixel
    way = points[int(np.argmin(np.hypot(*ways.T)))] - np.array(manipulator.origin)
    if abs(float(around @ facing)) >= _WELL:
        place = _on_plane(*camera.ray(pixel, size), np.array(manipulator.origin), around, camera)
        if place is not None and float(np.linalg.norm(place - manipulator.origin)) > 1e-6 * camera.distance:
            way = place - np.array(manipulator.origin)
    return vector(way / np.linalg.norm(way))


def snapped(value: float, step: float, origin: float = 0.0) -> float:
    """Snap a value so that what began at `origin` comes to the nearest multiple of a step; a step of 0 leaves it as it
    is."""
    return value if step <= 0.0 else round((origin + value) / step) * step - origin


class Finger:
    """The pointer's path with fine parts in it: it goes on without a jump where they begin and end."""

    def __init__(self, pixel: Pixel) -> None:
        self.start = pixel
        self._pointer = self._counted = pixel
        self._fine = False

    def at(self, pixel: Pixel, *, fine: bool) -> Pixel:
        """Return the effective position of the pointer."""
        if fine != self._fine:
            self._counted, self._pointer, self._fine = self._at(pixel), pixel, fine
        return self._at(pixel)

    def _at(self, pixel: Pixel) -> Pixel:
        share = FINE if self._fine else 1.0
        x, y = (
            counted + share * (now - before)
            for counted, before, now in zip(self._counted, self._pointer, pixel, strict=True)
        )
        return x, y


def across(axis: Vector) -> Vector:
    """Return a unit vector normal to another."""
    found = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    return vector(found / np.linalg.norm(found))


def circle(origin: Vector, axis: Array, radius: float) -> Array:
    """Return points of a ring in the world, shape [count, 3]."""
    one = np.array(across(vector(axis)))
    other = np.cross(axis, one)
    angles = np.linspace(0.0, 2.0 * math.pi, _SIDES, endpoint=False)
    ways: Array = np.cos(angles)[:, None] * one + np.sin(angles)[:, None] * other
    return np.asarray(np.array(origin) + radius * ways)


def _arrows(manipulator: Manipulator, camera: Camera, size: Size, arm: float) -> list[PartStroke]:
    origin, facing = np.array(manipulator.origin), to_eye(camera, manipulator.origin)
    axes, found = np.array(manipulator.axes), []
    for number, part in enumerate(AXES):
        ends = camera.project(origin + arm * np.outer((_STEM, _HEAD, 1.0), axes[number]), size)
        seen = _smooth(float(np.linalg.norm(np.cross(axes[number], facing))), 0.12, 0.3)
        way = ends[2, :2] - ends[0, :2]
        way /= max(float(np.hypot(*way)), 1e-9)
        side = _HEAD_WIDTH * np.array((-way[1], way[0]))
        head = np.array((ends[1, :2] + side, ends[2, :2], ends[1, :2] - side))
        depth = float(ends[2, 2])
        found.append(PartStroke(part=part, points=ends[:2, :2], depth=depth, seen=seen))
        found.append(PartStroke(part=part, points=head, depth=depth, seen=seen, filled=True, closed=True))
        one, other = axes[(number + 1) % 3], axes[(number + 2) % 3]
        near, far = _SQUARE
        corners = [
            near * one + near * other,
            far * one + near * other,
            far * one + far * other,
            near * one + far * other,
        ]
        square = camera.project(origin + arm * np.array(corners), size)
        seen = _smooth(abs(float(axes[number] @ facing)), 0.1, 0.25)
        found.append(
            PartStroke(
                part=PLANES[number], points=square[:, :2], depth=float(square[:, 2].mean()), seen=seen, closed=True,
                filled=True,
            )
        )  # fmt: skip
    x, y, depth = camera.project(origin, size).tolist()
    angles = np.linspace(0.0, 2.0 * math.pi, 24, endpoint=False)
    ball = np.stack((x + _BALL * np.cos(angles), y + _BALL * np.sin(angles)), axis=1)
    found.append(PartStroke(part="view", points=ball, depth=depth - arm, closed=True, filled=True))
    return found


def _rings(manipulator: Manipulator, camera: Camera, size: Size, arm: float) -> list[PartStroke]:
    facing = to_eye(camera, manipulator.origin)
    middle = camera.project(np.array(manipulator.origin), size)
    found = []
    for axis, part in zip(np.array(manipulator.axes), AXES, strict=True):
        points = circle(manipulator.origin, axis, arm)
        front = (points - np.array(manipulator.origin)) @ facing >= -0.06 * arm
        closed = bool(front.all())
        if not closed:
            points = np.roll(points, -int(np.flatnonzero(front & ~np.roll(front, 1))[0]), axis=0)[: int(front.sum())]
        seen = camera.project(points, size)
        found.append(PartStroke(part=part, points=seen[:, :2], depth=float(seen[:, 2].min()), closed=closed))
    around = camera.project(circle(manipulator.origin, facing, _OUTER * arm), size)
    found.append(PartStroke(part="view", points=around[:, :2], depth=float(middle[2]), closed=True))
    disc = camera.project(circle(manipulator.origin, facing, arm), size)
    found.append(PartStroke(part="free", points=disc[:, :2], depth=float(middle[2]) + arm, closed=True, filled=True))
    return found


def _met(manipulator: Manipulator, part: Part, camera: Camera, size: Size, pixel: Pixel) -> Array | None:
    """Return the point of an axis nearest to the ray under a pixel, or where the ray meets a plane."""
    start, direction = camera.ray(pixel, size)
    origin = np.array(manipulator.origin)
    if part in AXES:
        axis = np.array(manipulator.axes[AXES.index(part)])
        across, away = float(axis @ direction), start - origin
        apart = 1.0 - across * across
        if apart < 1e-6:
            return None
        found: Array = origin + (float(axis @ away) - across * float(direction @ away)) / apart * axis
        return found if _in_front(found, camera) else None
    normal = camera.axes[2] if part == "view" else np.array(manipulator.axes[PLANES.index(part)])
    return _on_plane(start, direction, origin, normal, camera)


def _on_plane(start: Array, direction: Array, origin: Array, normal: Array, camera: Camera) -> Array | None:
    across = float(normal @ direction)
    if abs(across) < 1e-6:
        return None
    found: Array = start + float(normal @ (origin - start)) / across * direction
    return found if _in_front(found, camera) else None


def _in_front(place: Array, camera: Camera) -> bool:
    depth = float((camera.eye - place) @ camera.axes[2])
    return abs(depth) < _FAR * camera.distance and (camera.orthographic or depth > 0.0)


def _about(manipulator: Manipulator, axis: Array, camera: Camera, size: Size, start: Pixel, now: Pixel) -> float | None:
    """Return the angle between the points at which two rays meet the plane of a ring."""
    origin, arms = np.array(manipulator.origin), []
    for pixel in (start, now):
        place = _on_plane(*camera.ray(pixel, size), origin, axis, camera)
        if place is None or float(np.linalg.norm(place - origin)) < 1e-6 * camera.distance:
            return None
        arms.append(place - origin)
    return math.atan2(float(axis @ np.cross(*arms)), float(arms[0] @ arms[1]))


def _along(manipulator: Manipulator, axis: Array, camera: Camera, size: Size, start: Pixel, now: Pixel) -> float | None:
    """Return the way along a ring that is seen edge-on, at the point of it where it was taken."""
    arm, origin = arm_of(camera, manipulator.origin, size), np.array(manipulator.origin)
    points = circle(manipulator.origin, axis, arm)
    points = points[(points - origin) @ to_eye(camera, manipulator.origin) >= 0.0]
    seen = camera.project(points, size)[:, :2]
    nearest = int(np.argmin(np.hypot(*(seen - start).T)))
    ahead = points[nearest] + 1e-3 * np.cross(axis, points[nearest] - origin)
    way = (camera.project(ahead, size)[:2] - seen[nearest]) / 1e-3
    length = float(way @ way)
    return float((np.array(now) - start) @ way) / length if length > 1e-9 else None


def _smooth(value: float, lower: float, upper: float) -> float:
    share = min(max((value - lower) / (upper - lower), 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


def _inside(polygon: Array, pixel: Pixel) -> bool:
    """Return True if a pixel lies in a polygon (even-odd rule)."""
    (x, y), following = polygon.T, np.roll(polygon, -1, axis=0).T
    crosses = (y > pixel[1]) != (following[1] > pixel[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        at = x + (pixel[1] - y) / (following[1] - y) * (following[0] - x)
    return bool(np.count_nonzero(crosses & (at > pixel[0])) % 2)


def _distance(points: Array, pixel: Pixel, *, closed: bool) -> float:
    """Return the distance from a pixel to a polyline."""
    line = np.vstack((points, points[:1])) if closed else points
    ways, away = np.diff(line, axis=0), np.array(pixel) - line[:-1]
    lengths = np.maximum(np.einsum("ij,ij->i", ways, ways), 1e-12)
    share = np.clip(np.einsum("ij,ij->i", ways, away) / lengths, 0.0, 1.0)
    return float(np.hypot(*(away - share[:, None] * ways).T).min())
