"""KeepChange: a working pose over a corrected motion, kept as a null-space edit around which targets are met again.

The corrected path is so edited in the null space of its targets (Rahgoshay 2011, 8.1): solved for once with the working
pose as one target more, of what it poses, f at its time becomes a null-space edit, and the targets are met around that.
Where both can be had, what is seen at that time is the working pose; else the targets win. A null-space edit that stood
at that time before gives way to it; the working pose goes.

Runs on the engine's thread in slices; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Document, Target
from engine.edits import both, edit
from engine.runtime.errors import NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.targets.commands.meet_targets import TargetsMet, report

if TYPE_CHECKING:
    from engine.document.correction import Amplitudes
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array
    from engine.targets.actor_targets import ActorTargets
    from engine.targets.equations import TimedGoal
    from engine.targets.solution import Solution

_NOTHING = 1e-12  # [rad or m] of a change
_NEAR, _ROUNDS = 1e-6, 5  # [rad or m] of the working pose, which targets that are met around the edit move a little


@dataclass(frozen=True, kw_only=True)
class KeepChange(Gradual):
    """The command to keep the working pose of a time in the correction, as far as targets let it be."""

    uses = ("secondary", "targets")

    actor: str
    layer: str  # that holds the draft
    time: int
    id: str  # of the null-space edit, where none stands at that time
    correction: str  # of the layer, where there is none yet

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Keep change of {document.actor(self.actor).name}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, TargetsMet]:
        """The edit and what it comes to; yields the share that is done."""
        from engine.targets.actor_targets import compile_targets
        from engine.targets.equations import PoseEquation, TimedGoal
        from engine.targets.meeting import meet_gradually

        drop = edit("drop_draft", actor=self.actor, layer=self.layer, time=self.time)
        bare = drop.apply(document)
        old, others = self._listed(bare)
        without = edit("place_targets", actor=self.actor, targets=others).apply(bare)
        actor_targets = compile_targets(evaluator, without, self.actor)
        drafted = self._drafted(document, actor_targets)
        bell = (old or Target(id=self.id, time=self.time)).bell_at(self.time)
        equation = PoseEquation(q=actor_targets.pose(evaluator, document, self.time), rates=tuple(drafted))
        posed = TimedGoal(id=self.id, bell=bell, equations=(equation,))
        f, best, left = (yield from self._found(actor_targets, posed)), None, float("inf")
        for _ in range(_ROUNDS):
            targets = (*others, self._null_space_edit(actor_targets, f, old))
            actor_targets = compile_targets(
                evaluator, edit("place_targets", actor=self.actor, targets=targets).apply(bare), self.actor
            )
            found = yield from meet_gradually(evaluator, actor_targets)
            (residual,) = actor_targets.residuals(evaluator, actor_targets.corrected(found.correction), posed)
            if residual.size < left:
                best, left = (actor_targets, found, targets), residual.size
            shared = any(each.bell.time == self.time for each in actor_targets.goals)
            if residual.size > left or left <= _NEAR or shared or any(found.reasons):
                break  # where not all can be had, targets win
            f[drafted] += residual.error
        assert best is not None, "there is a first outer iteration"
        actor_targets, found, targets = best
        layer = self.correction if actor_targets.layer is None else actor_targets.layer.id
        given = {"targets": targets, "layer": layer, "correction": found.correction}
        return report(evaluator, both(drop, edit("place_targets", actor=self.actor, **given)), actor_targets, found)

    def _listed(self, document: Document) -> tuple[Target | None, tuple[Target, ...]]:
        """Find the null-space edit that stands at that time, and all other targets."""
        secondary = document.actor(self.actor).secondary
        listed = () if secondary is None else secondary.targets
        old = next((each for each in listed if each.kind == "wish" and each.time == self.time), None)
        return old, tuple(each for each in listed if each is not old)

    def _found(self, actor_targets: ActorTargets, posed: TimedGoal) -> Generator[float, None, Array]:
        """f at that time with which the pose is seen, but for targets of the same time."""
        import numpy as np

        from engine.targets.inverse import solve_gradually
        from engine.targets.problem import TargetProblem

        goals = (*(each for each in actor_targets.goals if each.bell.time != self.time), posed)
        steps = solve_gradually(
            TargetProblem(
                kino=actor_targets.kino,
                keyed=actor_targets.keyed,
                goals=goals,
                null_space_edits=actor_targets.null_space_edits,
            )
        )
        count = 0
        while True:
            try:
                next(steps)
            except StopIteration as stop:
                solution: Solution = stop.value
                break
            count += 1
            yield 0.3 * count / (count + 10.0)
        now, f = np.array([float(self.time)]), np.zeros(actor_targets.kino.mechanics.rate_count)
        for each in solution.corrections:
            f += each.at(now)[0, 0]
        return f

    def _null_space_edit(self, actor_targets: ActorTargets, f: Array, old: Target | None) -> Target:
        change = self._named(actor_targets, f)
        return (
            Target(id=self.id, kind="wish", time=self.time, change=change)
            if old is None
            else replace(old, change=change)
        )

    def _drafted(self, document: Document, actor_targets: ActorTargets) -> list[int]:
        """The rates of what the draft poses."""
        owner, figure = document.actor(self.actor), actor_targets.kino.mechanics.model.figure
        layer = next(each for each in owner.layers if each.id == self.layer)
        draft = layer.draft_at(self.time)
        assert draft is not None, "it was dropped a moment ago"
        posed = {owner.figure.coordinate_dof[name].id for name, _ in draft.values}
        return [figure.rate_index[name] for dof in owner.figure.dofs if dof.id in posed for name in dof.rates]

    def _named(self, actor_targets: ActorTargets, f: Array) -> Amplitudes:
        """f by the names of the actor's own rates, without what is nothing."""
        index = actor_targets.kino.mechanics.model.figure.rate_index
        found = tuple((name, float(f[index[name]])) for name in actor_targets.actor.figure.rates)
        kept = tuple(item for item in found if abs(item[1]) > _NOTHING)
        if not kept:
            name = actor_targets.actor.name
            raise NothingThere(f"Nothing of {name} was changed", remedy="Pose it otherwise, then keep the change")
        return kept
