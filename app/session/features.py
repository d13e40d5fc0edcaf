"""Protocols of the state that features keep: InHand, for what Delete takes before the selection; and Closing."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


class InHand(Protocol):
    """A thing that Delete may be for. Whoever keeps such a thing adds itself to `session.hands`."""

    @property
    def in_hand(self) -> bool:
        """True if Delete is for it now."""

    def remove(self) -> None:
        """Take it away."""

    def let_go(self) -> None:
        """Something else is what Delete is for now."""


@runtime_checkable
class Closing(Protocol):
    """An object that has something to end, such as a thread, when its session is closed."""

    def close(self) -> bool:
        """End it; False if it did not end in time."""
