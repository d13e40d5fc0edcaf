"""Camera: where a view looks from, and the geometry between pixels and the world. No Qt, no OpenGL.

Right-handed, Y up, +Z forward, metres and radians. At azimuth 0 and elevation 0 the eye stands on +Z and sees a
figure's face; azimuth turns the eye towards +X, elevation lifts it. Matrices are for column vectors: clip = P V x.
Pixels are (x right, y down) with the origin in the upper left corner of the view; their unit is the caller's.

An orthographic view is as large at the target as the perspective view of the same distance and field of view.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine.runtime.quick_dataclass import dataclass

Array = NDArray[np.float64]
Vector = tuple[float, float, float]
Size = tuple[float, float]

RIGHT_ANGLE = math.pi / 2
NEAREST, FARTHEST = 0.02, 2000.0  # [m] range of the distance to the target
ORTHOGRAPHIC_DEPTH = 100.0  # [m] drawn in front of and behind an orthographic eye, at least


@dataclass(frozen=True)
class Bounds:
    """A box along the world's axes [m]."""

    lower: Vector
    upper: Vector

    @property
    def centre(self) -> Vector:
        """Middle of the box."""
        return vector((np.array(self.lower) + np.array(self.upper)) / 2)

    @property
    def corners(self) -> Array:
        """The eight corners, shape [8, 3]."""
        sides = (self.lower, self.upper)
        return np.array([[sides[i][0], sides[j][1], sides[k][2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])


def eye_of(clip_from_world: Array) -> tuple[float, float, float, float]:
    """Return the place that a matrix sees from and 1; or the direction towards it and 0, where there is no perspective,
    up where depth tells nothing."""
    found = np.linalg.svd(clip_from_world[[0, 1, 3]])[2][3]  # where x, y and w are 0
    if abs(found[3]) > 1e-7:
        found = found / found[3]
    else:
        ahead = float(clip_from_world[2, :3] @ found[:3]) or -float(found[1])
        found = np.append(found[:3] if ahead < 0.0 else -found[:3], 0.0)
    return float(found[0]), float(found[1]), float(found[2]), float(found[3])


@dataclass(frozen=True, kw_only=True)
class Camera:
    """An eye at `distance` from `target`."""

    target: Vector = (0.0, 0.9, 0.0)
    distance: float = 4.0
    azimuth: float = 0.0
    elevation: float = 0.0
    fov: float = math.radians(32.0)  # vertical, of the whole view
    orthographic: bool = False
    roll: float = 0.0  # about the line of sight, counter-clockwise as the view shows the camera
    near: float = 0.0  # [m] nearer than which nothing is seen with perspective; 0: a share of the distance

    @property
    def is_sound(self) -> bool:
        """True if all numbers are finite and in range: a camera from a file may not be."""
        numbers = (*self.target, self.distance, self.azimuth, self.elevation, self.fov, self.roll, self.near)
        in_range = NEAREST <= self.distance <= FARTHEST and abs(self.elevation) <= RIGHT_ANGLE and 0.01 < self.fov < 3.0
        return len(self.target) == 3 and all(map(math.isfinite, numbers)) and in_range

    @cached_property
    def axes(self) -> tuple[Array, Array, Array]:
        """Right, up and back (towards the eye), unit vectors in the world."""
        sa, ca = math.sin(self.azimuth), math.cos(self.azimuth)
        se, ce = math.sin(self.elevation), math.cos(self.elevation)
        right, back = np.array([ca, 0.0, -sa]), np.array([sa * ce, se, ca * ce])
        up = np.array([-sa * se, ce, -ca * se])
        if self.roll:
            sr, cr = math.sin(self.roll), math.cos(self.roll)
            right, up = cr * right + sr * up, cr * up - sr * right
        return kept(right), kept(up), kept(back)

    @cached_property
    def eye(self) -> Array:
        """Position of the eye [m]."""
        return kept(np.array(self.target) + self.distance * self.axes[2])

    @property
    def half_height(self) -> float:
        """Half the height of what is seen at the target [m]."""
        return self.distance * math.tan(self.fov / 2)

    @cached_property
    def view_matrix(self) -> Array:
        """Eye from world, shape [4, 4]."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.axes
        matrix[:3, 3] = -matrix[:3, :3] @ self.eye
        return kept(matrix)

    def depth_range(self) -> tuple[float, float]:
        """Return the distances of the near and far planes in front of the eye [m]."""
        if self.orthographic:
            depth = max(ORTHOGRAPHIC_DEPTH, 4 * self.distance)
            return self.distance - depth, self.distance + depth
        return self.near or self.distance * 0.02, self.distance * 50 + 50

    def projection_matrix(self, size: Size) -> Array:
        """Return clip from eye for a view of `size`, shape [4, 4]."""
        near, far = self.depth_range()
        matrix = np.zeros((4, 4))
        matrix[0, 0], matrix[1, 1] = self._scales(size)
        if self.orthographic:
            matrix[2, 2], matrix[2, 3], matrix[3, 3] = -2 / (far - near), -(far + near) / (far - near), 1.0
        else:
            matrix[2, 2], matrix[2, 3] = -(far + near) / (far - near), -2 * far * near / (far - near)
            matrix[3, 2] = -1.0
        return matrix

    def _scales(self, size: Size) -> tuple[float, float]:
        """Return by how much clip is larger than eye, across and up: at a depth of 1 where there is perspective."""
        half = self.half_height if self.orthographic else math.tan(self.fov / 2)
        return 1 / (half * (max(size[0], 1.0) / max(size[1], 1.0))), 1 / half

    def matrix(self, size: Size, off: tuple[float, float] = (0.0, 0.0), sharp: float = math.inf) -> Array:
        """Return clip from world, shape [4, 4]; as seen from a place `off` the eye to the right and up [m], where what
        is `sharp` before it [m] stands in the picture as it does from the eye."""
        found = self.projection_matrix(size)
        if off != (0.0, 0.0):
            found[:, 2] -= (found[:, 0] * off[0] + found[:, 1] * off[1]) / sharp
            found[:, 3] -= found[:, 0] * off[0] + found[:, 1] * off[1]
        return found @ self.view_matrix

    def project(self, points: Array, size: Size) -> Array:
        """Return pixels (x, y) and distance in front of the eye [m] of world points, shapes [..., 3] and [..., 3].

        A point behind a perspective eye has a distance below 0 and no meaningful pixel.
        """
        seen = points @ self.view_matrix[:3, :3].T + self.view_matrix[:3, 3]
        across, up = self._scales(size)
        depth = np.ones_like(seen[..., 2]) if self.orthographic else -seen[..., 2]
        x = seen[..., 0] * across / depth
        y = seen[..., 1] * up / depth
        return np.stack(((x + 1) / 2 * size[0], (1 - y) / 2 * size[1], -seen[..., 2]), axis=-1)

    def ray(self, pixel: tuple[float, float], size: Size) -> tuple[Array, Array]:
        """Return origin [m] and unit direction of the ray under a pixel. It starts at the eye, or in the eye's
        plane."""
        right, up, back = self.axes
        width, height = self._extent_at(self.distance, size)
        x = (2 * pixel[0] / max(size[0], 1.0) - 1) * width
        y = (1 - 2 * pixel[1] / max(size[1], 1.0)) * height
        if self.orthographic:
            return self.eye + x * right + y * up, -back
        direction = x * right + y * up - self.distance * back
        return self.eye, direction / np.linalg.norm(direction)

    def metres_per_pixel(self, point: Array, size: Size) -> float:
        """Return the world length of one pixel at the depth of a point."""
        return float(self.pixel_lengths(point, size))

    def pixel_lengths(self, points: Array, size: Size) -> Array:
        """Return the world length of one pixel at the depth of each point, shapes [..., 3] and [...]."""
        depths = np.maximum((self.eye - points) @ self.axes[2], 1e-6)
        half = self.half_height * np.ones_like(depths) if self.orthographic else math.tan(self.fov / 2) * depths
        return np.asarray(2.0 * half / max(size[1], 1.0))

    def carried(self, way: Vector) -> Self:
        """Return the camera moved along [m], looking the same way."""
        return replace(self, target=vector(np.array(self.target) + np.array(way)))

    def orbit(self, turn: float, lift: float) -> Self:
        """Return the camera turned about the target [rad]; the elevation stops at straight up and straight down."""
        elevation = min(max(self.elevation + lift, -RIGHT_ANGLE), RIGHT_ANGLE)
        return replace(self, azimuth=wrap(self.azimuth + turn), elevation=elevation)

    def pan(self, move: tuple[float, float], size: Size) -> Self:
        """Return the camera moved so that what lies at the target's depth follows the pointer by `move` pixels."""
        right, up, _ = self.axes
        scale = 2 * self.half_height / max(size[1], 1.0)
        return replace(self, target=vector(np.array(self.target) + scale * (move[1] * up - move[0] * right)))

    def zoom(self, factor: float, pixel: tuple[float, float] | None = None, size: Size = (1.0, 1.0)) -> Self:
        """Return the camera with its distance multiplied by `factor`; what lies under `pixel` at the target's depth
        stays there."""
        distance = min(max(self.distance * factor, NEAREST), FARTHEST)
        if pixel is None:
            return replace(self, distance=distance)
        right, up, _ = self.axes
        width, height = self._extent_at(self.distance, size)
        x = (2 * pixel[0] / max(size[0], 1.0) - 1) * width
        y = (1 - 2 * pixel[1] / max(size[1], 1.0)) * height
        shift = (1 - distance / self.distance) * (x * right + y * up)
        return replace(self, distance=distance, target=vector(np.array(self.target) + shift))

    def frame(self, bounds: Bounds, size: Size, margin: float = 1.15) -> Self:
        """Return the camera looking at the middle of a box from the same side, as near as shows all of it, with some
        margin."""
        right, up, back = self.axes
        offsets = bounds.corners - np.array(bounds.centre)
        slope = math.tan(self.fov / 2)
        aspect = max(size[0], 1.0) / max(size[1], 1.0)
        needed = np.maximum(abs(offsets @ right) / aspect, abs(offsets @ up)) * margin / slope
        if not self.orthographic:
            needed = needed + offsets @ back
        distance = min(max(float(needed.max()), NEAREST), FARTHEST)
        return replace(self, target=bounds.centre, distance=distance)

    def towards(self, other: Camera, fraction: float) -> Camera:
        """Interpolate between this camera (0) and another (1): angles the short way, the distance by equal ratios."""
        if fraction >= 1.0:
            return other
        start, end = np.array(self.target), np.array(other.target)
        return replace(
            other,
            target=vector(start + fraction * (end - start)),
            distance=self.distance * (other.distance / self.distance) ** fraction,
            azimuth=self.azimuth + fraction * wrap(other.azimuth - self.azimuth),
            elevation=self.elevation + fraction * (other.elevation - self.elevation),
            roll=self.roll + fraction * wrap(other.roll - self.roll),
        )

    def _extent_at(self, depth: float, size: Size) -> tuple[float, float]:
        """Return half the width and height of the view at a distance in front of the eye [m]."""
        half = self.half_height if self.orthographic else depth * math.tan(self.fov / 2)
        return half * max(size[0], 1.0) / max(size[1], 1.0), half


def crop_matrix(centre: tuple[float, float], side: float, size: Size) -> Array:
    """Return clip from clip: a square of `side` pixels about a pixel of a view becomes the whole picture, shape [4,
    4]."""
    x, y = 2 * centre[0] / size[0] - 1, 1 - 2 * centre[1] / size[1]
    matrix = np.eye(4)
    matrix[0, 0], matrix[1, 1] = size[0] / side, size[1] / side
    matrix[0, 3], matrix[1, 3] = -x * matrix[0, 0], -y * matrix[1, 1]
    return matrix


def kept(values: Array) -> Array:
    """Forbid writing to an array that a camera keeps."""
    values.setflags(write=False)
    return values


def vector(values: Array) -> Vector:
    """Return an array of three as floats."""
    return float(values[0]), float(values[1]), float(values[2])


def wrap(angle: float) -> float:
    """Wrap an angle [rad] to [-pi, pi)."""
    return (angle + math.pi) % (2 * math.pi) - math.pi
