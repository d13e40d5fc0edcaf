"""TargetLead: a drag of a body that swings sets a target at the playhead, or moves the one that is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.target_pull import TargetPull
from app.session import Session

if TYPE_CHECKING:
    from engine.document import Handle


class TargetLead:
    """The drags of such bodies that the posing tool of one session leaves to targets."""

    def __init__(self, session: Session) -> None:
        self._session, self._current_targets = session, session.of(CurrentTargets)

    def is_led(self, actor: str, *, other: bool = False) -> bool:
        """True if dragging the body of an actor leads a target; `other`: a person asks for the other of both."""
        return self._current_targets.is_led(actor, other=other)

    def words_of(self, actor: str, *, keyed: bool) -> str:
        """Say what a drag does to a figure that swings, for the status line; empty for others."""
        return self._current_targets.words_of(actor, keyed=keyed)

    def begin(self, actor: str, handle: Handle) -> TargetPull | None:
        """Begin to lead the target of a point of a body; None where that is over already."""
        target, is_new = self._current_targets.led_target(actor, handle.joint, handle.point)
        label = f"{'Set' if is_new else 'Move'} target of {handle.name}"
        pull = TargetPull(self._session, actor, target, label=label, meets=True)
        if pull.is_over:
            return None
        self._current_targets.choose(target.id)
        return pull
