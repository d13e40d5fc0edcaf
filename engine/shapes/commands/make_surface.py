"""MakeFace and ImportShapes: surfaces with blend shapes added to a scene. Importing this module loads no kernel."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Document
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.edits import Edit, edit
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class MakeFace(Gradual):
    """The face that ships."""

    uses = ("shapes",)

    id: str  # of the new actor
    name: str = "Face"
    position: Vector3 = (0.0, 0.065, 0.0)  # [m]
    rotation: Quaternion = IDENTITY

    @property
    def changes(self) -> tuple[str, ...]:
        """None that is there."""
        return ()

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return f"Add {self.name}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        """Find the edit."""
        from engine.shapes.faces import load_face, shaped_actor

        yield 0.0
        made = shaped_actor(self.id, self.name, load_face(), position=self.position, rotation=self.rotation)
        return edit("add_shaped_actor", actor=made)


@dataclass(frozen=True, kw_only=True)
class ImportShapes(Gradual):
    """A surface with shapes from a glTF file, or from OBJ files of which the first is the base."""

    uses = ("shapes",)

    id: str  # of the new actor
    name: str
    paths: tuple[str, ...]
    position: Vector3 = (0.0, 0.0, 0.0)  # [m]

    @property
    def changes(self) -> tuple[str, ...]:
        """None that is there."""
        return ()

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return f"Add {self.name}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        """Find the edit."""
        from engine.shapes.faces import shaped_actor
        from engine.shapes.importing import read_blend_shapes

        yield 0.0
        surface = read_blend_shapes([Path(each) for each in self.paths])
        return edit("add_shaped_actor", actor=shaped_actor(self.id, self.name, surface, position=self.position))


@dataclass(frozen=True, kw_only=True)
class AddShapeFile(Gradual):
    """A shape of a surface from an OBJ file with its vertices, in their order."""

    uses = ("shapes",)

    id: str  # of the new shape
    actor: str
    path: str

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return edit("add_blend_shape", actor=self.actor).label(document)

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        """Find the edit."""
        from engine.runtime.errors import InvalidArguments
        from engine.shapes.importing import read_shape
        from engine.shapes.uses import blend_shapes

        yield 0.0
        owner = document.actor(self.actor)
        surface = blend_shapes(owner)
        if surface is None:
            raise InvalidArguments(what="the actor", value=owner.name, allowed="one with blend shapes")
        return edit("add_blend_shape", actor=self.actor, shape=read_shape(surface, Path(self.path), self.id))
