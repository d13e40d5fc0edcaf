"""History: identical documents, a cap by bytes, jumps."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np

from app.session import Entry, History
from app.session.history_size import NOTHING, StepSize, objects, step_size
from app.session.project_steps import within
from engine.document import Blob, Document, Reference
from engine.document.blobs import LazyBlob
from engine.edits import Edit, edit
from engine.edits.command_log import Start
from engine.project.past import Past, PastEntry


def added_bytes(old: object, new: object) -> int:
    return sum(objects(old, new).values())


def step_of(document: Document, value: float) -> int:
    return step_size(document, turned(document, value), None).bytes


def turned(document: Document, value: float) -> Document:
    return edit("set_value", actor="arm", layer="pose", coordinate="upper.turn", value=value).apply(document)


def test_undo_and_redo_give_identical_objects(document: Document) -> None:
    history = History(document, Entry("New"))
    second = turned(document, 0.5)
    history.add(second, Entry("Turn"))
    assert history.go_to(0) is document
    assert history.go_to(1) is second


def test_a_change_after_undo_drops_what_was_undone(document: Document) -> None:
    history = History(document, Entry("New"))
    for value in (0.1, 0.2, 0.3):
        history.add(turned(history.document, value), Entry(f"Turn {value}"))
    history.go_to(1)
    history.add(turned(history.document, 0.9), Entry("Other"))
    assert [entry.label for entry in history.entries] == ["New", "Turn 0.1", "Other"]
    assert history.position == 2
    assert history.redo_entry is None


def test_jumps_stay_within_the_list(document: Document) -> None:
    history = History(document, Entry("New"))
    history.add(turned(document, 0.4), Entry("Turn"))
    assert history.go_to(99) is history.document
    assert history.position == 1
    assert history.go_to(-5) is document
    assert history.position == 0


def test_a_commit_costs_what_it_added_not_the_document(document: Document) -> None:
    whole = added_bytes(None, document)
    one_value = added_bytes(document, turned(document, 0.5))
    assert added_bytes(document, document) == 0
    assert 0 < one_value < whole / 3


def test_only_what_is_new_in_a_longer_tuple_is_counted() -> None:
    """A row of tuples: 40 bytes and 8 for each element."""
    first, second = (1.5,), (2.5, 3.5)
    assert added_bytes((first,), (first, second)) == (40 + 2 * 8) + (40 + 2 * 8) + 2 * 24


def test_the_oldest_documents_go_when_the_cap_is_reached(document: Document) -> None:
    step = step_of(document, 0.5)
    history = History(document, Entry("New"), bytes_kept=5 * step)
    for number in range(40):
        history.add(turned(history.document, number / 100 + 0.01), Entry(f"Turn {number}"))
    assert history.size <= 5 * step
    assert 3 <= len(history.entries) <= 7
    assert history.entries[-1].label == "Turn 39"
    assert history.position == len(history.entries) - 1
    assert dict(history.go_to(0).actor("arm").layers[0].values)["upper.turn"] > 0.3


def test_the_present_document_stays_however_large_it_is(document: Document) -> None:
    history = History(document, Entry("New"), bytes_kept=1)
    second = turned(document, 0.5)
    history.add(second, Entry("Turn"))
    assert history.document is second
    assert history.entries == (Entry("Turn"),)


def grown(document: Document, count: int) -> History:
    history = History(document, Entry("New"))
    for number in range(count):
        done = edit("set_value", actor="arm", layer="pose", coordinate="upper.turn", value=0.01 * (number + 1))
        history.add(done.apply(history.document), Entry(f"Turn {number}", done))
    return history


def test_a_history_made_of_a_past_has_its_documents_edits_and_place(document: Document) -> None:
    history = grown(document, 4)
    history.go_to(2)
    again = History.of(history.past)
    assert again.entries == history.entries
    assert again.position == 2
    assert again.document is history.document
    assert again.size == history.size
    assert again.go_to(4) is history.go_to(4)
    assert again.past == history.past


def test_of_a_past_as_many_documents_are_kept_as_the_cap_allows(document: Document) -> None:
    step = step_of(document, 0.5)
    past = grown(document, 20).past
    newest = History.of(past, bytes_kept=5 * step)
    assert newest.size <= 5 * step
    assert 3 <= len(newest.entries) <= 7
    assert newest.document is past.document
    assert newest.command_log[0].document is newest.go_to(0)  # type: ignore[union-attr]


def test_of_a_past_the_present_document_and_those_after_it_stay_whatever_the_cap(document: Document) -> None:
    history = grown(document, 6)
    history.go_to(3)
    again = History.of(history.past, bytes_kept=1)
    assert (len(again.entries), again.position) == (4, 0)
    assert again.document is history.document


def test_a_history_tells_how_many_it_dropped_and_where_a_document_stands(document: Document) -> None:
    step = step_of(document, 0.5)
    history = History(document, Entry("New"), bytes_kept=2 * step)
    for number in range(5):
        history.add(turned(history.document, 0.1 * (number + 1)), Entry(f"Turn {number}"))
    assert history.dropped + len(history.entries) == 6
    assert history.position_of(document) is None
    assert history.position_of(history.document) == history.position


def test_what_led_to_the_first_document_is_put_before_it(document: Document) -> None:
    past, sizes = restored(document, 4, 2)
    history = History(past.document, Entry("Open"))
    history.put_before(past, sizes)
    assert [entry.label for entry in history.entries] == ["Begin", "Turn 0.1", "Turn 0.2", "Turn 0.3", "Turn 0.4"]
    assert history.position == 2
    assert history.document is past.document
    assert [history.go_to(place) for place in range(5)] == [each.document for each in past.entries]
    assert history.size == sum(each.bytes for each in sizes)


def test_what_was_undone_in_the_file_is_lost_once_something_is_done(document: Document) -> None:
    past, sizes = restored(document, 4, 2)
    history = History(past.document, Entry("Open"))
    mine = turned(past.document, 0.9)
    history.add(mine, Entry("Mine"))
    history.go_to(0)
    history.put_before(past, sizes)
    assert [entry.label for entry in history.entries] == ["Begin", "Turn 0.1", "Turn 0.2", "Mine"]
    assert (history.position, history.document) == (2, past.document)
    assert history.go_to(3) is mine


def test_no_more_lines_come_back_than_the_cap_allows(document: Document) -> None:
    past, sizes = restored(document, 4, 3)
    kept, few = whole(within(past, sizes[3].bytes + sizes[4].bytes))
    assert [each.label for each in kept.entries] == ["Turn 0.2", "Turn 0.3", "Turn 0.4"]
    assert (kept.position, kept.document) == (1, past.document)
    assert [each.bytes for each in few] == [0, sizes[3].bytes, sizes[4].bytes]
    kept, _ = whole(within(past, 0))
    assert [each.label for each in kept.entries] == ["Turn 0.3", "Turn 0.4"], "what was undone stays"


def test_a_log_begins_behind_a_line_that_cannot_be_done_again(document: Document) -> None:
    history = History(document, Entry("New"))
    for value, known in ((0.1, True), (0.2, False), (0.3, True)):
        done = edit("set_value", actor="arm", layer="pose", coordinate="upper.turn", value=value)
        history.add(done.apply(history.document), Entry(f"Turn {value}", done if known else None))
    start, *done_since = history.command_log
    assert isinstance(start, Start)
    assert (start.how, len(done_since)) == ("Turn 0.2", 1)


def restored(document: Document, count: int, position: int) -> tuple[Past, tuple[StepSize, ...]]:
    """An undo list as a file gives it, and what each line takes."""
    entries = [PastEntry("Begin", None, document)]
    for number in range(1, count + 1):
        value = number / 10
        done = edit("set_value", actor="arm", layer="pose", coordinate="upper.turn", value=value)
        entries.append(PastEntry(f"Turn {value}", done, done.apply(entries[-1].document)))
    return whole(within(Past(tuple(entries), position)))


def whole(
    steps: Generator[None, None, tuple[Past, tuple[StepSize, ...]]],
) -> tuple[Past, tuple[StepSize, ...]]:
    """What a job gives when it has ended."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            past, sizes = end.value
            return past, sizes


def test_what_was_undone_since_is_written_with_what_was_read_of_it_since(document: Document) -> None:
    history = History(document, Entry("Open"))
    gone = turned(document, 0.1)
    history.add(gone, Entry("Gone"))
    was = history.past
    history.go_to(0)
    history.add(turned(document, 0.2), Entry("Other"))
    assert history.past_to(was) == was
    first = turned(document, 0.9)
    history.put_before(
        Past((PastEntry("First", None, first), PastEntry("Second", None, document)), 1), (NOTHING, NOTHING)
    )
    found = history.past_to(was)
    assert [each.document for each in found.entries] == [first, document, gone]
    assert found.document is gone


MB = 2**20


def with_picture(document: Document, numbers: np.ndarray[Any, Any]) -> tuple[Document, Edit]:
    """The document with another picture in place of its own."""
    picture = Reference(
        id="r", name="R", image=Blob(numbers), width=8, height=8, facing="front", size=1.0, centre=(0.0, 0.0)
    )
    if document.references:
        document = edit("remove_reference", reference="r").apply(document)
    done = edit("add_reference", reference=picture)
    return done.apply(document), done


CAP, STEPS = MB // 4, 160


def test_the_cap_holds_within_a_tenth_whether_steps_are_arrays_or_keys(document: Document) -> None:
    done = edit("set_key", actor="arm", layer="pose", coordinate="upper.turn", time=0, value=0.1)

    def pictures(number: int, present: Document) -> tuple[Document, Edit]:
        return with_picture(present, np.full(CAP // 4, number % 256, np.uint8))

    def keys(number: int, present: Document) -> tuple[Document, Edit]:
        arguments = dict(done.arguments) | {"time": (number + 1) * 1000, "value": number / 1000}
        key = edit("set_key", **arguments)
        return key.apply(present), key

    for step in (pictures, keys):
        step(0, document)  # what is made at the first time stays
        history = History(document, Entry("New"), bytes_kept=CAP)
        tracemalloc.start()
        for number in range(STEPS):
            changed, by = step(number, history.document)
            assert changed.digest
            history.add(changed, Entry("Step", by))
        del changed, by
        gc.collect()
        newest, counted, lines = history.document, history.size, len(history.entries)
        before = tracemalloc.get_traced_memory()[0]
        del history
        gc.collect()
        held = before - tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert newest is not document
        assert lines < STEPS
        assert 0.9 * held <= counted <= CAP


def test_an_array_counts_once_however_many_hold_it(document: Document) -> None:
    one, two = np.zeros(MB, np.uint8), np.ones(MB, np.uint8)
    history = History(document, Entry("New"))
    first, done = with_picture(document, one)
    history.add(first, Entry("One", done))
    assert history.size < MB // 10, "the newest document holds it"
    again = Blob(first.references[0].image.array, copy=False)
    for image in (Blob(two), again, Blob(two), first.references[0].image):
        picture = replace(first.references[0], image=image)
        history.add(replace(history.document, references=(picture,)), Entry("Other"))
    assert 2 * MB <= history.size < 2.1 * MB, "two arrays of ones, and none of zeros"


def test_an_array_that_was_not_read_takes_no_memory(document: Document) -> None:
    image = Blob(np.zeros(MB, np.uint8))
    unread = LazyBlob(image.digest, image.type, image.shape, lambda: image)
    first, done = with_picture(document, np.zeros(8, np.uint8))
    held = replace(first, references=(replace(first.references[0], image=unread),))
    history = History(held, Entry("Open"))
    history.add(document, Entry("Take away", done))
    assert history.size < MB // 10
    assert unread.array.nbytes == MB
    assert history.size > MB
