"""Trails: draws paths of points over time, a dot for each frame, so that their spacing shows the speed.

Drawn over the bodies, as wide on the screen wherever they are. What was has one hue and what will be another; keys are
larger, the present is the largest and has the colour of text. What an edit left stale is fainter until it is fresh.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from app.scene.gl import Indices, Program, Vertices, mode
from app.scene.look import Look, Rgb, rgb
from app.scene.paths import PathLine
from app.scene.visuals.eye import Eye
from engine.model import Trail, TrailPicture

Floats = NDArray[np.float32]
FIELDS = (("start", 3), ("end", 3), ("corner", 2), ("size", 1), ("when", 1), ("strength", 1))
LINE, DOT, KEY, PRESENT = 0.7, 1.6, 3.6, 5.0  # [logical px] half width of the line; radii of dots
_SAME = 1e-9  # [s]
NOW = 1e9  # [s] when a dot of the present is; others are past or future as they come to be
STALE = 0.4  # opacity of what is stale, in shares of what is fresh
_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], dtype=np.float32)
_TRIANGLES = np.array([0, 1, 2, 0, 2, 3], dtype=np.uint32)

# A quad lies about each stretch of the line and the dot at its start; those that end where they start are dots alone.
VERTEX = """
uniform mat4 clip_from_world;
uniform vec2 pixel;
uniform float ratio;
uniform float near;
uniform float present;
attribute vec3 start;
attribute vec3 end;
attribute vec2 corner;
attribute float size;
attribute float when;
attribute float strength;
varying vec2 place;
varying float length_px;
varying float radius;
varying float time;
varying float opacity;
void main() {
    vec4 a = clip_from_world * vec4(start, 1.0);
    vec4 b = clip_from_world * vec4(end, 1.0);
    radius = size * ratio;
    if (a.w < near && b.w > near) { a = mix(a, b, (near - a.w) / (b.w - a.w)); radius = 0.0; }
    else if (b.w < near && a.w > near) b = mix(b, a, (near - b.w) / (a.w - b.w));
    vec3 from = a.xyz / a.w;
    vec3 to = b.xyz / b.w;
    vec2 way = (to.xy - from.xy) / pixel;
    length_px = length(way);
    vec2 along = length_px > 1e-4 ? way / length_px : vec2(1.0, 0.0);
    vec2 beside = vec2(-along.y, along.x);
    float reach = radius + (size > 2.5 ? 2.0 : 0.75);
    place = vec2(corner.x > 0.0 ? length_px + reach : -reach, corner.y * reach);
    vec3 here = corner.x > 0.0 ? to : from;
    here.xy += (along * corner.x + beside * corner.y) * reach * pixel;
    time = when > 0.5e9 ? 2.0 : (when < present - 5e-4 ? 0.0 : 1.0);
    opacity = strength;
    gl_Position = min(a.w, b.w) > 0.0 ? vec4(here, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
"""

FRAGMENT = """
uniform vec3 past;
uniform vec3 future;
uniform vec3 now;
uniform vec3 rim;
uniform float ratio;
uniform float width;
varying vec2 place;
varying float length_px;
varying float radius;
varying float time;
varying float opacity;
void main() {
    float away = length(place);
    bool is_key = radius > 2.5 * ratio;
    float dot = radius > 0.0 ? clamp(radius + 0.5 - away, 0.0, 1.0) * (is_key ? 1.0 : 0.7) : 0.0;
    bool beside = place.x >= 0.0 && place.x < length_px;
    float line = beside ? 0.5 * clamp(width * ratio + 0.5 - abs(place.y), 0.0, 1.0) : 0.0;
    float cover = max(dot, line);
    float edge = is_key ? clamp(radius + 1.5 - away, 0.0, 1.0) * 0.6 : 0.0;
    vec3 colour = time > 1.5 ? now : (time > 0.5 ? future : past);
    float alpha = max(cover, edge) * opacity;
    if (alpha < 0.02) discard;
    gl_FragColor = vec4(mix(rim, colour, is_key ? cover : 1.0) * alpha, alpha);
}
"""


class TrailsVisual:
    """Draws trails."""

    _program = cached_property(lambda _: Program(VERTEX, FRAGMENT))  # made when something is first drawn

    def __init__(self) -> None:
        self._paths = Quads()
        self._present = Quads()
        self._shown: list[NDArray[np.float32]] = []
        self._now = 0.0

    def show(self, picture: TrailPicture | None) -> None:
        """Take over trails and the present; unchanged trails are not uploaded again."""
        trails: Sequence[Trail] = picture.trails if picture is not None else ()
        self._now = picture.seconds if picture is not None else 0.0
        points = [trail.points for trail in trails]
        if len(points) != len(self._shown) or any(new is not old for new, old in zip(points, self._shown, strict=True)):
            self._shown = points
            self._paths.show([strokes(trail) for trail in trails])
        self._present.show([present(trail, self._now) for trail in trails])

    def draw(self, eye: Eye, look: Look) -> None:
        """Draw all trails."""
        if not self._shown:
            return
        mode(blend="over")
        colours = {"past": rgb(look.past), "future": rgb(look.future), "now": rgb(look.text), "rim": rgb(look.window)}
        self._program.use(**eye.in_pixels, **colours, width=LINE, present=self._now)
        self._paths.draw(self._program)
        self._present.draw(self._program)


class Quads:
    """Quads on the graphics card, drawn in one call."""

    def __init__(self) -> None:
        self._vertices: Vertices | None = None
        self._indices: Indices | None = None

    def show(self, rows: list[Floats]) -> None:
        """Take over other quads."""
        self._vertices = self._indices = None
        kept = [each for each in rows if len(each)]
        if kept:
            joined = np.concatenate(kept)
            first = np.arange(0, len(joined), 4, dtype=np.uint32)
            self._vertices, self._indices = Vertices(joined, FIELDS), Indices((first[:, None] + _TRIANGLES).ravel())

    def draw(self, program: Program) -> None:
        """Draw the quads."""
        if self._vertices is not None:
            program.draw(self._vertices, self._indices)


def use_colour(program: Program, eye: Eye, look: Look, colour: Rgb, width: float) -> None:
    """Use the program for lines that have one colour at any time."""
    colours = {"past": colour, "future": colour, "now": colour, "rim": rgb(look.window)}
    program.use(**eye.in_pixels, **colours, width=width, present=0.0)


def strokes(trail: Trail) -> Floats:
    """Return the vertices of the line with the dots of frames, then of the dots of keys."""
    points, fresh, when = trail.points, np.where(trail.fresh, 1.0, STALE), trail.seconds
    ends = np.concatenate((points[1:], points[-1:]))
    paths = quads(points, ends, np.where(trail.keyed, 0.0, DOT), when, fresh)
    keyed = trail.keyed
    keys = quads(points[keyed], points[keyed], KEY, when[keyed], fresh[keyed])
    return np.concatenate((paths, keys))


def present(trail: Trail | PathLine, now: float, size: float = PRESENT) -> Floats:
    """Return a dot where the point is at a time [s], between two samples too; none outside of the line."""
    when = trail.seconds
    if not when[0] - _SAME <= now <= when[-1] + _SAME:
        return np.empty((0, 11), dtype=np.float32)
    place = np.array([[np.interp(now, when, trail.points[:, axis]) for axis in range(3)]], dtype=np.float32)
    return quads(place, place, size, np.array([NOW]), np.array([1.0]))


def quads(
    starts: Floats,
    ends: Floats,
    size: float | NDArray[np.float64],
    when: NDArray[np.float64],
    strength: NDArray[np.float64],
) -> Floats:
    """Return four corners for each start."""
    rows = np.empty((len(starts), 4, 11), dtype=np.float32)
    rows[:, :, :3], rows[:, :, 3:6], rows[:, :, 6:8] = starts[:, None], ends[:, None], _CORNERS
    rows[:, :, 8] = np.broadcast_to(size, len(starts))[:, None]
    rows[:, :, 9], rows[:, :, 10] = when[:, None], strength[:, None]
    return rows.reshape(-1, 11)
