"""BushingsChange: plots of bushings, and what they drive, differ at all times where bushings do."""

from __future__ import annotations

from engine.bushings.uses import bushings_of
from engine.document import Actor
from engine.motion.changed import Changes
from engine.motion.changes import ALWAYS, Interval


class BushingsChange(Changes):
    """Changes of bushings."""

    def drawn(self, old: Actor, new: Actor) -> list[Interval]:
        """Always, where others act."""
        before, after = bushings_of(old), bushings_of(new)
        return [] if before is after or before == after else [ALWAYS]
