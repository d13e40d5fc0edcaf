"""InHand: something of a feature that a person chose in a view, so that Delete is for it before what is selected."""

from __future__ import annotations

from typing import Protocol


class InHand(Protocol):
    """What Delete may be for. Whoever keeps such a thing adds itself to `session.hands`."""

    @property
    def in_hand(self) -> bool:
        """Whether Delete is for it now."""

    def remove(self) -> None:
        """Take it away."""

    def let_go(self) -> None:
        """Something else is what Delete is for now."""
