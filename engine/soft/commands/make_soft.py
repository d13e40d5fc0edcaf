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
        from engine.soft.making import FRESH, soft_actor, soft_box

        yield 0.0
        body = soft_box(self.size, self.counts, cells=self.cells, **{**FRESH, **dict(self.options)})
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
        from engine.soft.making import FRESH, soft_actor, soft_cylinder

        yield 0.0
        body = soft_cylinder(
            self.radius,
            self.length,
            rings=self.rings,
            layers=self.layers,
            axis=self.axis,
            **{**FRESH, **dict(self.options)},
        )
        made = soft_actor(self.id, self.name, body, position=self.position, rotation=self.rotation)
        return edit("add_soft_body", actor=made)


@dataclass(frozen=True, kw_only=True)
class MakeSoftMesh(Gradual):
    """A closed surface of a file, filled with cubes or tetrahedra, or the tetrahedra that a file holds."""

    uses = ("soft",)

    id: str  # of the new actor
    name: str
    path: str
    along: int = 12  # cubes along its longest side
    cells: CellShape = "tetrahedra"
    mend: bool = False  # whether holes are closed
    unit: float | None = None  # metres per unit of length of the file; None: as the file says
    position: Vector3 | None = None  # [m] of its middle; None: it stands on the floor
    floor: Vector3 = (0.0, 0.0, 0.0)  # [m] where it stands then
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
        from engine.soft.making import FRESH, soft_actor
        from engine.soft.mesh_files import body_of_file

        yield 0.0
        body, height = body_of_file(
            self.path,
            along=self.along,
            cells=self.cells,
            mend=self.mend,
            unit=self.unit,
            **{**FRESH, **dict(self.options)},
        )
        x, y, z = self.floor
        position = (x, y + height, z) if self.position is None else self.position
        return edit("add_soft_body", actor=soft_actor(self.id, self.name, body, position=position))


@dataclass(frozen=True, kw_only=True)
class MakeSoftSkin(Gradual):
    """The flesh of a figure: a body over its skin, stiff about its bones and held by its joints."""

    uses = ("soft",)

    id: str  # of the new actor
    name: str
    actor: str  # whose figure
    skin: str | None = None  # None: the first
    along: int = 24  # cubes along its longest side
    cells: CellShape = "tetrahedra"
    factor: float = 250.0  # times as stiff about the bones
    hold: str = "hard"
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
        from dataclasses import replace

        from engine.runtime.errors import InvalidArguments
        from engine.soft.flesh import flesh
        from engine.soft.making import FRESH, soft_actor

        yield 0.0
        owner = document.actor(self.actor)
        skins = [each for each in owner.figure.skins if self.skin in (None, each.id)]
        if not skins:
            raise InvalidArguments(what=f"the skin of {owner.name}", value=self.skin, allowed="a figure that has one")
        body, _ = flesh(
            owner.figure, skins[0], target=owner.id, along=self.along, factor=self.factor, hold=self.hold,
            cells=self.cells, **{**FRESH, **dict(self.options)},
        )  # fmt: skip
        made = soft_actor(self.id, self.name, body)
        return edit("add_soft_body", actor=replace(made, placement=owner.placement))
