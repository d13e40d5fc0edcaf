"""BakeSoft: the points of a soft body on the frames that are played, as part of the document.

Worked through in slices on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Blob, Document
from engine.document.drafts import without_drafts
from engine.document.extent import play_extent
from engine.document.motion import frame_time, ticks_per_frame
from engine.edits import Edit, edit
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.soft.parts import SoftBake
from engine.soft.uses import soft_body

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

MOST_NUMBERS = 200_000_000


@dataclass(frozen=True, kw_only=True)
class BakeSoft(Gradual):
    """The simulated shapes of a soft body, kept frame by frame up to a tick, or to the end of what is played."""

    uses = ("soft",)

    actor: str
    end: int | None = None  # [ticks]; it is simulated on from there

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return edit("bake_soft_body", actor=self.actor).label(document)

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        """Find the edit; yields the share that is done."""
        import numpy as np

        from engine.soft.stage import SoftStage

        owner, stage = document.actor(self.actor), evaluator.stage("soft")
        body = soft_body(owner)
        if body is None or not isinstance(stage, SoftStage):
            raise NothingThere(f"{owner.name} is no soft body", remedy="Make it soft first, in the Soft body panel")
        simulation = stage.stepped(without_drafts(document), self.actor)
        member = simulation.scene.member(self.actor)
        length = ticks_per_frame(document.rate)
        first = math.ceil(body.start / length)
        last = math.floor((play_extent(document)[1] if self.end is None else self.end) / length)
        if last < first:
            lacking = f"{owner.name} begins at frame {first}, after the last one that is played, {last}"
            raise NothingThere(lacking, remedy="Let it begin earlier, or put the end of the range later")
        if (last - first + 1) * body.point_count * 3 > MOST_NUMBERS:
            allowed = f"as many as have {MOST_NUMBERS:,} numbers at most"
            raise InvalidArguments(what="the frames to bake", value=last - first + 1, allowed=allowed)
        rows = np.empty((last - first + 1, body.point_count, 3), dtype=np.float32)
        for place in range(len(rows)):
            rows[place] = simulation.points(frame_time(first + place, document.rate))[member.points]
            yield (place + 1) / len(rows)
        speeds = simulation.moment(frame_time(last, document.rate)).speeds[member.points]
        bake = SoftBake(
            start=frame_time(first, document.rate), rate=document.rate, positions=Blob(rows), speeds=Blob(speeds)
        )
        return edit("bake_soft_body", actor=self.actor, bake=bake)
