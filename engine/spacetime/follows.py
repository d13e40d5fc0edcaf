"""SpacetimeFollows: what becomes of planned motions where general edits change the time, the figure or its sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.document import Actor, Figure
from engine.document.ticks import TICKS_PER_SECOND
from engine.edits.follows import Follows
from engine.edits.stretches import Layout
from engine.spacetime.edits import without_stages
from engine.spacetime.parts import Spacetime, SpacetimeConstraint, SpacetimeStage
from engine.spacetime.uses import spacetime_of


class SpacetimeFollows(Follows):
    """A plan goes with its time; what it says of joints and degrees of freedom that have gone, goes with them."""

    def laid_out(self, actor: Actor, layout: Layout) -> Actor:
        """The actor with stages as long as they are in new time; where none is left of one, it goes."""
        plan = spacetime_of(actor)
        if plan is None:
            return actor
        borders, old = [layout.image(each) for each in plan.borders], plan.borders
        stages = list[SpacetimeStage]()
        for at, stage in enumerate(plan.stages):
            if borders[at + 1] - borders[at] == old[at + 1] - old[at]:
                stages.append(stage)
            elif borders[at + 1] > borders[at]:
                stages.append(_scaled(stage, (borders[at + 1] - borders[at]) / TICKS_PER_SECOND))
        return _with(actor, plan, borders[0], tuple(stages))

    def fitted(self, actor: Actor, content: Figure, heirs: Mapping[str, str]) -> Actor:
        plan = spacetime_of(actor)
        return actor if plan is None else actor.with_part(_fitted(plan, content))

    def rerooted(self, actor: Actor, content: Figure) -> Actor:
        """Degrees of freedom keep their ids; a plan of a root that has others now keeps what it says of the rest."""
        return self.fitted(actor, content, {})

    def let_go(self, actor: Actor, is_there: Callable[[str, str], bool]) -> Actor:
        """The actor without meetings with what is not there."""
        plan = spacetime_of(actor)
        if plan is None or all(is_there(each.other, each.other_joint) for each in plan.meetings):
            return actor
        kept = tuple(each for each in plan.meetings if is_there(each.other, each.other_joint))
        return actor.with_part(replace(plan, meetings=kept))

    def mirrored(self, actor: Actor, start: int, end: int) -> Actor:
        plan = spacetime_of(actor)
        if plan is None or plan.start < start or plan.end > end:
            return actor
        from engine.spacetime.mirrored import mirror_plan  # brings numpy

        return actor.with_part(mirror_plan(actor, plan))


def _scaled(stage: SpacetimeStage, length: float) -> SpacetimeStage:
    factor = length / stage.length
    least, most = (None if each is None else each * factor for each in (stage.least_length, stage.most_length))
    least = None if least is None else min(least, length)
    return replace(stage, length=length, least_length=least, most_length=None if most is None else max(most, length))


def _with(actor: Actor, plan: Spacetime, start: int, stages: tuple[SpacetimeStage, ...]) -> Actor:
    if not stages:
        return actor.without_part(Spacetime)
    kept = {each.id for each in stages}
    gone = {each.id for each in plan.stages if each.id not in kept}
    length, old = (sum(each.length for each in some) for some in (stages, plan.stages))
    new = replace(
        plan,
        start=start,
        stages=stages,
        whole=plan.whole if length == old else plan.whole * length / old,
        constraints=tuple(each for each in plan.constraints if each.stage in kept),
        meetings=tuple(each for each in plan.meetings if each.stage in kept),
        forces=tuple(without_stages(plan.forces, gone)),
    )
    return actor if new == plan else actor.with_part(new)


def _fitted(plan: Spacetime, content: Figure) -> Spacetime:
    dofs, joints = {dof.id for dof in content.dofs if dof.kind != "ball"}, content.joint_index
    forces = tuple(each for each in plan.forces if each.joint in joints)
    pushing = {each.id for each in forces}
    stages = tuple(
        replace(
            stage,
            contacts=tuple(each for each in stage.contacts if each.joint in joints),
            curves=tuple(each for each in stage.curves if each.of in (pushing if each.what == "force" else dofs)),
        )
        for stage in plan.stages
    )
    return replace(
        plan,
        stages=stages,
        muscles=tuple(each for each in plan.muscles if each.dof in dofs),
        forces=forces,
        constraints=tuple(new for each in plan.constraints if (new := _still(each, content, pushing)) is not None),
        calm=tuple(each for each in plan.calm if each.joint in joints),
        meetings=tuple(each for each in plan.meetings if each.joint in joints),
    )


def _still(constraint: SpacetimeConstraint, content: Figure, pushing: set[str]) -> SpacetimeConstraint | None:
    """Give what is left of a constraint on another figure; None where that says nothing."""
    dofs, joints = {dof.id for dof in content.dofs if dof.kind != "ball"}, content.joint_index
    if constraint.joint is not None and constraint.joint not in joints:
        return None
    if constraint.of and constraint.of not in (pushing.union(joints) if constraint.quantity == "impulse" else dofs):
        return None
    values = tuple(each for each in constraint.values if each[0] in content.coordinate_index)
    rates = tuple(each for each in constraint.rates if each[0] in content.coordinate_index)
    gone = len(values) + len(rates) < len(constraint.values) + len(constraint.rates)
    return None if gone and not (values or rates) else replace(constraint, values=values, rates=rates)
