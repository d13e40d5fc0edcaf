"""MakeSoftToy: a new actor that is a soft toy. Importing this module loads no kernel."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from engine.command import Gradual
from engine.document import Document
from engine.document.values import Vector3
from engine.edits import Edit, edit

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.soft.toys import Toy

_ABOVE = 1e-3  # [m] the floor


@dataclass(frozen=True, kw_only=True)
class MakeSoftToy(Gradual):
    """A table in a plane, a stool of cubes or a snake, on the floor."""

    uses = ("soft",)

    id: str  # of the new actor
    name: str
    toy: Toy
    position: Vector3 = (0.0, 0.0, 0.0)  # [m] on the floor
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
        from engine.soft.toys import toy

        yield 0.0
        body, height = toy(self.toy)
        x, y, z = self.position
        given: dict[str, Any] = {**FRESH, **dict(self.options)}
        body = replace(body, **given)
        made = soft_actor(self.id, self.name, body, position=(x, y + height + _ABOVE, z))
        return edit("add_soft_body", actor=made)
