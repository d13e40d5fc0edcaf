"""SeedSpline: a spline along the middle of a soft body (`engine.soft.seeds`). Importing this module loads no kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Document
from engine.edits import Edit, edit
from engine.runtime.errors import NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.soft.parts import ActivationSpline
from engine.soft.uses import soft_body

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class SeedSpline(AtOnce):
    """A spline along a body's own axis."""

    uses = ("soft",)

    id: str  # of the new spline
    actor: str
    name: str
    controls: int = 5

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return edit("add_activation_spline", actor=self.actor).label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        from engine.soft.members import mesh_of
        from engine.soft.seeds import seed_controls

        owner = document.actor(self.actor)
        body = soft_body(owner)
        if body is None:
            raise NothingThere(f"{owner.name} is no soft body", remedy="Make it soft first, in the Soft body panel")
        found = seed_controls(mesh_of(body), self.controls, name=owner.name)
        points = tuple((x, y, z) for x, y, z in found.tolist())
        return edit(
            "add_activation_spline",
            actor=self.actor,
            spline=ActivationSpline(id=self.id, name=self.name, points=points),
        )
