"""Ribbons: lines and areas in pixels over the picture, all of a view in one draw call.

The fragment shader smooths the edges of a line, so that it is crisp without multisampling.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Array, Camera, Size
from app.scene.gl import Program, Vertices, draw_into, mode
from app.scene.look import Rgb
from app.scene.panes import Shot

_FIELDS = (("place", 2), ("across", 1), ("half_width", 1), ("colour", 4))
Rows = NDArray[np.float32]

_VERTEX = """
uniform vec2 size;
attribute vec2 place;
attribute float across;
attribute float half_width;
attribute vec4 colour;
varying float beside;
varying float reach;
varying vec4 tint;
void main() {
    beside = across;
    reach = half_width;
    tint = colour;
    gl_Position = vec4(place.x / size.x * 2.0 - 1.0, 1.0 - place.y / size.y * 2.0, 0.0, 1.0);
}
"""
_FRAGMENT = """
varying float beside;
varying float reach;
varying vec4 tint;
void main() {
    float alpha = tint.a * clamp(reach + 0.5 - abs(beside), 0.0, 1.0);
    gl_FragColor = vec4(tint.rgb * alpha, alpha);
}
"""


class Ribbons:
    """Draws ribbons and areas over the views."""

    def __init__(self) -> None:
        self._program: Program | None = None

    def forget(self) -> None:
        """Drop the objects of an OpenGL context that is gone."""
        self._program = None

    def draw_rows(self, handle: int, shot: Shot, rows: Mapping[int, Rows]) -> None:
        """Draw the vertices of each view into it."""
        if self._program is None:
            self._program = Program(_VERTEX, _FRAGMENT)
        for view, own in rows.items():
            if len(own):
                pane = shot.panes[view]
                draw_into(handle, pane.x, shot.height - pane.y - pane.height, pane.width, pane.height)
                mode(blend="over")
                self._program.use(size=pane.size)
                self._program.draw(Vertices(own, _FIELDS))


def seen_in(shot: Shot) -> dict[int, tuple[Camera, Size]]:
    """Return the camera and the size [px] of each view of a shot."""
    return {view: (shot.cameras[view], pane.size) for view, pane in shot.panes.items()}


def ribbon(points: Array, half_width: float, colour: Rgb, alpha: float, *, closed: bool = False) -> Rows:
    """Return two triangles for each piece of a line, with mitred corners."""
    line = np.vstack((points, points[:1])) if closed else points
    ways = np.diff(line, axis=0)
    ways = ways / np.maximum(np.hypot(*ways.T), 1e-9)[:, None]
    before, after = (
        np.vstack((ways[-1:] if closed else ways[:1], ways)),
        np.vstack((ways, ways[:1] if closed else ways[-1:])),
    )
    normals = np.stack((-(before + after)[:, 1], (before + after)[:, 0]), axis=1)
    lengths = np.maximum(np.einsum("ij,ij->i", normals, normals), 0.5)
    reach = half_width + 1.0
    side = 2.0 * reach * normals / lengths[:, None]
    left, right = line + side, line - side
    rows = np.empty((len(line) - 1, 6, 8), dtype=np.float32)
    corners = ((left, 0, 1), (right, 0, -1), (left, 1, 1), (left, 1, 1), (right, 0, -1), (right, 1, -1))
    for number, (edge, step, sign) in enumerate(corners):
        rows[:, number, :2] = edge[step : len(line) - 1 + step]
        rows[:, number, 2] = sign * reach
    rows[:, :, 3] = half_width
    rows[:, :, 4:] = (*colour, alpha)
    return rows.reshape(-1, 8)


def area(points: Array, colour: Rgb, alpha: float) -> Rows:
    """Return a fan of triangles from the first point."""
    rows = np.zeros((len(points) - 2, 3, 8), dtype=np.float32)
    rows[:, 0, :2], rows[:, 1, :2], rows[:, 2, :2] = points[0], points[1:-1], points[2:]
    rows[:, :, 3] = 1.0
    rows[:, :, 4:] = (*colour, alpha)
    return rows.reshape(-1, 8)
