"""Reach: draws where a bone can point, as a translucent patch of a sphere about its joint, with a line around it.

The patch stands about a joint, wherever that has slid to, and turns with the body that the joint hangs on. It lies over
the floor and beside the bodies, which hide it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from app.scene.gl import Indices, Program, Vertices, mode
from app.scene.look import Look, rgb
from app.scene.patch import Patch
from app.scene.visuals.eye import Eye
from engine.model import Bodies

LINE = 1.3  # [logical px] half the width of the line around it

# Shared by what stands in the frame of a body and is more or less translucent as it faces the eye.
ON_BODY = """
uniform mat4 clip_from_world;
uniform mat4 world_from_body;
uniform vec4 eye;
attribute vec3 place;
attribute vec3 normal;
varying vec3 facing;
varying vec3 towards;
void stand() {
    vec4 here = world_from_body * vec4(place, 1.0);
    facing = (world_from_body * vec4(normal, 0.0)).xyz;
    towards = eye.w > 0.5 ? eye.xyz - here.xyz : eye.xyz;
    gl_Position = clip_from_world * here;
}
"""
_VERTEX = (
    ON_BODY
    + """
attribute float beyond;
varying float outside;
void main() {
    stand();
    outside = beyond;
}
"""
)
_FRAGMENT = """
uniform vec3 colour;
uniform float width;
varying float outside;
varying vec3 facing;
varying vec3 towards;
void main() {
    float away = -outside / max(fwidth(outside), 1e-9);
    if (away < -0.5) discard;
    float line = clamp(width + 0.5 - away, 0.0, 1.0);
    float square = abs(dot(normalize(facing), normalize(towards)));
    float alpha = mix(mix(0.40, 0.20, square), 0.95, line);
    gl_FragColor = vec4(colour * alpha, alpha);
}
"""


class ReachVisual:
    """Draws one patch."""

    _program = cached_property(lambda _: Program(_VERTEX, _FRAGMENT))  # made when something is first drawn

    def __init__(self) -> None:
        self._patch: Patch | None = None
        self._buffers: tuple[Vertices, Indices] | None = None

    def show(self, patch: Patch | None) -> None:
        """Take over another patch, or none."""
        if patch is self._patch:
            return
        self._patch, self._buffers = patch, None
        if patch is not None and len(patch.faces):
            rows = np.concatenate((patch.positions, patch.normals, patch.beyond[:, None]), axis=1)
            fields = (("place", 3), ("normal", 3), ("beyond", 1))
            self._buffers = Vertices(rows, fields), Indices(patch.faces.astype(np.uint32).ravel())

    def draw(self, eye: Eye, look: Look, items: Sequence[Bodies]) -> None:
        """Draw the patch on its body, where that is seen."""
        if self._patch is None or self._buffers is None:
            return
        frame = frame_of(self._patch, items)
        if frame is None:
            return
        self._program.use(
            clip_from_world=eye.matrix,
            world_from_body=frame,
            eye=eye.place,
            colour=rgb(look.accent),
            width=LINE * eye.pixel_ratio,
        )
        for cull in ("front", "back"):
            mode(depth=True, blend="over", cull=cull)
            self._program.draw(*self._buffers)


def frame_of(patch: Patch, items: Sequence[Bodies]) -> NDArray[np.float64] | None:
    """Return the frame of a patch in the world, shape [4, 4]; None where its joint is not seen."""
    for item in items:
        if item.owner != patch.owner or item.role != "result" or not item.visible or patch.joint not in item.parts:
            continue
        found = np.eye(4)
        found[:3, 3] = item.transforms[item.parts.index(patch.joint), :, 3]
        if patch.part in item.parts:
            found[:3, :3] = item.transforms[item.parts.index(patch.part), :, :3]
        return found
    return None
