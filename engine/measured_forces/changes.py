"""MeasuredForcesChange: what is drawn of measured forces differs, and who feels them moves otherwise from then on."""

from __future__ import annotations

import math

from engine.document import Actor, Document
from engine.measured_forces.uses import felt_by, forces_of
from engine.motion.changed import Changes
from engine.motion.changes import ALWAYS, Interval


class MeasuredForcesChange(Changes):
    """Changes of measured forces: plots of torques look far, so at all times."""

    def drawn(self, old: Actor, new: Actor) -> list[Interval]:
        """Always, where other forces act or others are drawn."""
        before, after = forces_of(old), forces_of(new)
        return [] if before is after or before == after else [ALWAYS]

    def pushes(self, old: Document, new: Document) -> float | None:
        """From the first frame of a force that is felt otherwise; who feels any, and which bodies, is the same."""
        found = [math.inf]
        for actor in new.actors:
            earlier = old.actor(actor.id) if actor.id in old.actor_index else actor
            before, after = felt_by(earlier), felt_by(actor)
            if before is not after and before is not None and after is not None:
                one, other = ({each.id: each for each in part.forces if not each.mute} for part in (before, after))
                found += [
                    each.start
                    for id in {*one, *other}
                    if one.get(id) != other.get(id)
                    for each in (one.get(id), other.get(id))
                    if each is not None
                ]
        return min(found)
