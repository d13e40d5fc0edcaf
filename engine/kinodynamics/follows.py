"""SecondaryFollows: what becomes of gains and targets where general edits change the time, the figure or the sides that
they name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.document import Actor, Document, Figure, OwnGains, Secondary, Target
from engine.edits.follows import Follows
from engine.edits.stretches import Layout


class SecondaryFollows(Follows):
    """Gains go with the freedoms that have them, targets with their joints and their times."""

    def laid_out(self, actor: Actor, layout: Layout) -> Actor:
        return replace(actor, secondary=_laid_out(actor, layout))

    def fitted(self, actor: Actor, content: Figure, heirs: Mapping[str, str]) -> Actor:
        return replace(actor, secondary=fitted_secondary(actor.secondary, content))

    def rerooted(self, actor: Actor, content: Figure) -> Actor:
        return replace(actor, secondary=_rerooted(actor, content))

    def named(self, document: Document, actor: str) -> Iterator[str]:
        secondary = document.actor(actor).secondary
        targets = () if secondary is None else secondary.targets
        yield from (each.joint for each in targets if each.joint is not None)

    def mirrored(self, actor: Actor, start: int, end: int) -> Actor:
        from engine.kinodynamics.mirrored import mirror_targets  # brings numpy

        return mirror_targets(actor, start, end)


def _laid_out(actor: Actor, layout: Layout) -> Secondary | None:
    """Targets at times of their own go with them, those in what is taken out go; the window lasts as it does."""
    old = actor.secondary
    if old is None:
        return None
    made: list[Target] = []
    for target in old.targets:
        own = (each for each in layout.stretches if each.origin == "layer")
        home = next((each for each in own if each.source <= target.time < each.source_end), None)
        if target.source in ("keys", "marked"):
            made.append(target)
        elif home is not None:
            made.append(replace(target, time=home.new_time(target.time)))
        elif target.source == "every":
            made.append(replace(target, time=layout.image(target.time)))
    return replace(old, targets=tuple(made))


def fitted_secondary(secondary: Secondary | None, content: Figure) -> Secondary | None:
    """Secondary motion without gains of joints that have gone and targets of them alone, in the order of the figure."""
    if secondary is None:
        return None
    own = tuple(secondary.own_of[id] for id in content.joint_index if id in secondary.own_of)
    targets = tuple(new for each in secondary.targets if (new := _fitted_target(each, content)) is not None)
    return replace(secondary, own=own, targets=targets)


def _fitted_target(target: Target, content: Figure) -> Target | None:
    known = content.joint_index
    if target.joint is not None:
        return target if target.joint in known else None
    joints = None if target.joints is None else tuple(id for id in known if id in set(target.joints))
    pairs = (
        (target.values, content.coordinate_index),
        (target.rates, content.rate_index),
        (target.change, content.rate_index),
    )
    values, rates, change = (
        None if given is None else tuple(item for item in given if item[0] in names) for given, names in pairs
    )
    if () in (joints, values, rates, change):
        return None
    return replace(target, joints=joints, values=values, rates=rates, change=change)


def _rerooted(owner: Actor, content: Figure) -> Secondary | None:
    """Gains go with the freedoms that had them, what a joint of a target's pose did with what carries that now."""
    old = owner.secondary
    if old is None:
        return None
    before = {dof.id: joint.id for joint in owner.figure.joints for dof in joint.dofs}
    own: dict[str, OwnGains] = {}
    for joint in content.joints:
        sources = [before[dof.id] for dof in joint.dofs if dof.id in before]
        found = next((old.own_of[id] for id in sources if id in old.own_of), None)
        if found is not None:
            own[joint.id] = replace(found, joint=joint.id)
    carriers: dict[str, set[str]] = {}
    for joint in content.joints:
        for dof in joint.dofs:
            carriers.setdefault(before.get(dof.id, joint.id), set()).add(joint.id)
    targets = []
    for target in old.targets:
        if target.joints is not None:
            kept = {id for joint in target.joints for id in (joint, *carriers.get(joint, ()))}
            target = replace(target, joints=tuple(kept))
        targets.append(target)
    return fitted_secondary(replace(old, own=tuple(own.values()), targets=tuple(targets)), content)
