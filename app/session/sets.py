"""Sets: what a person keeps selected together by name, made from the selection and recalled into it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import TYPE_CHECKING

from app.session.choosing import chosen
from app.session.selection import Item
from engine.document import SelectionSet
from engine.document.selection_sets import Chosen
from engine.document.values import new_id
from engine.edits import edit

if TYPE_CHECKING:
    from app.session.session import Session


class Sets:
    """The selection sets of a session's document."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._last = ""

    @property
    def last(self) -> SelectionSet | None:
        """The one that was made or recalled last, while it is there."""
        return self._find(self._last)

    @property
    def chosen(self) -> SelectionSet | None:
        """That one while just what it holds is selected."""
        last, now = self.last, set(chosen(self._session.selection.items))
        return last if last is not None and set(last.items) == now else None

    def make(self) -> None:
        """Keep what is chosen as a new set."""
        items = chosen(self._session.selection.items)
        names = {each.name for each in self._session.document.selection_sets}
        if items:
            name = next(name for place in count(1) if (name := f"Set {place}") not in names)
            made = SelectionSet(id=new_id("set"), name=name, items=items)
            self._last = made.id
            self._let_go()
            self._session.do(edit("add_selection_set", selection_set=made))

    def put(self, id: str, items: Iterable[Chosen]) -> None:
        """Let a set hold other items, each once."""
        self._session.do(edit("set_selection_set", selection_set=id, items=tuple(dict.fromkeys(items))))

    def recall(self, id: str) -> None:
        """Choose what a set holds."""
        found = self._find(id)
        if found is not None:
            self._last = id
            self._let_go()
            self._session.select(Item(actor, joint) for actor, joint in found.items)

    def _let_go(self) -> None:
        for each in self._session.hands:  # whether or not anything else is selected by it
            each.let_go()

    def _find(self, id: str) -> SelectionSet | None:
        return next((each for each in self._session.document.selection_sets if each.id == id), None)
