"""Form: the base of all solid things that are drawn: shapes, bones and skins.

A form gives the head of a vertex shader, `HEAD`, whose `find()` sets for its vertex:
    vec3 at, facing, away - place [m], normal, and the direction in which an outline swells, in the world
    float shade, code - brightness beside the figure's colour; the number that picking reads
    float hue - where its colour stands in a map (`app.scene.colour_map`); below 0 where nothing sets it: none
    vec4 flags - of the body that it belongs to (`table.FIND_BODY`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Array
from app.scene.gl import Indices, Program, Vertices
from app.scene.visuals.paints import Paint
from app.scene.visuals.table import FIND_BODY, BodyTable

GLOBALS = (
    FIND_BODY
    + """
vec3 at;
vec3 facing;
vec3 away;
float shade;
float code;
float hue = -1.0;
"""
)


class DrawnTriangles:
    """Triangles of some of a table's bodies, one draw call."""

    HEAD: str
    cull: Literal["back"] | None = "back"  # the faces that are left out; None: both sides are seen

    def __init__(self, vertices: Vertices, triangles: NDArray[np.uint32]) -> None:
        self._vertices, self._indices = vertices, Indices(triangles)
        self.casting: Indices | None = None  # the triangles that cast the soft shadow below bodies; None: all
        self.outlining: Indices | None = None  # those of the key's quick shadow, where fewer have nearly its outline
        self.is_mapped = False  # whether colours of a map are seen on it
        self.paints: list[Paint] = []  # parts of other materials, where there are any

    def aim(self, program: Program, clip_from_world: Array) -> None:
        """Set what depends on where they are seen from."""

    def draw(self, program: Program, part: Indices | None = None) -> None:
        """Draw all, or some triangles, with a program that is in use."""
        program.draw(self._vertices, part or self._indices)


class Form(DrawnTriangles, ABC):
    """All triangles of these bodies, which may be picked and outlined."""

    def __init__(self, vertices: Vertices, triangles: NDArray[np.uint32], body: NDArray[np.int64]) -> None:
        """`body` is the number of each triangle's body."""
        super().__init__(vertices, triangles)
        self._triangles, self._body = triangles, body

    def afar(self, coarse: float) -> DrawnTriangles:
        """Give what is drawn instead where details may be left out that are so small [m]: fewer triangles, if there are
        too many."""
        return self

    def draw_codes(self, program: Program) -> None:
        """Draw all so that every pixel gets the code of what covers it: here, the number of its body."""
        program.draw(self._vertices, self._indices)

    def indices_of(self, numbers: Sequence[int]) -> Indices | None:
        """Return the triangles of some bodies; None if they have none."""
        triangles = self._triangles[np.isin(self._body, numbers)]
        return Indices(triangles) if len(triangles) else None

    @abstractmethod
    def hit(self, table: BodyTable, code: int, origin: Array, direction: Array) -> tuple[int, float]:
        """Return the body that a code stands for, and how far along a ray it is met [m]."""
