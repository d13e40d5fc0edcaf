"""MakeTank: a new actor that is a tank of water. Importing this module loads no kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.command import AtOnce
from engine.document import Document
from engine.document.values import Vector3
from engine.edits import Edit, edit
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class MakeTank(AtOnce):
    """A tank on the floor."""

    uses = ()

    id: str  # of the new actor
    name: str
    position: Vector3 = (0.0, 0.0, 0.0)  # [m] of the middle of its floor
    options: tuple[tuple[str, object], ...] = ()  # of `WaterTank`, by name

    @property
    def changes(self) -> tuple[str, ...]:
        """None that is there."""
        return ()

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return f"Add water tank {self.name}"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        from engine.water.making import tank_actor
        from engine.water.parts import WaterTank

        given: dict[str, Any] = dict(self.options)
        return edit("add_water_tank", actor=tank_actor(self.id, self.name, WaterTank(**given), position=self.position))
