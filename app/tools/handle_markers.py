"""HandleMarkers: the handles of the chosen figures as markers in the viewport, and the goal of the dragged one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import is_not
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, SignalInstance

from app.scene import Marker
from app.session import BodyGrip, Grip, Session
from engine.document.feet import rolls_of

if TYPE_CHECKING:
    from app.scene import Viewport
    from engine.document import Handle
    from engine.document.values import Vector3


class HandleMarkers(QObject):
    """Keeps the markers of one viewport in step with one session."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._others: list[Callable[[], tuple[Marker, ...]]] = []
        self._session, self._reaching, self._viewport = session, session.reaching, viewport
        self._seen: tuple[object, ...] = ()  # what the markers of handles were made of
        self._own: tuple[Marker, ...] = ()
        for signal in (session.selection_changed, session.document_changed, session.engine_changed):
            signal.connect(self._show)
        session.editing_changed.connect(self._show)
        session.preview_changed.connect(self._show)
        self._reaching.changed.connect(self._show)
        self._reaching.answered.connect(self._show)
        self._show()

    def add(self, others: Callable[[], tuple[Marker, ...]], changed: SignalInstance | None = None) -> None:
        """Show these, too; anew whenever that signal comes."""
        self._others.append(others)
        if changed is not None:
            changed.connect(self._show)
        self._show()

    def _show(self, *_: object) -> None:
        self._viewport.ask_markers(self._all)

    def _all(self) -> tuple[Marker, ...]:
        session, reaching = self._session, self._reaching
        held_by_it = session.document, reaching.reached
        told = session.selection.items, session.editing, reaching.pulled, reaching.goal, reaching.drag, reaching.held
        known = self._seen[:2]
        if len(known) < 2 or any(map(is_not, known, held_by_it)) or self._seen[2:] != told:
            self._seen = (*held_by_it, *told)
            self._own = tuple(self._markers())
        return (*self._own, *(each for others in self._others for each in others()))

    def _markers(self) -> Iterator[Marker]:
        reaching, document = self._reaching, self._session.document
        for actor in dict.fromkeys(item.actor for item in self._session.selection.items):
            if actor != self._session.editing:
                for handle in document.actor(actor).figure.handles:
                    yield self._marker(Grip(actor, handle.id), handle)
                for handle in self._rolls(actor):
                    yield self._marker(Grip(actor, handle.id), handle, minor=True)
        pulled = reaching.pulled
        taken = pulled.within(document) if isinstance(pulled, BodyGrip) else None
        if pulled is not None and taken is not None:
            yield self._marker(pulled, taken)

    def _rolls(self, actor: str) -> list[Handle]:
        """Heels and toes of the feet that are chosen, by themselves or by their toes, and what is pulled of them."""
        figure = self._session.document.actor(actor).figure
        chosen = {item.part for item in self._session.selection.items if item.actor == actor}
        pulled = self._reaching.pulled
        return [
            each
            for each in rolls_of(figure)
            if not chosen.isdisjoint((each.joint, *figure.below(each.joint)))
            or pulled == Grip(actor, each.id)
            or Grip(actor, each.id) in self._reaching.held
        ]

    def _marker(self, grip: Grip | BodyGrip, handle: Handle, *, minor: bool = False) -> Marker:
        goal, missed = self._goal(grip)
        return Marker(
            owner=grip.actor,
            id=handle.id,
            name=handle.name,
            part=handle.joint,
            point=handle.point,
            held=grip in self._reaching.held,
            pulled=grip == self._reaching.pulled,
            goal=goal,
            missed=missed,
            keyed=grip == self._reaching.pulled,
            minor=minor,
        )

    def _goal(self, grip: Grip | BodyGrip) -> tuple[Vector3 | None, str]:
        """Return the goal of the dragged handle, and by how much the shown picture misses it."""
        reaching, last = self._reaching, self._reaching.reached
        if reaching.pulled is None or reaching.pulled.actor != grip.actor:
            return None, ""
        goal = reaching.goal if grip == reaching.pulled else None
        if last is None or last.request.drag != reaching.drag:
            return goal, ""
        grips = (reaching.pulled, *reaching.held_beside(reaching.pulled))
        if grip not in grips:
            return goal, ""
        place = grips.index(grip)
        missed, wanted = last.outcome.report.missed[place], last.goals[place]
        return goal or getattr(wanted, "target", None), "" if missed.reached else missed.text
