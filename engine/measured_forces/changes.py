"""MeasuredForcesChange: what is drawn of measured forces differs while they act."""

from __future__ import annotations

from engine.document import Actor
from engine.measured_forces.uses import forces_of
from engine.motion.changed import Changes
from engine.motion.changes import ALWAYS, Interval


class MeasuredForcesChange(Changes):
    """Changes of measured forces: plots of torques look far, so at all times."""

    def drawn(self, old: Actor, new: Actor) -> list[Interval]:
        """Always, where other forces act or others are drawn."""
        before, after = forces_of(old), forces_of(new)
        return [] if before is after or before == after else [ALWAYS]
