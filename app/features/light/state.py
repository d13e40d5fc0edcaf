"""LightState: the lights of the scene that is shown, whose finish a person looks at, and what is done with both."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.session import Session
from engine.document import Actor
from engine.edits import Edit, edit
from engine.lighting.parts import STUDIO, Finish, Lighting


class LightState(QObject):
    """The light that is seen."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        for signal in (session.document_changed, session.preview_changed, session.selection_changed):
            signal.connect(lambda *_: self.changed.emit())

    @property
    def own(self) -> Lighting | None:
        """The lights of the scene; None: those that go with the views."""
        return self._session.shown.part(Lighting)

    @property
    def owner(self) -> Actor | None:
        """The actor that was selected last, else the only one."""
        document, active = self._session.shown, self._session.selection.active
        if active is not None and active.actor in document.actor_index:
            return document.actor(active.actor)
        return document.actors[0] if len(document.actors) == 1 else None

    @property
    def finish(self) -> Finish:
        """The colour and roughness of that actor."""
        owner = self.owner
        return Finish() if owner is None else owner.part(Finish) or Finish()

    def switch(self, *, on: bool) -> None:
        """Give the scene lights of its own, or take them away."""
        if on != (self._session.document.part(Lighting) is not None):
            self._session.do(edit("set_lighting") if on else edit("remove_lighting"))

    def set_studio(self) -> None:
        """Put the scene into a studio: lights that stand beside the camera, and a floor that fades into grey."""
        self._session.do(edit("set_lighting", **STUDIO))

    def edit_light(self, name: str, value: object) -> Edit | None:
        """Make the edit that sets something of the lights, the background or the floor."""
        return edit("set_lighting", **{name: value})

    def edit_finish(self, name: str, value: object) -> Edit | None:
        """Make the edit that sets colour or roughness of the actor that is meant."""
        owner = self.owner
        return None if owner is None else edit("set_finish", actor=owner.id, **{name: value})
