"""Leader: what the posing tool leaves a drag to, where a hand leads what is wanted of a body and not its keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from engine.document import Handle
    from engine.document.values import Vector3


class LedPoint(Protocol):
    """A drag of what is wanted of a body: one gesture, one entry of the history."""

    @property
    def point(self) -> Vector3:
        """What of the body is led [m], in its own frame."""

    def lead(self, place: Vector3) -> None:
        """Its point is wanted there [m]."""

    def finish(self) -> None:
        """Keep it."""

    def give_up(self) -> None:
        """Leave everything as it was, and say so."""


class Leader(Protocol):
    """Of one session."""

    def is_led(self, actor: str, *, other: bool = False) -> bool:
        """Whether a drag of the body of an actor is left to it; `other`: a person asks for the other of both."""

    def begin(self, actor: str, handle: Handle) -> LedPoint | None:
        """Begin to lead what is wanted of a body; None where that is over already."""

    def words_of(self, actor: str, *, keyed: bool) -> str:
        """What a drag does to an actor, for the status line; of those that are not its own nothing."""
