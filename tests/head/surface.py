"""The surface of the face: loops around mouth and eyes, points between them, one closed surface, and two eyeballs.

Directions from the middle of the head to all points are on a sphere; their convex hull is the Delaunay triangulation
there. Loops stand so close that their edges are in it; what it has inside the innermost loops is taken out for the
lips' inside and the lids' backs. The left half is made, and mirrored.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from scipy.spatial import ConvexHull, cKDTree

from engine.maths.arrays import Array, IntArray
from tests.head.field import BALL, BASE, EYE, MIDDLE, cast, distance, front

MOUTH = 0.0660  # [m] height of the line between the lips
CORNER = 0.0225  # [m] of the mouth, aside
LIP_STEPS, LID_STEPS = 12, 11  # pieces of half a lip's length, of a lid's whole length
LIP_RINGS = (0.0, 0.30, 0.62, 1.0, 1.55)
LID_RINGS = (1.0, 1.16, 1.42, 1.85)


@dataclass
class Mould:
    """Vertices [m], what each belongs to, and triangles."""

    points: list[Array] = field(default_factory=list)
    tags: list[tuple[str, ...]] = field(default_factory=list)
    faces: list[tuple[int, int, int]] = field(default_factory=list)

    def add(self, point: Array, *tags: str) -> int:
        """Add a vertex; its number."""
        self.points.append(np.asarray(point))
        self.tags.append(tags)
        return len(self.points) - 1


def lip_line(x: Array) -> Array:
    """Height of the line between the lips: a soft bow [m]."""
    share = np.abs(x) / CORNER
    return np.asarray(MOUTH - 0.0012 * share**2 + 0.0007 * np.exp(-((share / 0.28) ** 2)))


def lip_place(share: float, ring: float, upper: bool) -> Array:
    """A point of the lips: `share` 0 in the middle, 1 at the corner; `ring` 0 at the line, 1 at the border."""
    x = CORNER * share
    full = np.sqrt(max(0.0, 1.0 - share**2.2))
    tall = (0.0086 - 0.0016 * np.exp(-((share / 0.16) ** 2)) if upper else 0.0104) * full
    base = float(lip_line(np.array([x]))[0])
    side = 1.0 if upper else -1.0
    beyond = max(ring - 1.0, 0.0)
    y = base + side * (tall * min(ring, 1.0) + beyond * 0.0085 * (0.45 + 0.55 * full) + 0.0001 * full)
    x += 0.0035 * ring * share**3
    point = front(np.array([x]), np.array([y]))[0]
    roll = 0.0052 if upper else 0.0062
    swell = np.sin(np.pi * min(ring, 1.0) ** 0.75) if ring <= 1.0 else 0.0
    point[2] += full * (roll * swell - 0.0012 * max(0.0, 1.0 - 3.0 * ring)) + 0.0010 * full * float(ring == 1.0)
    point[2] -= 0.0015 * (1.0 - full) * max(0.0, 1.0 - ring)
    return np.asarray(point)


def lid_place(angle: float, scale: float) -> Array:
    """A point of the lids of the left eye, around its opening; `scale` 1 at the rim."""
    c, s = np.cos(angle), np.sin(angle)
    wide, tall = 0.0148, 0.0070 if s >= 0.0 else 0.0060
    x = wide * c * (1.0 + 0.6 * (scale - 1.0))
    y = tall * s * scale * (1.0 + (0.10 * -c if s > 0.0 else 0.12 * c)) + 0.0012 * c
    near = min(scale, 1.42)
    lift = BALL + 0.0007 + 0.0022 * (near - 1.0) / 0.18 * np.exp(-2.2 * (near - 1.0))
    flat = np.hypot(x, y)
    ball = EYE + np.array((x, y, np.sqrt(max(lift**2 - flat**2, 1e-8))))
    skin = front(np.array([EYE[0] + x]), np.array([EYE[1] + y]))[0]
    blend = np.clip((scale - 1.10) / 0.55, 0.0, 1.0)
    blend = blend * blend * (3.0 - 2.0 * blend)
    corner = np.clip((flat - 0.0130) / 0.0045, 0.0, 1.0)
    ball[2] = ball[2] + corner * (max(skin[2] - 0.004, EYE[2] + 0.003) - ball[2])
    return np.asarray(ball + blend * (skin - ball))


def build() -> tuple[Array, IntArray, list[tuple[str, ...]]]:
    """Vertices [m], triangles that face outward, and what each vertex belongs to."""
    face = Mould()
    lips, left, right, base = _lips(face), _lids(face, "left"), _lids(face, "right"), _base(face)
    outer = [lips[-1], left[-1], right[-1], base[0]]
    number_of = [number for loop in outer for number in loop]
    for point in _scatter(np.array([face.points[number] for number in number_of])):
        number_of.append(face.add(point, "skin"))
    _triangulate(face, number_of, outer)
    for loops in (lips, left, right):
        for inner, beyond in pairwise(loops):
            _band(face, beyond, inner)
    _close_mouth(face, lips[0])
    for before, after in pairwise(base):
        _band(face, before, after, below=True)
    end = face.add(np.array((0.0, BASE, -0.028)), "base", "base")
    face.faces += [(other, one, end) for one, other in zip(base[-1], [*base[-1][1:], base[-1][0]], strict=True)]
    _close_lid(face, left[0], 1.0)
    _close_lid(face, right[0], -1.0)
    count = len(face.points)
    for side in (1.0, -1.0):
        _eyeball(face, side)
        _brow(face, side)
    points, faces = np.array(face.points), np.array(face.faces, dtype=np.int32)
    _settle(points, faces[(faces < count).all(axis=1)], face.tags)
    return points, faces, face.tags


def _lips(face: Mould) -> list[list[int]]:
    """Loops around the mouth, from the left corner over the upper lip; the innermost first."""
    shares = np.sin(np.linspace(0.0, 0.5 * np.pi, LIP_STEPS + 1))
    loops = []
    for ring in LIP_RINGS:
        loop = []
        for upper in (True, False):
            row = [*(-shares[:0:-1]), *shares]
            row = row[::-1] if upper else row
            for share in row[:-1]:
                point = lip_place(abs(float(share)), ring, upper)
                point[0] *= np.sign(share) if share else 1.0
                corner = "corner" if abs(share) > 0.99 else "upper" if upper else "lower"
                loop.append(face.add(point, "lip" if ring <= 1.0 else "skin", corner))
        loops.append(loop)
    return loops


def _lids(face: Mould, side: str) -> list[list[int]]:
    """Loops around the opening of an eye, the innermost first."""
    sign = 1.0 if side == "left" else -1.0
    loops = []
    for ring, scale in enumerate(LID_RINGS):
        loop = []
        for angle in np.arange(2 * LID_STEPS) * np.pi / LID_STEPS:
            point = lid_place(float(angle), scale) * (sign, 1.0, 1.0)
            loop.append(face.add(point, "lid" if ring < 3 else "skin", side, "upper" if angle < np.pi else "lower"))
        loops.append(loop)
    return loops


def _base(face: Mould) -> list[list[int]]:
    """The rounded edge at which the neck is cut, two loops."""
    angles, loops = np.arange(30) * 2.0 * np.pi / 30, []
    for height, less in ((0.0045, 0.0), (0.0, 0.0015), (0.0, 0.0040), (0.0, 0.0240)):
        low, high = np.zeros(30), np.full(30, 0.12)
        for _ in range(40):
            middle = 0.5 * (low + high)
            points = np.stack(
                (middle * np.sin(angles), np.full(30, BASE + 0.005), middle * np.cos(angles) - 0.028), axis=1
            )
            inside = distance(points) < 0.0
            low, high = np.where(inside, middle, low), np.where(inside, high, middle)
        out = low - less
        rim = np.stack((out * np.sin(angles), np.full(30, BASE + height), out * np.cos(angles) - 0.028), axis=1)
        loops.append([face.add(point, "base", "base") for point in rim])
    return loops


def _wanted(points: Array) -> Array:
    """How far apart vertices are to be [m]: close where the face has features."""
    p = points * (1.0, 1.0, 1.0)
    p[:, 0] = np.abs(p[:, 0])
    far = np.full(len(p), 0.0155)
    for middle, size, near in (
        ((0.0, 0.094, 0.098), 0.020, 0.0042),
        ((0.012, 0.091, 0.088), 0.012, 0.0036),
        ((0.0, 0.125, 0.085), 0.022, 0.0060),
        ((0.030, 0.146, 0.070), 0.022, 0.0062),
        ((0.030, 0.105, 0.070), 0.030, 0.0068),
        ((0.0, 0.062, 0.080), 0.034, 0.0062),
        ((0.0, 0.035, 0.070), 0.030, 0.0085),
        ((0.078, 0.116, -0.012), 0.044, 0.0048),
        ((0.0, -0.020, -0.010), 0.095, 0.0100),
        ((0.0, 0.110, 0.070), 0.075, 0.0095),
    ):
        gap = np.linalg.norm(p - np.array(middle), axis=1) / size
        far = np.minimum(far, near + (0.0155 - near) * np.clip(gap - 0.55, 0.0, 1.0))
    return far


def _scatter(loops: Array) -> Array:
    """Points between the loops, as far apart as is wanted, those of the middle line first; mirrored."""
    turns = np.arange(16000)
    z = 1.0 - 2.0 * (turns + 0.5) / len(turns)
    around = np.pi * (3.0 - np.sqrt(5.0)) * turns
    flat = np.sqrt(1.0 - z * z)
    half = np.stack((flat * np.cos(around), flat * np.sin(around), z), axis=1)
    half = half[half[:, 0] > 0.0][np.random.default_rng(7).permutation(int((half[:, 0] > 0.0).sum()))]
    line = np.linspace(0.0, 2.0 * np.pi, 1500, endpoint=False)
    ring = np.stack((np.zeros_like(line), np.sin(line), np.cos(line)), axis=1)
    found = list(loops)
    kept: list[Array] = []
    for middle, candidates in ((True, cast(ring)), (False, cast(half))):
        tree_points = np.array(found)
        tree, wanted = cKDTree(tree_points), _wanted(candidates)
        gaps, _ = tree.query(candidates)
        open_ = _outside(candidates) & (gaps > 0.80 * wanted)
        if not middle:
            open_ &= candidates[:, 0] > 0.5 * wanted
        fresh: list[Array] = []
        for point, size in zip(candidates[open_], wanted[open_], strict=True):
            if not fresh or np.min(np.linalg.norm(np.array(fresh) - point, axis=1)) > size:
                fresh.append(point)
        for point in fresh:
            pair = [point * (1.0 if not middle else np.array((0.0, 1.0, 1.0)))]
            pair += [] if middle else [point * (-1.0, 1.0, 1.0)]
            kept += pair
            found += pair
    return np.array(kept)


def _outside(points: Array) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which points are neither within the lips nor within the lids."""
    x, y = np.abs(points[:, 0]), points[:, 1]
    frontal = points[:, 2] > 0.03
    lips = frontal & ((x / (CORNER + 0.006)) ** 2 + ((y - MOUTH) / 0.0185) ** 2 < 1.0)
    ex, ey = x - EYE[0], y - EYE[1]
    tall = np.where(ey > 0.0, 0.0070, 0.0060) * LID_RINGS[-1] * 1.10
    lids = frontal & ((ex / (0.0148 * (1.0 + 0.6 * (LID_RINGS[-1] - 1.0)) * 1.08)) ** 2 + (ey / tall) ** 2 < 1.0)
    return np.asarray(~(lips | lids) & (points[:, 1] > BASE + 0.009))


def _triangulate(face: Mould, numbers: list[int], holes: list[list[int]]) -> None:
    """Triangles between all vertices of these numbers, none within the loops of holes."""
    ways = np.array([face.points[number] for number in numbers]) - MIDDLE
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    hull = ConvexHull(ways, qhull_options="Qt").simplices
    normals = np.cross(ways[hull[:, 1]] - ways[hull[:, 0]], ways[hull[:, 2]] - ways[hull[:, 0]])
    inward = np.einsum("ni,ni->n", normals, ways[hull].mean(axis=1)) < 0.0
    hull[inward] = hull[inward][:, ::-1]
    found = np.array(numbers)[hull].tolist()
    sets = [set(hole) for hole in holes]
    face.faces += [(a, b, c) for a, b, c in found if not any({a, b, c} <= hole for hole in sets)]


def _close_mouth(face: Mould, loop: list[int]) -> None:
    """The inside of the lips, and a pocket behind them."""
    middle = np.array((0.0, MOUTH - 0.004, 0.035))
    before = loop
    for depth, tall, wide, tag in (
        (0.004, 0.0006, 0.97, "lip"),
        (0.016, 0.0040, 0.86, "pocket"),
        (0.030, 0.009, 0.7, "pocket"),
    ):
        ring = []
        for number in loop:
            x, y, z = face.points[number]
            side = {"upper": 1.0, "lower": -1.0, "corner": 0.0}[face.tags[number][1]]
            share = np.sqrt(max(0.0, 1.0 - (x / CORNER) ** 2))
            ring.append(face.add(np.array((x * wide, y + side * tall * share, z - depth)), tag, face.tags[number][1]))
        _band(face, before, ring)
        before = ring
    end = face.add(middle, "pocket", "corner")
    winds = _winds(face, loop)
    for one, other in zip(before, [*before[1:], before[0]], strict=True):
        face.faces.append((one, other, end) if winds else (other, one, end))


def _close_lid(face: Mould, loop: list[int], sign: float) -> None:
    """The edge of the lids, and what lies behind the eyeball."""
    middle = EYE * (sign, 1.0, 1.0)
    before = loop
    for size, tag in ((BALL - 0.0006, "lid"), (BALL - 0.006, "socket")):
        ring = []
        for number in loop:
            way = face.points[number] - middle
            place = middle + way * size / np.linalg.norm(way)
            ring.append(face.add(place, tag, *face.tags[number][1:]))
        _band(face, before, ring)
        before = ring
    end = face.add(middle - (0.0, 0.0, 0.004), "socket", "left" if sign > 0.0 else "right", "lower")
    winds = _winds(face, loop)
    for one, other in zip(before, [*before[1:], before[0]], strict=True):
        face.faces.append((one, other, end) if winds else (other, one, end))


def _band(face: Mould, outer: list[int], inner: list[int], *, below: bool = False) -> None:
    """Triangles between two loops, facing away from what they lead into."""
    winds = not below and _winds(face, outer)
    for place in range(len(outer)):
        after = (place + 1) % len(outer)
        a, b, c, d = outer[place], outer[after], inner[place], inner[after]
        face.faces += [(a, b, c), (b, d, c)] if winds else [(b, a, c), (d, b, c)]


def _winds(face: Mould, loop: list[int]) -> bool:
    """True if a loop goes counter-clockwise as it is seen from the front."""
    x, y = np.array([face.points[each][:2] for each in loop]).T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) > 0.0


def _eyeball(face: Mould, sign: float) -> None:
    """A ball with the iris sunk into it, turned a little towards the middle."""
    middle = EYE * (sign, 1.0, 1.0)
    side = "left" if sign > 0.0 else "right"
    rings = (
        (0.13, 0.80), (0.17, 0.955), (0.42, 0.955), (0.48, 1.0), (0.75, 1.0), (1.05, 1.0), (1.45, 1.0),
        (1.9, 1.0), (2.4, 1.0), (2.8, 1.0),
    )  # fmt: skip
    count, before = 20, list[int]()
    first = face.add(_on_ball(middle, 0.0, 0.0, 0.80, sign), "ball", side)
    for place, (tilt, size) in enumerate(rings):
        ring = [
            face.add(_on_ball(middle, tilt, 2.0 * np.pi * each / count, size, sign), "ball", side)
            for each in range(count)
        ]
        if place == 0:
            face.faces += [(first, ring[each], ring[(each + 1) % count]) for each in range(count)]
        else:
            for each in range(count):
                after = (each + 1) % count
                face.faces += [(before[each], ring[each], before[after]), (before[after], ring[each], ring[after])]
        before = ring
    last = face.add(_on_ball(middle, np.pi, 0.0, 1.0, sign), "ball", side)
    face.faces += [(before[each], last, before[(each + 1) % count]) for each in range(count)]


def _brow(face: Mould, sign: float) -> None:
    """An eyebrow: a tapered bow that lies on the skin."""
    side, around, before = "left" if sign > 0.0 else "right", 8, list[int]()
    shares = np.linspace(0.0, 1.0, 13)
    x = 0.0125 + 0.0375 * shares
    y = 0.1445 + 0.0085 * np.sin(np.pi * (0.12 + 0.62 * shares)) - 0.004 * shares**2
    middle = front(x, y)
    middle[:, 2] += 0.0006
    ways = np.gradient(middle, axis=0)
    first = face.add(middle[0] * (sign, 1.0, 1.0), "brow", side)
    for place, (point, way) in enumerate(zip(middle[1:-1], ways[1:-1], strict=True)):
        thick = 0.0028 * (1.0 - 0.62 * shares[place + 1] ** 2) * min(1.0, 2.2 * shares[place + 1] + 0.55)
        way = way / np.linalg.norm(way)
        out = np.array((0.25, 0.1, 1.0)) - way * (np.array((0.25, 0.1, 1.0)) @ way)
        out /= np.linalg.norm(out)
        up = np.cross(out, way)
        ring = []
        for each in range(around):
            turn = 2.0 * np.pi * each / around
            place_of = point + thick * (1.25 * np.cos(turn) * up + 0.75 * np.sin(turn) * out)
            ring.append(face.add(place_of * (sign, 1.0, 1.0), "brow", side))
        for each in range(around):
            after = (each + 1) % around
            if not before:
                found = [(first, ring[after], ring[each])]
            else:
                found = [(before[each], before[after], ring[each]), (before[after], ring[after], ring[each])]
            face.faces += found if sign > 0.0 else [(a, c, b) for a, b, c in found]
        before = ring
    last = face.add(middle[-1] * (sign, 1.0, 1.0), "brow", side)
    for each in range(around):
        one, other = before[each], before[(each + 1) % around]
        face.faces.append((one, other, last) if sign > 0.0 else (last, other, one))


def _on_ball(middle: Array, tilt: float, around: float, size: float, sign: float) -> Array:
    way = np.array((np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)))
    gaze = 0.05 * sign
    turned = np.array(
        (way[0] * np.cos(gaze) - way[2] * np.sin(gaze), way[1], way[0] * np.sin(gaze) + way[2] * np.cos(gaze))
    )
    return np.asarray(middle + BALL * size * turned)


def _settle(points: Array, faces: IntArray, tags: list[tuple[str, ...]]) -> None:
    """Move scattered points to the middle of their neighbours, back onto the head, a few times."""
    free = np.array([tag == ("skin",) for tag in tags])
    sides = np.concatenate((faces[:, :2], faces[:, 1:], faces[:, ::2]))
    for _ in range(6):
        total, count = np.zeros_like(points), np.zeros(len(points))
        np.add.at(total, sides[:, 0], points[sides[:, 1]])
        np.add.at(total, sides[:, 1], points[sides[:, 0]])
        np.add.at(count, sides.ravel(), 1.0)
        near = total / np.maximum(count, 1.0)[:, None]
        moved = points[free] + 0.5 * (near[free] - points[free])
        moved[np.abs(points[free, 0]) < 1e-9, 0] = 0.0
        ways = moved - MIDDLE
        points[free] = cast(ways / np.linalg.norm(ways, axis=1, keepdims=True))
