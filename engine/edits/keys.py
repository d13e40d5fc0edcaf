"""Edits of the keys and samples of a layer.

Chosen keys are given as pairs of a coordinate and the ticks of some of its keys. Values that a person sets or moves
stop at their limits; where a limit over several angles holds, others of it may move along, as keys on the same tick.
Where a moved key lands on another, the moved one stays. Slopes are in units a second. A key that
is set takes the place of what a draft shows there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from engine.document import Actor, Document, Figure, Key, Layer, Samples, Track
from engine.document.drafts import take_from_draft
from engine.document.motion import Extrapolation, Interpolation, Tangent
from engine.document.values import finite
from engine.edits.find import check_coordinates, find_layer, free_values, with_layer, with_tracks
from engine.edits.regions import concerns, layer_rows, layer_values, limit_value, within_regions
from engine.edits.split import key_on_curve
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.runtime.quick_dataclass import quick_replace

Chosen = tuple[tuple[str, tuple[int, ...]], ...]
Values = tuple[tuple[str, float], ...]


def set_key(
    document: Document,
    *,
    actor: str,
    layer: str,
    coordinate: str,
    time: int,
    value: float,
    interpolation: Interpolation | None = None,
    tangent: Tangent | None = None,
    slope_in: float | None = None,
    slope_out: float | None = None,
    weight_in: float | None = None,
    weight_out: float | None = None,
) -> Document:
    """Set a key; what is not given stays as it is, or is as in the key before it where the key is new."""
    owner, figure, old = find_layer(document, actor, layer)
    check_coordinates(figure, (coordinate,))
    free_values(figure, ((coordinate, value),))
    given = {"slope_in": slope_in, "slope_out": slope_out, "weight_in": weight_in, "weight_out": weight_out}
    fields: dict[str, Any] = {name: number for name, number in given.items() if number is not None}
    if interpolation is not None:
        fields["interpolation"] = interpolation
    if tangent is not None or slope_in is not None or slope_out is not None:
        fields["tangent"] = tangent or "free"
    key = replace(_key_for(old, coordinate, time), value=_clamp(figure, coordinate, value), **fields)
    new = with_tracks(figure, old, {coordinate: _put(old, coordinate, (key,))})
    new = take_from_draft(new, time, (coordinate,))
    return with_layer(document, owner, keys_within_regions(owner, new, {coordinate: (time,)}))


def set_keys(document: Document, *, actor: str, layer: str, keys: tuple[tuple[str, Key], ...]) -> Document:
    """Set many keys of many coordinates, each as it is given."""
    owner, figure, old = find_layer(document, actor, layer)
    check_coordinates(figure, (name for name, _ in keys))
    keys = free_values(figure, keys)
    found: dict[str, list[Key]] = {}
    for name, key in keys:
        found.setdefault(name, []).append(checked_key(figure, name, key))
    new = with_tracks(figure, old, {name: _put(old, name, each) for name, each in found.items()})
    for draft in old.drafts:
        names = {name for name, key in keys if key.time == draft.time}
        new = take_from_draft(new, draft.time, names)
    touched = {name: [key.time for key in each] for name, each in found.items()}
    return with_layer(document, owner, keys_within_regions(owner, new, touched))


def key_pose(document: Document, *, actor: str, layer: str, time: int, values: Values) -> Document:
    """Set a key for each of the coordinates given, at one time, as `set_key` does; others of a limit may move along."""
    owner, figure, old = find_layer(document, actor, layer)
    check_coordinates(figure, (name for name, _ in values))
    values = free_values(figure, values)
    wanted = {name: _clamp(figure, name, value) for name, value in values}
    if concerns(figure, old, wanted):
        wanted = within_regions(figure, wanted, layer_values(owner, old, time))
    changed: dict[str, Track | None] = {
        name: _put(old, name, (replace(_key_for(old, name, time), value=value),)) for name, value in wanted.items()
    }
    new = with_tracks(figure, old, changed)
    return with_layer(document, owner, take_from_draft(new, time, set(wanted)))


def insert_keys(
    document: Document, *, actor: str, layer: str, time: int, coordinates: tuple[str, ...] | None = None
) -> Document:
    """Set a key on the curves of some coordinates, or of all that have keys, without changing their shape."""
    owner, figure, old = find_layer(document, actor, layer)
    names = tuple(old.track_of) if coordinates is None else coordinates
    changed = {name: key_on_curve(_track(old, name), time) for name in names}
    return with_layer(document, owner, with_tracks(figure, old, changed))


def remove_keys(document: Document, *, actor: str, layer: str, keys: Chosen) -> Document:
    """Take keys away; a track without keys goes."""

    def without(track: Track, times: set[int]) -> tuple[Key, ...]:
        return tuple(key for key in track.keys if key.time not in times)

    return _change(document, actor, layer, keys, without)


def move_keys(
    document: Document, *, actor: str, layer: str, keys: Chosen, ticks: int = 0, value: float = 0.0
) -> Document:
    """Move keys in time and value together."""
    _, figure, _ = find_layer(document, actor, layer)

    def moved(track: Track, times: set[int]) -> tuple[Key, ...]:
        def move(key: Key) -> Key:
            changed = _clamp(figure, track.coordinate, key.value + value) if value else key.value
            return replace(key, time=key.time + ticks, value=changed)

        return _moved(track, times, move)

    return _change(document, actor, layer, keys, moved, (lambda time: time + ticks) if value else None)


def copy_keys(document: Document, *, actor: str, layer: str, keys: Chosen, ticks: int) -> Document:
    """Set copies of keys so many ticks later, values and tangents as they are; each takes the place of a key that it
    lands on."""

    def copied(track: Track, times: set[int]) -> tuple[Key, ...]:
        made = {key.time: key for key in track.keys}
        made.update((key.time + ticks, replace(key, time=key.time + ticks)) for key in track.keys if key.time in times)
        return tuple(made[time] for time in sorted(made))

    return _change(document, actor, layer, keys, copied)


def mark_keys(document: Document, *, actor: str, layer: str, keys: Chosen, mark: bool) -> Document:
    """Mark keys, or take their marks away; the motion stays."""

    def marked(track: Track, times: set[int]) -> tuple[Key, ...]:
        return tuple(replace(key, mark=mark) if key.time in times else key for key in track.keys)

    return _change(document, actor, layer, keys, marked)


def scale_keys(
    document: Document,
    *,
    actor: str,
    layer: str,
    keys: Chosen,
    pivot: int,
    factor: float = 1.0,
    value_pivot: float = 0.0,
    value_factor: float = 1.0,
) -> Document:
    """Scale the times of keys about a tick, and their values about a value; their slopes go with them."""
    _, figure, _ = find_layer(document, actor, layer)
    if finite("the factor of times", factor) <= 0.0:
        raise InvalidDocument(what="the factor of times", value=factor, allowed="above 0")
    steeper = finite("the factor of values", value_factor) / factor

    def later(time: int) -> int:
        return pivot + round((time - pivot) * factor)

    def scale(track: Track, key: Key) -> Key:
        value = key.value
        if value_factor != 1.0:
            value = _clamp(figure, track.coordinate, value_pivot + value_factor * (value - value_pivot))
        slope_in, slope_out = steeper * key.slope_in, steeper * key.slope_out
        return replace(key, time=later(key.time), value=value, slope_in=slope_in, slope_out=slope_out)

    def scaled(track: Track, times: set[int]) -> tuple[Key, ...]:
        return _moved(track, times, lambda key: scale(track, key))

    return _change(document, actor, layer, keys, scaled, later if value_factor != 1.0 else None)


def set_tangent(
    document: Document,
    *,
    actor: str,
    layer: str,
    keys: Chosen,
    tangent: Tangent,
    slope_in: float | None = None,
    slope_out: float | None = None,
    weight_in: float | None = None,
    weight_out: float | None = None,
) -> Document:
    """Set the kind of tangent, slopes and weights; a free tangent keeps the slopes that are not given."""
    if tangent != "free" and (slope_in is not None or slope_out is not None):
        raise InvalidDocument(what=f"the slopes of {tangent} keys", value=(slope_in, slope_out), allowed="none")

    def with_tangents(track: Track, times: set[int]) -> tuple[Key, ...]:
        from engine.motion.tangents import slopes  # brings numpy, which the window is painted without

        arriving, leaving = slopes(track)
        made = []
        for key, old_in, old_out in zip(track.keys, arriving.tolist(), leaving.tolist(), strict=True):
            fields: dict[str, Any] = {}
            if tangent == "free":
                fields["slope_in"] = old_in if slope_in is None else slope_in
                fields["slope_out"] = old_out if slope_out is None else slope_out
            given = {"weight_in": weight_in, "weight_out": weight_out}
            fields.update({name: weight for name, weight in given.items() if weight is not None})
            made.append(replace(key, tangent=tangent, **fields) if key.time in times else key)
        return tuple(made)

    return _change(document, actor, layer, keys, with_tangents)


def set_kochanek_bartels(
    document: Document,
    *,
    actor: str,
    layer: str,
    keys: Chosen,
    tension: float = 0.0,
    continuity: float = 0.0,
    bias: float = 0.0,
) -> Document:
    """Give keys free tangents by tension, continuity and bias; Catmull and Rom's where all three are 0."""
    for name, number in (("tension", tension), ("continuity", continuity), ("bias", bias)):
        finite(f"the {name}", number)

    def splined(track: Track, times: set[int]) -> tuple[Key, ...]:
        chosen = [place for place, key in enumerate(track.keys) if key.time in times]
        from engine.motion.tangents import kochanek_bartels

        return kochanek_bartels(track.keys, tension=tension, continuity=continuity, bias=bias, chosen=chosen)

    return _change(document, actor, layer, keys, splined)


def set_interpolation(
    document: Document, *, actor: str, layer: str, keys: Chosen, interpolation: Interpolation
) -> Document:
    """Say how the spans after some keys are filled."""

    def filled(track: Track, times: set[int]) -> tuple[Key, ...]:
        return tuple(replace(key, interpolation=interpolation) if key.time in times else key for key in track.keys)

    return _change(document, actor, layer, keys, filled)


def set_extrapolation(
    document: Document,
    *,
    actor: str,
    layer: str,
    coordinates: tuple[str, ...] | None = None,
    before: Extrapolation | None = None,
    after: Extrapolation | None = None,
) -> Document:
    """Say how tracks go on before their first and after their last key; without names, all tracks and the samples."""
    owner, figure, old = find_layer(document, actor, layer)
    fields: dict[str, Any] = {}
    for name, kind in (("before", before), ("after", after)):
        if kind is not None:
            fields[name] = kind
    names = tuple(old.track_of) if coordinates is None else coordinates
    new = with_tracks(figure, old, {name: replace(_track(old, name), **fields) for name in names})
    if coordinates is None and old.samples is not None:
        samples = replace(old.samples, **fields)
        new = new if samples == old.samples else replace(new, samples=samples)
    return with_layer(document, owner, new)


def clear_tracks(document: Document, *, actor: str, layer: str, coordinates: tuple[str, ...] | None = None) -> Document:
    """Take away all keys of some coordinates, or of the layer."""
    owner, figure, old = find_layer(document, actor, layer)
    check_coordinates(figure, coordinates or ())
    names = tuple(old.track_of) if coordinates is None else coordinates
    return with_layer(document, owner, with_tracks(figure, old, dict.fromkeys(names)))


def set_samples(document: Document, *, actor: str, layer: str, samples: Samples | None) -> Document:
    """Put samples in the place of those that a layer has, or take them away."""
    owner, _, old = find_layer(document, actor, layer)
    if samples == old.samples:
        return document
    return with_layer(document, owner, replace(old, samples=samples))


def unwrap_angles(
    document: Document, *, actor: str, layer: str, coordinates: tuple[str, ...] | None = None
) -> Document:
    """Take jumps of whole turns out of angles, and flips of three hinges to their second triple.

    Of the layer's keys and samples, or of the keys alone of the joints that have some `coordinates`. Poses at keys and
    samples stay; angles may leave their limits. Runs kernels: on the engine's thread.
    """
    from engine.motion.unwrap import unwrap_samples, unwrap_tracks

    owner, figure, old = find_layer(document, actor, layer)
    check_coordinates(figure, coordinates or ())
    tracks = unwrap_tracks(figure, old.tracks)
    if coordinates is not None:
        joints = (tuple(name for dof in joint.dofs for name in dof.coordinates) for joint in figure.joints)
        meant = {name for names in joints if set(names) & set(coordinates) for name in names}
        new = with_tracks(figure, old, {track.coordinate: track for track in tracks if track.coordinate in meant})
        return with_layer(document, owner, new)
    new = with_tracks(figure, old, {track.coordinate: track for track in tracks})
    if old.samples is not None:
        samples = unwrap_samples(figure, old.samples)
        new = new if samples is old.samples else replace(new, samples=samples)
    return with_layer(document, owner, new)


def checked_key(figure: Figure, name: str, key: Key) -> Key:
    """A key as it may be set: its value within the limits."""
    return replace(key, value=_clamp(figure, name, key.value))


def keys_within_regions(actor: Actor, layer: Layer, touched: Mapping[str, Collection[int]]) -> Layer:
    """A layer with its keys on these ticks within the limits over several angles of their hinges."""
    figure, wanted = actor.figure, dict[int, dict[str, float]]()
    for name in figure.limited.intersection(touched):
        for key in layer.track_of[name].keys:
            if key.time in touched[name]:
                wanted.setdefault(key.time, {})[name] = key.value
    if layer.mode != "replace" or not wanted:
        return layer
    found: dict[str, list[Key]] = {}
    for (time, values), others in zip(wanted.items(), layer_rows(actor, layer, tuple(wanted)), strict=True):
        kept = within_regions(figure, values, others)
        moved = {name: value for name, value in kept.items() if value != values.get(name)}
        for name, value in moved.items():
            found.setdefault(name, []).append(replace(_key_for(layer, name, time), value=value))
        layer = take_from_draft(layer, time, moved)
    return with_tracks(figure, layer, {name: _put(layer, name, keys) for name, keys in found.items()})


def _change(
    document: Document,
    actor: str,
    layer: str,
    chosen: Chosen,
    keys_of: Callable[[Track, set[int]], tuple[Key, ...]],
    time_of: Callable[[int], int] | None = None,
) -> Document:
    """The document with the tracks of the chosen keys changed; where values are, `time_of` tells where keys come to."""
    owner, figure, old = find_layer(document, actor, layer)
    wanted: dict[str, set[int]] = {}
    for name, times in chosen:
        wanted.setdefault(name, set()).update(times)
    changed: dict[str, Track | None] = {}
    for name, each in wanted.items():
        track = _track(old, name)
        missing = sorted(each - {key.time for key in track.keys})
        if missing:
            raise InvalidDocument(what=f"a key of {name}", value=missing[0], allowed="the tick of a key")
        keys = keys_of(track, each)
        changed[name] = quick_replace(track, keys=keys) if keys else None
    new = with_tracks(figure, old, changed)
    if time_of is not None:
        new = keys_within_regions(owner, new, {name: {time_of(time) for time in each} for name, each in wanted.items()})
    return with_layer(document, owner, new)


def _moved(track: Track, times: set[int], move: Callable[[Key], Key]) -> tuple[Key, ...]:
    keys = {key.time: key for key in track.keys if key.time not in times}
    for key in track.keys:
        if key.time in times:
            new = move(key)
            keys[new.time] = new
    return tuple(keys[time] for time in sorted(keys))


def _track(layer: Layer, name: str) -> Track:
    track = layer.track_of.get(name)
    if track is None:
        raise UnknownPart(kind="track", id=name, known=tuple(layer.track_of))
    return track


def _key_for(layer: Layer, name: str, time: int) -> Key:
    """The key on the tick, or a new one that goes on as the key before it."""
    track, before = layer.track_of.get(name), None
    for key in track.keys if track is not None else ():
        if key.time == time:
            return key
        if key.time > time:
            break
        before = key
    return Key(time, 0.0) if before is None else Key(time, 0.0, before.interpolation)


def _put(layer: Layer, name: str, keys: Iterable[Key]) -> Track:
    track = layer.track_of.get(name)
    merged = {key.time: key for key in (*(track.keys if track is not None else ()), *keys)}
    made = tuple(merged[time] for time in sorted(merged))
    return Track(coordinate=name, keys=made) if track is None else quick_replace(track, keys=made)


def _clamp(figure: Figure, name: str, value: float) -> float:
    return limit_value(figure, name, finite(name, value))
