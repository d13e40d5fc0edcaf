"""end_lock: pins that end at a time, and the pose in which they are kept then as a key.

Without that key the figure would leap from where it is pinned to what its keys say just after. Runs on the engine's
thread; importing this module loads no kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Document, Span
from engine.document.extent import play_extent
from engine.edits import Edit, both, edit
from engine.edits.poses import document_as_keyed, pose_layer
from engine.locks.find import find_lock
from engine.runtime.errors import NothingThere
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class EndLock(AtOnce):
    """The command to end a pin at a time at which it holds; a figure that has keys is keyed as it stands then."""

    uses = ("locks",)

    actor: str
    lock: str
    time: int

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Unpin {find_lock(document, self.actor, self.lock)[1].name} from here on"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it."""
        owner, lock = find_lock(document, self.actor, self.lock)
        begin = play_extent(document)[0]
        span = lock.span or Span(start=min(begin, self.time), end=self.time + 1)
        if not span.start < self.time < span.end:
            raise NothingThere(f"{lock.name} is not pinned before and after this time", remedy="Unpin removes the pin")
        ease = min(span.ease_in, self.time - span.start)
        ends = {"start": span.start, "end": self.time, "ease_in": ease}
        change = edit("set_lock_span", actor=owner.id, lock=lock.id, **ends)
        layer = pose_layer(owner, self.time)
        if not layer.tracks:
            return change
        seen = evaluator.coordinates(document_as_keyed(document, owner.id), owner.id, [self.time])[0].tolist()
        values = tuple(zip(owner.figure.coordinates, seen, strict=True))
        return both(edit("key_pose", actor=owner.id, layer=layer.id, time=self.time, values=values), change)
