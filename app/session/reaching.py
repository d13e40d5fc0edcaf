"""Reaching: posing by handles and bodies. What is pulled and held, by which method, and what came of it last.

A pull is a gesture of the session: each move is a request to the engine's thread, whose answer is a preview, and
letting go commits the last one. A handle is named by its actor and its id. Handles that are held stay where they stand
while another one of their figure is pulled; they are the session's, like the selection, and no part of the document.

Between pulls, for as long as the document is as the last one left it, another method or other terms are tried at once:
the last question is asked anew of the pose before that pull. The answer is reported, shown as a ghost, never kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.frozen import why_frozen
from engine.commands.reach import PullHandle, Reached
from engine.document import Document, Handle
from engine.document.feet import handle_of
from engine.document.values import Vector3, new_id
from engine.ik.goals import PositionGoal, Spot
from engine.ik.methods import Card, Method, Terms
from engine.locks.drag_goals import spot_of
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.session.gesture import Gesture
    from app.session.states import LogKind
    from engine.model.snapshot import Snapshot, SnapshotItem

_STILL_NEARER = 0.95  # of what an answer missed, for the next one to be worth asking for
_IN_VAIN = 3  # answers that come no nearer, after which none is asked for
_SLOW_MOTION = 60  # the same of what moves by forces or turns by and by, which may be slow


@dataclass(frozen=True)
class Grip:
    """A handle of an actor."""

    actor: str
    handle: str
    verb = "Reach with"

    def within(self, document: Document) -> Handle | None:
        """Return the handle itself; None where the document does not hold it."""
        if self.actor not in document.actor_index:
            return None
        return handle_of(document.actor(self.actor).figure, self.handle)


@dataclass(frozen=True)
class BodyGrip:
    """A body of an actor, taken hold of at a point [m] in its frame."""

    actor: str
    joint: str
    point: Vector3
    verb = "Drag"

    def within(self, document: Document) -> Handle | None:
        """Return the point as a handle; None where the document does not hold the body."""
        if self.actor not in document.actor_index:
            return None
        actor = document.actor(self.actor)
        if self.joint not in actor.figure.joint_index:
            return None
        names = [each.name for each in actor.figure.handles if each.joint == self.joint]
        name = names[0] if len(names) == 1 else actor.figure.joint(self.joint).name  # a hand, not a wrist
        name = actor.name if actor.figure.is_prop else name
        return Handle(id=f"body {self.joint}", name=name, joint=self.joint, point=self.point)


class Reaching(QObject):
    """The session's side of posing by handles."""

    changed = Signal()  # what is pulled or held, the method, the terms, or the cards
    answered = Signal(object)  # Reached

    def __init__(
        self,
        *,
        begin: Callable[[str], Gesture],
        note: Callable[[LogKind, str], None],
        document: Callable[[], Document],
        show_again: Callable[[], None],
        try_out: Callable[[Document, int, PullHandle], object],
    ) -> None:
        """`begin` opens a gesture of the session; `note` tells a person; `show_again` asks for the picture anew;
        `try_out` asks of a document at a time, outside of any gesture."""
        super().__init__()
        self._begin, self._note, self._document = begin, note, document
        self._show_again, self._try_out = show_again, try_out
        self.cards: tuple[Card, ...] = ()  # empty until the engine has reported its solvers
        self.method, self.terms = Method(), Terms()
        self.compared: Method | None = None
        self.held: frozenset[Grip] = frozenset()
        self.chain_ends: dict[str, str] = {}  # the joint of an actor at which chains of the extent "joint" end
        self.pulled: Grip | BodyGrip | None = None
        self.goal: Vector3 | None = None  # where what is pulled is wanted [m]
        self._in_vain = 0
        self.reached: Reached | None = None  # the last answer
        self.tried = False  # whether it was asked anew, and is not what the document holds
        self._added: tuple[SnapshotItem, ...] = ()  # to pictures: ghosts, forces of constraints
        self._pulled_last: tuple[Document, Reached] | None = None  # before it, and the last answer to the pull
        self._gesture: Gesture | None = None
        self.drag = ""  # names the last pull in its requests

    @property
    def ready(self) -> bool:
        """True if handles can be pulled."""
        return bool(self.cards)

    @property
    def stands(self) -> Vector3 | None:
        """The place of what is pulled in the last answer to this pull [m]; None before the first."""
        last = self.reached
        return last.outcome.places[0] if last is not None and last.request.drag == self.drag else None

    @property
    def missed(self) -> float:
        """The distance between what is pulled and its goal in the last answer to this pull [m]; 0 before the first."""
        last, stands = self.reached, self.stands
        goal = last.request.goals[0] if last is not None else None
        return math.dist(stands, goal.target) if stands is not None and isinstance(goal, PositionGoal) else 0.0

    def take_cards(self, cards: tuple[Card, ...]) -> None:
        """Take the engine's cards of its solvers."""
        self.cards = cards
        self.changed.emit()

    # A pull

    def pull(self, grip: Grip | BodyGrip) -> bool:
        """Begin to pull a handle or a body; False if that cannot be done now, of which a note tells."""
        handle = grip.within(self._document())
        if self.pulled is not None or handle is None:
            return False
        if not self.ready:
            self._note("note", "Posing by hand is not ready yet; the status line tells what is being prepared.")
            return False
        frozen = why_frozen(self._document().actor(grip.actor))
        if frozen:
            self._note("warning", frozen)
            return False
        gesture = self._begin(f"{grip.verb} {handle.name}")
        if gesture.is_over:
            return False
        self._gesture, self.drag, self.pulled, self.goal = gesture, new_id("drag"), grip, None
        self.changed.emit()
        return True

    def move(self, goal: Vector3) -> None:
        """Move the goal of what is pulled [m]."""
        if self._gesture is None or self.pulled is None:
            return
        self.goal = goal
        handle = self.pulled.within(self._document())
        if handle is not None:  # else it went while the gesture waited for its turn, which then fails and says so
            self._gesture.preview(self._request(self.pulled, handle, goal))

    def let_go(self) -> None:
        """Keep the last answer, once it is in."""
        if self._gesture is not None:
            self._gesture.finish()

    def cancel(self) -> None:
        """Leave the figure as it was."""
        if self._gesture is not None:
            self._gesture.cancel()
            self.ended(self._gesture)  # one that waited for its turn is not reported by the session

    def ended(self, gesture: Gesture) -> None:
        """Note that a gesture has ended, however; the session says so."""
        if gesture is self._gesture:
            self._gesture = self.pulled = self.goal = None
            self.changed.emit()

    def take(self, reached: Reached) -> bool:
        """Take the engine's answer, which the picture shows; True if more time would bring it nearer: it ran out of it,
        or was on its way, and was not asked for the same a few times in vain."""
        before, now = self.reached, reached.outcome.report
        self._pulled_last = (self._document(), reached)
        self._tell(reached, tried=False, added=reached.added)
        if before is None or before.request != reached.request:
            self._in_vain = 0
        elif now.residual >= _STILL_NEARER * before.outcome.report.residual:
            self._in_vain += 1  # on a busy machine a thread may have got nothing of its time
        slow = reached.request.method.is_motion or reached.outcome.turns
        most = _SLOW_MOTION if slow else _IN_VAIN
        return now.state in ("out of time", "on the way") and self._in_vain < most

    def take_tried(self, reached: Reached) -> None:
        """Take the engine's answer to the last question asked anew; one that comes late is dropped."""
        if self._pulled_last is None or self.pulled is not None or reached.request.drag != self.drag:
            return
        question, last = reached.request, self._pulled_last[1].request
        same = (question.method, question.terms) == (last.method, last.terms)
        pose = next(each for each in reached.snapshot.bodies if each.owner == question.actor and each.role == "result")
        added = reached.added if same else (replace(pose, role="ghost"), *reached.added)
        self._tell(reached, tried=not same, added=added)
        self._show_again()

    def dressed(self, snapshot: Snapshot) -> Snapshot:
        """Add the ghosts of what other methods reached to a picture, and the forces of what held."""
        last = self._pulled_last and self._pulled_last[1].snapshot
        if last is None or last.document is not snapshot.document or last.time != snapshot.time:
            return snapshot
        missing = tuple(each for each in self._added if each not in snapshot.items)
        return replace(snapshot, items=(*snapshot.items, *missing)) if missing else snapshot

    def forget(self) -> None:
        """Hold nothing and know of no answer: another document begins."""
        self.held, self.chain_ends, self.drag = frozenset(), {}, ""
        self.reached, self.tried, self._added, self._pulled_last, self._in_vain = None, False, (), None, 0
        self.changed.emit()

    # How it is done

    def toggle_held(self, grip: Grip) -> None:
        """Hold a handle where it stands, or let it be moved."""
        self.held = self.held ^ {grip}
        self.changed.emit()

    def set_method(self, method: Method) -> None:
        """Solve by this from now on."""
        self.method = method
        self.changed.emit()
        self._ask_anew()

    def compare_with(self, method: Method | None) -> None:
        """Show a second method's answer beside the first's; None: no more."""
        self.compared = method
        self.changed.emit()
        if method is None:
            self._added = ()
            self._show_again()
        self._ask_anew()

    def set_terms(self, terms: Terms) -> None:
        """Ask for this from now on."""
        self.terms = terms
        self.changed.emit()
        self._ask_anew()

    def end_chain_at(self, actor: str, joint: str | None) -> None:
        """From now on chains of this figure end at a joint, or where they usually do (None)."""
        before = self.chain_end(actor)
        if joint is not None:
            self.chain_ends[actor] = joint
        else:
            self.chain_ends.pop(actor, None)
        if joint != before:
            self.set_terms(replace(self.terms, extent="usual" if joint is None else "joint"))

    def chain_end(self, actor: str) -> str | None:
        """Return the joint at which chains of this figure end, if it has it still."""
        joint, document = self.chain_ends.get(actor), self._document()
        known = actor in document.actor_index and joint in document.actor(actor).figure.joint_index
        return joint if known else None

    def held_beside(self, grip: Grip | BodyGrip) -> tuple[Grip, ...]:
        """Return the handles of the same actor that stay where they stand while this one is pulled, in order."""
        others = (each for each in self.held if each != grip and each.actor == grip.actor)
        return tuple(sorted((each for each in others if each.within(self._document())), key=lambda each: each.handle))

    def _ask_anew(self) -> None:
        if self.pulled is not None:
            if self.goal is not None:
                self.move(self.goal)
            return
        if self._pulled_last is None:
            return
        before, last = self._pulled_last
        if last.snapshot.document is self._document():
            self.drag = new_id("drag")
            question = replace(
                last.request, drag=self.drag, method=self.method, compared=self.compared, terms=self.terms
            )
            self._try_out(before, last.snapshot.time, self._with_chain(question, before))

    def _tell(self, reached: Reached, *, tried: bool, added: tuple[SnapshotItem, ...]) -> None:
        self.reached, self.tried, self._added = reached, tried, added
        self.answered.emit(reached)

    def _request(self, grip: Grip | BodyGrip, handle: Handle, goal: Vector3) -> PullHandle:
        document = self._document()
        spots = [_spot(each.actor, held) for each in self.held_beside(grip) if (held := each.within(document))]
        request = PullHandle(
            drag=self.drag,
            actor=grip.actor,
            goals=(PositionGoal(spot=_spot(grip.actor, handle), target=goal),),
            held=tuple(spots),
            method=self.method,
            compared=self.compared,
            terms=self.terms,
        )
        return self._with_chain(request, document)

    def _with_chain(self, request: PullHandle, document: Document) -> PullHandle:
        """With what the terms leave to the figure: the joint where its chains end, and that its root only slides while
        nothing else is to give way."""
        spot, extent = spot_of(request.goals[0]), request.terms.extent
        actor, end = document.actor(request.actor), self.chain_end(request.actor)
        if spot is None or request.at is not None:  # what is pulled at a key moves what has keys
            return request
        root, held = actor.figure.joints[0], bool(request.held or actor.locks)
        slides = frozenset(dof.id for dof in root.dofs if dof.kind == "slide")
        alone = spot.joint == root.id and slides and extent != "whole" and not (extent == "usual" and held)
        ends = extent == "joint" and end is not None and end in actor.figure.above(spot.joint)
        return replace(request, movable=slides if alone else None, chain_end=end if ends else None)


def _spot(actor: str, handle: Handle) -> Spot:
    return Spot(actor=actor, joint=handle.joint, point=handle.point)
