"""Keys of a number that a part holds in a track of its own: the alpha of a spline, the weight of a shape."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.document import Key, Track
from engine.runtime.errors import InvalidDocument


def keys_of(track: Track | None) -> tuple[Key, ...]:
    """Give the keys of a track; none where there is no track."""
    return () if track is None else track.keys


def put_keys(old: Iterable[Key], new: Iterable[Key]) -> list[Key]:
    """Add keys, each in place of one on its tick."""
    return list({key.time: key for key in (*old, *new)}.values())


def draw_keys(old: Iterable[Key], new: tuple[Key, ...], *, start: int, end: int) -> list[Key]:
    """Put drawn or recorded keys in place of all from one tick up to another."""
    if end < start or any(not start <= key.time <= end for key in new):
        value = (start, end, len(new))
        raise InvalidDocument(what="a drawn activation", value=value, allowed="an end after its start, keys between")
    return put_keys((key for key in old if not start <= key.time <= end), new)


def move_keys(
    keys: Iterable[Key], times: Iterable[int], *, ticks: int, value: float, least: float, most: float
) -> list[Key]:
    """Move those on some ticks in time and value together; a moved key takes the place of one that it lands on, and no
    value leaves its range."""
    old, chosen = tuple(keys), set(times)
    found = {key.time: key for key in old if key.time not in chosen}
    for key in old:
        if key.time in chosen:
            moved = min(max(key.value + value, least), most)
            found[key.time + ticks] = replace(key, time=key.time + ticks, value=moved)
    return list(found.values())


def remove_keys(keys: Iterable[Key], times: Iterable[int] | None) -> list[Key]:
    """Take keys away, those on some ticks or (None) all."""
    chosen = None if times is None else set(times)
    return [key for key in keys if chosen is not None and key.time not in chosen]


def with_keys(track: Track | None, coordinate: str, keys: Iterable[Key]) -> Track | None:
    """Give the track with these keys in their order; None where there are none."""
    rising = tuple(sorted(keys, key=lambda key: key.time))
    if not rising:
        return None
    return Track(coordinate=coordinate, keys=rising) if track is None else replace(track, keys=rising)
