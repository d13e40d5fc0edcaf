"""The scene that File > New begins with: a human, and the settings that a new scene carries; and how its range grows.

A document that says nothing of a setting behaves as it always did. So what is to hold for new work alone stands here,
as edits: each function of `SETTINGS` says which ones a scene is begun with, and those are made in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from app.session.actors import new_document
from engine.document import Actor, Document
from engine.document.extent import keyed_extent
from engine.document.motion import TICKS_PER_SECOND
from engine.edits import Edit, edit

LASTS = 5 * TICKS_PER_SECOND


def _range(document: Document) -> Iterator[Edit]:
    """The scene lasts some seconds, whatever is keyed."""
    yield edit("set_scene_range", start=0, end=LASTS)


SETTINGS: tuple[Callable[[Document], Iterator[Edit]], ...] = (_range,)


def new_scene() -> Document:
    """Make the document with which a person begins."""
    document = new_document()
    for setting in SETTINGS:
        for each in setting(document):
            document = each.apply(document)
    return document


def longer_range(document: Document, actors: Sequence[Actor]) -> Edit | None:
    """Make the edit that lets a scene last as long as what actors bring along; None where it does, or says nothing."""
    lasts, moves = document.scene_range, keyed_extent(Document(actors=tuple(actors)))
    if lasts is None or moves is None or (lasts.start <= moves[0] and moves[1] <= lasts.end):
        return None
    return edit("set_scene_range", start=min(lasts.start, moves[0]), end=max(lasts.end, moves[1]))
