"""CamerasChange: when a camera stands otherwise by an edit of its pins, or of what it is pinned to."""

from __future__ import annotations

from collections.abc import Iterable

from engine.cameras.parts import film_camera
from engine.document import Actor
from engine.motion.changed import Changes
from engine.motion.changes import ALWAYS, Interval


class CamerasChange(Changes):
    """A camera moves with what it is pinned to, whenever that does."""

    def actor(self, old: Actor, new: Actor) -> list[Interval]:
        """Always, where it is another camera."""
        before, after = film_camera(old), film_camera(new)
        return [] if before is after or before == after else [ALWAYS]

    def reads(self, actor: Actor) -> Iterable[tuple[str, Interval]]:
        """Name what it is pinned to."""
        part = film_camera(actor)
        return ((id, ALWAYS) for id, _ in (part.holds_on_to() if part is not None else ()))
