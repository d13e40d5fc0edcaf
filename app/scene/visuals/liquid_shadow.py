"""Liquid shadow: darkens the floor below and about a liquid, softly, and less than a solid body would: light goes
through. The more of it stands above a place, the less light is left, and the bluer."""

from __future__ import annotations

from collections.abc import Sequence

from app.scene.camera import Bounds
from app.scene.gl import Program, mode, quad
from app.scene.look import Look
from app.scene.visuals.eye import Eye
from app.scene.visuals.liquid_mesh import VERTEX, LiquidMesh
from app.scene.visuals.overhead import OverheadPicture
from app.scene.visuals.shadow import LEVEL

DEPTH = 1.0  # [m] of a liquid that takes most of the light


_COVER = """
uniform float deep;
varying vec3 world_point;
void main() {
    float above = max(world_point.y, 0.0);
    gl_FragColor = vec4(exp(-above * 9.0), exp(-above * 0.7), clamp(world_point.y / deep, 0.0, 1.0), 1.0);
}
"""
_LAY = (
    """
uniform mat4 clip_from_world;
uniform vec3 square;
attribute vec2 corner;
varying vec2 at;
void main() {
    at = corner * 0.5 + 0.5;
    gl_Position = clip_from_world * vec4(square.x + corner.x * square.z, 0.0, square.y + corner.y * square.z, 1.0);
}
""",
    """
uniform sampler2D picture;
uniform float strength;
varying vec2 at;
void main() {
    vec4 cover = texture2D(picture, at);
    float thick = cover.b / max(cover.a, 0.01);
    float dark = strength * (1.0 - (1.0 - 0.4 * cover.x) * (1.0 - 0.75 * cover.y * (1.0 - exp(-2.2 * thick))));
    gl_FragColor = vec4(vec3(0.02, 0.07, 0.1) * dark, dark);
}
""",
)


class LiquidShadowVisual:
    """The shadow of the surfaces of liquids."""

    def __init__(self) -> None:
        self._cover, self._lay, self._quad = Program(VERTEX, _COVER), Program(*_LAY), quad()
        self._picture = OverheadPicture()

    def cast(self, surfaces: Sequence[LiquidMesh], bounds: Bounds) -> None:
        """Draw the picture anew for some surfaces."""
        matrix = self._picture.begin(bounds)
        mode(blend="most")
        self._cover.use(clip_from_world=matrix, along=(0.0, 0.0, 0.0, 0.0), deep=DEPTH)
        for each in surfaces:
            self._cover.draw(each.vertices, each.triangles)
        self._picture.finish()

    def draw(self, eye: Eye, look: Look) -> None:
        """Lay the picture on the floor, for an eye above it."""
        square = self._picture.square
        if square is None or eye.place[1] <= LEVEL:
            return
        mode(blend="over")
        self._lay.use(
            clip_from_world=eye.matrix,
            square=square,
            strength=look.shadow_strength,
            picture=self._picture.texture,
        )
        self._lay.draw(self._quad, mode="triangle_strip")
