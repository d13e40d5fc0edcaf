"""Balance: an actor's centre of mass with a plumb line, the polygon on the floor that it stands on, and its contacts.

The polygon lies beneath the bodies. Ball, line and contacts are drawn over them, as wide on the screen wherever they
are: every one is a narrow quad that the vertex shader lays out in pixels. What is off balance has the warning colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from app.scene.gl import Program, Vertices, mode
from app.scene.look import Look, rgb
from app.scene.visuals.eye import Eye
from engine.model import Balance

Floats = NDArray[np.float32]
FIELDS = (("start", 3), ("end", 3), ("corner", 2), ("size", 1), ("kind", 1), ("off", 1))
STROKE, DOT, BALL = 0.0, 1.0, 2.0  # kinds
LINE, CONTACT, CENTRE = 0.8, 2.0, 7.0  # [logical px] half width of a line; radius of a contact and of the ball
FILL = 0.16  # opacity of the polygon

_VERTEX = """
uniform mat4 clip_from_world;
uniform vec2 pixel;
uniform float ratio;
uniform float near;
attribute vec3 start;
attribute vec3 end;
attribute vec2 corner;
attribute float size;
attribute float kind;
attribute float off;
varying vec2 place;
varying float radius;
varying float form;
varying float warns;
void main() {
    vec4 a = clip_from_world * vec4(start, 1.0);
    vec4 b = clip_from_world * vec4(end, 1.0);
    if (a.w < near && b.w > near) a = mix(a, b, (near - a.w) / (b.w - a.w));
    else if (b.w < near && a.w > near) b = mix(b, a, (near - b.w) / (a.w - b.w));
    bool round = kind > 0.5;
    vec2 along = round ? vec2(1.0, 0.0) : normalize((b.xy / b.w - a.xy / a.w) / pixel + vec2(1e-9));
    vec2 beside = vec2(-along.y, along.x);
    vec4 here = corner.x > 0.0 && !round ? b : a;
    radius = size * ratio;
    float reach = radius + 2.0;
    here.xy += (beside * corner.y + (round ? along * corner.x : vec2(0.0))) * reach * pixel * here.w;
    place = vec2(round ? corner.x * reach : 0.0, corner.y * reach);
    form = kind;
    warns = off;
    gl_Position = min(a.w, b.w) > 0.0 ? here : vec4(2.0, 2.0, 2.0, 1.0);
}
"""

_FRAGMENT = """
uniform vec3 calm;
uniform vec3 warning;
uniform vec3 shade;
varying vec2 place;
varying float radius;
varying float form;
varying float warns;
void main() {
    float away = length(place);
    float cover = clamp(radius + 0.5 - away, 0.0, 1.0);
    float rim = form > 0.5 ? clamp(radius + 1.5 - away, 0.0, 1.0) * 0.75 : 0.0;
    vec3 bright = warns > 0.5 ? warning : calm;
    bool dark = form > 1.5 && place.x * place.y > 0.0 && away < radius - 1.2;
    vec3 colour = dark ? shade : bright;
    float alpha = max(cover, rim);
    if (alpha < 0.02) discard;
    gl_FragColor = vec4(mix(shade, colour, cover) * alpha, alpha);
}
"""

_FLOOR_VERTEX = """
uniform mat4 clip_from_world;
attribute vec3 start;
attribute float off;
varying float warns;
void main() {
    warns = off;
    gl_Position = clip_from_world * vec4(start, 1.0);
}
"""

_FLOOR_FRAGMENT = """
uniform vec3 calm;
uniform vec3 warning;
uniform float opacity;
varying float warns;
void main() { gl_FragColor = vec4((warns > 0.5 ? warning : calm) * opacity, opacity); }
"""


class BalanceVisual:
    """Draws centres of mass, support polygons and contacts."""

    _floor = cached_property(lambda _: Program(_FLOOR_VERTEX, _FLOOR_FRAGMENT))  # made when something is first drawn
    _strokes = cached_property(lambda _: Program(_VERTEX, _FRAGMENT))

    def __init__(self) -> None:
        self._areas: Vertices | None = None
        self._edges: Vertices | None = None
        self._centres: Vertices | None = None
        self._contacts: Vertices | None = None

    def show(self, balances: Sequence[Balance]) -> None:
        """Take over the balances of a snapshot."""
        self._areas = _vertices(list(map(_area, balances)), (("start", 3), ("off", 1)))
        self._edges = _vertices(list(map(_edge, balances)), FIELDS)
        self._centres = _vertices(list(map(_centre, balances)), FIELDS)
        self._contacts = _vertices(list(map(_contact, balances)), FIELDS)

    def draw_floor(self, eye: Eye, look: Look) -> None:
        """Draw the support polygons, before anything that stands on them."""
        if look.show_balance and self._areas is not None:
            mode(blend="over")
            colours = {"calm": rgb(look.text), "warning": rgb(look.warning)}
            self._floor.use(clip_from_world=eye.matrix, opacity=FILL, **colours)
            self._floor.draw(self._areas)
            self._draw(self._edges, eye, look)

    def draw(self, eye: Eye, look: Look) -> None:
        """Draw contacts and centres of mass, seen through the bodies."""
        if look.show_contacts:
            self._draw(self._contacts, eye, look)
        if look.show_balance:
            self._draw(self._centres, eye, look)

    def _draw(self, strokes: Vertices | None, eye: Eye, look: Look) -> None:
        if strokes is None:
            return
        mode(blend="over")
        colours = {"calm": rgb(look.text), "warning": rgb(look.warning), "shade": rgb(look.window)}
        self._strokes.use(**eye.in_pixels, **colours)
        self._strokes.draw(strokes)


def _vertices(rows: Sequence[Floats], fields: tuple[tuple[str, int], ...]) -> Vertices | None:
    found = [each for each in rows if len(each)]
    return Vertices(np.concatenate(found), fields) if found else None


def _area(balance: Balance) -> Floats:
    """Triangulate a polygon about its first corner."""
    corners = balance.support
    if len(corners) < 3:
        return np.empty((0, 4), dtype=np.float32)
    count = len(corners) - 2
    numbers = np.stack((np.zeros(count, dtype=int), np.arange(count) + 1, np.arange(count) + 2), axis=1).ravel()
    return np.hstack((corners[numbers], np.full((3 * count, 1), _is_off(balance)))).astype(np.float32)


def _edge(balance: Balance) -> Floats:
    return _quads(balance.support, np.roll(balance.support, -1, axis=0), LINE, STROKE, balance)


def _centre(balance: Balance) -> Floats:
    centre = np.array([balance.centre], dtype=np.float32)
    line = _quads(centre, centre * np.array([1, 0, 1], dtype=np.float32), LINE, STROKE, balance)
    foot = _quads(centre * np.array([1, 0, 1], dtype=np.float32), None, CONTACT, DOT, balance)
    return np.concatenate((line, foot, _quads(centre, None, CENTRE, BALL, balance)))


def _contact(balance: Balance) -> Floats:
    return _quads(balance.contacts, None, CONTACT, DOT, balance)


def _quads(starts: Floats, ends: Floats | None, size: float, kind: float, balance: Balance) -> Floats:
    """Return two triangles for each start; a stroke goes on to its end."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1)], dtype=np.float32)
    rows = np.empty((len(starts), 6, 11), dtype=np.float32)
    rows[:, :, :3], rows[:, :, 3:6] = starts[:, None], (starts if ends is None else ends)[:, None]
    rows[:, :, 6:8], rows[:, :, 8:] = corners, (size, kind, _is_off(balance))
    return rows.reshape(-1, 11)


def _is_off(balance: Balance) -> float:
    """Return 1 if the actor is off balance; 0 in the air, where it falls however it stands."""
    return float(balance.margin is not None and not balance.holds)
