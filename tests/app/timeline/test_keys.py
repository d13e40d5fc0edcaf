"""Rows and keys of the dope sheet, from documents and without a window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.features.locks.rows import LockRows
from app.session.actors import new_document
from app.timeline.bars import LayerRows
from app.timeline.keys import KINDS, SEVERAL, Channel, SheetKeys
from app.timeline.rows import lines
from engine.document import Document, Key, Layer, Lock, Span, Track
from engine.document.extent import play_extent
from engine.document.motion import TICKS_PER_SECOND
from engine.edits import edit

SECOND = TICKS_PER_SECOND


def keyed(**tracks: tuple[Key, ...]) -> Document:
    """A human with these keys, `__` in a name standing for the dot."""
    document = new_document()
    actor = document.actors[0]
    made = tuple(Track(coordinate=name.replace("__", "."), keys=keys) for name, keys in tracks.items())
    return document.with_actor(replace(actor, layers=(replace(actor.layers[0], tracks=made),)))


SOURCES = (LayerRows(), LockRows())


@pytest.fixture
def document() -> Document:
    """Two channels of one arm with a tick in common, and one of the other arm."""
    return keyed(
        elbow_left__flexion=(Key(0, 0.0), Key(SECOND, 1.0, interpolation="linear")),
        elbow_right__flexion=(Key(2 * SECOND, 0.5, interpolation="stepped"),),
        knee_left__flexion=(Key(0, 0.1, interpolation="linear"), Key(3 * SECOND, 0.2, tangent="free")),
    )


def channel(document: Document, coordinate: str, layer: int = 0) -> Channel:
    actor = document.actors[0]
    return Channel(actor.id, actor.layers[layer].id, coordinate)


def marks_of(keys: SheetKeys, row: int) -> dict[int, str]:
    """Ticks and kinds of one row's marks."""
    own = keys.mark_row == row
    kinds = (KINDS[kind] for kind in keys.mark_kind[own].tolist())
    return dict(zip(keys.mark_time[own].tolist(), kinds, strict=True))


def test_only_what_has_keys_has_a_row(document: Document) -> None:
    keys = SheetKeys.of(document)
    shown = {row.coordinate for row in keys.rows if row.kind == "channel"}
    assert shown == {"elbow_left.flexion", "elbow_right.flexion", "knee_left.flexion"}
    assert SheetKeys.of(new_document()).rows == ()


def test_rows_end_where_the_next_of_their_depth_begins(document: Document) -> None:
    rows = SheetKeys.of(document).rows
    for number, row in enumerate(rows):
        assert all(below.depth > row.depth for below in rows[number + 1 : row.end])
        assert row.end == len(rows) or rows[row.end].depth <= row.depth


def test_a_row_sums_the_keys_below_it_by_tick(document: Document) -> None:
    keys = SheetKeys.of(document)
    assert marks_of(keys, 0) == {0: "several", SECOND: "linear", 2 * SECOND: "stepped", 3 * SECOND: "free"}
    for number, row in enumerate(keys.rows):
        below = (keys.row >= number) & (keys.row < row.end)
        assert set(marks_of(keys, number)) == set(keys.time[below].tolist())


def test_folding_hides_all_below_and_nothing_else(document: Document) -> None:
    rows = SheetKeys.of(document).rows
    assert lines(rows, frozenset()) == list(range(len(rows)))
    assert lines(rows, {rows[0].path}) == [0]
    group = next(number for number, row in enumerate(rows) if row.kind == "group")
    hidden = set(range(group + 1, rows[group].end))
    assert hidden
    assert set(lines(rows, {rows[group].path})) == set(range(len(rows))) - hidden


def test_a_box_on_a_folded_row_takes_the_keys_below_it(document: Document) -> None:
    keys = SheetKeys.of(document)
    found = keys.picked(keys.in_box([0], 0.0, SECOND))
    assert found == {
        channel(document, "elbow_left.flexion"): frozenset((0, SECOND)),
        channel(document, "knee_left.flexion"): frozenset((0,)),
    }


def test_a_box_on_a_channel_takes_its_keys_alone_ends_included(document: Document) -> None:
    keys = SheetKeys.of(document)
    row = next(number for number, row in enumerate(keys.rows) if row.coordinate == "knee_left.flexion")
    chosen = keys.in_box([row], 1.0, 3 * SECOND)
    assert keys.picked(chosen) == {channel(document, "knee_left.flexion"): frozenset((3 * SECOND,))}
    assert keys.extent(chosen) == (3 * SECOND, 3 * SECOND)
    assert keys.extent(keys.in_box([row], 1.0, 2.0)) is None


def test_chosen_keys_are_found_again_in_another_document(document: Document) -> None:
    keys = SheetKeys.of(document)
    picked = keys.picked(keys.in_box([0], 0.0, SECOND))
    actor = document.actors[0]
    gone = edit(
        "remove_keys", actor=actor.id, layer=actor.layers[0].id, keys=(("elbow_left.flexion", (0, SECOND)),)
    ).apply(document)  # fmt: skip
    later = SheetKeys.of(gone, keys)
    assert later.picked(later.flags(picked)) == {channel(document, "knee_left.flexion"): frozenset((0,))}


def test_a_mark_above_counts_as_chosen_with_one_of_its_keys(document: Document) -> None:
    keys = SheetKeys.of(document)
    chosen = keys.flags({channel(document, "elbow_left.flexion"): frozenset((0,))})
    marked = keys.marked(chosen)
    rows = (keys.rows[row].kind for row in keys.mark_row[marked].tolist())
    found = set(zip(rows, keys.mark_time[marked].tolist(), strict=True))
    assert found == {("actor", 0), ("group", 0), ("joint", 0), ("channel", 0)}


def test_the_nearest_mark_within_reach_is_hit(document: Document) -> None:
    keys = SheetKeys.of(document)
    near = keys.mark_at(0, SECOND + 900.0, 1000.0)
    assert near is not None
    assert keys.mark_time[near] == SECOND
    assert keys.mark_at(0, SECOND + 1100.0, 1000.0) is None
    assert keys.mark_at(len(keys.rows), 0.0, 1e12) is None


def test_layers_that_key_one_channel_share_its_row(document: Document) -> None:
    actor = document.actors[0]
    upper = Layer(id="upper", name="Upper", tracks=(Track(coordinate="elbow_left.flexion", keys=(Key(5, 0.0),)),))
    both = document.with_actor(replace(actor, layers=(*actor.layers, upper)))
    keys = SheetKeys.of(both)
    row = next(number for number, row in enumerate(keys.rows) if row.coordinate == "elbow_left.flexion")
    assert set(marks_of(keys, row)) == {0, 5, SECOND}
    mark = keys.mark_at(row, 5.0, 0.0)
    assert mark is not None
    flags = np.zeros(len(keys.mark_time), dtype=np.bool_)
    flags[mark] = True
    assert keys.picked(keys.of_marks(flags)) == {channel(both, "elbow_left.flexion", 1): frozenset((5,))}


def test_layers_and_locks_have_blocks_with_their_span(document: Document) -> None:
    actor = document.actors[0]
    span = Span(start=10, end=20, ease_in=2)
    held = edit("add_lock", actor=actor.id, lock=Lock(id="lock", name="Foot", joint="ankle_left", span=span))
    rows = SheetKeys.of(held.apply(document), sources=SOURCES).rows
    blocks = {row.block.kind: row.block for row in rows if row.block is not None}
    assert blocks["lock"].span == span
    assert blocks["layer"].span is None
    assert blocks["layer"].covers == (0, 3 * SECOND)


def test_tracks_that_did_not_change_are_not_read_again(document: Document) -> None:
    keys = SheetKeys.of(document)
    actor = document.actors[0]
    moved = edit(
        "move_keys", actor=actor.id, layer=actor.layers[0].id, keys=(("knee_left.flexion", (0,)),), ticks=7
    ).apply(document)  # fmt: skip
    later = SheetKeys.of(moved, keys)
    kept = [each for each in later.packed.values() if any(each is old for old in keys.packed.values())]
    assert {each.track.coordinate for each in kept} == {"elbow_left.flexion", "elbow_right.flexion"}
    assert SEVERAL not in later.kind


def test_keys_of_a_lock_are_channels_below_its_bar_which_lasts_from_first_to_last(document: Document) -> None:
    actor = document.actors[0]
    tracks = (Track(coordinate="y", keys=(Key(0, 0.0), Key(SECOND, 0.1))),)
    lock = Lock(id="lock", name="Foot", joint="ankle_left", tracks=tracks)
    held = edit("add_lock", actor=actor.id, lock=lock).apply(document)
    keys = SheetKeys.of(held, sources=SOURCES)
    number, row = next((number, row) for number, row in enumerate(keys.rows) if row.holder == "lock")
    assert row.block is not None
    assert (row.block.span, row.block.covers) == (None, play_extent(held))
    below = keys.rows[number + 1 : row.end]
    assert [(each.kind, each.label, each.depth) for each in below] == [("channel", "Y", 2)]
    found = keys.picked(keys.in_box([number], float("-inf"), float("inf")))
    assert found == {Channel(actor.id, "lock", "y"): frozenset((0, SECOND))}
