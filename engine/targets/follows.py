"""TargetFollows: what becomes of targets where general edits change the time, figure or sides that they name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from engine.document import Actor, Document, Figure, Target
from engine.edits.follows import Follows
from engine.edits.stretches import Layout


class TargetFollows(Follows):
    """Targets go with their joints and their times."""

    def laid_out(self, actor: Actor, layout: Layout) -> Actor:
        return _with(actor, _laid_out(_targets(actor), layout))

    def fitted(self, actor: Actor, content: Figure, heirs: Mapping[str, str]) -> Actor:
        return _with(actor, _fitted(_targets(actor), content))

    def rerooted(self, actor: Actor, content: Figure) -> Actor:
        """Targets of a pose name what now carries the freedoms of the joints that they named."""
        before = {dof.id: joint.id for joint in actor.figure.joints for dof in joint.dofs}
        carriers: dict[str, set[str]] = {}
        for joint in content.joints:
            for dof in joint.dofs:
                carriers.setdefault(before.get(dof.id, joint.id), set()).add(joint.id)
        made = []
        for target in _targets(actor):
            if target.joints is not None:
                kept = {id for joint in target.joints for id in (joint, *carriers.get(joint, ()))}
                target = replace(target, joints=tuple(kept))
            made.append(target)
        return _with(actor, _fitted(made, content))

    def let_go(self, actor: Actor, is_there: Callable[[str, str], bool]) -> Actor:
        """The actor without targets of points of an actor that is not there."""
        targets = _targets(actor)
        kept = [each for each in targets if each.carried is None or is_there(each.carried, "")]
        return actor if len(kept) == len(targets) else _with(actor, kept)

    def named(self, document: Document, actor: str) -> Iterator[str]:
        yield from (each.joint for each in _targets(document.actor(actor)) if each.joint is not None)

    def mirrored(self, actor: Actor, start: int, end: int) -> Actor:
        from engine.targets.mirrored import mirror_targets  # brings numpy

        return mirror_targets(actor, start, end)


def _targets(actor: Actor) -> tuple[Target, ...]:
    return () if actor.secondary is None else actor.secondary.targets


def _with(actor: Actor, targets: Iterable[Target]) -> Actor:
    secondary = actor.secondary
    return actor if secondary is None else replace(actor, secondary=replace(secondary, targets=tuple(targets)))


def _laid_out(targets: Iterable[Target], layout: Layout) -> list[Target]:
    """Targets at times of their own go with them, those in what is taken out go."""
    made: list[Target] = []
    for target in targets:
        own = (each for each in layout.stretches if each.origin == "layer")
        home = next((each for each in own if each.source <= target.time < each.source_end), None)
        if target.source in ("keys", "marked"):
            made.append(target)
        elif home is not None:
            made.append(replace(target, time=home.new_time(target.time)))
        elif target.source == "every":
            made.append(replace(target, time=layout.image(target.time)))
    return made


def _fitted(targets: Iterable[Target], content: Figure) -> Iterator[Target]:
    """Yield the targets without those of joints alone that have gone."""
    yield from (new for each in targets if (new := _fitted_target(each, content)) is not None)


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
