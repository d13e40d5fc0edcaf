"""LockPage: what the inspector shows of a pin that is chosen."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from app.features.inspecting import Fields, InspectorPage
from app.features.locks.fields import HOLDS, LockFields
from app.features.locks.part import LockPart, lock_in
from app.features.locks.sections import sections_of, summary_of
from app.features.locks.words import icon_of, where_of
from app.session import Session
from app.style.page_header import Header
from engine.document import Actor, Document, Lock


class LockPage(InspectorPage):
    """The fields of one pin, and sections of those that are rarely needed."""

    def __init__(self, session: Session, actor: Actor, lock: Lock, unfolded: set[str]) -> None:
        super().__init__(session, unfolded)
        self._shown, self._lock, self._form = actor, lock.id, _form(actor, lock)
        where = "in the world" if lock.target is None else f"on {where_of(session.shown, lock)}"
        about = (f"{HOLDS[lock.held]} {where}", f"{actor.figure.joint(lock.joint).name}, {actor.name}")
        self._column.addWidget(Header(icon_of(lock), lock.name, about, reset_tip=""))
        self._column.addWidget(self._keep(LockFields(session, actor, lock)))
        for key, title, kind in sections_of(lock):
            self._add_section(key, title, partial(self._build, kind))
        self._column.addStretch(1)
        self._show_actor(actor)

    @classmethod
    def of(
        cls, session: Session, document: Document, unfolded: set[str], shown: InspectorPage | None
    ) -> InspectorPage | None:
        """Give the page of the chosen pin; see `PageMaker`."""
        active = session.selection.active
        if active is None or active.actor not in document.actor_index:
            return None
        actor = document.actor(active.actor)
        lock = lock_in(actor, active.added)
        if lock is None:
            return None
        if not isinstance(shown, LockPage) or shown._form != _form(actor, lock):
            return cls(session, actor, lock, unfolded)
        if actor is not shown._shown:
            shown._show_actor(actor)
        return shown

    def _show_actor(self, actor: Actor) -> None:
        self._shown = actor
        for fields in self.fields:
            fields.show_actor(actor)
        lock = lock_in(actor, self._lock)
        for key, section in self.sections.items():
            section.header.set_summary("" if lock is None else summary_of(self._session.shown, actor, lock, key))

    def _build(self, kind: type[LockPart]) -> Fields:
        lock = lock_in(self._shown, self._lock)
        assert lock is not None, "the page goes with its pin"
        return self._keep(kind(self._session, self._shown, lock))


def _form(actor: Actor, lock: Lock) -> tuple[object, ...]:
    """Return what the fields are made for: they are made anew where it changes."""
    layers, joint = tuple(each.id for each in actor.layers), replace(actor.figure.joint(lock.joint), shapes=())
    return (actor.id, actor.name, layers, joint, lock.id, lock.name, lock.held, lock.mute, bool(lock.axes), lock.target)
