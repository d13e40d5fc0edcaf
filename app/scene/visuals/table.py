"""Table: the transforms and flags of all drawn bodies, in a small float texture that vertex shaders read.

Every vertex carries the number of its body, so a new pose uploads a few kilobytes and no vertex. Texture rows hold 64
bodies of five texels: the three rows of the transform, (selected, visible, hovered, frozen), and the finish: red, green
and blue, linear and below 0 where there is none, and the roughness.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Array
from app.scene.extent import Part
from app.scene.gl import Program, Texture
from engine.model import Bodies, Spindles

Finish = tuple[float, float, float, float]
PER_ROW, TEXELS = 64, 5
STILL = np.eye(3, 4, dtype=np.float32)
PLAIN = (-1.0, -1.0, -1.0, 1.0)  # the finish of who has none
DULL = 0.996  # roughness from which on nothing shines

# Shared by every vertex shader that asks for a body.
FIND_BODY = """
uniform mat4 clip_from_world;
uniform sampler2D bodies;
uniform float body_rows;

vec4 row_x;
vec4 row_y;
vec4 row_z;
vec4 flags;
vec4 finish;

void find_body(float body) {
    vec2 at = (vec2(mod(body, 64.0) * 5.0, floor(body / 64.0)) + 0.5) / vec2(320.0, body_rows);
    row_x = texture2DLod(bodies, at, 0.0);
    row_y = texture2DLod(bodies, at + vec2(1.0 / 320.0, 0.0), 0.0);
    row_z = texture2DLod(bodies, at + vec2(2.0 / 320.0, 0.0), 0.0);
    flags = texture2DLod(bodies, at + vec2(3.0 / 320.0, 0.0), 0.0);
    finish = texture2DLod(bodies, at + vec2(4.0 / 320.0, 0.0), 0.0);
}
vec3 placed(vec3 point) {
    vec4 p = vec4(point, 1.0);
    return vec3(dot(row_x, p), dot(row_y, p), dot(row_z, p));
}
vec3 turned(vec3 direction) {
    return vec3(dot(row_x.xyz, direction), dot(row_y.xyz, direction), dot(row_z.xyz, direction));
}
"""


class BodyTable:
    """Names, transforms and flags of bodies."""

    def __init__(self, items: Sequence[Bodies | Spindles]) -> None:
        counts = [len(item.parts) for item in items]
        self.counts = tuple(counts)
        self.first = [0, *np.cumsum(counts, dtype=int).tolist()]
        self._names: list[Part] = []
        self._parts: list[tuple[str, tuple[str, ...]]] = []  # of which these names are
        self.is_finished = False  # whether any has a finish
        self.shines = False  # whether any is less rough than what sends no highlight back
        height = max(-(-self.first[-1] // PER_ROW), 1)
        self._rows = np.zeros((height * PER_ROW, TEXELS, 4), dtype=np.float32)
        self._rows[:, 4] = PLAIN
        self._texture = Texture(PER_ROW * TEXELS, height, kind="rgba32f")

    def pose(
        self,
        items: Sequence[Bodies],
        finishes: Mapping[str, Finish],
        muscles: Sequence[tuple[Spindles, NDArray[np.float32]]] = (),
    ) -> None:
        """Take over transforms and finishes; behind them muscles, each with finishes of its own; the texture follows
        with `highlight`."""
        for item, first in zip(items, self.first, strict=False):
            self._rows[first : first + len(item.parts), :3] = item.transforms
            self._rows[first : first + len(item.parts), 3, 1] = item.visible
            self._rows[first : first + len(item.parts), 3, 3] = item.frozen
            self._rows[first : first + len(item.parts), 4] = finishes.get(item.owner, PLAIN)
        for (spindles, own), first in zip(muscles, self.first[len(items) :], strict=False):
            rows = self._rows[first : first + len(own)]
            rows[:, :3], rows[:, 3, 1], rows[:, 3, 3], rows[:, 4] = STILL, spindles.visible, spindles.frozen, own
        self.is_finished = bool((self._rows[:, 4] != PLAIN).any())
        self.shines = bool((self._rows[:, 4, 3] < DULL).any())
        # Names may have changed though the counts have not: another actor of the same shape.
        named: list[Bodies | Spindles] = [*items, *(each for each, _ in muscles)]
        parts = [(item.owner, item.parts) for item in named]
        if parts != self._parts:
            self._parts, self._names = parts, [(owner, part) for owner, own in parts for part in own]

    def highlight(self, selected: frozenset[Part], hovered: Part | None) -> None:
        """Set the selected and hovered bodies, and upload everything."""
        self._rows[:, 3, 0] = self._rows[:, 3, 2] = 0.0
        self._rows[self.numbers(selected), 3, 0] = 1.0
        self._rows[self.numbers(frozenset([hovered] if hovered else [])), 3, 2] = 1.0
        self._texture.write(self._rows.reshape(self._texture.height, self._texture.width, 4))

    @property
    def count(self) -> int:
        """The number of bodies."""
        return int(self.first[-1])

    def name(self, number: int) -> Part:
        """Return owner and part of a body."""
        return self._names[number]

    def numbers(self, parts: frozenset[Part]) -> list[int]:
        """Return the numbers of the bodies of those parts, rising."""
        return [number for number, name in enumerate(self._names) if name in parts] if parts else []

    def transform(self, number: int) -> Array:
        """Return world from body, shape [3, 4]."""
        return self._rows[number, :3].astype(np.float64)

    def positions(self) -> NDArray[np.float32]:
        """Return the origins of the bodies' frames [m], shape [count, 3]."""
        return self._rows[: self.count, :3, 3]

    def use(self, program: Program) -> None:
        """Bind the texture to a program that is in use."""
        program.use(bodies=self._texture, body_rows=float(self._texture.height))
