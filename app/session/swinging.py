"""Swinging: whose secondary motion a person looks at, of which joints, and how long its window is to be.

It is that of the actor that was selected last; where none is selected, of the first that has any, be it on or off, else
of the only one that there is. What becomes of a jolt is worked out on the engine's thread
(`engine.jobs.suggest_window`), only while somebody watches, and not anew while something is dragged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Hashable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.engine_link import describe
from app.session.paths import Paths
from engine.document import Actor, Document, Joint, Secondary
from engine.edits import edit
from engine.jobs.suggest_window import Scale, Unit, WindowFound, WindowWanted, find_window

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.runtime.worker import Frame

KEY = "window of secondary motion"  # of the worker
LEAST = math.radians(1.0)
USUAL: dict[Unit, float] = {"angle": LEAST, "pixels": 2.0, "length": 0.01}
"""What can just be seen [rad, px, m]."""


class Swinging(QObject):
    """The secondary motion that is seen."""

    changed = Signal()  # the actor, its gains, the joints that are meant
    found_changed = Signal()  # what becomes of a jolt, or why that cannot be told

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.paths = Paths(session, session.passages)
        self._watched = False
        self.unit: Unit = "angle"  # of what is seen
        self._least = dict(USUAL)
        self.measure: Callable[[str, bool], tuple[tuple[str, float, float], ...]] | None = None
        """Of an actor: each joint, what a radian and a metre of it are in the picture [px], or in the world [m]."""
        self.found: WindowFound | None = None
        self.problem = ""
        self._asked: tuple[object, ...] | None = None
        self._ticket = 0
        for news in (session.document_changed, session.preview_changed, session.selection_changed):
            news.connect(self._follow)
        session.engine_changed.connect(self._follow)
        session.engine.answered.connect(self._take)
        session.engine.failed.connect(self._take_failure)

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
        """Those of its joints that are selected and can move; the one that was selected last is the last."""
        owner = self.owner
        if owner is None:
            return ()
        index = owner.figure.joint_index
        parts = [each.part for each in self._session.selection.items if each.actor == owner.id and each.part in index]
        found = (owner.figure.joint(part) for part in dict.fromkeys(parts) if part is not None)
        return tuple(joint for joint in found if joint.dofs)

    @property
    def may_swing(self) -> bool:
        """Whether something of it could trail behind: a joint under another. What hangs by its only joint is where it
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
        """On, or off."""
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
            self._ask(owner, bound=True)

    def take_window(self, seconds: float) -> None:
        """Make that the window [s]."""
        from engine.document.secondary import LONGEST_WINDOW
        from engine.document.ticks import TICKS_PER_SECOND

        ticks = min(max(1, math.ceil(seconds * TICKS_PER_SECOND)), LONGEST_WINDOW)
        self.do("set_secondary", window=ticks)

    def _follow(self, *_: object) -> None:
        self.changed.emit()
        session, owner = self._session, self.owner
        if not self._watched or owner is None or not self.may_swing or session.engine.evaluator is None:
            if owner is None or not self._watched:
                self._forget()
            return
        if session.shown is session.document and self._content(owner) != self._asked:
            self._ask(owner, bound=False)

    def _forget(self) -> None:
        if self._asked is not None:
            self._asked = None
            self._session.engine.cancel(KEY)
        if self.found is not None or self.problem:
            self.found, self.problem = None, ""
            self.found_changed.emit()

    def _content(self, owner: Actor) -> tuple[object, ...]:
        """What the curve is worked out of; the playhead is where it was when a person asked."""
        secondary = self.secondary
        gains = (secondary.gains, secondary.own, secondary.step)
        return owner.id, owner.figure.digest, gains, tuple(joint.id for joint in self.joints), self.least, self.unit

    def _ask(self, owner: Actor, *, bound: bool) -> None:
        session, document = self._session, self._session.document
        joints = tuple(joint.id for joint in self.joints)
        scales = () if self.unit == "angle" or self.measure is None else self.measure(owner.id, self.unit == "pixels")
        wanted = WindowWanted(
            actor=owner.id, time=session.playhead, joints=joints, least=self.least, unit=self.unit,
            scales=tuple(Scale(*each) for each in scales), bound=bound,
        )  # fmt: skip
        self._asked = self._content(owner)
        self._ticket = session.engine.submit(KEY, lambda: self._work(document, wanted), document=document)

    def _work(self, document: Document, wanted: WindowWanted) -> Generator[WindowFound | None, None, None]:
        """On the engine's thread."""
        evaluator = self._session.engine.evaluator
        assert evaluator is not None, "asked for only when the engine is ready"
        return find_window(evaluator, document, wanted)

    def _take(self, key: Hashable, frame: Frame) -> None:
        if key == KEY and frame.ticket == self._ticket and isinstance(frame.value, WindowFound) and self._asked:
            self.found, self.problem = frame.value, ""
            self.found_changed.emit()

    def _take_failure(self, key: Hashable, ticket: int, problem: BaseException) -> None:
        if key == KEY and ticket == self._ticket:
            self.found, self.problem = None, describe(problem)
            self.found_changed.emit()
