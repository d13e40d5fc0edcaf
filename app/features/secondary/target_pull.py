"""TargetPull: a target that a hand leads through the scene: one gesture, one entry of the history.

While the hand moves a short search follows it; letting go ends with a whole one, so that what is kept is met as nearly
as it can be. Where targets are not met after each edit, and the hand holds neither the body itself nor a target that is
met, the target alone is placed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.features.secondary.current_targets import CurrentTargets
from app.session.gesture import GIVEN_UP
from engine.document import Target
from engine.document.values import Quaternion, Vector3, new_id

if TYPE_CHECKING:
    from app.session.gesture import Gesture
    from app.session.session import Session


class TargetPull:
    """One pull."""

    def __init__(self, session: Session, actor: str, target: Target, *, label: str, meets: bool = False) -> None:
        """`target` is one that the actor has, or a new one; with `meets` its body follows in any case."""
        self._session, self._actor, self._meets = session, actor, meets
        self._first = self.target = target
        self._layer = new_id("layer")
        current_targets = session.of(CurrentTargets)
        self._was = current_targets.chosen, current_targets.in_hand, session.selection  # before it
        self.gesture: Gesture = session.begin_gesture(label)

    @property
    def point(self) -> Vector3:
        """The point of the body that is led [m], in its own frame."""
        return self._first.point

    @property
    def is_over(self) -> bool:
        """True if the session has ended it."""
        return self.gesture.is_over

    def lead(self, place: Vector3) -> None:
        """Move the point's target [m]."""
        self._set(replace(self._first, position=place, place=True))

    def turn(self, rotation: Quaternion) -> None:
        """Turn the body's target."""
        self._set(replace(self._first, rotation=rotation, place=True))

    def finish(self) -> None:
        """Keep it, as well met as can be."""
        self._preview(ends=True)
        self.gesture.finish()

    def cancel(self) -> None:
        """Leave everything as it was, the target that was chosen before it included."""
        self.gesture.cancel()
        chosen, in_hand, selection = self._was
        self._session.of(CurrentTargets).choose(chosen, in_hand=in_hand and self._session.selection == selection)

    def give_up(self) -> None:
        """Cancel it for a person, and say so."""
        if not self.is_over:
            self._session.note("note", GIVEN_UP)
            self.cancel()

    def _set(self, target: Target) -> None:
        if target != self.target:
            self.target = target
            self._preview(ends=False)

    def _preview(self, *, ends: bool) -> None:
        document, current_targets = self._session.document, self._session.of(CurrentTargets)
        if self.gesture.is_over or self._actor not in document.actor_index:
            return
        if document.actor(self._actor).secondary is None:
            self.cancel()  # it went while the gesture waited for its turn
            return
        command = current_targets.dragged(self._actor, self.target, ends=ends, meets=self._meets, layer=self._layer)
        self.gesture.preview(command)
