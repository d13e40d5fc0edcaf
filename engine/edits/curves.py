"""Edits of the curves of several layers and actors at once, as one change: their keys in time and value, their
tangents, how they go on beyond their ends, and whether they count.

Each part names an actor, one of its layers or of what else has keys, and keys of it or its coordinates; each comes
once. Values of layers stop at their limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from engine.document import Document, Key, Layer, SpeedRange, Track
from engine.document.actor import Holder
from engine.document.conformance import check_fields
from engine.document.drafts import take_from_draft
from engine.document.motion import Extrapolation
from engine.edits.find import find_layer, with_layer, with_tracks
from engine.edits.keys import (
    Chosen,
    checked_key,
    insert_keys,
    keys_within_regions,
    set_extrapolation,
    set_keys,
    unwrap_angles,
)
from engine.edits.layers import set_speed
from engine.edits.split import key_on_curve
from engine.runtime.errors import InvalidDocument, UnknownPart

Parts = tuple[tuple[str, str, Chosen], ...]
Keys = tuple[tuple[str, Key], ...]
NewKeys = tuple[tuple[str, str, Keys], ...]
Tracks = tuple[tuple[str, str, tuple[str, ...]], ...]
Speeds = tuple[tuple[str, str, SpeedRange], ...]


def reshape_chosen(document: Document, *, chosen: Parts, made: NewKeys = (), speeds: Speeds = ()) -> Document:
    """Put other keys in the place of chosen ones, and speed curves in the place of those that they overlap.

    A new key takes the place of one that it lands on; values stop at their limits. A track keeps how it goes on beyond
    its ends.
    """
    _check(chosen)
    _check(made)
    new = {(actor, layer): keys for actor, layer, keys in made}
    unknown = sorted(new.keys() - {(actor, layer) for actor, layer, _ in chosen})
    if unknown:
        raise InvalidDocument(what="the layers of new keys", value=unknown, allowed="those of the chosen keys")
    for actor, layer, keys in chosen:
        document = _reshape(document, actor, layer, keys, new.get((actor, layer), ()))
    for actor, layer, speed in speeds:
        document = set_speed(document, actor=actor, layer=layer, speed=speed)
    return document


def insert_chosen(document: Document, *, chosen: Tracks, time: int, made: NewKeys = ()) -> Document:
    """Set keys on curves without changing their shape, and others (`made`) as they are given: those of rotations."""
    _check(chosen)
    _check(made)
    for actor, layer, names in chosen:
        found = _no_layer(document, actor, layer)
        if found is None:
            document = insert_keys(document, actor=actor, layer=layer, time=time, coordinates=names)
        else:
            document = _with(document, actor, found, names, lambda track: key_on_curve(track, time))
    for actor, layer, keys in made:
        document = set_keys(document, actor=actor, layer=layer, keys=keys)
    return document


def extend_chosen(
    document: Document, *, chosen: Tracks, before: Extrapolation | None = None, after: Extrapolation | None = None
) -> Document:
    """Say how tracks go on before their first and after their last key."""
    _check(chosen)
    for actor, layer, names in chosen:
        found = _no_layer(document, actor, layer)
        if found is None:
            document = set_extrapolation(
                document, actor=actor, layer=layer, coordinates=names, before=before, after=after
            )
        else:
            given = {name: kind for name, kind in (("before", before), ("after", after)) if kind is not None}
            check_fields(Track, given.items(), of="a curve")
            document = _with(document, actor, found, names, partial(_replaced, given))
    return document


def mute_chosen(document: Document, *, chosen: Tracks, mute: bool) -> Document:
    """Leave tracks out of account, or let them count again; their keys stay."""
    _check(chosen)
    for actor, layer, names in chosen:
        found = _no_layer(document, actor, layer)
        if found is not None:
            document = _with(document, actor, found, names, partial(_replaced, {"mute": mute}))
            continue
        owner, figure, old = find_layer(document, actor, layer)
        _check_tracks(old.track_of, names)
        changed = {name: replace(old.track_of[name], mute=mute) for name in names}
        document = with_layer(document, owner, with_tracks(figure, old, changed))
    return document


def unwrap_chosen(document: Document, *, chosen: Tracks) -> Document:
    """Take jumps and flips out of the angles of the joints of some tracks. Runs kernels: on the engine's thread."""
    _check(chosen)
    for actor, layer, names in chosen:
        document = unwrap_angles(document, actor=actor, layer=layer, coordinates=names)
    return document


def _reshape(document: Document, actor: str, layer: str, chosen: Chosen, made: Keys) -> Document:
    other = _no_layer(document, actor, layer)
    if other is not None:
        changed = _reshaped(other.track_of, chosen, made)
        tracks = {**other.track_of, **changed}
        return _kept(document, actor, other, tuple(each for each in tracks.values() if each is not None))
    owner, figure, old = find_layer(document, actor, layer)
    made = tuple((name, checked_key(figure, name, key)) for name, key in made)
    changed = _reshaped(old.track_of, chosen, made)
    found: dict[str, list[Key]] = {}
    for name, key in made:
        found.setdefault(name, []).append(key)
    moved = with_tracks(figure, old, changed)
    for draft in old.drafts:
        moved = take_from_draft(moved, draft.time, {name for name, key in made if key.time == draft.time})
    touched = {name: [key.time for key in keys] for name, keys in found.items()}
    return with_layer(document, owner, keys_within_regions(owner, moved, touched))


def _reshaped(tracks: Mapping[str, Track], chosen: Chosen, made: Keys) -> dict[str, Track | None]:
    """The tracks of the chosen keys with others in their place; None where none is left."""
    wanted = dict(chosen)
    _check_tracks(tracks, wanted)
    _check_tracks(wanted, (name for name, _ in made))
    changed: dict[str, Track | None] = {}
    for name, times in wanted.items():
        track, gone = tracks[name], set(times)
        missing = sorted(gone - {key.time for key in track.keys})
        if missing:
            raise InvalidDocument(what=f"a key of {name}", value=missing[0], allowed="the tick of a key")
        new = {key.time: key for key in track.keys if key.time not in gone}
        new.update((key.time, key) for of, key in made if of == name)
        changed[name] = replace(track, keys=tuple(new[time] for time in sorted(new))) if new else None
    return changed


def _no_layer(document: Document, actor: str, id: str) -> Holder | None:
    """Find what has keys and that id, if it is no layer."""
    found = document.actor(actor).holder(id)
    return None if isinstance(found, Layer) else found


def _with(
    document: Document, actor: str, holder: Holder, names: Iterable[str], change: Callable[[Track], Track]
) -> Document:
    """The document with some tracks of what is no layer changed."""
    given = tuple(names)
    _check_tracks(holder.track_of, given)
    return _kept(
        document, actor, holder, (change(each) if each.coordinate in given else each for each in holder.tracks)
    )


def _kept(document: Document, actor: str, holder: Holder, tracks: Iterable[Track]) -> Document:
    owner = document.actor(actor)
    new = owner.with_keys(holder.id, tracks)
    return document if new is owner else document.with_actor(new)


def _replaced(given: Mapping[str, Any], track: Track) -> Track:
    return replace(track, **given)


def _check(chosen: Iterable[tuple[str, str, object]]) -> None:
    places = [(actor, layer) for actor, layer, _ in chosen]
    if len(set(places)) != len(places):
        raise InvalidDocument(what="the layers of chosen keys", value=places, allowed="each at most once")


def _check_tracks(known: Iterable[str], names: Iterable[str]) -> None:
    there = tuple(known)
    for name in names:
        if name not in there:
            raise UnknownPart(kind="track", id=name, known=there)
