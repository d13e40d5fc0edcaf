"""MusclesFollows: what becomes of muscles where general edits change the time, the figure or its sides."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from engine.document import Actor, Document, Figure
from engine.document.frames import Frame, rest_frames
from engine.document.values import Vector3
from engine.edits.follows import Follows
from engine.edits.keyed_numbers import keys_of, with_keys
from engine.edits.retime import lay_out_track
from engine.edits.stretches import Layout
from engine.muscles.parts import (
    ACTIVATION,
    Muscle,
    MuscleActivation,
    MuscleActivations,
    Muscles,
    MuscleWrap,
    PathPoint,
)
from engine.muscles.uses import activations_of, muscles_of, with_activations


class MusclesFollows(Follows):
    """Keys of activations go with their time; a muscle goes with a joint or a degree of freedom that its path needs."""

    def laid_out(self, actor: Actor, layout: Layout) -> Actor:
        """The actor with keys of activations in new time."""
        old = activations_of(actor)
        found = tuple(
            each if each.track is None else replace(each, track=lay_out_track(each.track, layout))
            for each in old.activations
        )
        kept = tuple(each for each in found if not each.is_relaxed)
        if kept == old.activations:
            return actor
        return with_activations(actor, replace(old, activations=kept))

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
        known = activations_of(actor)
        active = replace(known, activations=tuple(each for each in known.activations if each.muscle in there))
        actor = actor.with_part(new) if kept or wraps else actor.without_part(Muscles)
        return with_activations(actor, active if kept else MuscleActivations())

    def scaled(self, actor: Actor, figure: Figure, factors: Mapping[str, float]) -> Actor:
        """The actor with points and wraps that grow with their bones. Fibres and tendons grow as the straight way over
        the points does in the rest pose."""
        old = muscles_of(actor)
        if old is None:
            return actor
        frames = rest_frames(figure), rest_frames(actor.figure)
        wraps = tuple(_wider(each, factors.get(each.joint or "", 1.0)) for each in old.wraps)
        muscles = tuple(_longer(each, factors, frames) for each in old.muscles)
        new = replace(old, muscles=muscles, wraps=wraps)
        return actor if new == old else actor.with_part(new)

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
        return actor if new == old else with_activations(actor, new)

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


def _wider(wrap: MuscleWrap, factor: float) -> MuscleWrap:
    if factor == 1.0:
        return wrap
    return replace(
        wrap,
        radii=tuple(each * factor for each in wrap.radii),
        centre=_times(wrap.centre, factor),
        length=None if wrap.length is None else wrap.length * factor,
    )


def _longer(
    muscle: Muscle, factors: Mapping[str, float], frames: tuple[Mapping[str, Frame], Mapping[str, Frame]]
) -> Muscle:
    """The muscle over larger bones; `frames` are those of the rest pose, before and after."""
    points = tuple(_further(each, factors.get(each.joint or "", 1.0)) for each in muscle.points)
    if points == muscle.points and frames[0] == frames[1]:
        return muscle
    before, after = _straight(muscle.points, frames[0]), _straight(points, frames[1])
    factor = after / before if before > 0.0 and after > 0.0 else 1.0
    return replace(muscle, points=points, fibre=muscle.fibre * factor, tendon=muscle.tendon * factor)


def _further(point: PathPoint, factor: float) -> PathPoint:
    if factor == 1.0:
        return point
    curves = tuple(
        replace(each, knots=tuple((at, value * factor) for at, value in each.knots)) for each in point.curves
    )
    return replace(point, point=_times(point.point, factor), curves=curves)


def _straight(points: Sequence[PathPoint], frames: Mapping[str, Frame]) -> float:
    """The length of the straight way over points in the rest pose [m]."""
    places = [each.point if each.joint is None else frames[each.joint].at(each.point) for each in points]
    return sum(math.dist(one, other) for one, other in pairwise(places))


def _times(vector: Vector3, factor: float) -> Vector3:
    return (vector[0] * factor, vector[1] * factor, vector[2] * factor)


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
