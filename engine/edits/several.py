"""Edits of chosen keys of several layers, locks and actors at once, as one change.

Each part names an actor, one of its layers or (where none has that id) one of its locks, and keys of it as in `keys`,
whose functions do the work: all parts are changed or, where one is refused, none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

from engine.document import Document, Key, Layer, Track
from engine.document.actor import Holder
from engine.edits.keys import (
    Chosen,
    copy_keys,
    move_keys,
    remove_keys,
    scale_keys,
    set_interpolation,
    set_keys,
    set_kochanek_bartels,
    set_tangent,
)
from engine.runtime.errors import InvalidDocument

Parts = tuple[tuple[str, str, Chosen], ...]
NewKeys = tuple[tuple[str, str, tuple[tuple[str, Key], ...]], ...]
Filling = Literal["stepped", "linear", "auto", "flat", "free", "spline"]

FILLINGS: tuple[Filling, ...] = ("stepped", "linear", "auto", "flat", "free", "spline")


def move_chosen(document: Document, *, chosen: Parts, ticks: int) -> Document:
    """Move keys in time; where one lands on a key that stays, the moved one takes its place."""
    return _changed(document, chosen, partial(move_keys, ticks=ticks))


def copy_chosen(document: Document, *, chosen: Parts, ticks: int) -> Document:
    """Set copies of keys so many ticks later; where one lands on another key, the copy takes its place."""
    return _changed(document, chosen, partial(copy_keys, ticks=ticks))


def scale_chosen(document: Document, *, chosen: Parts, pivot: int, factor: float) -> Document:
    """Scale the times of keys about a tick; of those that come to stand on one tick, the one that was last stays."""
    return _changed(document, chosen, partial(scale_keys, pivot=pivot, factor=factor))


def remove_chosen(document: Document, *, chosen: Parts) -> Document:
    """Take keys away; a track without keys goes."""
    return _changed(document, chosen, remove_keys)


def fill_chosen(document: Document, *, chosen: Parts, kind: Filling) -> Document:
    """Fill the spans after keys: stepped, linear, or cubic with auto, flat, free or (spline) Catmull-Rom tangents.

    Free tangents are as steep as those were that the keys had.
    """
    if kind not in FILLINGS:
        raise InvalidDocument(what="how the spans after keys are filled", value=kind, allowed=", ".join(FILLINGS))
    if kind == "stepped" or kind == "linear":
        return _changed(document, chosen, partial(set_interpolation, interpolation=kind))
    document = _changed(document, chosen, partial(set_interpolation, interpolation="cubic"))
    if kind == "spline":
        return _changed(document, chosen, set_kochanek_bartels)
    return _changed(document, chosen, partial(set_tangent, tangent=kind))


def paste_keys(document: Document, *, chosen: NewKeys) -> Document:
    """Set keys as they are given, each in its actor and layer or lock; values stop at their limits."""
    for actor, holder, keys in chosen:
        found = document.actor(actor).holder(holder)
        if found is None or isinstance(found, Layer):
            document = set_keys(document, actor=actor, layer=holder, keys=keys)
        else:
            document = _with_keys(document, actor, found, _pasted(found, keys))
    return document


def _pasted(holder: Holder, keys: tuple[tuple[str, Key], ...]) -> tuple[Track, ...]:
    tracks = dict(holder.track_of)
    found: dict[str, dict[int, Key]] = {}
    for name, key in keys:
        before = tracks[name].keys if name in tracks else ()
        found.setdefault(name, {each.time: each for each in before})[key.time] = key
    for name, each in found.items():
        made = tuple(each[time] for time in sorted(each))
        old = tracks.get(name)
        tracks[name] = Track(coordinate=name, keys=made) if old is None else replace(old, keys=made)
    return tuple(tracks.values())


def _changed(document: Document, chosen: Parts, change: Callable[..., Document]) -> Document:
    """Each part changed by an edit of keys; those of what is no layer are worked on as those of one."""
    for actor, holder, keys in _given(chosen):
        owner = document.actor(actor)
        found = owner.holder(holder)
        if found is None or isinstance(found, Layer):
            document = change(document, actor=actor, layer=holder, keys=keys)
            continue
        lent = replace(owner, layers=(*owner.layers, Layer(id=holder, tracks=found.tracks)))
        worked = change(document.with_actor(lent), actor=actor, layer=holder, keys=keys).actor(actor).layers[-1]
        document = _with_keys(document, actor, found, worked.tracks)
    return document


def _with_keys(document: Document, actor: str, holder: Holder, tracks: tuple[Track, ...]) -> Document:
    """The document with all keys of what is no layer replaced; the identical one where they are the same."""
    owner = document.actor(actor).with_keys(holder.id, tracks)
    if owner is document.actor(actor):
        return document
    return document.with_actor(owner)


def _given(chosen: Parts) -> Parts:
    places = [(actor, holder) for actor, holder, _ in chosen]
    if len(set(places)) != len(places):
        raise InvalidDocument(what="the layers of chosen keys", value=places, allowed="each at most once")
    return chosen
