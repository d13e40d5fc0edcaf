"""What may happen around a save, and harms nothing: crashes, other programs, files that go, disks that fail."""

from __future__ import annotations

import gc
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest

from engine.document import Document
from engine.edits import edit
from engine.project import arrays as arrays_module
from engine.project import disk, save, schema
from engine.project.arrays import StoredBlob
from engine.project.past import Past, PastEntry
from engine.project.save import open_project, save_project
from engine.project.store import Store
from engine.runtime.errors import UnreadableFile, UnwritableFile
from tests.engine.figures import scene
from tests.engine.project.test_damage import captured
from tests.engine.project.test_save import past_of
from tests.engine.project.test_store import whole as finished


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "scene.sinew"


def arrays(document: Document) -> list[StoredBlob]:
    """The arrays of a document that was opened."""
    found = [layer.samples.values for actor in document.actors for layer in actor.layers if layer.samples]
    assert all(isinstance(each, StoredBlob) for each in found)
    return [each for each in found if isinstance(each, StoredBlob)]


def broken_off(path: Path, folder: Path) -> Path:
    """A file and its journal as they stand when a program dies in the middle of writing to it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA cache_size = 1")
        database.execute("BEGIN IMMEDIATE")
        database.execute("UPDATE parts SET data = zeroblob(9000)")
        for each in (path, schema.journal_of(path)):
            shutil.copy(each, folder / each.name)
        database.execute("ROLLBACK")
    assert (folder / path.name).read_bytes() != path.read_bytes()
    return folder / path.name


def test_what_a_crash_broke_off_is_taken_back_when_the_file_is_opened(path: Path, tmp_path: Path) -> None:
    save_project(path, scene())
    (tmp_path / "crash").mkdir()
    found = broken_off(path, tmp_path / "crash")
    assert open_project(found).document == scene()
    assert not schema.journal_of(found).exists()


def test_a_journal_that_a_crash_left_does_not_harm_what_is_saved_over_it(path: Path, tmp_path: Path) -> None:
    save_project(path, scene())
    (tmp_path / "crash").mkdir()
    found = broken_off(path, tmp_path / "crash")
    save_project(found, scene(5))
    assert open_project(found).document == scene(5)
    path.unlink()
    schema.journal_of(path).write_bytes(
        schema.journal_of(found).read_bytes() if schema.journal_of(found).exists() else b""
    )
    save_project(path, scene(6))
    assert open_project(path).document == scene(6)


def test_a_file_that_another_program_writes_is_not_saved_over(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_project(path, scene())
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA cache_size = 1")
        database.execute("BEGIN EXCLUSIVE")
        database.execute("UPDATE parts SET data = zeroblob(9000)")
        with pytest.raises(UnwritableFile, match="another program is writing it"):
            save_project(path, scene(5))
        database.execute("ROLLBACK")
    assert open_project(path).document == scene()


@pytest.mark.parametrize("over", [b"", b"text", b"SQLite format 3\0" * 300])
def test_anything_can_be_saved_over(path: Path, over: bytes) -> None:
    path.write_bytes(over)
    schema.journal_of(path).write_bytes(bytes(1000))
    past = past_of(2)
    save_project(path, past.document, past)
    assert open_project(path).document == past.document


def test_arrays_that_were_not_read_outlive_a_save_that_drops_them(path: Path) -> None:
    save_project(path, captured())
    opened = open_project(path).document
    save_project(path, scene())
    assert [each.array.shape for each in arrays(opened)] == [(900, 1)] * 2
    assert opened.digest == captured().digest


def test_arrays_that_nobody_asks_for_are_not_read(path: Path) -> None:
    save_project(path, captured())
    opened = open_project(path).document
    save_project(path, opened)
    assert not any(each.is_here for each in arrays(opened))


def test_a_document_saved_elsewhere_needs_its_old_file_no_more(path: Path) -> None:
    save_project(path, captured())
    opened = open_project(path).document
    save_project(path.with_name("other.sinew"), opened)
    assert not any(each.is_here for each in arrays(opened))
    path.unlink()
    assert all(each.array.size for each in arrays(opened))


def test_an_array_whose_file_has_gone_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays_module, "_homes", {})  # the files of other tests
    save_project(path, captured())
    opened = open_project(path).document
    path.rename(path.with_name("moved.sinew"))
    with pytest.raises(
        UnreadableFile, match=r"does not hold it any more \(no file of that name\).*Bring the file back"
    ):
        _ = arrays(opened)[0].array
    path.write_bytes(b"something else")
    with pytest.raises(UnreadableFile, match="not a Sinew document"):
        _ = arrays(opened)[0].array
    with pytest.raises(UnwritableFile, match="Bring the file back"):
        save_project(path.with_name("third.sinew"), opened)
    assert not path.with_name("third.sinew").exists()
    path.with_name("moved.sinew").rename(path)
    assert arrays(opened)[0].array.size


@pytest.mark.parametrize(("name", "earlier"), [("other.sinew", 0), ("scene.sinew", 1)])
def test_an_array_that_only_an_old_line_names_and_is_damaged_stops_no_save(
    path: Path, monkeypatch: pytest.MonkeyPatch, name: str, earlier: int
) -> None:
    monkeypatch.setattr(arrays_module, "_homes", {})  # the files of other tests
    document = captured()
    done = edit("set_samples", actor="one", layer="pose", samples=None)
    entries = (PastEntry("New", None, document), PastEntry("Take", done, done.apply(document)))
    past = Past(entries, 1)
    save_project(path, past.document, past)
    with Store.open(path) as store:
        opened = finished(store.past())
    samples = document.actor("one").layers[0].samples
    assert samples is not None
    with closing(sqlite3.connect(path)) as database, database:
        query = "UPDATE pieces SET data = zeroblob(length(data)) WHERE number = (SELECT first FROM arrays"
        database.execute(f"{query} WHERE digest = ?)", (bytes.fromhex(samples.values.digest),))
    (said,) = save_project(path.with_name(name), opened.document, opened, earlier=earlier)
    assert "without its undo list" in said
    assert open_project(path.with_name(name)).document == past.document
    with pytest.raises(UnwritableFile, match=r"layer Pose of actor One: an array of the open document was not read"):
        save_project(path.with_name("third.sinew"), opened.entries[0].document)


@pytest.mark.skipif(sys.platform == "win32", reason="locks there are of handles")
def test_a_file_that_is_written_here_stays_locked_while_others_read_it_here(path: Path) -> None:
    save_project(path, captured())
    attempt = (
        "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None).execute('BEGIN IMMEDIATE')"
    )
    with Store.open(path, writable=True) as store, store.together():
        store.revise(scene(5))
        assert arrays(open_project(path).document)[0].array.size
        found = subprocess.run([sys.executable, "-c", attempt, str(path)], capture_output=True, text=True, check=False)
        assert "database is locked" in found.stderr
    assert schema._written == []


def test_what_does_not_read_back_and_cannot_be_written_anew_leaves_the_old_document(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_project(path, past_of(2).document, past_of(2))

    def failing(self: Store, after: tuple[int, int] = (0, 0)) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Store, "check", failing)
    with pytest.raises(UnwritableFile, match="does not answer"):
        save_project(path, past_of(4).document, past_of(4))
    assert open_project(path).document == past_of(2).document


def test_hard_links_stay_one_file_where_the_project_is_the_same(path: Path) -> None:
    past = past_of(3)
    save_project(path, past.document, past)
    other = path.with_name("other.sinew")
    os.link(path, other)
    done = PastEntry("Back", None, past.entries[0].document)
    save_project(path, done.document, Past((*past.entries, done), 4))
    assert path.samefile(other)
    assert open_project(other).document == done.document


def test_a_folder_that_vanishes_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "drive"
    folder.mkdir()
    save_project(folder / "scene.sinew", scene())
    shutil.rmtree(folder)
    with pytest.raises(UnwritableFile, match=r"no such folder.*Bring the folder or its drive back"):
        save_project(folder / "scene.sinew", scene())


@pytest.mark.parametrize(
    ("number", "words"),
    [(28, "disk is full.*room"), (13, "may not write there"), (30, "may not write there"), (5, "does not answer")],
)
def test_each_refusal_of_a_disk_has_its_own_remedy(path: Path, number: int, words: str) -> None:
    assert "still open" in str(disk.unwritable(path, OSError(number, os.strerror(number))))
    with pytest.raises(UnwritableFile, match=words):
        raise disk.unwritable(path, OSError(number, os.strerror(number)))


@pytest.mark.parametrize("draft", [True, False])
def test_a_full_disk_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch, draft: bool) -> None:
    """Written anew, or added to: SQLite finds no room for another page."""
    past = past_of(40)
    save_project(path, past.entries[0].document, Past(past.entries[:1], 0))
    before, number, connect = path.read_bytes(), path.stat().st_ino, schema.connect

    def full(path: Path, **options: bool) -> sqlite3.Connection:
        database = connect(path, **options)
        if options.get("writable") and (draft or not options.get("draft")):
            database.set_authorizer(None)
            pages = database.execute("PRAGMA page_count").fetchone()[0]
            database.execute(f"PRAGMA max_page_count = {pages}")
        return database

    monkeypatch.setattr(schema, "connect", full)
    if draft:
        with pytest.raises(UnwritableFile, match=r"scene\.sinew: the disk is full"):
            save_project(path, past.document, past)
        assert path.read_bytes() == before
    else:
        save_project(path, past.document, past)
        assert open_project(path).document == past.document
        assert path.stat().st_ino != number, "written anew"
    assert [*path.parent.iterdir()] == [path]


def test_a_write_that_does_not_read_back_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_project(path, scene())
    before = path.read_bytes()
    monkeypatch.setattr(Store, "document", lambda self: scene(9))
    with pytest.raises(UnwritableFile, match="does not read back"):
        save_project(path, scene(4))
    assert path.read_bytes() == before
    assert [*path.parent.iterdir()] == [path]


def test_what_was_added_and_does_not_read_back_is_written_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_project(path, past_of(2).document, past_of(2))
    first = path.stat().st_ino
    check, asked = Store.check, list[tuple[int, int]]()

    def failing(self: Store, after: tuple[int, int] = (0, 0)) -> None:
        asked.append(after)
        if len(asked) == 1:
            raise UnreadableFile(path=path, found="a bad sector", remedy="")
        check(self, after)

    monkeypatch.setattr(Store, "check", failing)
    save_project(path, past_of(4).document, past_of(4))
    assert asked[0] > (0, 0)
    assert path.stat().st_ino != first
    assert open_project(path).document == past_of(4).document


def test_drives_that_cannot_lock_files_are_read_and_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_project(path, past_of(2).document, past_of(2))
    connect = schema.connect

    def without_locks(path: Path, *, locked: bool = True, draft: bool = False, **options: bool) -> sqlite3.Connection:
        if locked and not draft:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_LOCK
            raise error
        return connect(path, draft=draft, locked=locked, **options)

    monkeypatch.setattr(schema, "connect", without_locks)
    with Store.create(path.with_name("copy.sinew")) as store:
        store.revise(scene())
    assert open_project(path.with_name("copy.sinew")).document == scene()
    assert open_project(path).document == past_of(2).document
    save_project(path, past_of(3).document, past_of(3))
    assert open_project(path).document == past_of(3).document


def test_a_save_that_was_broken_off_where_nothing_can_be_written_is_named(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_project(path, scene())
    schema.journal_of(path).write_bytes(bytes(1000))

    def refusing(path: Path, **_: bool) -> sqlite3.Connection:
        error = sqlite3.OperationalError("attempt to write a readonly database")
        error.sqlite_errorcode = sqlite3.SQLITE_READONLY_ROLLBACK
        raise error

    monkeypatch.setattr(schema, "connect", refusing)
    with pytest.raises(UnreadableFile, match=r"broken off.*Copy it and scene.sinew-journal to another folder"):
        open_project(path)


@pytest.mark.parametrize(
    "name", ["a?mode=memory&b=1#c%41;.sinew", "..sinew", " ä'\"ß.sinew", "-x.sinew", "a" * 200 + ".sinew"]
)
def test_any_name_is_a_name_and_nothing_else(tmp_path: Path, name: str) -> None:
    past = past_of(2)
    save_project(tmp_path / name, past.document, past)
    save_project(tmp_path / name, past_of(3).document, past_of(3))
    assert open_project(tmp_path / name).document == past_of(3).document
    assert [each.name for each in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("path", "address"),
    [
        (PurePosixPath("/home/ä b/50% ?#.sinew"), "file:///home/%C3%A4%20b/50%25%20%3F%23.sinew?mode=ro"),
        (PureWindowsPath(r"C:\My files\a.sinew"), "file:///C:/My%20files/a.sinew?mode=ro"),
        (PureWindowsPath(r"\\server\share\a.sinew"), "file:////server/share/a.sinew?mode=ro"),
    ],
)
def test_paths_of_every_system_are_addresses(path: PurePath, address: str) -> None:
    assert schema.address_of(path, "mode=ro") == address


def test_a_file_that_has_grown_is_written_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(save, "_SPARE", -(10**6))
    save_project(path, past_of(2).document, past_of(2))
    first = path.stat().st_ino
    save_project(path, past_of(3).document, past_of(3))
    assert path.stat().st_ino != first


def test_drafts_of_saves_that_were_killed_are_removed(path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    now = time.time()
    ages = {
        f"{gone.pid}-aaaaaaaa": 100.0,
        f"{gone.pid}-former": 100.0,
        f"{gone.pid}-bbbbbbbb": 1.0,
        f"{os.getpid()}-aaaaaaaa": 100.0,
        f"{os.getpid()}-bbbbbbbb": 9999.0,
        "c": 9999.0,  # of nobody that is known
    }
    for name, age in ages.items():
        draft = path.with_name(f".scene.sinew.{name}{disk.PART}")
        draft.touch()
        os.utime(draft, (now - age, now - age))
    other = path.with_name(f".other.sinew.{gone.pid}-aaaaaaaa{disk.PART}")
    other.touch()
    os.utime(other, (0, 0))
    save_project(path, scene())
    left = {f".scene.sinew.{name}{disk.PART}" for name in (f"{gone.pid}-bbbbbbbb", f"{os.getpid()}-aaaaaaaa", "c")}
    assert {each.name for each in path.parent.iterdir()} == {*left, path.name}


def test_nothing_is_held_of_documents_that_are_gone(path: Path) -> None:
    save_project(path, captured())
    opened = open_project(path).document
    held = len(arrays_module._stored)
    del opened
    gc.collect()
    assert len(arrays_module._stored) <= held - 2


SAVER = """
import sys, time
from pathlib import Path
from engine.edits import edit
from engine.project.past import Past, PastEntry
from engine.project.save import open_project, save_project
from engine.runtime.errors import UnwritableFile
path, who = Path(sys.argv[1]), sys.argv[2]
until = time.monotonic() + float(sys.argv[3])
while time.monotonic() < until:
    entries = [PastEntry("Open", None, open_project(path).document)]
    for number in range(4):
        change = edit("rename_actor", actor="one", name=f"{who} {number} {time.monotonic()}")
        entries.append(PastEntry("Name", None, change.apply(entries[-1].document)))
        try:
            save_project(path, entries[-1].document, Past(tuple(entries), number + 1))
        except UnwritableFile as error:
            assert "another program is writing it" in str(error), error
"""


@pytest.mark.parametrize("seconds", [1.0, pytest.param(120.0, marks=pytest.mark.deep)])
def test_a_file_that_three_processes_save_is_read_at_any_time(path: Path, seconds: float) -> None:
    save_project(path, scene(), past_of(1))
    command = [sys.executable, "-c", SAVER, str(path)]
    savers = [subprocess.Popen([*command, who, str(seconds)], stderr=subprocess.PIPE) for who in "abc"]
    reads = 0
    while any(saver.poll() is None for saver in savers):
        assert open_project(path).document.actors[1:] == scene().actors[1:]
        reads += 1
    assert [saver.communicate()[1].decode() for saver in savers] == ["", "", ""]
    assert reads > 5


def test_a_journal_that_is_gone_a_moment_later_is_no_damage(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_project(path, scene())
    connect, tries = schema.connect, list[bool]()

    def refusing(path: Path, **options: bool) -> sqlite3.Connection:
        tries.append(options["takes_back"])
        if len(tries) < 3:
            error = sqlite3.OperationalError("attempt to write a readonly database")
            error.sqlite_errorcode = sqlite3.SQLITE_READONLY_ROLLBACK
            raise error
        return connect(path, **options)

    monkeypatch.setattr(schema, "connect", refusing)
    assert open_project(path).document == scene()
    assert tries == [False] * 3, "nothing was taken back that another program was writing"


@pytest.mark.parametrize(
    "code", [sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM]
)
def test_only_damage_is_told_as_damage(path: Path, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    save_project(path, scene())

    def refusing(path: Path, **_: bool) -> sqlite3.Connection:
        error = sqlite3.OperationalError("what SQLite said")
        error.sqlite_errorcode = code
        raise error

    monkeypatch.setattr(schema, "connect", refusing)
    with pytest.raises(UnreadableFile, match="cannot be read now") as caught:
        open_project(path)
    assert caught.value.remedy != schema.RESTORE


def test_notes_of_any_length_in_a_file_stop_no_save(path: Path) -> None:
    save_project(path, scene(), past_of(2))
    for name in ("whole", "position"):
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("UPDATE meta SET value = ? WHERE name = ?", ("9" * 5000, name))
        save_project(path, past_of(3).document, past_of(3))
        assert open_project(path).document == past_of(3).document


@pytest.mark.skipif(os.name != "posix", reason="names are text there")
def test_a_name_that_is_no_text_is_saved_and_kept_like_any_other(tmp_path: Path) -> None:
    path, past = tmp_path / os.fsdecode(b"walk\xff.sinew"), past_of(2)
    labelled = replace(past.entries[0], label=f"Open {path.name}")
    past = replace(past, entries=(labelled, *past.entries[1:]))
    save_project(path, past.document, past)
    save_project(path, past.document, past)
    with Store.open(path) as store:
        assert open_project(path).document == past.document
        assert store.line_count == len(past.entries)
    arrays_module._homes.pop(path.resolve())  # the file system of later tests knows no such names
