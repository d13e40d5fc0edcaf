"""ShownWraps: which wraps the views show: those that selected muscles go round and the chosen one, or all of the
figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.features.muscles.current_muscles import CurrentMuscles
from app.session.selection import Item
from engine.muscles.queries.moved_parts import wrapped_muscle

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.muscles.parts import MuscleWrap


class ShownWraps(QObject):
    """The wraps of one session's figure with muscles."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._current = session, session.of(CurrentMuscles)
        self.shows_all = False
        self.in_views = True  # whether muscles are shown at all
        for signal in (self._current.changed, self._current.wrap_changed):
            signal.connect(self.changed)

    def show(self, *, all_of_them: bool, in_views: bool) -> None:
        """Show all wraps of the figure, or those of selected muscles; none where muscles are hidden."""
        if (all_of_them, in_views) != (self.shows_all, self.in_views):
            self.shows_all, self.in_views = all_of_them, in_views
            self.changed.emit()

    @property
    def found(self) -> tuple[MuscleWrap, ...]:
        """The wraps that are shown."""
        owner, muscles = self._current.owner, self._current.muscles
        if owner is None or muscles is None or not owner.visible or not self.in_views:
            return ()
        if self.shows_all:
            return muscles.wraps
        selected = {each.added for each in self._session.selection.items if each.actor == owner.id}
        chosen = [each for each in muscles.muscles if each.id in selected]
        if not chosen:
            return ()
        ids = {each.wrap for muscle in chosen for each in muscle.wraps}
        if self._current.moves == "wrap" and self._current.wrap is not None:
            ids.add(self._current.wrap.id)
        return tuple(each for each in muscles.wraps if each.id in ids)

    @property
    def moved(self) -> MuscleWrap | None:
        """The one that manipulators are for: it was chosen last of the muscle's parts, and is shown."""
        wrap = self._current.wrap
        if wrap is None or self._current.moves != "wrap" or not self._current.may_change:
            return None
        return wrap if any(each.id == wrap.id for each in self.found) else None

    def choose(self, id: str) -> None:
        """Choose a wrap; where no muscle is selected, one that goes round it, too: the inspector has its fields."""
        owner, muscles = self._current.owner, self._current.muscles
        if owner is None or muscles is None:
            return
        if not self._current.is_selected:
            muscle = wrapped_muscle(muscles, id)
            if muscle is not None:
                self._session.select([Item(owner.id, owner.figure.joints[0].id, muscle.id)])
        self._current.choose_wrap(id)
