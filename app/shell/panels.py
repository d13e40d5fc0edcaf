"""Which panels there are, and where each stands at first."""

from __future__ import annotations

from collections.abc import Sequence

from app.session import Session
from app.shell.docks import Place


def make_panels(session: Session) -> Sequence[Place]:
    """All panels of one session."""
    return ()
