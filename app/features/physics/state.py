"""PhysicsState: whose physics a person looks at, and what is done with it.

It is that of the actor that was selected last; where none is selected, of the first that is simulated, else of the only
one that there is.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.session import Session
from engine.document import Actor
from engine.document.values import new_id
from engine.edits import Edit, edit
from engine.physics.commands.bake_physics import BakePhysics
from engine.physics.parts import Physics, PhysicsWorld

OBSTACLE = Physics(role="obstacle")
HANGS = "{name} hangs on another actor and goes where that goes; detach it first, then it can be simulated."


class PhysicsState(QObject):
    """The physics that is seen."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        for signal in (session.document_changed, session.preview_changed, session.selection_changed):
            signal.connect(lambda *_: self.changed.emit())

    @property
    def owner(self) -> Actor | None:
        """The actor that is meant, as it is on screen."""
        document, active = self._session.shown, self._session.selection.active
        if active is not None and active.actor in document.actor_index:
            return document.actor(active.actor)
        only = document.actors[0] if len(document.actors) == 1 else None
        return next((each for each in document.actors if each.part(Physics) is not None), only)

    @property
    def physics(self) -> Physics:
        """The part that it takes."""
        owner = self.owner
        return OBSTACLE if owner is None else owner.part(Physics) or OBSTACLE

    @property
    def world(self) -> PhysicsWorld:
        """The settings that all simulated actors have in common."""
        return self._session.shown.part(PhysicsWorld) or PhysicsWorld()

    @property
    def is_simulated(self) -> bool:
        """True if the actor that is meant falls, rolls and collides."""
        return self.owner is not None and self.physics.role == "simulated"

    @property
    def may_change(self) -> bool:
        """True if there is an actor, not frozen."""
        owner = self.owner
        return owner is not None and not owner.frozen

    @property
    def may_bake(self) -> bool:
        """True if the actor's motion comes of the simulation, and may be changed."""
        owner = self.owner
        return owner is not None and self.may_change and self.is_simulated and not owner.attachments

    def words_of(self, actor: str, keyed: bool) -> str:
        """Say what a drag of an actor does where its simulation is shown; nothing of others."""
        document = self._session.shown
        part = document.actor(actor).part(Physics) if actor in document.actor_index else None
        if keyed or part is None or part.role != "simulated" or self._session.playhead < part.start:
            return ""
        return "drag to pose its keys, from which it is let go"

    def edit_actor(self, name: str, value: object) -> Edit | None:
        """Make the edit that sets a number of the actor that is meant."""
        owner = self.owner
        return None if owner is None else edit("set_physics", actor=owner.id, **{name: value})

    def edit_world(self, name: str, value: object) -> Edit | None:
        """Make the edit that sets what all have in common."""
        return edit("set_physics_world", **{name: value})

    def simulate(self, *, on: bool) -> None:
        """Let the actor fall, roll and collide from where its motion begins, or follow its keys."""
        owner = self.owner
        if owner is None:
            return
        if on and owner.attachments:
            self._session.note("note", HANGS.format(name=owner.name))
        self._session.do(edit("set_physics", actor=owner.id, role="simulated" if on else "obstacle"))

    def start_here(self) -> None:
        """Let the actor follow its keys up to the playhead, and go on by itself from there."""
        owner = self.owner
        if owner is not None:
            role = "simulated"
            self._session.do(edit("set_physics", actor=owner.id, role=role, start=self._session.playhead))

    def bake(self) -> None:
        """Make what is seen a layer of the actor's own."""
        owner = self.owner
        if owner is not None:
            self._session.work_out(BakePhysics(id=new_id("layer"), actor=owner.id))
