"""Changes of soft bodies by an edit: none, or a time from which they may stand otherwise."""

from __future__ import annotations

import math

from engine.document import Actor, Document
from engine.motion.changed import Changes
from engine.motion.changes import Interval
from engine.soft.uses import soft_body


class SoftChanges(Changes):
    """When soft bodies may be seen otherwise; nobody else is moved by them."""

    def scene(self, old: Document, new: Document, before: Actor, after: Actor, *, regrouped: bool) -> list[Interval]:
        """From its start on, where the soft body of an actor is another."""
        one, other = soft_body(before), soft_body(after)
        if (one is None and other is None) or one == other:
            return []
        return [(-math.inf, math.inf)]
