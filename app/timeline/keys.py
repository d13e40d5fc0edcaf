"""Keys of the dope sheet as packed arrays: all keys, the places of their marks, and those in a box or under a click.

A key stands in the row of its channel. Each row above has one mark for each tick on which a key stands below it, so
that a mark is all of those keys. Brings numpy: not loaded before the first paint.

Symbols: `time` [ticks], shape [key_count] or [mark_count]; `row`, number of a row; `kind`, place in KINDS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.timeline.rows import Row, RowSource, rows_of
from engine.document import Document, Layer, Track
from engine.runtime.quick_dataclass import dataclass

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

KINDS = ("stepped", "linear", "cubic", "free", "several")
"""How the span after a key is filled; `free` is a cubic with tangents of a person's own."""
SEVERAL = KINDS.index("several")


class Channel(NamedTuple):
    """The keys of one coordinate in one layer, or of one number of what else has keys."""

    actor: str
    layer: str  # or what else has the keys
    coordinate: str


Picked = Mapping[Channel, frozenset[int]]
"""Chosen keys, by their ticks."""


@dataclass(frozen=True, eq=False)
class PackedTrack:
    """One track's keys."""

    track: Track
    time: Ints
    kind: Ints


@dataclass(frozen=True, eq=False, kw_only=True)
class SheetKeys:
    """All keys of a document and their marks."""

    rows: tuple[Row, ...]
    channels: tuple[Channel, ...]
    first: Ints  # number of each channel's first key, and of the end, shape [channel_count + 1]
    time: Ints
    row: Ints
    kind: Ints
    mark_time: Ints
    mark_row: Ints
    mark_kind: Ints
    mark_of: Ints  # the marks of each key: one in its own row and each above, -1 for none, shape [4, key_count]
    packed: Mapping[int, PackedTrack] = field(repr=False)  # by the track's `id`, kept for the next document

    @classmethod
    def of(cls, document: Document, before: SheetKeys | None = None, *, sources: Sequence[RowSource] = ()) -> SheetKeys:
        """Return the keys of a document; tracks that are those of `before` are not read again."""
        rows = rows_of(document, sources)
        row_of = {
            (row.actor, row.holder, row.coordinate): number for number, row in enumerate(rows) if row.kind == "channel"
        }
        shown = {(row.actor, row.holder) for row in rows}
        known = before.packed if before is not None else {}
        packed: dict[int, PackedTrack] = {}
        channels: list[Channel] = []
        parts: list[tuple[int, PackedTrack]] = []
        for actor in document.actors:
            for holder in actor.holders:
                own = None if isinstance(holder, Layer) else holder.id
                for track in holder.tracks if own is None or (actor.id, own) in shown else ():
                    found = known.get(id(track)) or _pack(track)
                    packed[id(track)] = found
                    channels.append(Channel(actor.id, holder.id, track.coordinate))
                    parts.append((row_of[actor.id, own, track.coordinate], found))
        counts = np.array([len(part.time) for _, part in parts], dtype=np.int64)
        time = _joined([part.time for _, part in parts])
        kind = _joined([part.kind for _, part in parts])
        row = np.repeat(np.array([number for number, _ in parts], dtype=np.int64), counts)
        mark_time, mark_row, mark_kind, mark_of = _marks(rows, time, row, kind)
        return cls(
            rows=rows, channels=tuple(channels), first=np.concatenate(([0], np.cumsum(counts))), time=time, row=row,
            kind=kind, mark_time=mark_time, mark_row=mark_row, mark_kind=mark_kind, mark_of=mark_of, packed=packed,
        )  # fmt: skip

    @cached_property
    def channel_index(self) -> dict[Channel, int]:
        """Place of each channel."""
        return {channel: place for place, channel in enumerate(self.channels)}

    def flags(self, picked: Picked) -> Flags:
        """Return flags of the chosen keys; chosen ones that are no longer there are left out."""
        return flags_of(self.time, self.first, self.channel_index.get, picked)

    def picked(self, chosen: Flags) -> dict[Channel, frozenset[int]]:
        """Return the chosen keys by channel."""
        found: dict[Channel, frozenset[int]] = {}
        for place in np.unique(np.searchsorted(self.first, np.flatnonzero(chosen), side="right") - 1).tolist():
            part = slice(self.first[place], self.first[place + 1])
            found[self.channels[place]] = frozenset(self.time[part][chosen[part]].tolist())
        return found

    def marked(self, chosen: Flags) -> Flags:
        """Return flags of the marks that hold a chosen key."""
        marks = self.mark_of[:, chosen].ravel()
        flags = np.zeros(len(self.mark_time), dtype=np.bool_)
        flags[marks[marks >= 0]] = True
        return flags

    def of_marks(self, marks: Flags) -> Flags:
        """Return flags of the keys of some marks."""
        taken = np.append(marks, False)  # where there is no mark: the last, number -1
        flags: Flags = np.logical_or.reduce(taken[self.mark_of], axis=0)
        return flags

    def of_mark(self, mark: int) -> Flags:
        """Return flags of the keys of one mark."""
        flags: Flags = np.logical_or.reduce(self.mark_of == mark, axis=0)
        return flags

    def in_box(self, rows: Iterable[int], start: float, end: float) -> Flags:
        """Return flags of the keys with a mark in some rows, from a tick to another, both included."""
        inside = (self.mark_time >= start) & (self.mark_time <= end)
        return self.of_marks(inside & np.isin(self.mark_row, np.fromiter(rows, dtype=np.int64)))

    def mark_at(self, row: int, time: float, reach: float) -> int | None:
        """Return the mark of a row nearest to a tick, within reach."""
        first, last = np.searchsorted(self.mark_row, [row, row + 1])
        if first == last:
            return None
        nearest = int(first + np.argmin(np.abs(self.mark_time[first:last] - time)))
        return nearest if abs(float(self.mark_time[nearest]) - time) <= reach else None

    def extent(self, chosen: Flags) -> tuple[int, int] | None:
        """Return first and last tick of some keys."""
        times = self.time[chosen]
        return (int(times.min()), int(times.max())) if len(times) else None


def flags_of(time: Ints, first: Ints, place_of: Callable[[Channel], int | None], picked: Picked) -> Flags:
    """Return flags of the chosen among keys that stand one channel after the other, from `first` on by its place;
    chosen ones that are not there are left out."""
    chosen = np.zeros(len(time), dtype=np.bool_)
    for channel, times in picked.items():
        place = place_of(channel)
        if place is not None:
            part = slice(first[place], first[place + 1])
            chosen[part] = np.isin(time[part], np.fromiter(times, dtype=np.int64, count=len(times)))
    return chosen


def _pack(track: Track) -> PackedTrack:
    count = len(track.keys)
    time = np.fromiter((key.time for key in track.keys), dtype=np.int64, count=count)
    kinds = (
        "free" if key.interpolation == "cubic" and key.tangent == "free" else key.interpolation for key in track.keys
    )
    return PackedTrack(track, time, np.fromiter(map(KINDS.index, kinds), dtype=np.int64, count=count))


def _marks(rows: tuple[Row, ...], time: Ints, row: Ints, kind: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Return ticks, rows and kinds of all marks, by row and then by tick; and the marks of each key."""
    above = _rows_above(rows)
    key_row = above[row].T  # [4, key_count]
    there = key_row >= 0
    pairs_row = key_row[there]
    pairs_time, pairs_kind = (np.broadcast_to(each, key_row.shape)[there] for each in (time, kind))
    order = np.lexsort((pairs_time, pairs_row))
    pairs_row, pairs_time, pairs_kind = pairs_row[order], pairs_time[order], pairs_kind[order]
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = (pairs_row[1:] != pairs_row[:-1]) | (pairs_time[1:] != pairs_time[:-1])
    starts = np.flatnonzero(begins)
    mark_kind = pairs_kind[starts]
    if len(starts):
        alike = np.minimum.reduceat(pairs_kind, starts) == np.maximum.reduceat(pairs_kind, starts)
        mark_kind = np.where(alike, mark_kind, SEVERAL)
    mark_of_pair = np.empty(len(order), dtype=np.int64)
    mark_of_pair[order] = np.cumsum(begins) - 1
    mark_of = np.full(key_row.shape, -1, dtype=np.int64)
    mark_of[there] = mark_of_pair
    return pairs_time[starts], pairs_row[starts], mark_kind, mark_of


def _rows_above(rows: tuple[Row, ...]) -> Ints:
    """Return each row's own number and those above it by depth, -1 for none, shape [row_count, 4]."""
    above = np.full((len(rows), 4), -1, dtype=np.int64)
    for number, row in enumerate(rows):
        if row.depth:
            parent = number - 1
            while rows[parent].depth >= row.depth:
                parent -= 1
            above[number] = above[parent]
        above[number, row.depth] = number
    return above


def _joined(parts: list[Ints]) -> Ints:
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
