"""What a session asks of what features keep of it: InHand, what Delete is for before what is selected; and Closing."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


class InHand(Protocol):
    """What Delete may be for. Whoever keeps such a thing adds itself to `session.hands`."""

    @property
    def in_hand(self) -> bool:
        """Whether Delete is for it now."""

    def remove(self) -> None:
        """Take it away."""

    def let_go(self) -> None:
        """Something else is what Delete is for now."""


@runtime_checkable
class Closing(Protocol):
    """What has something to end, such as a thread, when its session is closed."""

    def close(self) -> bool:
        """End it; False if it did not end in time."""
