"""CurrentSecondary: whose secondary motion a person looks at, of which joints, and how long its window is to be.

It is that of the actor that was selected last; where none is selected, of the first that has any, be it on or off, else
of the only one that there is. What becomes of a jolt is worked out on the engine's thread
(`engine.kinodynamics.queries.suggest_window`), only while somebody watches, and not anew while something is dragged.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.features.secondary.paths import Paths
from app.session.engine_link import describe
from app.session.live_query import LiveQuery, Question
from engine.document import Actor, Joint, Secondary
from engine.edits import edit
from engine.kinodynamics.queries.suggest_window import Scale, Unit, WindowFound, WindowWanted, find_window

if TYPE_CHECKING:
    from app.session.session import Session

KEY = "window of secondary motion"  # of the worker
LEAST = math.radians(1.0)
USUAL: dict[Unit, float] = {"angle": LEAST, "pixels": 2.0, "length": 0.01}
"""What can just be seen [rad, px, m]."""


class CurrentSecondary(QObject):
    """The secondary motion that is seen."""

    changed = Signal()  # the actor, its gains, the joints that are meant
    found_changed = Signal()  # what becomes of a jolt, or why that cannot be found

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.paths = Paths(session, session.trails)
        self._watched = False
        self.unit: Unit = "angle"  # of what is seen
        self._least = dict(USUAL)
        self.measure: Callable[[str, bool], tuple[tuple[str, float, float], ...]] | None = None
        """Of an actor: each joint, what a radian and a metre of it are in the picture [px], or in the world [m]."""
        self.found: WindowFound | None = None
        self.problem = ""
        self._query = LiveQuery(
            self,
            session.engine,
            KEY,
            self._take,
            refuse=lambda problem: self._tell(None, describe(problem)),
            late=False,
        )
        for signal in (session.document_changed, session.preview_changed, session.selection_changed):
            signal.connect(self._follow)
        session.engine_changed.connect(self._follow)

    @property
    def owner(self) -> Actor | None:
        """The actor that is meant, as it is on screen."""
        document, active = self._session.shown, self._session.selection.active
        if active is not None and active.actor in document.actor_index:
            return document.actor(active.actor)
        only = document.actors[0] if len(document.actors) == 1 else None
        return next((each for each in document.actors if each.secondary is not None), only)

    @property
    def secondary(self) -> Secondary:
        """Its secondary motion; what it would begin with, if it has none."""
        owner = self.owner
        return Secondary(on=False) if owner is None or owner.secondary is None else owner.secondary

    @property
    def joints(self) -> tuple[Joint, ...]:
        """Its joints that are selected and can move; the one that was selected last is the last."""
        owner = self.owner
        if owner is None:
            return ()
        index = owner.figure.joint_index
        parts = [each.part for each in self._session.selection.items if each.actor == owner.id and each.part in index]
        found = (owner.figure.joint(part) for part in dict.fromkeys(parts) if part is not None)
        return tuple(joint for joint in found if joint.dofs)

    @property
    def may_swing(self) -> bool:
        """True if something of it could trail behind: a joint under another. What hangs by its only joint is where it
        hangs."""
        owner = self.owner
        return owner is not None and any(joint.dofs and joint.parent is not None for joint in owner.figure.joints)

    # What is done

    def do(self, name: str, /, **arguments: object) -> None:
        """Change the secondary motion that is seen."""
        owner = self.owner
        if owner is not None:
            self._session.do(edit(name, actor=owner.id, **arguments))

    def switch(self) -> None:
        """Switch secondary motion on or off."""
        self.do("set_secondary", on=not self.secondary.on)

    def take_preset(self, preset: str) -> None:
        """Hold the selected joints, or all, as somebody does who is so."""
        joints = tuple(joint.id for joint in self.joints) or None
        self.do("apply_preset", preset=preset, joints=joints)

    # Windows

    def watch(self, watched: bool) -> None:
        """Say whether somebody looks at what becomes of a jolt."""
        if watched != self._watched:
            self._watched = watched
            self._follow()

    @property
    def least(self) -> float:
        """The smallest motion that is seen [rad, px or m]."""
        return self._least[self.unit]

    def see_from(self, least: float) -> None:
        """Another smallest motion that is seen."""
        if least != self.least:
            self._least[self.unit] = least
            self._follow()

    def see_in(self, unit: Unit) -> None:
        """Measure what is seen otherwise: by angles, in the picture or in the world."""
        if unit != self.unit:
            self.unit = unit
            self._follow()

    def suggest(self) -> None:
        """Find how long the window must be at the playhead."""
        owner = self.owner
        if owner is not None and self._session.is_ready("A window"):
            self._query.ask(self._question(owner, bound=True))

    def take_window(self, seconds: float) -> None:
        """Make that the window [s]."""
        from engine.document.secondary import LONGEST_WINDOW
        from engine.document.ticks import TICKS_PER_SECOND

        ticks = min(max(1, math.ceil(seconds * TICKS_PER_SECOND)), LONGEST_WINDOW)
        self.do("set_secondary", window=ticks)

    def _follow(self, *_: object) -> None:
        self.changed.emit()
        session, owner = self._session, self.owner
        if owner is None or not self._watched:
            self._query.stop()
        elif self.may_swing and session.engine.evaluator is not None and session.shown is session.document:
            self._query.follow(self._question(owner, bound=False))

    def _question(self, owner: Actor, *, bound: bool) -> Question[WindowFound]:
        """Ask for the response to a jolt now; anew where another curve would come of it, not at each playhead."""
        session, document, evaluator = self._session, self._session.document, self._session.engine.evaluator
        assert evaluator is not None, "asked for only when the engine is ready"
        joints = tuple(joint.id for joint in self.joints)
        scales = () if self.unit == "angle" or self.measure is None else self.measure(owner.id, self.unit == "pixels")
        wanted = WindowWanted(
            actor=owner.id, time=session.playhead, joints=joints, least=self.least, unit=self.unit,
            scales=tuple(Scale(*each) for each in scales), bound=bound,
        )  # fmt: skip
        gains = (self.secondary.gains, self.secondary.own, self.secondary.step)
        return Question(
            work=lambda: find_window(evaluator, document, wanted),
            about=(owner.id, owner.figure.digest, gains, joints, self.least, self.unit),
            document=document,
        )

    def _take(self, found: WindowFound | None) -> None:
        if found is not None or self.found is not None or self.problem:
            self._tell(found, "")

    def _tell(self, found: WindowFound | None, problem: str) -> None:
        self.found, self.problem = found, problem
        self.found_changed.emit()
