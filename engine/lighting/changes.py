"""LightingChange: an actor of another finish, and a scene of other lights, are drawn otherwise, always."""

from __future__ import annotations

from engine.document import Actor, Document
from engine.lighting.parts import Finish, Lighting
from engine.motion.changed import Changes
from engine.motion.changes import ALWAYS, Interval


class LightingChange(Changes):
    """Nothing moves by light."""

    def drawn(self, old: Actor, new: Actor) -> list[Interval]:
        """Always, where the finish is another."""
        return [] if old.part(Finish) == new.part(Finish) else [ALWAYS]

    def scenery(self, old: Document, new: Document) -> list[Interval]:
        """Always, where the lights are others."""
        return [] if old.part(Lighting) == new.part(Lighting) else [ALWAYS]
