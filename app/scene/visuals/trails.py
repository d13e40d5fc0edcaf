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
from engine.model import Passage, Trail

Floats = NDArray[np.float32]
FIELDS = (("start", 3), ("end", 3), ("corner", 2), ("size", 1), ("when", 1), ("strength", 1))
LINE, DOT, KEY, PRESENT = 0.7, 1.6, 3.6, 5.0  # [logical px] half width of the line; radii of dots
_SAME = 1e-9  # [s]
NOW = 1e9  # [s] when a dot of the present is; others are past or future as they come to be
LINE_STRENGTH, STALE = 0.5, 0.4  # opacity of the line; of what is stale, in shares of what is fresh
_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1)], dtype=np.float32)

_VERTEX = """
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
    time = when > 0.5e9 ? 2.0 : (when < present - 5e-4 ? 0.0 : 1.0);
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
        self._paths: Vertices | None = None
        self._present: Vertices | None = None
        self._shown: list[NDArray[np.float32]] = []
        self._now = 0.0

    def show(self, passage: Passage | None) -> None:
        """Take over trails and the present; what was shown before is not uploaded again."""
        trails: Sequence[Trail] = passage.trails if passage is not None else ()
        self._now = passage.seconds if passage is not None else 0.0
        points = [trail.points for trail in trails]
        if len(points) != len(self._shown) or any(new is not old for new, old in zip(points, self._shown, strict=True)):
            self._shown, self._paths = points, _uploaded(self._paths, [strokes(trail) for trail in trails])
        self._present = _uploaded(self._present, [present(trail, self._now) for trail in trails])

    def draw(self, eye: Eye, look: Look) -> None:
        """All of them."""
        if self._paths is None:
            return
        mode(blend="over")
        self._program.use(
            clip_from_world=eye.matrix,
            pixel=(2 / eye.size[0], 2 / eye.size[1]),
            ratio=eye.pixel_ratio,
            present=self._now,
            near=-1e9 if eye.camera.orthographic else eye.camera.depth_range()[0],
            past=rgb(look.past),
            future=rgb(look.future),
            now=rgb(look.text),
            rim=rgb(look.window),
        )
        self._program.draw(self._paths)
        if self._present is not None:
            self._program.draw(self._present)


def strokes(trail: Trail) -> Floats:
    """Vertices of the line, then of the dots of frames and of keys."""
    points, fresh = trail.points, np.where(trail.fresh, 1.0, STALE)
    when = trail.seconds
    line = _quads(points[:-1], points[1:], LINE, when[:-1], LINE_STRENGTH * np.minimum(fresh[:-1], fresh[1:]))
    keyed = trail.keyed
    dots = _quads(points[~keyed], points[~keyed], DOT, when[~keyed], 0.7 * fresh[~keyed])
    keys = _quads(points[keyed], points[keyed], KEY, when[keyed], fresh[keyed])
    return np.concatenate((line, dots, keys))


def present(trail: Trail, now: float) -> Floats:
    """A dot where the point is at a time [s], between two places too; none outside of the trail."""
    when = trail.seconds
    if not when[0] - _SAME <= now <= when[-1] + _SAME:
        return np.empty((0, 11), dtype=np.float32)
    place = np.array([[np.interp(now, when, trail.points[:, axis]) for axis in range(3)]], dtype=np.float32)
    return _quads(place, place, PRESENT, np.array([NOW]), np.array([1.0]))


def _uploaded(old: Vertices | None, rows: list[Floats]) -> Vertices | None:
    """Rows on the card, in the place of older ones."""
    if old is not None:
        old.delete()
    kept = [each for each in rows if len(each)]
    return Vertices(np.concatenate(kept), FIELDS) if kept else None


def _quads(
    starts: Floats, ends: Floats, size: float, when: NDArray[np.float64], strength: NDArray[np.float64]
) -> Floats:
    """Two triangles for each start; those that end where they start are dots."""
    rows = np.empty((len(starts), 6, 11), dtype=np.float32)
    rows[:, :, :3], rows[:, :, 3:6], rows[:, :, 6:8], rows[:, :, 8] = starts[:, None], ends[:, None], _CORNERS, size
    rows[:, :, 9], rows[:, :, 10] = when[:, None], strength[:, None]
    return rows.reshape(-1, 11)
