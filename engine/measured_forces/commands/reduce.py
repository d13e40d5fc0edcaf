"""ReduceResiduals: a motion changed a little so that it agrees with its measured forces, as one layer that adds to it.

The trunk's mass centre is shifted with it, if that is wanted, in one edit. Worked through in slices on the engine's
thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Actor, Document, Layer
from engine.edits import Edit, both, edit
from engine.measured_forces.uses import measured_time
from engine.runtime.progress import within
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.measured_forces.reduction import ReducedResiduals

_FOUND = 0.98  # share of the work after which the edit is made
HEAVIEST = "heaviest"
"""What a trunk is that nobody names."""


@dataclass(frozen=True, eq=False)
class FoundReduction:
    """The edit, and what it comes to."""

    edit: Edit
    found: ReducedResiduals

    @property
    def words(self) -> tuple[str, ...]:
        """Say what was left at the root and is now, and by how much what changed."""
        from engine.measured_forces.reduction_words import reduction_words

        return tuple(reduction_words(self.found))


@dataclass(frozen=True, kw_only=True)
class ReduceResiduals(Gradual):
    """The command to reduce the residuals of an actor's motion under its measured forces."""

    uses = ("motion", "dynamics")

    actor: str
    id: str  # of the layer
    start: int | None = None  # [ticks]; None: while forces were measured and the figure moves
    end: int | None = None
    spacing: float = 0.05  # [s] of the knots of corrections
    degrees: float = 3.0  # by which hinges may change at most
    centimetres: float = 3.0  # and slides
    trunk: str | None = HEAVIEST  # the joint whose body's mass centre may shift; None: none

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Reduce residuals of {document.actor(self.actor).name}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, FoundReduction]:
        """Find the edit and what it comes to; yields the share that is done."""
        from engine.measured_forces.reduction import ReductionOptions, heaviest_body, reduction_steps

        figure = document.actor(self.actor).figure
        trunk = heaviest_body(figure) if self.trunk == HEAVIEST else self.trunk
        options: ReductionOptions = ReductionOptions(
            start=self.start,
            end=self.end,
            spacing=self.spacing,
            degrees=self.degrees,
            centimetres=self.centimetres,
            trunk=trunk,
        )
        found = yield from within(reduction_steps(evaluator, document, self.actor, options), 0.0, _FOUND)
        tracks = found.corrections.tracks(found.coordinates, found.coefficients)
        layer = Layer(id=self.id, name="Residual reduction", mode="add", tracks=tracks)
        change = edit("add_layer", actor=self.actor, layer=layer)
        if found.body is not None:
            change = both(change, edit("set_body", actor=self.actor, joint=trunk, body=found.body))
        return FoundReduction(change, found)


def usual_time(owner: Actor) -> tuple[int, int] | None:
    """From when to when residuals are reduced if nobody says it [ticks]; None: there is nothing to reduce."""
    return measured_time(owner)
