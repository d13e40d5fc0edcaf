"""MakeSoftBox, MakeSoftCylinder, MakeSoftToy, MakeSoftMesh, MakeSoftSkin: a new actor that is a soft body.

Importing this module loads no kernel.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from engine.command import Gradual
from engine.document import Document, Placement
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.edits import Edit, edit
from engine.runtime.quick_dataclass import dataclass
from engine.soft.parts import CellShape

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.soft.parts import SoftBody
    from engine.soft.toys import Toy

_ABOVE = 1e-3  # [m] the floor


@dataclass(frozen=True, kw_only=True)
class MakeSoft(Gradual):
    """A soft body of some kind."""

    uses = ("soft",)

    id: str  # of the new actor
    name: str
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

        from engine.soft.making import FRESH, soft_actor

        yield 0.0
        body, placement = self.made(document, {**FRESH, **dict(self.options)})
        return edit("add_soft_body", actor=replace(soft_actor(self.id, self.name, body), placement=placement))

    @abstractmethod
    def made(self, document: Document, options: dict[str, Any]) -> tuple[SoftBody, Placement]:
        """Make the body, and find where it stands."""


@dataclass(frozen=True, kw_only=True)
class MakeSoftBox(MakeSoft):
    """A box of tetrahedra or hexahedra with round edges, or a planar one of squares, whose third size is how thick it
    is drawn."""

    name: str = "Soft box"
    size: Vector3 = (0.3, 0.3, 0.3)  # [m]
    counts: tuple[int, int, int] = (4, 4, 4)  # of bricks along its axes
    cells: CellShape = "tetrahedra"
    position: Vector3 = (0.0, 0.5, 0.0)  # [m]
    rotation: Quaternion = IDENTITY

    def made(self, document: Document, options: dict[str, Any]) -> tuple[SoftBody, Placement]:
        """Make the body."""
        from engine.soft.making import soft_box
        from engine.soft.toy_forms import cube_surface, is_compact

        if self.cells != "squares" and is_compact(self.size):
            options["surface"] = cube_surface(self.size, rounding=0.1)
        body = soft_box(self.size, self.counts, cells=self.cells, **options)
        return body, Placement(position=self.position, rotation=self.rotation)


@dataclass(frozen=True, kw_only=True)
class MakeSoftCylinder(MakeSoft):
    """A cylinder of tetrahedra with round edges, along x, y or z."""

    name: str = "Soft cylinder"
    radius: float = 0.1  # [m]
    length: float = 0.5  # [m]
    rings: int = 2  # of points about its axis
    layers: int = 8
    axis: int = 1  # 0 to 2: x, y, z
    position: Vector3 = (0.0, 0.5, 0.0)  # [m]
    rotation: Quaternion = IDENTITY

    def made(self, document: Document, options: dict[str, Any]) -> tuple[SoftBody, Placement]:
        """Make the body."""
        from engine.soft.making import soft_cylinder
        from engine.soft.toy_forms import cylinder_surface, is_compact

        if self.axis in (0, 1, 2) and is_compact((2.0 * self.radius, 2.0 * self.radius, self.length)):
            options["surface"] = cylinder_surface(self.radius, self.length, self.axis)
        body = soft_cylinder(self.radius, self.length, rings=self.rings, layers=self.layers, axis=self.axis, **options)
        return body, Placement(position=self.position, rotation=self.rotation)


@dataclass(frozen=True, kw_only=True)
class MakeSoftToy(MakeSoft):
    """A table in a plane, a stool of cubes or a snake, on the floor."""

    toy: Toy
    position: Vector3 = (0.0, 0.0, 0.0)  # [m] on the floor

    def made(self, document: Document, options: dict[str, Any]) -> tuple[SoftBody, Placement]:
        """Make the body."""
        from dataclasses import replace

        from engine.soft.toys import toy

        body, height = toy(self.toy)
        x, y, z = self.position
        return replace(body, **options), Placement(position=(x, y + height + _ABOVE, z))


@dataclass(frozen=True, kw_only=True)
class MakeSoftMesh(MakeSoft):
    """A closed surface of a file, filled with cubes or tetrahedra, or the tetrahedra that a file holds."""

    path: str
    along: int = 12  # cubes along its longest side
    cells: CellShape = "tetrahedra"
    mend: bool = False  # whether holes are closed
    unit: float | None = None  # metres per unit of length of the file; None: as the file says
    position: Vector3 | None = None  # [m] of its middle; None: it stands on the floor
    floor: Vector3 = (0.0, 0.0, 0.0)  # [m] where it stands then

    def made(self, document: Document, options: dict[str, Any]) -> tuple[SoftBody, Placement]:
        """Make the body."""
        from engine.soft.mesh_files import body_of_file

        body, height = body_of_file(
            self.path, along=self.along, cells=self.cells, mend=self.mend, unit=self.unit, **options
        )
        x, y, z = self.floor
        return body, Placement(position=(x, y + height, z) if self.position is None else self.position)


@dataclass(frozen=True, kw_only=True)
class MakeSoftSkin(MakeSoft):
    """The flesh of a figure: a body over its skin, stiff about its bones and held by its joints."""

    actor: str  # whose figure
    skin: str | None = None  # None: the first
    along: int = 24  # cubes along its longest side
    cells: CellShape = "tetrahedra"
    factor: float = 250.0  # times as stiff about the bones
    hold: str = "hard"

    def made(self, document: Document, options: dict[str, Any]) -> tuple[SoftBody, Placement]:
        """Make the body."""
        from engine.runtime.errors import InvalidArguments
        from engine.soft.flesh import flesh

        owner = document.actor(self.actor)
        skins = [each for each in owner.figure.skins if self.skin in (None, each.id)]
        if not skins:
            raise InvalidArguments(what=f"the skin of {owner.name}", value=self.skin, allowed="a figure that has one")
        body, _ = flesh(
            owner.figure, skins[0], target=owner.id, along=self.along, factor=self.factor, hold=self.hold,
            cells=self.cells, **options,
        )  # fmt: skip
        return body, owner.placement
