"""Several edits of splines as one."""

from __future__ import annotations

from engine.edits import Edit, both


def joined(edits: list[Edit]) -> Edit:
    """Join edits, one or more, in one entry of the history."""
    found = edits[-1]
    for each in reversed(edits[:-1]):
        found = both(each, found)
    return found
