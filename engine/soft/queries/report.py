"""SoftReport: how large a soft body is, how long a step of the scene takes, and what went wrong.

Importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.document import Document
from engine.document.drafts import without_drafts
from engine.runtime.quick_dataclass import dataclass
from engine.soft.uses import soft_body

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class SoftReport:
    """Numbers of a soft body, and of the simulation that it is in."""

    actor: str
    points: int
    cells: int
    shape: str  # of its cells
    mass: float  # [kg]
    step: float  # [s] that a step of the scene covers
    takes: float | None  # [s] that one takes; None: none was taken yet
    said: tuple[str, ...]  # what a person should know of the simulation

    @property
    def pace(self) -> float | None:
        """Times real time at most; None where nobody knows yet."""
        return None if not self.takes else self.step / self.takes


def report_soft(
    evaluator: Evaluation, document: Document, actor: str, time: int
) -> Generator[SoftReport | None, None, None]:
    """Report on a soft body as far as it is simulated already; nothing is stepped for it."""
    from engine.soft.stage import SoftStage

    stage = evaluator.stage("soft")
    if actor not in document.actor_index or not isinstance(stage, SoftStage):
        return
    body = soft_body(document.actor(actor))
    if body is None:
        return
    simulation = stage.stepped(without_drafts(document), actor)
    member = simulation.scene.member(actor)
    yield SoftReport(
        actor=actor,
        points=body.point_count,
        cells=body.cell_count,
        shape=body.shape,
        mass=float(member.masses.sum()),
        step=simulation.scene.dt,
        takes=simulation.seconds,
        said=simulation.said,
    )
