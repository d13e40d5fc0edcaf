"""MusclesFollows: what becomes of muscles where general edits change the time, the figure or its sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from engine.document import Actor, Document, Figure
from engine.edits.follows import Follows
from engine.edits.keyed_numbers import keys_of, with_keys
from engine.edits.retime import lay_out_track
from engine.edits.stretches import Layout
from engine.muscles.parts import ACTIVATION, Muscle, MuscleActivation, MuscleActivations, Muscles
from engine.muscles.uses import activations_of, muscles_of


class MusclesFollows(Follows):
    """Keys of activations go with their time; a muscle goes with a joint or a degree of freedom that its path needs."""

    def laid_out(self, actor: Actor, layout: Layout) -> Actor:
        """The actor with keys of activations in new time."""
        old = activations_of(actor)
        found = tuple(
            each if each.track is None else replace(each, track=lay_out_track(each.track, layout))
            for each in old.activations
        )
        kept = tuple(each for each in found if each.track is not None or each.value != 0.0)
        if kept == old.activations:
            return actor
        return actor.with_part(MuscleActivations(activations=kept)) if kept else actor.without_part(MuscleActivations)

    def fitted(self, actor: Actor, content: Figure, heirs: Mapping[str, str]) -> Actor:
        """The actor without the muscles whose path names what another figure lacks, nor wraps there."""
        old = muscles_of(actor)
        if old is None:
            return actor
        wraps = tuple(each for each in old.wraps if _is_joint(content, each.joint))
        known = {each.id for each in wraps}
        kept = tuple(_without(each, known) for each in old.muscles if _goes_on(content, each))
        if len(kept) == len(old.muscles) and len(wraps) == len(old.wraps):
            return actor
        there = {each.id for each in kept}
        kept = tuple(replace(each, mirror=None) if each.mirror not in there else each for each in kept)
        sets = (replace(each, muscles=tuple(id for id in each.muscles if id in there)) for each in old.sets)
        new = replace(old, muscles=kept, wraps=wraps, sets=tuple(each for each in sets if each.muscles))
        active = tuple(each for each in activations_of(actor).activations if each.muscle in there)
        actor = actor.with_part(new) if kept or wraps else actor.without_part(Muscles)
        return (
            actor.with_part(MuscleActivations(activations=active)) if active else actor.without_part(MuscleActivations)
        )

    def rerooted(self, actor: Actor, content: Figure) -> Actor:
        """The actor without the muscles that name a degree of freedom of the old root."""
        return self.fitted(actor, content, {})

    def mirrored(self, actor: Actor, start: int, end: int) -> Actor:
        """The actor with the keys of activations of left and right exchanged; constants stay, as they count at all
        times."""
        muscles, old = muscles_of(actor), activations_of(actor)
        if muscles is None:
            return actor
        active, new = {each.muscle: each for each in old.activations}, old
        for left, right in _pairs(muscles):
            for id, other in ((left, right), (right, left)):
                own = active.get(id) or MuscleActivation(muscle=id)
                keys, source = (
                    keys_of(each.track) for each in (own, active.get(other) or MuscleActivation(muscle=other))
                )
                outside = (key for key in keys if not start <= key.time < end)
                inside = (key for key in source if start <= key.time < end)
                new = new.having(replace(own, track=with_keys(own.track, ACTIVATION, (*outside, *inside))))
        if new == old:
            return actor
        return actor.with_part(new) if new.activations else actor.without_part(MuscleActivations)

    def named(self, document: Document, actor: str) -> Iterable[str]:
        """The joints that paths and wraps stand on: rerooting leaves their frames where they are."""
        found = muscles_of(document.actor(actor))
        if found is not None:
            yield from (each.joint for each in found.wraps if each.joint is not None)
            yield from (each.joint for one in found.muscles for each in one.points if each.joint is not None)


def _pairs(muscles: Muscles) -> Iterator[tuple[str, str]]:
    """Yield the ids of muscles that are mirror images of each other, each pair once."""
    images = {each.id: each.mirror for each in muscles.muscles}
    yield from (
        (id, other) for id, other in images.items() if other is not None and id < other and images.get(other) == id
    )


def _is_joint(content: Figure, joint: str | None) -> bool:
    return joint is None or joint in content.joint_index


def _goes_on(content: Figure, muscle: Muscle) -> bool:
    """Tell whether a figure has all that a path names."""
    dofs = {each.dof for point in muscle.points for each in (point, *point.curves)} - {None}
    usable = {each.id for each in content.dofs if each.kind != "ball"}
    return dofs <= usable and all(_is_joint(content, each.joint) for each in muscle.points)


def _without(muscle: Muscle, wraps: set[str]) -> Muscle:
    kept = tuple(each for each in muscle.wraps if each.wrap in wraps)
    return muscle if len(kept) == len(muscle.wraps) else replace(muscle, wraps=kept)
