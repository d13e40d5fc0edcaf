"""Texts about a copy that was kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.session.recent_files import folder_of
from app.session.recovering import moment

if TYPE_CHECKING:
    from engine.project.runs import LeftCopy

STATES = {
    "open": "Sinew ended before it was closed",
    "aside": "Sinew ended before it was closed",
    "closed": "Closed without saving",
    "recovered": "Recovered since",
}


def changes_of(left: LeftCopy) -> str:
    """Say how much was done that is in no file."""
    if not left.unsaved:
        return "saved"
    count = "1 change" if left.lines == 1 else f"{left.lines} changes"
    return count if left.path is None else f"{count} not saved"


def state_of(left: LeftCopy) -> str:
    """Say what became of it; empty where all was well."""
    return STATES[left.state] if left.unsaved or left.state == "recovered" else ""


def line_of(left: LeftCopy) -> str:
    """Say when it was changed last, how much of it is not saved, and where it was."""
    when = moment(left.when)
    place = "never saved" if left.path is None else folder_of(left.path)
    return " · ".join((when[:1].upper() + when[1:], changes_of(left), place))
