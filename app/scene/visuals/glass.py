"""Glass: draws translucent shapes on bodies, the farther ones first: as they are seen through bodies that hide them,
faintly, then what is in front, its far side before its near one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import numpy as np

from app.scene.gl import Indices, Program, Vertices, mode
from app.scene.glass import GlassShape, glass_frame
from app.scene.look import Look, rgb
from app.scene.visuals.eye import Eye
from app.scene.visuals.reach import ON_BODY
from engine.model import Bodies

MOST_KEPT = 256  # shapes whose triangles stay on the card

_VERTEX = ON_BODY + "void main() { stand(); }"
_FRAGMENT = """
uniform vec3 colour;
uniform float strength;
varying vec3 facing;
varying vec3 towards;
void main() {
    float square = abs(dot(normalize(facing), normalize(towards)));
    float rim = 1.0 - square;
    float alpha = strength * mix(0.26, 0.80, rim * rim);
    gl_FragColor = vec4(mix(colour, vec3(1.0), 0.25 * square * square) * alpha, alpha);
}
"""
_PASSES: tuple[tuple[bool, Literal["front", "back"], float], ...] = (
    (True, "back", 0.42), (False, "front", 0.5), (False, "back", 1.0),
)  # fmt: skip
"""Whether what lies behind bodies is drawn, which faces are left out, and how strong the colour is."""


class GlassVisual:
    """Draws shapes of glass."""

    _program = cached_property(lambda _: Program(_VERTEX, _FRAGMENT))  # made when something is first drawn

    def __init__(self) -> None:
        self._shapes: Sequence[GlassShape] = ()
        self._buffers: dict[int, tuple[GlassShape, Vertices, Indices]] = {}  # by the identity of places, kept with them

    def show(self, shapes: Sequence[GlassShape]) -> None:
        """Take over other shapes, or none."""
        if shapes is self._shapes:
            return
        self._shapes = shapes
        used = {id(each.positions) for each in shapes}
        if len(self._buffers) > MOST_KEPT:
            self._buffers = {key: kept for key, kept in self._buffers.items() if key in used}

    def draw(self, eye: Eye, look: Look, items: Sequence[Bodies]) -> None:
        """Draw them on their bodies, where these are seen."""
        if not self._shapes:
            return
        frames = ((each, glass_frame(each, items)) for each in self._shapes)
        found = [(each, np.vstack((frame, (0.0, 0.0, 0.0, 1.0)))) for each, frame in frames if frame is not None]
        found.sort(key=lambda pair: float((pair[1][:3, 3] - eye.stands) @ eye.camera.axes[2]))
        self._program.use(clip_from_world=eye.matrix, eye=eye.place)
        for behind, cull, strength in _PASSES:
            mode(depth=True, behind=behind, blend="over", cull=cull)
            for shape, world in found:
                colour = rgb(look.accent if shape.chosen else look.axis_z)
                self._program.use(world_from_body=world, colour=colour, strength=strength)
                self._program.draw(*self._buffers_of(shape))

    def _buffers_of(self, shape: GlassShape) -> tuple[Vertices, Indices]:
        kept = self._buffers.get(id(shape.positions))
        if kept is None:
            rows = np.concatenate((shape.positions, shape.normals), axis=1)
            buffers = Vertices(rows, (("place", 3), ("normal", 3))), Indices(shape.triangles.astype(np.uint32).ravel())
            kept = self._buffers[id(shape.positions)] = (shape, *buffers)
        return kept[1:]
