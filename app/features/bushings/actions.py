"""Actions on bushings: put one between two selected joints."""

from __future__ import annotations

from app.features.action import PART, Action, Topic
from app.session import Item
from engine.bushings.commands.add import new_bushing
from engine.document.values import new_id
from engine.edits import edit


class BushingCommands(Topic):
    """Of the figure of the two joints that are selected."""

    def add(self) -> None:
        """Put six springs between the bodies of two selected joints, which rest as the figure stands at rest."""
        found = self._bodies()
        if found is not None:
            actor, first, second = found
            made = new_bushing(self._session.document.actor(actor).figure, new_id("bushing"), first, second)
            self._session.do(edit("put_bushings", actor=actor, bushings=(made,)))
            self._session.select([Item(actor, first, made.id)])

    def has_two_bodies(self) -> bool:
        """True if two joints of a figure are selected that is not frozen."""
        return self._bodies() is not None

    def _bodies(self) -> tuple[str, str, str] | None:
        document, items = self._session.document, self._session.selection.items
        parts = [each for each in items if each.part is not None and each.added is None]
        if len(parts) != 2 or parts[0].actor != parts[1].actor or parts[0].actor not in document.actor_index:
            return None
        owner = document.actor(parts[0].actor)
        first, second = parts[0].part, parts[1].part
        if owner.frozen or first not in owner.figure.joint_index or second not in owner.figure.joint_index:
            return None
        return None if first is None or second is None else (owner.id, first, second)


Do = BushingCommands

ACTIONS: tuple[Action, ...] = (
    Action(
        id="bushings.add", label="Put bushing between joints", menu="Figure", call=Do.add, when=Do.has_two_bodies,
        contexts=PART,
    ),
)  # fmt: skip
