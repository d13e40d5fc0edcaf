"""Edits of the document as a whole."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Document, Span


def set_rate(document: Document, *, frames: int, seconds: int = 1) -> Document:
    """Count time in so many frames in so many seconds. No motion changes."""
    rate = (frames, seconds)
    return document if rate == document.rate else replace(document, rate=rate)


def set_play_range(document: Document, *, start: int | None = None, end: int | None = None) -> Document:
    """Play from a tick to another; without them, from the first motion to the last."""
    play = None if start is None or end is None else Span(start=start, end=end)
    return document if play == document.play else replace(document, play=play)
