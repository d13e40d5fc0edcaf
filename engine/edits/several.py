"""Edits of chosen keys of several layers and actors at once, as one change.

Each part names an actor, one of its layers and keys of it as in `keys`, whose functions do the work: all parts are
changed or, where one is refused, none.
"""

from __future__ import annotations

from engine.document import Document, Key
from engine.edits.keys import Chosen, copy_keys, move_keys, remove_keys, scale_keys, set_keys
from engine.runtime.errors import InvalidDocument

Parts = tuple[tuple[str, str, Chosen], ...]
NewKeys = tuple[tuple[str, str, tuple[tuple[str, Key], ...]], ...]


def move_chosen(document: Document, *, chosen: Parts, ticks: int) -> Document:
    """Move keys in time; where one lands on a key that stays, the moved one takes its place."""
    for actor, layer, keys in _given(chosen):
        document = move_keys(document, actor=actor, layer=layer, keys=keys, ticks=ticks)
    return document


def copy_chosen(document: Document, *, chosen: Parts, ticks: int) -> Document:
    """Set copies of keys so many ticks later; where one lands on another key, the copy takes its place."""
    for actor, layer, keys in _given(chosen):
        document = copy_keys(document, actor=actor, layer=layer, keys=keys, ticks=ticks)
    return document


def scale_chosen(document: Document, *, chosen: Parts, pivot: int, factor: float) -> Document:
    """Scale the times of keys about a tick; of those that come to stand on one tick, the one that was last stays."""
    for actor, layer, keys in _given(chosen):
        document = scale_keys(document, actor=actor, layer=layer, keys=keys, pivot=pivot, factor=factor)
    return document


def remove_chosen(document: Document, *, chosen: Parts) -> Document:
    """Take keys away; a track without keys goes."""
    for actor, layer, keys in _given(chosen):
        document = remove_keys(document, actor=actor, layer=layer, keys=keys)
    return document


def paste_keys(document: Document, *, chosen: NewKeys) -> Document:
    """Set keys as they are given, each in its actor and layer; values stop at their limits."""
    for actor, layer, keys in chosen:
        document = set_keys(document, actor=actor, layer=layer, keys=keys)
    return document


def _given(chosen: Parts) -> Parts:
    places = [(actor, layer) for actor, layer, _ in chosen]
    if len(set(places)) != len(places):
        raise InvalidDocument(what="the layers of chosen keys", value=places, allowed="each at most once")
    return chosen
