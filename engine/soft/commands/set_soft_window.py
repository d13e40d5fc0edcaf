"""SetSoftWindow: a soft body stepped over the window that its modes suggest.

Worked through in slices on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Document
from engine.edits import Edit, edit
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.soft.queries.suggest_soft_window import LEAST, SoftWindowFound, find_soft_window

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

LONGEST = 10.0  # [s] that a window may be
_ROUND = 0.01  # [s], up to which it is rounded


@dataclass(frozen=True, kw_only=True)
class SetSoftWindow(Gradual):
    """The command to step a body over a window, as long as what went before can be seen."""

    uses = ("soft",)

    actor: str
    time: int = 0  # [ticks] about which its joints are looked at
    least: float = LEAST  # [m] that can just be seen

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return edit("set_soft_body", actor=self.actor).label(document)

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        """Find the edit; yields the share that is done."""
        found: SoftWindowFound | None = None
        for each in find_soft_window(evaluator, document, self.actor, time=self.time, least=self.least):
            found = each
            yield 0.5
        assert found is not None, "the last is the answer"
        if not found.window <= LONGEST:
            name, allowed = document.actor(self.actor).name, f"at most {LONGEST:g} s: more damping, or a stiffer body"
            raise InvalidArguments(what=f"the window that {name} needs", value=f"{found.window:.3g} s", allowed=allowed)
        window = math.ceil(found.window / _ROUND - 1e-9) * _ROUND
        return edit("set_soft_body", actor=self.actor, stepped="over_window", window=max(round(window, 6), _ROUND))
