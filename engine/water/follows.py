"""WaterFollows: what becomes of water where general edits change the time."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Actor
from engine.edits.follows import Follows
from engine.edits.stretches import Layout
from engine.water.uses import water_tank


class WaterFollows(Follows):
    """The start of a tank goes with its time."""

    def laid_out(self, actor: Actor, layout: Layout) -> Actor:
        """The actor with the start of its water in new time."""
        tank = water_tank(actor)
        if tank is None or layout.image(tank.start) == tank.start:
            return actor
        return actor.with_part(replace(tank, start=layout.image(tank.start)))
