"""Edits of chosen keys of several layers, locks and actors at once, as one change.

Each part names an actor, one of its layers or (where none has that id) one of its locks, and keys of it as in `keys`,
whose functions do the work: all parts are changed or, where one is refused, none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

from engine.document import Actor, Document, Key, Layer, Lock, Track
from engine.document.lock import TRACKS
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
        lock = lock_of(document.actor(actor), holder)
        if lock is None:
            document = set_keys(document, actor=actor, layer=holder, keys=keys)
        else:
            document = _with_keys(document, actor, lock, _pasted(lock, keys))
    return document


def lock_of(actor: Actor, holder: str) -> Lock | None:
    """The lock that is meant by an id; None where it is a layer's, or nothing's."""
    if any(layer.id == holder for layer in actor.layers):
        return None
    return next((lock for lock in actor.locks if lock.id == holder), None)


def _pasted(lock: Lock, keys: tuple[tuple[str, Key], ...]) -> tuple[Track, ...]:
    tracks = dict(lock.track_of)
    found: dict[str, dict[int, Key]] = {}
    for name, key in keys:
        if name not in TRACKS:
            raise InvalidDocument(what="a number of a lock", value=name, allowed=", ".join(TRACKS))
        before = tracks[name].keys if name in tracks else ()
        found.setdefault(name, {each.time: each for each in before})[key.time] = key
    for name, each in found.items():
        made = tuple(each[time] for time in sorted(each))
        old = tracks.get(name)
        tracks[name] = Track(coordinate=name, keys=made) if old is None else replace(old, keys=made)
    return tuple(tracks.values())


def _changed(document: Document, chosen: Parts, change: Callable[..., Document]) -> Document:
    """Each part changed by an edit of keys; a lock's keys are worked on as those of a layer."""
    for actor, holder, keys in _given(chosen):
        owner = document.actor(actor)
        lock = lock_of(owner, holder)
        if lock is None:
            document = change(document, actor=actor, layer=holder, keys=keys)
            continue
        lent = replace(owner, layers=(*owner.layers, Layer(id=holder, tracks=lock.tracks)))
        worked = change(document.with_actor(lent), actor=actor, layer=holder, keys=keys).actor(actor).layers[-1]
        document = _with_keys(document, actor, lock, worked.tracks)
    return document


def _with_keys(document: Document, actor: str, lock: Lock, tracks: tuple[Track, ...]) -> Document:
    """The document with all keys of a lock replaced; the identical one where they are the same."""
    by_name, owner = {track.coordinate: track for track in tracks}, document.actor(actor)
    new = replace(lock, tracks=tuple(by_name[name] for name in TRACKS if name in by_name))
    if new == lock:
        return document
    owner = replace(owner, locks=tuple(new if each is lock else each for each in owner.locks))
    return document.with_actor(owner)


def _given(chosen: Parts) -> Parts:
    places = [(actor, holder) for actor, holder, _ in chosen]
    if len(set(places)) != len(places):
        raise InvalidDocument(what="the layers of chosen keys", value=places, allowed="each at most once")
    return chosen
