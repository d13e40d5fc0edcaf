"""Reaching: posing by handles. What is pulled and what is held, by which method, and what came of it last.

A pull is a gesture of the session: each move is a request to the engine's thread, whose answer is a preview, and
letting go commits the last one. A handle is named by its actor and its id. Handles that are held stay where they stand
while another one of their figure is pulled; they are the session's, like the selection, and no part of the document.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.document import Document, Handle
from engine.document.values import Vector3, new_id
from engine.ik.goals import PositionGoal, Spot
from engine.jobs.methods import Card, Method, Terms
from engine.jobs.reach import Reached, Request

if TYPE_CHECKING:
    from app.session.gesture import Gesture
    from engine.model.snapshot import Snapshot


@dataclass(frozen=True)
class Grip:
    """A handle of an actor."""

    actor: str
    handle: str

    def within(self, document: Document) -> Handle | None:
        """The handle itself; None where the document does not hold it."""
        if self.actor not in document.actor_index:
            return None
        return next((each for each in document.actor(self.actor).figure.handles if each.id == self.handle), None)


class Reaching(QObject):
    """The session's side of posing by handles."""

    changed = Signal()  # what is pulled or held, the method, the terms, or the cards
    answered = Signal(object)  # Reached

    def __init__(
        self, *, begin: Callable[[str], Gesture], document: Callable[[], Document], show_again: Callable[[], None]
    ) -> None:
        """`begin` opens a gesture of the session; `show_again` asks for the picture anew."""
        super().__init__()
        self._begin, self._document, self._show_again = begin, document, show_again
        self.cards: tuple[Card, ...] = ()  # empty until the engine has told of its solvers
        self.method, self.terms = Method(), Terms()
        self.compared: Method | None = None
        self.held: frozenset[Grip] = frozenset()
        self.pulled: Grip | None = None
        self.goal: Vector3 | None = None  # where the pulled handle is wanted [m]
        self.reached: Reached | None = None  # the last answer
        self._gesture: Gesture | None = None
        self.drag = ""  # names the last pull in its requests

    @property
    def ready(self) -> bool:
        """Whether handles can be pulled."""
        return bool(self.cards)

    def take_cards(self, cards: tuple[Card, ...]) -> None:
        """What the engine tells of its solvers."""
        self.cards = cards
        self.changed.emit()

    # A pull

    def pull(self, grip: Grip) -> bool:
        """Begin to pull a handle; False if that cannot be done now."""
        handle = grip.within(self._document())
        if self.pulled is not None or handle is None or not self.ready:
            return False
        gesture = self._begin(f"Reach with {handle.name}")
        if gesture.state == "ended":
            return False
        self._gesture, self.drag, self.pulled, self.goal = gesture, new_id("drag"), grip, None
        self.changed.emit()
        return True

    def move(self, goal: Vector3) -> None:
        """The pulled handle is wanted there [m]."""
        if self._gesture is None or self.pulled is None:
            return
        self.goal = goal
        self._gesture.preview(self._request(self.pulled, goal))

    def let_go(self) -> None:
        """Keep the last answer, once it is in."""
        if self._gesture is not None:
            self._gesture.finish()

    def cancel(self) -> None:
        """Leave the figure as it was."""
        if self._gesture is not None:
            self._gesture.cancel()
            self.ended(self._gesture)  # one that waited for its turn is not told of by the session

    def ended(self, gesture: Gesture) -> None:
        """The session's word that a gesture has ended, however."""
        if gesture is self._gesture:
            self._gesture = self.pulled = self.goal = None
            self.changed.emit()

    def take(self, reached: Reached) -> None:
        """The engine's answer, which the picture shows."""
        self.reached = reached
        self.answered.emit(reached)

    def dressed(self, snapshot: Snapshot) -> Snapshot:
        """A picture of what was reached, with the other method's ghost in it for as long as it is compared."""
        last = self.reached
        if last is None or last.ghost is None or self.compared is None or last.ghost in snapshot.items:
            return snapshot
        if last.snapshot.document is not snapshot.document or last.snapshot.time != snapshot.time:
            return snapshot
        return replace(snapshot, items=(*snapshot.items, last.ghost))

    # How it is done

    def toggle_held(self, grip: Grip) -> None:
        """Hold a handle where it stands, or let it be moved."""
        self.held = self.held ^ {grip}
        self.changed.emit()

    def set_method(self, method: Method) -> None:
        """Solve by this from the next request on."""
        self.method = method
        self.changed.emit()

    def compare_with(self, method: Method | None) -> None:
        """Show a second method's answer beside the first's; None: no more."""
        self.compared = method
        self.changed.emit()
        if method is None:
            self._show_again()

    def set_terms(self, terms: Terms) -> None:
        """Ask for this from the next request on."""
        self.terms = terms
        self.changed.emit()

    def held_beside(self, grip: Grip) -> tuple[Grip, ...]:
        """The handles of the same actor that stay where they stand while this one is pulled, in order."""
        others = (each for each in self.held - {grip} if each.actor == grip.actor and each.within(self._document()))
        return tuple(sorted(others, key=lambda each: each.handle))

    def _request(self, grip: Grip, goal: Vector3) -> Request:
        document = self._document()
        spots = [_spot(each.actor, handle) for each in self.held_beside(grip) if (handle := each.within(document))]
        handle = grip.within(document)
        assert handle is not None, "it was there when the gesture began, and documents wait for its end"
        return Request(
            drag=self.drag,
            actor=grip.actor,
            goals=(PositionGoal(spot=_spot(grip.actor, handle), target=goal),),
            held=tuple(spots),
            method=self.method,
            compared=self.compared,
            terms=self.terms,
        )


def _spot(actor: str, handle: Handle) -> Spot:
    return Spot(actor=actor, joint=handle.joint, point=handle.point)
