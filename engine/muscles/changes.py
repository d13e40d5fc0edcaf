"""Times at which muscles may be seen otherwise by an edit: always where they are others, else where keys changed."""

from __future__ import annotations

import math

from engine.document import Actor
from engine.motion.changed import Changes
from engine.motion.changes import ALWAYS, Interval, merge, track_changes
from engine.muscles.excitation import SETTLED
from engine.muscles.parts import ACTIVATION, MuscleActivation
from engine.muscles.uses import activations_of, muscles_of


class MusclesChanges(Changes):
    """Changes of muscles and of their activations."""

    def drawn(self, old: Actor, new: Actor) -> list[Interval]:
        """When muscles differ though no pose does."""
        before, after = muscles_of(old), muscles_of(new)
        if before is not after and before != after:
            return [ALWAYS]
        one, other = activations_of(old), activations_of(new)
        if one is other or one == other:
            return []
        if one.excited is not other.excited:
            return [ALWAYS]
        known = {each.muscle: each for each in one.activations}
        named = {each.muscle: each for each in other.activations}
        found: list[Interval] = []
        for id in known.keys() | named.keys():
            relaxed = MuscleActivation(muscle=id)
            pair = known.get(id, relaxed), named.get(id, relaxed)
            found += _excitation_changes(*pair) if one.excited else _activation_changes(*pair)
        return merge(found)


def _excitation_changes(old: MuscleActivation, new: MuscleActivation) -> list[Interval]:
    """When activations differ that follow excitations: from where these do, or from where one has settled."""
    found = _activation_changes(old, new)
    if not found or old.track is None or new.track is None or old.expression != new.expression:
        return found
    if old.track.before != "hold" or new.track.before != "hold":
        return [ALWAYS]
    settled = min(each.keys[-1].time for each in (old.track, new.track)) + SETTLED
    return [(min(settled, *(start for start, _ in found)), math.inf)]


def _activation_changes(old: MuscleActivation, new: MuscleActivation) -> list[Interval]:
    if old.expression or new.expression:
        return [] if old.expression == new.expression else [ALWAYS]
    if old.track is None or new.track is None:
        return [] if old.track is new.track and old.value == new.value else [ALWAYS]
    return [] if old.track == new.track else track_changes({ACTIVATION: old.track}, {ACTIVATION: new.track})
