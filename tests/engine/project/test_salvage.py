"""What is sound in a damaged file comes back; what is lost is named."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine.document import Attachment, Blob, Document
from engine.edits import edit
from engine.project import salvage as salvage_module
from engine.project.arrays import read_array_row
from engine.project.part_rows import PartRows
from engine.project.past import Past, PastEntry
from engine.project.salvage import salvage
from engine.project.save import open_project, save_project
from engine.runtime.errors import UnreadableFile
from tests.engine.figures import scene
from tests.engine.project.test_damage import captured
from tests.engine.project.test_migrate import FILES, SAVED, change
from tests.engine.project.test_save import past_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "scene.sinew"


def spoil(path: Path, document: Document, *wanted: str) -> None:
    """Overwrite the texts of the parts of those digests."""
    with closing(sqlite3.connect(path)) as database, database:
        for digest in wanted:
            query = "UPDATE parts SET data = zeroblob(length(data)) WHERE digest = ?"
            assert database.execute(query, (bytes.fromhex(digest),)).rowcount == 1
    with pytest.raises(UnreadableFile):
        open_project(path)


def test_a_sound_file_gives_all(path: Path) -> None:
    save_project(path, captured())
    assert salvage(path).document == captured()
    assert salvage(path).lost == ()
    assert salvage(FILES / "version2.sinew").document is not None
    assert salvage(FILES / "version2.sinew").document.digest == SAVED[2]  # type: ignore[union-attr]


def test_the_newest_whole_document_comes_back(path: Path) -> None:
    past = past_of(3)
    save_project(path, past.document, past)
    spoil(path, past.document, past.document.digest)
    found = salvage(path)
    assert found.document == past.entries[2].document
    assert found.lost == ("the newest changes",)


def test_no_more_text_is_read_than_can_be_held_and_the_newest_first(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    past = past_of(3)
    save_project(path, past.document, past)
    with closing(sqlite3.connect(path)) as database:
        (total,) = database.execute("SELECT sum(size) FROM parts").fetchone()
    read: list[int] = []
    usual = PartRows.text

    def noted(rows: PartRows, number: int) -> bytes:
        read.append(number)
        return usual(rows, number)

    monkeypatch.setattr(PartRows, "text", noted)
    monkeypatch.setattr(salvage_module, "_MOST_TEXT", total)
    assert salvage(path).document == past.document
    everything = sorted(read, reverse=True)
    assert read == everything, "the newest first"
    read.clear()
    monkeypatch.setattr(salvage_module, "_MOST_TEXT", total // 2)
    salvage(path)
    assert 0 < len(read) < len(everything)
    assert read == everything[: len(read)]


def test_actors_that_are_whole_come_back_and_the_others_are_named(path: Path) -> None:
    document = captured()
    save_project(path, document)
    spoil(path, document, document.actor("two").digest)
    found = salvage(path)
    assert found.document is not None
    assert found.document.actors == tuple(each for each in document.actors if each.id != "two")
    assert found.lost == ("actors of Document",)


def test_of_an_actor_only_what_is_lost_is_missing(path: Path) -> None:
    document = captured()
    save_project(path, document)
    samples = document.actor("one").layers[0].samples
    assert samples is not None
    change(path, f"DELETE FROM arrays WHERE digest = x'{samples.values.digest}'")
    found = salvage(path)
    assert found.document is not None
    assert found.document.actor("one").layers[0].samples is None
    assert found.document.actor("three") == document.actor("three")
    assert found.lost == ("samples of Layer Pose of Actor One",)


def test_what_holds_on_to_a_lost_actor_is_named_and_let_go(path: Path) -> None:
    held = Attachment(id="a", joint="j0", target="two", target_joint="j0")
    document = edit("attach_actor", actor="three", attachment=held).apply(scene())
    save_project(path, document)
    spoil(path, document, document.actor("two").digest)
    found = salvage(path)
    assert found.document is not None
    assert found.document.actor("three").attachments == ()
    assert "what holds Three to two" in found.lost


def test_actors_without_a_document_come_back(path: Path) -> None:
    save_project(path, scene())
    spoil(path, scene(), scene().digest)
    found = salvage(path)
    assert found.document is not None
    assert {each.id: each for each in found.document.actors} == {each.id: each for each in scene().actors}
    assert found.lost


def test_a_lost_page_takes_no_others_along(path: Path) -> None:
    entries = [PastEntry("New", None, scene())]
    for number in range(300):
        done = edit("rename_actor", actor="one", name=f"Name {number} " + "long " * 40)
        entries.append(PastEntry("Rename", done, done.apply(entries[-1].document)))
    save_project(path, entries[-1].document, Past(tuple(entries), 300))
    whole, page, most = path.read_bytes(), 4096, 0
    lost = range(page, len(whole), 2 * page)
    for at in lost:
        path.write_bytes(whole[:at] + bytes(page) + whole[at + page :])
        found = salvage(path)
        most += found.document is not None and len(found.document.actors) == 4
    assert most >= 0.85 * len(lost), "the others hold what is there but once"


def test_of_a_file_that_was_cut_what_is_left_comes_back(path: Path) -> None:
    past = past_of(300)
    save_project(path, past.document, past)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 9 // 10])
    with pytest.raises(UnreadableFile):
        open_project(path)
    found = salvage(path)
    assert found.document is not None
    assert len(found.document.actors) == 4
    assert found.document.actors[1:] == scene().actors[1:]


def test_a_page_of_an_array_that_cannot_be_read_costs_the_array_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = captured()
    save_project(path, document)
    first = list[int]()

    def torn(database: sqlite3.Connection, number: int) -> Blob:
        first.append(number)
        if number == first[0]:
            raise sqlite3.DatabaseError("database disk image is malformed")
        return read_array_row(database, number)

    monkeypatch.setattr(salvage_module, "read_array_row", torn)
    found = salvage(path)
    assert found.document is not None
    assert found.lost == ("samples of Layer Pose of Actor One",)
    assert found.document.actor("one").layers[0].samples is None
    assert found.document.actor("three") == document.actor("three")


def test_of_an_older_file_what_is_sound_comes_back(path: Path) -> None:
    path.write_bytes((FILES / "version2.sinew").read_bytes())
    whole = open_project(path).document
    change(path, f"UPDATE parts SET text = 'x' WHERE digest = '{whole.actor('human').digest}'")
    found = salvage(path)
    assert found.document is not None
    assert found.document.actors == (whole.actor("arm"), whole.actor("whole"))
    assert found.lost == ("actors of Document",)


def test_what_is_no_file_of_ours_is_refused(path: Path) -> None:
    path.write_bytes(b"text")
    with pytest.raises(UnreadableFile, match="not a Sinew document"):
        salvage(path)
