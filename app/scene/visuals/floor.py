"""Floor: a plain ground of one colour under a scene, which fades into the background or ends at a horizon."""

from __future__ import annotations

from app.scene.gl import Program, mode, quad
from app.scene.look import rgb
from app.scene.visuals.eye import Eye
from app.scene.visuals.shading import GRAIN
from app.scene.visuals.shadow import LEVEL

NEAR, FAR = 1.2, 5.5  # times the distance of what is looked at, between which the floor fades
ENDLESS = 45.0  # likewise, as far as it reaches where it does not
POOL = 0.16  # by how much brighter it is where bodies stand

_VERTEX = """
uniform mat4 clip_from_world;
uniform vec3 reach;
attribute vec2 corner;
varying vec2 place;
void main() {
    place = corner * reach.z;
    gl_Position = clip_from_world * vec4(reach.x + place.x, 0.0, reach.y + place.y, 1.0);
}
"""
_FRAGMENT = (
    GRAIN
    + """
uniform vec3 colour;
uniform vec2 fading;
uniform float pool;
varying vec2 place;
void main() {
    float away = length(place);
    float seen = 1.0 - smoothstep(fading.x, fading.y, away);
    float bright = 1.0 + pool * (1.0 - smoothstep(0.0, 0.6 * fading.y, away)) - 0.5 * pool;
    vec3 found = clamp(colour * bright + (grain_here() - 0.5) / 255.0, 0.0, 1.0);
    gl_FragColor = vec4(found * seen, seen);
}
"""
)


class FloorVisual:
    """Draws the ground."""

    def __init__(self) -> None:
        self._program, self._quad = Program(_VERTEX, _FRAGMENT), quad()

    def draw(self, eye: Eye, colour: str, *, fades: bool) -> None:
        """Draw it over the background, for an eye above it."""
        if eye.place[1] <= LEVEL:
            return
        camera = eye.camera
        scale = max(camera.distance, 1e-3)
        fading = (NEAR * scale, FAR * scale) if fades else (0.8 * ENDLESS * scale, ENDLESS * scale)
        mode(blend="over")
        x, y = (0, 0) if eye.tile is None else (eye.tile.x, eye.tile.y)
        self._program.use(
            clip_from_world=eye.matrix,
            reach=(camera.target[0], camera.target[2], fading[1]),
            fading=fading,
            colour=rgb(colour),
            pool=POOL,
            grain_shift=(x, y),
        )
        self._program.draw(self._quad, mode="triangle_strip")
