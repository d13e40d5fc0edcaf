"""MakeSoftBox, MakeSoftCylinder: a new actor that is a soft body of a simple shape.

Importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Document
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.edits import Edit, edit
from engine.soft.parts import CellShape

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class MakeSoftBox(Gradual):
    """A box of tetrahedra or hexahedra, or a planar one of squares, whose third size is how thick it is drawn."""

    uses = ("soft",)

    id: str  # of the new actor
    name: str = "Soft box"
    size: Vector3 = (0.3, 0.3, 0.3)  # [m]
    counts: tuple[int, int, int] = (4, 4, 4)  # of bricks along its axes
    cells: CellShape = "tetrahedra"
    position: Vector3 = (0.0, 0.5, 0.0)  # [m]
    rotation: Quaternion = IDENTITY
    options: tuple[tuple[str, object], ...] = ()  # of `SoftBody`, by name

    @property
    def changes(self) -> tuple[str, ...]:
        """None that is there."""
        return ()

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return f"Add soft body {self.name}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        """Find the edit."""
        from engine.soft.making import soft_actor, soft_box

        yield 0.0
        body = soft_box(self.size, self.counts, cells=self.cells, **dict(self.options))
        made = soft_actor(self.id, self.name, body, position=self.position, rotation=self.rotation)
        return edit("add_soft_body", actor=made)


@dataclass(frozen=True, kw_only=True)
class MakeSoftCylinder(Gradual):
    """A cylinder of tetrahedra, along x, y or z."""

    uses = ("soft",)

    id: str  # of the new actor
    name: str = "Soft cylinder"
    radius: float = 0.1  # [m]
    length: float = 0.5  # [m]
    rings: int = 2  # of points about its axis
    layers: int = 8
    axis: int = 1  # 0 to 2: x, y, z
    position: Vector3 = (0.0, 0.5, 0.0)  # [m]
    rotation: Quaternion = IDENTITY
    options: tuple[tuple[str, object], ...] = ()  # of `SoftBody`, by name

    @property
    def changes(self) -> tuple[str, ...]:
        """None that is there."""
        return ()

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return f"Add soft body {self.name}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        """Find the edit."""
        from engine.soft.making import soft_actor, soft_cylinder

        yield 0.0
        body = soft_cylinder(
            self.radius, self.length, rings=self.rings, layers=self.layers, axis=self.axis, **dict(self.options)
        )
        made = soft_actor(self.id, self.name, body, position=self.position, rotation=self.rotation)
        return edit("add_soft_body", actor=made)
