"""Actions of the selection, and of sets of it that are kept by name."""

from __future__ import annotations

from functools import partial

from app.features.action import Action
from app.session import Item, choosing
from app.shell.actions.topic import ShellTopic
from engine.document import SelectionSet

RECALLED = ("first", "second", "third", "fourth")  # sets that have a key each


class SelectingCommands(ShellTopic):
    """The commands of the selection, and of sets of it that are kept by name."""

    def select_all(self) -> None:
        """Select every actor."""
        self._session.select(Item(actor.id) for actor in self._session.document.actors)

    def deselect(self) -> None:
        """Select nothing."""
        self._session.select(())

    def invert(self) -> None:
        """Select all joints that are not, of the figures with selected joints; else all other actors."""
        self._session.select(choosing.others(self._session.document, self._items))

    def select_parent(self) -> None:
        """Select the joint that each selected one hangs on; the whole actor above its root."""
        self._session.select(choosing.parents(self._session.document, self._items))

    def select_children(self) -> None:
        """Select the joints that hang on each selected one."""
        self._session.select(choosing.children(self._session.document, self._items))

    def select_limb(self) -> None:
        """Select the chain of each selected joint, from one branch to the next."""
        self._session.select(choosing.limbs(self._session.document, self._items))

    def select_mirror(self) -> None:
        """Select the mirror image of each selected joint."""
        self._session.select(choosing.partners(self._session.document, self._items))

    def make_set(self) -> None:
        """Keep what is selected as a set, which the outliner lists."""
        self._session.sets.make()

    def add_to_set(self) -> None:
        """Add what is selected to the set that was recalled last."""
        if (last := self._last) is not None:
            self._session.sets.put(last.id, (*last.items, *choosing.chosen(self._items)))

    def take_from_set(self) -> None:
        """Take what is selected out of the set that was recalled last."""
        if (last := self._last) is not None:
            gone = choosing.chosen(self._items)
            self._session.sets.put(last.id, tuple(each for each in last.items if each not in gone))

    def recall(self, *, nth: str) -> None:
        """Select the {nth} set."""
        self._session.sets.recall(self._sets[RECALLED.index(nth)].id)

    def has_actors(self) -> bool:
        """True if there is anything to select."""
        return bool(self._session.document.actors)

    def has_selection(self) -> bool:
        """True if something is selected."""
        return bool(self._session.selection)

    def has_joint(self) -> bool:
        """True if a joint is selected."""
        return any(item.part is not None for item in self._items)

    def has_set_items(self) -> bool:
        """True if something is selected that a set can hold."""
        return bool(choosing.chosen(self._items))

    def can_add(self) -> bool:
        """True if something is selected that the last set does not hold."""
        return self._last is not None and any(each not in self._last.items for each in choosing.chosen(self._items))

    def can_take(self) -> bool:
        """True if the last set holds something that is selected, and more than that."""
        chosen = choosing.chosen(self._items)
        held = [each in chosen for each in self._last.items] if self._last is not None else []
        return any(held) and not all(held)

    def add_text(self) -> str:
        """Add to which set."""
        return f"Add to “{self._last.name}”" if self._last is not None else "Add to set"

    def take_text(self) -> str:
        """Take out of which set."""
        return f"Remove from “{self._last.name}”" if self._last is not None else "Remove from set"

    def has_set(self, *, nth: str) -> bool:
        """True if there is a {nth} set."""
        return RECALLED.index(nth) < len(self._sets)

    def set_text(self, *, nth: str) -> str:
        """Name the {nth} set."""
        place = RECALLED.index(nth)
        return self._sets[place].name if self.has_set(nth=nth) else f"Recall set {place + 1}"

    @property
    def _items(self) -> tuple[Item, ...]:
        return self._session.selection.items

    @property
    def _sets(self) -> tuple[SelectionSet, ...]:
        return self._session.document.selection_sets

    @property
    def _last(self) -> SelectionSet | None:
        return self._session.sets.last


Do = SelectingCommands

ACTIONS: tuple[Action, ...] = (
    Action(
        id="select.all", label="Select all", menu="Select", call=Do.select_all, keys=("Ctrl+A",),
        when=Do.has_actors, begins_group=True,
    ),
    Action(
        id="select.none", label="Deselect", menu="Select", call=Do.deselect, keys=("Ctrl+Shift+A",),
        when=Do.has_selection,
    ),
    Action(
        id="select.invert", label="Invert selection", menu="Select", call=Do.invert, keys=("Ctrl+I",),
        when=Do.has_actors,
    ),
    Action(
        id="select.parent", label="Select parent", menu="Select", call=Do.select_parent, keys=("[",),
        when=Do.has_selection, begins_group=True,
    ),
    Action(
        id="select.children", label="Select children", menu="Select", call=Do.select_children, keys=("]",),
        when=Do.has_selection,
    ),
    Action(
        id="select.limb", label="Select limb", menu="Select", call=Do.select_limb, keys=("Shift+L",),
        when=Do.has_joint,
    ),
    Action(
        id="select.mirror", label="Select mirror partner", menu="Select", call=Do.select_mirror,
        keys=("Ctrl+Shift+M",), when=Do.has_joint,
    ),
    Action(
        id="select.make_set", label="Make selection set", menu="Select", call=Do.make_set, keys=("Ctrl+G",),
        icon="group", when=Do.has_set_items, begins_group=True,
    ),
    Action(
        id="select.add_to_set", label="Add to set", menu="Select", call=Do.add_to_set, when=Do.can_add,
        text=Do.add_text,
    ),
    Action(
        id="select.take_from_set", label="Remove from set", menu="Select", call=Do.take_from_set, when=Do.can_take,
        text=Do.take_text,
    ),
    *(
        Action(
            id=f"select.set_{place}", label=f"Recall set {place}", menu="Select",
            call=partial(Do.recall, nth=nth), keys=(f"Ctrl+Alt+{place}",),
            when=partial(Do.has_set, nth=nth), text=partial(Do.set_text, nth=nth),
            submenu="Recall set",
        )
        for place, nth in enumerate(RECALLED, 1)
    ),
)  # fmt: skip
