"""What drags of keys and of blocks' ends come to, without a window."""

from __future__ import annotations

import pytest

from app.features.locks.rows import LockRows
from app.timeline.bars import LayerRows
from app.timeline.changes import BlockEnd, KeyChange, TimeChange, dragged_span, parts_of, scaled_to
from app.timeline.keys import Channel, SheetKeys
from app.timeline.rows import TimeBlock
from engine.document import Actor, Document, Key, Layer, Lock, Span, Track
from engine.edits import edit
from tests.engine.motion.motions import walker

KEYS = (Key(0, 0.0), Key(10, 1.0), Key(20, 0.5))
KNEE, X, OTHER = Channel("one", "low", "knee"), Channel("one", "low", "x"), Channel("two", "high", "knee")
SPAN = Span(start=100, end=200, ease_in=30, ease_out=40)


@pytest.fixture
def document() -> Document:
    tracks = (Track(coordinate="x", keys=KEYS), Track(coordinate="knee", keys=KEYS))
    layers = (Layer(id="low", tracks=tracks), Layer(id="high", tracks=tracks))
    return Document(actors=tuple(Actor(id=id, name=id, figure=walker(), layers=layers) for id in ("one", "two")))


@pytest.mark.parametrize(
    "change",
    [
        KeyChange(ticks=7),
        KeyChange(ticks=-3, copies=True),
        KeyChange(pivot=0, factor=33 / 20),
        KeyChange(pivot=20, factor=17 / 20),
    ],
)
def test_keys_are_found_again_where_the_edit_has_put_them(change: KeyChange, document: Document) -> None:
    picked = {KNEE: frozenset((0, 20)), OTHER: frozenset((10,))}
    landed = change.picked(picked)
    changed = SheetKeys.of(change.edit(picked).apply(document))
    assert changed.picked(changed.flags(landed)) == landed


def test_an_end_is_scaled_to_where_it_is_dragged_but_not_onto_or_past_the_one_that_stays() -> None:
    assert scaled_to(0, 20, 0) is scaled_to(0, 20, -50) is scaled_to(20, 0, 90) is None
    wider = scaled_to(0, 20, 40)
    assert wider is not None
    assert [wider.new_time(time) for time in (0, 10, 20)] == [0, 20, 40]


@pytest.mark.parametrize("length", [5, -5, -12])
def test_time_is_shown_where_the_edit_puts_it(length: int, document: Document) -> None:
    lock = Lock(id="foot", name="Foot", joint="knee", span=Span(start=3, end=18, ease_in=9, ease_out=2))
    held = edit("add_lock", actor="one", lock=lock).apply(document)
    change = TimeChange(actors=("one",), time=15, length=length)
    made = change.edit.apply(held).actor("one")
    times = {key.time for key in made.layers[0].track_of["knee"].keys}
    outside = [key.time for key in KEYS if not 15 + length <= key.time < 15]
    assert times >= {change.new_time(time) for time in outside}
    assert lock.span is not None
    assert made.locks[0].span == change.new_span(lock.span)


def test_no_time_inserted_changes_nothing(document: Document) -> None:
    assert TimeChange(actors=("one",), time=15, length=0).edit.apply(document) is document


def test_keys_are_named_by_layer_once_and_in_order() -> None:
    picked = {
        OTHER: frozenset((3,)),
        X: frozenset((2, 1)),
        KNEE: frozenset((4,)),
        Channel("one", "up", "x"): frozenset(),
    }
    assert parts_of(picked) == (
        ("one", "low", (("knee", (4,)), ("x", (1, 2)))),
        ("two", "high", (("knee", (3,)),)),
    )


@pytest.mark.parametrize(
    ("what", "time", "wanted"),
    [
        ("start", 120, (120, 200, 30, 40)),
        ("start", 170, (170, 200, 30, 0)),
        ("start", 500, (190, 200, 10, 0)),
        ("end", 150, (100, 150, 30, 20)),
        ("end", 0, (100, 110, 10, 0)),
        ("ease_in", 90, (100, 200, 0, 40)),
        ("ease_in", 190, (100, 200, 60, 40)),
        ("ease_out", 150, (100, 200, 30, 50)),
        ("ease_out", 0, (100, 200, 30, 70)),
        ("whole", -20, (-20, 80, 30, 40)),
    ],
)
def test_a_dragged_end_stops_at_what_the_span_allows(what: BlockEnd, time: int, wanted: tuple[int, ...]) -> None:
    span = dragged_span(SPAN, what, time, 10)
    assert (span.start, span.end, span.ease_in, span.ease_out) == wanted


def test_a_block_gives_its_layer_the_span(document: Document) -> None:
    block = TimeBlock(kind="layer", actor="two", id="high", label="High", span=None)
    assert LayerRows().span_edit(block, SPAN).apply(document).actor("two").layers[1].span == SPAN
    assert LockRows().span_edit(TimeBlock(kind="lock", actor="two", id="foot", label="Foot", span=None), SPAN) == edit(
        "set_lock_span", actor="two", lock="foot", start=100, end=200, ease_in=30, ease_out=40
    )  # fmt: skip
    limited = LayerRows().span_edit(block, SPAN).apply(document)
    assert LayerRows().span_edit(block, None).apply(limited).actor("two").layers[1].span is None


@pytest.mark.parametrize("length", [7, -7])
def test_a_change_of_time_is_known_by_the_edit_that_it_made(length: int) -> None:
    change = TimeChange(actors=("one", "two"), time=15, length=length, play=True)
    assert TimeChange.of(change.edit) == change
    assert TimeChange.of(edit("move_chosen", chosen=(), ticks=length)) is None
