"""Form: the protocol of all solid things that are drawn: shapes, bones and skins.

A form gives the head of a vertex shader, `HEAD`, whose `find()` sets for its vertex:
    vec3 at, facing, away - place [m], normal, and the direction in which an outline swells, in the world
    float shade, code - brightness beside the figure's colour; the number that picking reads
    vec4 flags - of the body that it belongs to (`table.FIND_BODY`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal, Protocol

from app.scene.camera import Array
from app.scene.gl import Indices, Program
from app.scene.visuals.table import FIND_BODY, BodyTable

GLOBALS = (
    FIND_BODY
    + """
vec3 at;
vec3 facing;
vec3 away;
float shade;
float code;
"""
)


class Form(Protocol):
    """Triangles of some of a table's bodies, one draw call."""

    HEAD: ClassVar[str]

    @property
    def cull(self) -> Literal["back"] | None:
        """The faces that are left out; None: both sides are seen."""

    def draw(self, program: Program, part: Indices | None = None) -> None:
        """Draw all, or some triangles, with a program that is in use."""

    def draw_codes(self, program: Program) -> None:
        """Draw all so that every pixel gets the code of what covers it."""

    def indices_of(self, numbers: Sequence[int]) -> Indices | None:
        """Return the triangles of some bodies; None if they have none."""

    def hit(self, table: BodyTable, code: int, origin: Array, direction: Array) -> tuple[int, float]:
        """Return the body that a code stands for, and how far along a ray it is met [m]."""
