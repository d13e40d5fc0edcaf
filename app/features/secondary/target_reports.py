"""TargetReports: how targets came out: said in the log once that is in the document, and taken back as soon as it no
longer holds. What was found of earlier states of an actor is kept, so that undo, redo and a drag that is given up tell
of it again."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from engine.document import Actor, Document
from engine.targets.commands.meet_targets import TargetsMet

if TYPE_CHECKING:
    from app.session.session import Session


KEPT = 32  # searches


class TargetReports:
    """Of the last searches."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._found: TargetsMet | None = None  # by the last search
        self._actor: Actor | None = None  # as that left it
        self._kept: deque[tuple[Actor, TargetsMet]] = deque(maxlen=KEPT)  # of those that are in the history
        self._told: TargetsMet | None = None  # what was said of in the log
        self._warned = ""  # what was said of targets that are missed, while that holds

    def take(self, document: Document) -> None:
        """Keep what the picture on screen tells, if it is of targets."""
        report = self._session.report
        if isinstance(report, TargetsMet) and report.actor in document.actor_index:
            self._found, self._actor = report, document.actor(report.actor)

    def of(self, actor: Actor | None) -> TargetsMet | None:
        """Return the result of an actor as it is; None: it is another one since."""
        if actor is None or actor == self._actor:
            return None if actor is None else self._found
        return next((report for kept, report in reversed(self._kept) if kept is actor), None)

    def tell(self, *, quiet: bool) -> None:
        """Say how targets came out, once that is in the document; `quiet`: only if one is missed."""
        actor, report, document = self._actor, self._found, self._session.document
        if report is None or report is self._told or actor is None or actor.id not in document.actor_index:
            return
        if document.actor(actor.id) == actor:
            self._told = report
            self._kept.append((document.actor(actor.id), report))
            self._take_back()
            text = f"{actor.name}: {report.text.rstrip('.')}."
            if not report.met:
                self._warned = text
                self._session.note("warning", text)
            elif not quiet:
                self._session.note("note", text)

    def follow(self, document: Document) -> None:
        """Take back the warning of missed targets once the actor is another one."""
        actor = self._actor
        there = actor is not None and actor.id in document.actor_index and document.actor(actor.id) == actor
        if self._warned and not there:
            self._take_back()

    def _take_back(self) -> None:
        if self._warned:
            text, self._warned = self._warned, ""
            self._session.retracted.emit(text)
