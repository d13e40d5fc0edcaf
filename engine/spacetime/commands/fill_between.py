"""FillBetween: a physical in-between: the time between two poses filled with the motion of least effort from one to the
other (Winzell 2004, section 7.2).

It begins as fast as the figure comes, and ends as fast as it goes on; how fast a figure that flies takes off as a whole
follows from where it lands. What stands on the ground at one of the poses alone lifts or lands in between, when it
likes. Worked through an iteration at a time on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Document
from engine.document.ticks import TICKS_PER_SECOND
from engine.edits import Edit, edit
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.commands.constrain_here import APART, pose_at
from engine.spacetime.commands.overhang import overhang
from engine.spacetime.commands.plan_motion import PlanMotion
from engine.spacetime.commands.standing import footing_words
from engine.spacetime.uses import spacetime_of

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.spacetime.parts import SpacetimeConstraint, SpacetimeStage

USUAL = 40  # iterations, by which the share that is done is told
NO_WAY = "No motion leads from one pose to the other in that time. {words}"
REMEDY = (
    "Give it more time, or poses that stand over their feet; what stands at one of the keys alone lifts or lands in "
    "between"
)


@dataclass(frozen=True)
class FilledBetween:
    """The edit that lays the motion, and what lifts and lands in it."""

    edit: Edit
    said: str

    def __str__(self) -> str:
        return self.said


@dataclass(frozen=True, kw_only=True)
class FillBetween(Gradual):
    """The command to fill the time between two poses of an actor, as a layer."""

    uses = ("spacetime",)

    actor: str
    id: str  # of the new layer
    begin: int  # [ticks]
    end: int

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return "Physical in-between"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, FilledBetween]:
        """Find the edit; yields the share that is done, as far as that can be foreseen."""
        import numpy as np

        from engine.spacetime.planned import compiled

        if self.end <= self.begin:
            begin, end = (each / TICKS_PER_SECOND for each in (self.begin, self.end))
            raise InvalidArguments(what="the time of the second key", value=end, allowed=f"later than {begin:g} s")
        planning = PlanMotion(
            actor=self.actor, stage="between", begin="begin", end="end", time=self.begin, until=self.end, apart=APART
        )
        planned = planning.work_out(evaluator, document).apply(document)
        plan = spacetime_of(planned.actor(self.actor))
        assert plan is not None, "made just now"
        owner, times = document.actor(self.actor), (self.begin, self.end)
        beyond = overhang(evaluator, document, self.actor, times, plan.stages, APART)
        if beyond is not None and beyond.falls:
            raise NothingThere(NO_WAY.format(words=beyond.words(owner.name)), remedy=REMEDY)
        moving = tuple(self._moving(evaluator, document, each, plan.stage(each.stage)) for each in plan.constraints)
        changed = planned.actor(self.actor).with_part(replace(plan, constraints=moving))
        made = compiled(planned.with_actor(changed), self.actor)
        yield 0.0
        search = made.search
        yield 0.0
        steps, count = search.iterate_in_parts(search.straight_line(), search.for_between), 0
        while True:
            try:
                count += next(steps) is not None
            except StopIteration as end:
                found = end.value
                break
            yield count / (count + USUAL)
        if not found.report.solved:
            words = "Missed most: " + "; ".join(map(str, made.worst(found.report.last.x)))
            if beyond is not None:
                words = f"{beyond.words(owner.name)}. {words}"
            raise NothingThere(NO_WAY.format(words=words), remedy=REMEDY)
        said = footing_words(
            owner.figure,
            plan.stages,
            np.cumsum(found.motion.lengths).tolist(),
            made.blows(found.motion),
        )
        name = f"{self.label(document)} ({said})" if said else self.label(document)
        layer = made.layer(found.motion, id=self.id, name=name, held=False)
        return FilledBetween(edit("add_layer", actor=self.actor, layer=layer), said)

    def _moving(
        self, evaluator: Evaluation, document: Document, pose: SpacetimeConstraint, stage: SpacetimeStage
    ) -> SpacetimeConstraint:
        """A pose at an end with the rates with which the figure comes there, or goes on; those of the root are found
        where it flies."""
        flies = not (stage.nailed or stage.contacts)
        root = document.actor(self.actor).figure.joints[0]
        loose = {name for dof in root.dofs for name in dof.coordinates} if flies else set[str]()
        times = (self.begin - APART, self.begin) if pose.at == 0.0 else (self.end, self.end + APART)
        before, after = (dict(pose_at(evaluator, document, self.actor, each)) for each in times)
        seconds = APART / TICKS_PER_SECOND
        known = [dof for dof, _ in pose.values if dof not in loose]
        return replace(pose, rates=tuple((dof, (after[dof] - before[dof]) / seconds) for dof in known))
