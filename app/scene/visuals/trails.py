"""Trails: paths of points over time, a dot for each frame, so that their spacing shows the speed.

Drawn over the bodies, as wide on the screen wherever they are. What was has one hue and what will be another; keys are
larger, the present is the largest and has the colour of text. What an edit left stale is fainter until it is fresh.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.scene.gl import Program, Vertices, mode
from app.scene.look import Look, rgb
from app.scene.visuals.eye import Eye
from engine.model import Trail

Floats = NDArray[np.float32]
FIELDS = (("start", 3), ("end", 3), ("corner", 2), ("size", 1), ("when", 1), ("strength", 1))
LINE, DOT, KEY, PRESENT = 0.7, 1.6, 3.6, 5.0  # [logical px] half width of the line; radii of dots
PAST, FUTURE, NOW = 0.0, 1.0, 2.0
LINE_STRENGTH, STALE = 0.5, 0.4  # opacity of the line; of what is stale, in shares of what is fresh
_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1)], dtype=np.float32)

_VERTEX = """
uniform mat4 clip_from_world;
uniform vec2 pixel;
uniform float ratio;
uniform float near;
attribute vec3 start;
attribute vec3 end;
attribute vec2 corner;
attribute float size;
attribute float when;
attribute float strength;
varying vec2 place;
varying float radius;
varying float time;
varying float opacity;
void main() {
    vec4 a = clip_from_world * vec4(start, 1.0);
    vec4 b = clip_from_world * vec4(end, 1.0);
    if (a.w < near && b.w > near) a = mix(a, b, (near - a.w) / (b.w - a.w));
    else if (b.w < near && a.w > near) b = mix(b, a, (near - b.w) / (a.w - b.w));
    bool round = start == end;
    vec2 along = round ? vec2(1.0, 0.0) : normalize((b.xy / b.w - a.xy / a.w) / pixel + vec2(1e-9));
    vec2 beside = vec2(-along.y, along.x);
    vec4 here = corner.x > 0.0 && !round ? b : a;
    radius = size * ratio;
    float reach = radius + 2.0;
    here.xy += (beside * corner.y + (round ? along * corner.x : vec2(0.0))) * reach * pixel * here.w;
    place = vec2(round ? corner.x * reach : 0.0, corner.y * reach);
    time = when;
    opacity = strength;
    gl_Position = min(a.w, b.w) > 0.0 ? here : vec4(2.0, 2.0, 2.0, 1.0);
}
"""

_FRAGMENT = """
uniform vec3 past;
uniform vec3 future;
uniform vec3 now;
uniform vec3 rim;
varying vec2 place;
varying float radius;
varying float time;
varying float opacity;
void main() {
    float away = length(place);
    float cover = clamp(radius + 0.5 - away, 0.0, 1.0);
    float edge = opacity > 0.75 ? clamp(radius + 1.5 - away, 0.0, 1.0) * 0.6 : 0.0;
    vec3 colour = time > 1.5 ? now : (time > 0.5 ? future : past);
    float alpha = max(cover, edge) * opacity;
    if (alpha < 0.02) discard;
    gl_FragColor = vec4(mix(rim, colour, cover) * alpha, alpha);
}
"""


class TrailsVisual:
    """Draws trails."""

    def __init__(self) -> None:
        self._program = Program(_VERTEX, _FRAGMENT)
        self._vertices: Vertices | None = None

    def show(self, trails: Sequence[Trail], time: int) -> None:
        """Take over trails, and which time is the present [ticks]."""
        if self._vertices is not None:
            self._vertices.delete()
        rows = [strokes(trail, time) for trail in trails if len(trail.times)]
        self._vertices = Vertices(np.concatenate(rows), FIELDS) if rows else None

    def draw(self, eye: Eye, look: Look) -> None:
        """All of them."""
        if self._vertices is None:
            return
        mode(blend="over")
        self._program.use(
            clip_from_world=eye.matrix,
            pixel=(2 / eye.size[0], 2 / eye.size[1]),
            ratio=eye.pixel_ratio,
            near=-1e9 if eye.camera.orthographic else eye.camera.depth_range()[0],
            past=rgb(look.past),
            future=rgb(look.future),
            now=rgb(look.text),
            rim=rgb(look.window),
        )
        self._program.draw(self._vertices)


def strokes(trail: Trail, time: int) -> Floats:
    """Vertices of the line, then of the dots of frames, of keys and of the present."""
    points, fresh = trail.points, np.where(trail.fresh, 1.0, STALE)
    when = np.where(trail.times < time, PAST, FUTURE)
    line = _quads(points[:-1], points[1:], LINE, when[:-1], LINE_STRENGTH * np.minimum(fresh[:-1], fresh[1:]))
    keyed = trail.keyed
    dots = _quads(points[~keyed], points[~keyed], DOT, when[~keyed], 0.7 * fresh[~keyed])
    keys = _quads(points[keyed], points[keyed], KEY, when[keyed], fresh[keyed])
    return np.concatenate((line, dots, keys, _present(trail, time)))


def _present(trail: Trail, time: int) -> Floats:
    """A dot where the point is now, between two places too; none outside of the trail."""
    if not trail.times[0] <= time <= trail.times[-1]:
        return np.empty((0, 11), dtype=np.float32)
    place = np.array([[np.interp(time, trail.times, trail.points[:, axis]) for axis in range(3)]], dtype=np.float32)
    return _quads(place, place, PRESENT, np.array([NOW]), np.array([1.0]))


def _quads(
    starts: Floats, ends: Floats, size: float, when: NDArray[np.float64], strength: NDArray[np.float64]
) -> Floats:
    """Two triangles for each start; those that end where they start are dots."""
    rows = np.empty((len(starts), 6, 11), dtype=np.float32)
    rows[:, :, :3], rows[:, :, 3:6], rows[:, :, 6:8], rows[:, :, 8] = starts[:, None], ends[:, None], _CORNERS, size
    rows[:, :, 9], rows[:, :, 10] = when[:, None], strength[:, None]
    return rows.reshape(-1, 11)
