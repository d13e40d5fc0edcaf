"""The shapes of the face: how far each moves every vertex [m]."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.maths.arrays import Array
from tests.head.field import BALL, EYE, outward
from tests.head.surface import CORNER, LID_RINGS, lid_place, lip_line

Tags = list[tuple[str, ...]]
HINGE = np.array((0.0, 0.100, -0.012))  # of the jaw


class Modelled:
    """The surface that shapes are made of."""

    def __init__(self, points: Array, tags: Tags) -> None:
        self.points, self.tags = points, tags
        self.side = np.where(points[:, 0] >= 0.0, 1.0, -1.0)
        self.half = points * np.stack((self.side, np.ones_like(self.side), np.ones_like(self.side)), axis=1)
        self.balls = self.has("ball")
        self.skin = ~self.balls

    def has(self, *names: str) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Which vertices have all these tags."""
        return np.array([all(name in tag for name in names) for tag in self.tags])

    def near(self, middle: object, size: object) -> Array:
        """A soft share of 1 around a place, on both sides of the face, without the eyeballs."""
        gap = np.linalg.norm((self.half - np.array(middle)) / np.array(size), axis=1)
        return np.asarray(np.exp(-(gap**2)) * self.skin)

    def mirrored(self, moved: Array) -> Array:
        """Moves of the left half for both."""
        found = moved.copy()
        found[:, 0] *= np.where(np.abs(self.points[:, 0]) < 1e-9, 0.0, self.side)
        return found


def jaw_share(face: Modelled) -> Array:
    """By how much vertices go with the jaw."""
    x, y, z = face.half.T
    line = lip_line(np.minimum(x, CORNER))
    reach = 0.004 + 0.034 * np.clip((x - 0.6 * CORNER) / 0.040, 0.0, 1.0)
    down = _smooth((line - y + 0.5 * reach) / (reach + 0.004))
    front = _smooth((z + 0.020) / 0.050)
    throat = _smooth((y + 0.002 + 0.30 * np.clip(0.055 - z, 0.0, 1.0)) / 0.034)
    share = down * front * throat * face.skin
    for tag, value in (("upper", 0.0), ("lower", 1.0)):
        for part in ("lip", "pocket"):
            chosen = face.has(part, tag)
            corner = np.clip(x[chosen] / CORNER, 0.0, 1.0) ** 3
            share[chosen] = value + corner * (0.42 - value)
    for part in ("lip", "pocket"):
        share[face.has(part, "corner")] = 0.42
    share[face.has("brow")] = 0.0
    share[face.has("lid")] = 0.0
    return np.asarray(share)


def jaw_open(face: Modelled) -> Array:
    """The jaw turned down about its hinge, the lips a little narrower."""
    share = jaw_share(face)
    angle = 0.30 * share
    y, z = face.points[:, 1] - HINGE[1], face.points[:, 2] - HINGE[2]
    moved = np.zeros_like(face.points)
    moved[:, 1] = y * (np.cos(angle) - 1.0) - z * np.sin(angle)
    moved[:, 2] = z * (np.cos(angle) - 1.0) + y * np.sin(angle)
    moved[:, 0] -= 0.0030 * face.side * face.near((CORNER, 0.064, 0.076), (0.010, 0.016, 0.022))
    return moved


def smile(face: Modelled) -> Array:
    """Corners of the mouth out, up and back; cheeks lifted; eyes narrowed."""
    corner = face.near((CORNER + 0.002, 0.0650, 0.0745), (0.0150, 0.0155, 0.030))
    cheek = face.near((0.040, 0.094, 0.064), (0.020, 0.018, 0.026))
    middle = face.near((0.0, 0.0650, 0.085), (0.012, 0.012, 0.030))
    moved = corner[:, None] * (0.0088, 0.0098, -0.0062) + cheek[:, None] * (0.0012, 0.0046, 0.0042)
    moved += middle[:, None] * (0.0, -0.0006, -0.0018)
    moved += _lids(face, close_upper=0.10, close_lower=0.38)
    return face.mirrored(moved)


def frown(face: Modelled) -> Array:
    """Corners of the mouth down, the lower lip pushed up, brows drawn together."""
    corner = face.near((CORNER, 0.0640, 0.0745), (0.0130, 0.0150, 0.030))
    chin = face.near((0.0, 0.048, 0.082), (0.016, 0.013, 0.030))
    brow = face.near((0.014, 0.147, 0.078), (0.016, 0.014, 0.030))
    moved = corner[:, None] * (0.0018, -0.0095, -0.0016) + chin[:, None] * (0.0, 0.0024, 0.0020)
    moved += brow[:, None] * (-0.0036, -0.0022, 0.0012)
    return face.mirrored(moved)


def brows_up(face: Modelled) -> Array:
    """Both brows lifted, the upper lids a little."""
    brow = face.near((0.031, 0.150, 0.068), (0.032, 0.017, 0.040))
    moved = brow[:, None] * (0.0, 0.0105, -0.0022)
    moved += _lids(face, close_upper=-0.16, close_lower=0.0)
    return face.mirrored(moved)


def brows_down(face: Modelled) -> Array:
    """Both brows pressed down and together."""
    brow = face.near((0.026, 0.149, 0.070), (0.026, 0.015, 0.040))
    inner = face.near((0.012, 0.147, 0.080), (0.014, 0.014, 0.030))
    moved = brow[:, None] * (-0.0018, -0.0052, 0.0014) + inner[:, None] * (-0.0014, -0.0034, 0.0012)
    moved += _lids(face, close_upper=0.14, close_lower=0.12)
    return face.mirrored(moved)


def blink_left(face: Modelled) -> Array:
    """The left eye closed."""
    return _one_side(face, "left")


def blink_right(face: Modelled) -> Array:
    """The right eye closed."""
    return _one_side(face, "right")


def puff(face: Modelled) -> Array:
    """Both cheeks blown up, lips pressed together."""
    cheek = face.near((0.040, 0.068, 0.052), (0.022, 0.024, 0.030))
    lips = face.near((0.0, 0.065, 0.085), (0.020, 0.012, 0.020))
    ways = outward(face.points) * face.side[:, None] ** 0
    moved = cheek[:, None] * 0.0135 * ways + lips[:, None] * (0.0, 0.0, 0.0022)
    moved[face.has("pocket")] = 0.0
    return np.asarray(moved)


SHAPES: tuple[tuple[str, str, Callable[[Modelled], Array]], ...] = (
    ("smile", "Smile", smile),
    ("frown", "Frown", frown),
    ("jaw_open", "Jaw open", jaw_open),
    ("brows_up", "Brows up", brows_up),
    ("brows_down", "Brows down", brows_down),
    ("blink_left", "Blink left", blink_left),
    ("blink_right", "Blink right", blink_right),
    ("puff", "Puff", puff),
)


def _one_side(face: Modelled, side: str) -> Array:
    moved = face.mirrored(_lids(face, close_upper=1.0, close_lower=1.0))
    return np.asarray(np.where((face.side > 0.0) == (side == "left"), 1.0, 0.0)[:, None] * moved)


def _lids(face: Modelled, *, close_upper: float, close_lower: float) -> Array:
    """Moves of the left half's lids towards each other over the ball, 1: until they touch."""
    moved = np.zeros_like(face.points)
    rims = {name: _rim(name) for name in ("upper", "lower")}
    for number, tag in enumerate(face.tags):
        if tag[0] not in ("lid", "skin") or len(tag) < 3:
            continue
        x, y, _ = face.half[number] - EYE
        which = tag[2]
        share = close_upper if which == "upper" else close_lower
        meets = 0.72 * float(np.interp(x, *rims["lower"])) + 0.28 * float(np.interp(x, *rims["upper"]))
        own = float(np.interp(x, *rims[which]))
        gap = meets - own
        beyond = abs(y - own)
        fade = max(0.0, 1.0 - beyond / (0.0115 if which == "upper" else 0.0085)) ** 1.5
        goal = y + share * gap * fade
        radius = float(np.linalg.norm(face.half[number] - EYE))
        inside = max(radius, BALL + 0.0012) if radius < BALL + 0.004 else radius
        if radius < BALL:
            inside = BALL + 0.0004
        flat = np.hypot(x, goal)
        if flat < inside and fade > 0.0:
            depth = np.sqrt(inside**2 - flat**2) - np.sqrt(max(radius**2 - x**2 - y**2, 0.0))
            arch = 0.0011 * abs(share) * fade
            moved[number] = (0.0, goal - y, share and depth * min(1.0, abs(share)) + arch)
    return moved


def _rim(which: str) -> tuple[Array, Array]:
    """Heights of a lid's rim over x, from the middle of the eye [m]."""
    angles = np.linspace(0.0, np.pi, 41) if which == "upper" else np.linspace(2.0 * np.pi, np.pi, 41)
    points = np.array([lid_place(float(angle), LID_RINGS[0]) for angle in angles]) - EYE
    order = np.argsort(points[:, 0])
    return points[order, 0], points[order, 1]


def _smooth(share: Array) -> Array:
    t = np.clip(share, 0.0, 1.0)
    return np.asarray(t * t * (3.0 - 2.0 * t))
