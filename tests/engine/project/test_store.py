"""The store: parts once, undo lists that come back, transactions that are whole."""

from __future__ import annotations

import gc
import sqlite3
import threading
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob, Document, Samples
from engine.document.part_reader import PartReader
from engine.edits import Edit, edit
from engine.project import past_rows, schema
from engine.project.arrays import StoredBlob
from engine.project.past import Past, PastEntry
from engine.project.past_rows import PastRows
from engine.project.store import Store
from engine.runtime.errors import InvalidDocument, UnreadableFile
from tests.engine.figures import scene


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "scene.sinew"


def renamed(document: Document, count: int) -> list[tuple[Edit, Document]]:
    """So many edits, and what comes out of each."""
    done = []
    for number in range(count):
        each = edit("rename_actor", actor="one", name=f"Name {number}")
        document = each.apply(document)
        done.append((each, document))
    return done


def filled(path: Path, count: int = 3) -> list[Document]:
    """A store with an undo list; its documents."""
    documents = [scene()]
    with Store.create(path) as store:
        store.append("New", None, documents[0])
        for each, document in renamed(documents[0], count):
            store.append(f"Rename {len(documents)}", each, document)
            documents.append(document)
        store.revise(documents[-1])
    return documents


def whole(steps: Generator[None, None, Past]) -> Past:
    """What a job gives when it has ended."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            past: Past = end.value
            return past


def revise_badly(store: Store, document: Document) -> None:
    with store.together():
        store.revise(document)
        raise ZeroDivisionError


def test_an_undo_list_comes_back_and_shares_what_is_equal(path: Path) -> None:
    documents = filled(path)
    with Store.open(path) as store:
        now = store.document()
        past = whole(store.past(now))
    assert [each.document.digest for each in past.entries] == [each.digest for each in documents]
    assert [each.label for each in past.entries] == ["New", "Rename 1", "Rename 2", "Rename 3"]
    assert past.position == 3
    assert past.document is now
    assert past.entries[0].document.actors[1] is now.actors[1]
    assert past.entries[0].edit is None
    assert past.entries[2].edit == edit("rename_actor", actor="one", name="Name 1")


@pytest.mark.parametrize("code", [sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_BUSY])
def test_a_bad_page_under_an_old_line_ends_the_list_there(
    path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    filled(path)
    usual = PastRows._entry

    def torn(self: PastRows, number: int, reader: PartReader) -> PastEntry:
        if number == 2:
            error = sqlite3.DatabaseError("what SQLite said")
            error.sqlite_errorcode = code
            raise error
        return usual(self, number, reader)

    monkeypatch.setattr(PastRows, "_entry", torn)
    with Store.open(path) as store:
        if code == sqlite3.SQLITE_BUSY:
            with pytest.raises(UnreadableFile, match="another program is writing"):
                whole(store.past())
        else:
            assert [each.label for each in whole(store.past()).entries] == ["Rename 2", "Rename 3"]


def test_an_undo_list_is_read_in_steps_up_to_a_limit(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(path, 5)
    with Store.open(path) as store:
        assert len(list(store.past())) == 6
        monkeypatch.setattr(past_rows, "_MOST_LINES", 3)
        assert len(list(store.past())) == 3


def test_what_was_undone_is_gone_with_the_next_line(path: Path) -> None:
    documents = filled(path)
    with Store.open(path, writable=True) as store:
        store.step(1)
        assert whole(store.past()).position == 1
        other = edit("rename_actor", actor="two", name="Other").apply(documents[1])
        store.append("Other", None, other)
        past = whole(store.past())
    assert [each.label for each in past.entries] == ["New", "Rename 1", "Other"]
    assert past.document == other


@pytest.mark.parametrize(
    ("first", "last", "position"), [(0, 4, 3), (0, 4, 1), (2, 4, 1), (3, 4, 0), (0, 2, 1), (1, 3, 0), (0, 0, 0)]
)
def test_an_undo_list_goes_on_as_any_other_that_is_put(path: Path, first: int, last: int, position: int) -> None:
    """Its oldest lines dropped, its newest taken back and others done, or nothing left of it."""
    filled(path)
    with Store.open(path, writable=True) as store:
        entries = whole(store.past()).entries[first:last]
        other = edit("rename_actor", actor="two", name="Other")
        entries += (PastEntry("Other", other, other.apply(scene())),) if last < 4 else ()
        store.put_past(Past(entries, position if entries else 0))
        found = whole(store.past())
    assert found == Past(entries, position if entries else 0)
    with Store.open(path) as store:
        store.check()
        assert whole(store.past()) == found


def test_an_undo_list_can_be_empty(path: Path) -> None:
    filled(path)
    with Store.open(path, writable=True) as store:
        store.put_past(Past((), 0))
        assert whole(store.past()) == Past((), 0)
        store.append("New", None, scene())
        assert [each.label for each in whole(store.past()).entries] == ["New"]


@pytest.mark.parametrize(
    ("present", "spoilt", "labels", "position"),
    [
        (3, 1, ["Rename 2", "Rename 3"], 1),
        (1, 3, ["New", "Rename 1", "Rename 2"], 1),
        (1, 0, ["Rename 1", "Rename 2", "Rename 3"], 0),
        (2, 2, [], 0),
    ],
)
def test_a_line_that_is_not_sound_ends_the_list_on_its_side(
    path: Path, present: int, spoilt: int, labels: list[str], position: int
) -> None:
    documents = filled(path)
    with Store.open(path, writable=True) as store:
        store.step(present)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE past SET document = zeroblob(32) WHERE number = ?", (spoilt + 1,))
    with Store.open(path) as store:
        past = whole(store.past())
    assert ([each.label for each in past.entries], past.position) == (labels, position)
    assert not labels or past.document == documents[present]


def test_a_place_outside_of_the_list_is_refused(path: Path) -> None:
    filled(path)
    with Store.open(path, writable=True) as store:
        for position in (-1, 4):
            with pytest.raises(InvalidDocument, match="0 to 3"):
                store.step(position)
        assert whole(store.past()).position == 3


def test_what_fails_within_together_is_not_there(path: Path) -> None:
    documents = filled(path)
    other = edit("rename_actor", actor="two", name="Other").apply(documents[-1])
    with Store.open(path, writable=True) as store:
        with pytest.raises(ZeroDivisionError):
            revise_badly(store, other)
        assert store.document() == documents[-1]
        store.revise(other)
        assert store.document() == other
        store.check()


def test_edits_name_arrays_and_keep_them_once(path: Path) -> None:
    document = scene()
    coordinates = document.actors[0].figure.coordinates[:2]
    numbers = Blob(np.random.default_rng(1).normal(size=(4000, 2)))
    samples = Samples(coordinates=coordinates, values=numbers, rate=(30, 1))
    done = edit("set_samples", actor="one", layer="pose", samples=samples)
    with Store.create(path) as store:
        store.append("New", None, document)
        store.append("Samples", done, done.apply(document))
    assert path.stat().st_size < 1.5 * len(numbers.data) + 60_000
    with Store.open(path) as store:
        past = whole(store.past())
    assert past.entries[1].edit is not None
    assert past.entries[1].edit == done
    assert past.entries[1].edit.apply(past.entries[0].document) == past.entries[1].document


def test_arrays_are_read_when_they_are_asked_for(path: Path) -> None:
    document = scene()
    coordinates = document.actors[0].figure.coordinates[:1]
    samples = Samples(coordinates=coordinates, values=Blob(np.zeros((9, 1))), rate=(30, 1))
    document = edit("set_samples", actor="one", layer="pose", samples=samples).apply(document)
    with Store.create(path) as store:
        store.revise(document)
    with Store.open(path) as store:
        again = store.document()
    found = again.actor("one").layers[0].samples
    assert found is not None
    assert isinstance(found.values, StoredBlob)
    assert not found.values.is_here
    assert again == document
    assert (found.values.array == 0.0).all()


def test_notes_are_kept(path: Path) -> None:
    with Store.create(path) as store:
        assert store.meta("name") is None
        store.note("name", "Anna")
        store.note("name", "Berta")
    with Store.open(path) as store:
        assert store.meta("name") == "Berta"


@pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")  # it is what this test is about
def test_a_store_that_nobody_closed_ends_where_another_thread_looks_at_a_file(path: Path) -> None:
    """Garbage is collected wherever something is made, on any thread: nothing that ends then may wait."""
    abandoned = [Store.create(path)]

    def end() -> None:
        abandoned.clear()
        gc.collect()

    ending = threading.Thread(target=end, daemon=True)
    with schema._lock:
        ending.start()
        ending.join(20.0)
        assert not ending.is_alive()
    assert schema._written == []
