"""Actions on bushings: put one between two selected joints, or between one and the ground; see them."""

from __future__ import annotations

from app.features.action import PART, Action, Topic
from app.features.bushings.outlined import item_of
from engine.bushings.commands.add import new_bushing
from engine.document.values import new_id
from engine.edits import edit


class BushingCommands(Topic):
    """Of the figure of the joints that are selected."""

    def add(self) -> None:
        """Put six springs between the bodies of two selected joints, which rest as the figure stands at rest."""
        found = self._bodies()
        if len(found) == 3:
            self._put(found[0], found[1], found[2])

    def add_to_ground(self) -> None:
        """Put six springs between the body of the selected joint and the ground, which rest as the figure does."""
        found = self._bodies()
        if len(found) == 2:
            self._put(found[0], None, found[1])

    def has_two_bodies(self) -> bool:
        """True if two joints of a figure are selected that is not frozen."""
        return len(self._bodies()) == 3

    def has_one_body(self) -> bool:
        """True if one joint of a figure is selected that is not frozen."""
        return len(self._bodies()) == 2

    def _put(self, actor: str, first: str | None, second: str) -> None:
        made = new_bushing(self._session.document.actor(actor).figure, new_id("bushing"), first, second)
        self._session.do(edit("put_bushings", actor=actor, bushings=(made,)))
        self._session.select([item_of(self._session.document.actor(actor), made)])

    def _bodies(self) -> tuple[str, ...]:
        """The figure and its joints that are selected alone; nothing where they are of several figures."""
        document, items = self._session.document, self._session.selection.items
        parts = [each for each in items if each.part is not None and each.added is None]
        if not parts or len({each.actor for each in parts}) > 1 or parts[0].actor not in document.actor_index:
            return ()
        owner = document.actor(parts[0].actor)
        joints = [each.part for each in parts if each.part in owner.figure.joint_index]
        if owner.frozen or len(joints) < len(parts):
            return ()
        return (owner.id, *(each for each in joints if each is not None))


class ShowingBushings(Topic):
    """The bushings in the views."""

    def toggle(self) -> None:
        """Show bushings of selected figures as small springs in the middle between their bodies, or hide them."""
        self._window.prefer(show_bushings=not self.is_shown())

    def is_shown(self) -> bool:
        """True if bushings are drawn."""
        return self._window.switch("show_bushings")


Do = BushingCommands

ACTIONS: tuple[Action, ...] = (
    Action(
        id="bushings.add", label="Put bushing between joints", menu="Figure", call=Do.add, when=Do.has_two_bodies,
        contexts=PART,
    ),
    Action(
        id="bushings.add_to_ground", label="Put bushing to the ground", menu="Figure", call=Do.add_to_ground,
        when=Do.has_one_body, contexts=PART,
    ),
)  # fmt: skip

SHOWING: tuple[Action, ...] = (
    Action(
        id="view.show_bushings", label="Bushings", menu="View", submenu="Show", call=ShowingBushings.toggle,
        checked=ShowingBushings.is_shown,
    ),
)  # fmt: skip
