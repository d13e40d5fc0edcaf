"""Region: a region of Euler space as a translucent surface, with samples as dots and slices in colour, in a box.

Angles [rad] are places: the first along x, the second along y, the third along z.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Bounds
from app.scene.gl import Indices, Program, Texture, Vertices, clear, draw_into, mode
from app.scene.look import rgb
from app.scene.visuals.eye import Eye
from app.style.theme import Theme
from engine.runtime.quick_dataclass import dataclass

Floats = NDArray[np.float32] | NDArray[np.float64]
DOT = 1.6  # [logical px] radius of a sample

_VERTEX = """
uniform mat4 clip_from_world;
uniform vec4 eye;
attribute vec3 place;
attribute vec3 normal;
varying vec3 facing;
varying vec3 towards;
void main() {
    facing = normal;
    towards = eye.w > 0.5 ? eye.xyz - place : eye.xyz;
    gl_Position = clip_from_world * vec4(place, 1.0);
}
"""
_FRAGMENT = """
uniform vec3 colour;
uniform vec3 light;
uniform float opacity;
varying vec3 facing;
varying vec3 towards;
void main() {
    vec3 n = normalize(facing);
    float square = abs(dot(n, normalize(towards)));
    float lit = 0.45 + 0.55 * abs(dot(n, light));
    float alpha = opacity * mix(1.9, 0.85, square);
    float shine = pow(square, 24.0) * 0.12;
    gl_FragColor = vec4((colour * lit + shine) * alpha, alpha);
}
"""
_LINE_VERTEX = """
uniform mat4 clip_from_world;
attribute vec3 place;
void main() { gl_Position = clip_from_world * vec4(place, 1.0); }
"""
_LINE_FRAGMENT = """
uniform vec3 colour;
uniform float opacity;
void main() { gl_FragColor = vec4(colour, 1.0) * opacity; }
"""
_SLICE_VERTEX = """
uniform mat4 clip_from_world;
attribute vec3 place;
attribute vec2 source;
varying vec2 at;
void main() { at = source; gl_Position = clip_from_world * vec4(place, 1.0); }
"""
_SLICE_FRAGMENT = """
uniform sampler2D picture;
uniform float opacity;
varying vec2 at;
void main() { gl_FragColor = texture2D(picture, at) * opacity; }
"""
_DOT_VERTEX = """
uniform mat4 clip_from_world;
uniform vec2 pixel;
uniform float radius;
attribute vec3 place;
attribute vec2 corner;
varying vec2 at;
void main() {
    vec4 here = clip_from_world * vec4(place, 1.0);
    here.xy += corner * (radius + 1.0) * pixel * here.w;
    at = corner * (radius + 1.0);
    gl_Position = here;
}
"""
_DOT_FRAGMENT = """
uniform vec3 colour;
uniform float radius;
varying vec2 at;
void main() {
    float alpha = 0.8 * clamp(radius + 0.5 - length(at), 0.0, 1.0);
    if (alpha < 0.02) discard;
    gl_FragColor = vec4(colour * alpha, alpha);
}
"""
_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], dtype=np.float32)
_QUAD = np.array([0, 1, 2, 0, 2, 3], dtype=np.uint32)


@dataclass(frozen=True, eq=False)
class SliceQuad:
    """A slice: the places of its corners (first column of the first row, last of it, …), and its colours."""

    corners: Floats  # shape [4, 3]
    colours: NDArray[np.uint8]  # premultiplied, shape [rows, columns, 4]


class RegionVisual:
    """Draws a region."""

    def __init__(self) -> None:
        self._surface, self._line = Program(_VERTEX, _FRAGMENT), Program(_LINE_VERTEX, _LINE_FRAGMENT)
        self._sheet, self._dot = Program(_SLICE_VERTEX, _SLICE_FRAGMENT), Program(_DOT_VERTEX, _DOT_FRAGMENT)
        self._skin: tuple[Vertices, Indices] | None = None
        self._dots: tuple[Vertices, Indices] | None = None
        self._box: Vertices | None = None
        self._sheets: list[tuple[Vertices, Texture]] = []

    def show_surface(self, places: Floats, normals: Floats, faces: NDArray[np.int32]) -> None:
        """Take over another boundary; triangles look outwards."""
        self._skin = None
        if len(faces):
            rows = np.concatenate((places, normals), axis=1).astype(np.float32)
            self._skin = Vertices(rows, (("place", 3), ("normal", 3))), Indices(faces.astype(np.uint32).ravel())

    def show_samples(self, places: Floats) -> None:
        """Take over other samples."""
        self._dots = None
        if len(places):
            rows = np.empty((len(places), 4, 5), dtype=np.float32)
            rows[:, :, :3], rows[:, :, 3:] = places[:, None], _CORNERS
            first = np.arange(0, 4 * len(places), 4, dtype=np.uint32)
            self._dots = (
                Vertices(rows.reshape(-1, 5), (("place", 3), ("corner", 2))),
                Indices((first[:, None] + _QUAD).ravel()),
            )

    def show_sheets(self, sheets: Sequence[SliceQuad]) -> None:
        """Take over other slices."""
        self._sheets = []
        for sheet in sheets:
            height, width = sheet.colours.shape[:2]
            source = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float32)  # from middle to middle of texels
            source = (source * (width - 1, height - 1) + 0.5) / (width, height)
            rows = np.concatenate((sheet.corners, source), axis=1).astype(np.float32)[[0, 1, 2, 0, 2, 3]]
            texture = Texture(width, height, smooth=True)
            texture.write(sheet.colours)
            self._sheets.append((Vertices(rows, (("place", 3), ("source", 2))), texture))

    def show_box(self, bounds: Bounds) -> None:
        """Take over the box around all."""
        corners = bounds.corners
        pairs = [(a, b) for a, b in product(range(8), range(8)) if a < b and (a ^ b) in (1, 2, 4)]
        self._box = Vertices(corners[np.array(pairs).ravel()].astype(np.float32), (("place", 3),))

    def draw(self, handle: int, eye: Eye, theme: Theme) -> None:
        """Draw everything."""
        draw_into(handle, 0, 0, *eye.size)
        clear((*rgb(theme.field), 1.0))
        if self._box is not None:
            mode(depth=True, write_depth=True, blend="over")
            self._line.use(clip_from_world=eye.matrix, colour=rgb(theme.text_faint), opacity=0.55)
            self._line.draw(self._box, mode="lines")
        if self._sheets:  # their depths first, so that what lies behind them is drawn before they are laid over it
            self._draw_sheets(eye, 0.0)
            self._draw_dots(eye, theme, behind=True)
            self._draw_surface(eye, theme, behind=True)
            self._draw_sheets(eye, 1.0)
        self._draw_dots(eye, theme, behind=False)
        self._draw_surface(eye, theme, behind=False)

    def _draw_sheets(self, eye: Eye, opacity: float) -> None:
        mode(depth=True, write_depth=True, blend="over")
        self._sheet.use(clip_from_world=eye.matrix, opacity=opacity)
        for vertices, texture in self._sheets:
            self._sheet.use(picture=texture)
            self._sheet.draw(vertices)

    def _draw_dots(self, eye: Eye, theme: Theme, *, behind: bool) -> None:
        if self._dots is not None:
            mode(depth=True, behind=behind, blend="over")
            radius = DOT * eye.pixel_ratio
            pixel = (2 / eye.size[0], 2 / eye.size[1])
            self._dot.use(clip_from_world=eye.matrix, pixel=pixel, radius=radius, colour=rgb(theme.text))
            self._dot.draw(*self._dots)

    def _draw_surface(self, eye: Eye, theme: Theme, *, behind: bool) -> None:
        if self._skin is None:
            return
        right, up, back = eye.camera.axes
        light = 0.45 * right + 0.65 * up + 0.6 * back
        opacity = 0.30 if theme.is_dark else 0.36
        self._surface.use(
            clip_from_world=eye.matrix,
            eye=eye.place,
            light=tuple(light / np.linalg.norm(light)),
            colour=rgb(theme.accent),
        )
        for cull in ("front", "back"):
            mode(depth=True, behind=behind, blend="over", cull=cull)
            self._surface.use(opacity=opacity)
            self._surface.draw(*self._skin)
