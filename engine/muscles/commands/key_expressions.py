"""KeyExpressions: keys in place of expressions of activations, few of which give the same curve at each frame; where
keys are excitations, those that lead to it.

Importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Document
from engine.document.extent import play_extent
from engine.edits import Edit, edit
from engine.muscles.commands.activate import TOLERANCE, thinned
from engine.muscles.uses import activations_of
from engine.runtime.errors import NothingThere
from engine.runtime.progress import within
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


_EXCITED = 0.5  # share of the work after which excitations are found


@dataclass(frozen=True, kw_only=True)
class KeyExpressions(Gradual):
    """The command to make keys of what expressions tell some muscles over all that is played."""

    uses = ("muscles",)

    actor: str
    muscles: tuple[str, ...]

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Make keys of expressions of {document.actor(self.actor).name}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        """The edit that puts the keys; yields the share that is done."""
        import numpy as np

        from engine.motion.resample import frame_ticks
        from engine.muscles.expressed import expressed_activations
        from engine.muscles.inverted import find_excitations
        from engine.muscles.keyed import read_expression

        owner = document.actor(self.actor)
        own = [each for each in activations_of(owner).activations if each.muscle in self.muscles and each.expression]
        if not own:
            raise NothingThere(f"no such muscle of {owner.name} has an expression", remedy="Type one beside its lane")
        start, end = play_extent(document)
        ticks = frame_ticks(document.rate, start, end)
        times = tuple(int(each) for each in ticks)
        rows = np.stack([expressed_activations(read_expression(each.expression), ticks) for each in own], axis=1)
        if activations_of(owner).excited:
            rows, _ = yield from within(find_excitations(times, rows), 0.0, _EXCITED)
        keys = yield from thinned(tuple(each.muscle for each in own), times, rows, TOLERANCE)
        return edit("put_muscle_activations", actor=self.actor, start=times[0], end=times[-1], keys=keys)
