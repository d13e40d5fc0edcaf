"""The layer itself: what it says of a disk is so, and a store that does not sync is found out."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from engine.project import disk, schema
from engine.project.save import open_project, save_project
from engine.runtime.errors import UnwritableFile
from tests.reliability.deeds import Baking, Deed, Recovering, Saving, Unsound, document_at, past_at
from tests.reliability.faults import DEAF, FULL, Faults
from tests.reliability.power import File, Power
from tests.reliability.running import outcome
from tests.reliability.tap import Change, Do, PowerCut, Tap, through


class Listing(Tap):
    """Notes what passes."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []

    def step(self, change: Change, do: Do) -> None:
        self.seen.append((change.kind, change.path.name))
        do(change)


class Careless(Tap):
    """Has every call of one kind do nothing, before it comes to the machine."""

    is_off = False

    def __init__(self, power: Power, kind: str, suffix: str = "") -> None:
        self._power, self._kind, self._suffix = power, kind, suffix

    def step(self, change: Change, do: Do) -> None:
        if change.kind != self._kind or not change.path.name.endswith(self._suffix):
            self._power.step(change, do)
            self.is_off = self._power.is_off


def test_all_that_a_save_writes_passes_in_place_and_beside(tmp_path: Path) -> None:
    path, listing = tmp_path / "scene.sinew", Listing()
    with through(listing):
        save_project(path, document_at(0), past_at(0))
    beside = listing.seen.copy()
    kinds = [kind for kind, _ in beside]
    assert {"make", "write", "sync", "replace", "sync_folder"} <= set(kinds)
    assert kinds[-1] == "sync_folder" or "sync_folder" in kinds[kinds.index("replace") :]
    number = path.stat().st_ino
    listing.seen.clear()
    with through(listing):
        save_project(path, document_at(1), past_at(1))
    assert path.stat().st_ino == number, "in place"
    changes = [each for each in listing.seen if each[0] not in ("open", "read")]
    assert changes[0] == ("make", "scene.sinew-journal")
    assert changes.index(("sync", "scene.sinew")) < changes.index(("remove", "scene.sinew-journal"))
    assert open_project(path).document == document_at(1)


def test_the_programs_own_sqlite_is_back_afterwards(tmp_path: Path) -> None:
    before, connect = disk.present(), sqlite3.connect
    with pytest.raises(ZeroDivisionError), through(Tap()):
        raise ZeroDivisionError
    assert disk.present() is before
    assert sqlite3.connect is connect


def test_a_file_holds_what_was_synced_and_any_sectors_of_what_was_not() -> None:
    file = File()
    file.write(0, b"a" * 2048)
    file.sync()
    file.write(100, b"b" * 1500)
    file.cut(1800)
    found = {file.after(Random(seed)) for seed in range(300)}
    assert b"a" * 2048 in found
    assert (b"a" * 100 + b"b" * 1500 + b"a" * 200) in found
    assert len(found) > 40
    assert all(set(each) <= set(b"ab") and each[:100] == b"a" * 100 for each in found)
    assert {len(each) for each in found} == {1800, 2048}
    assert any(each[512:1024] == b"a" * 512 and each[100] == each[1100] == ord("b") for each in found), "reordered"
    assert any(len(set(each[512:1024])) == 2 for each in found), "torn"
    file.sync()
    assert {file.after(Random(seed)) for seed in range(20)} == {b"a" * 100 + b"b" * 1500 + b"a" * 200}


@pytest.fixture
def power(tmp_path: Path) -> Power:
    (tmp_path / "now").mkdir()
    (tmp_path / "now" / "file").write_bytes(b"old")
    return Power(tmp_path / "now")


def survivors(power: Power, folder: Path, seeds: int = 60) -> set[tuple[tuple[str, bytes], ...]]:
    """All that may be found afterwards."""
    found = set()
    for seed in range(seeds):
        target = folder / str(seed)
        target.mkdir()
        power.survivors(target, seed)
        found.add(tuple((each.name, each.read_bytes()) for each in sorted(target.iterdir())))
    return found


def test_a_file_that_was_renamed_and_synced_nowhere_may_be_empty_or_not_there(power: Power, tmp_path: Path) -> None:
    path = tmp_path / "now" / "file"
    with through(power):
        draft = disk.present().make(path.parent, path.name)
        disk.present().write(draft, b"new")
        disk.replace(draft, path)
    assert {(("file", b"old"),), (("file", b""),), (("file", b"new"),)} < survivors(power, tmp_path)


def test_a_file_that_is_written_beside_is_the_old_or_the_new_one(tmp_path: Path) -> None:
    for at in range(20):
        folder = tmp_path / str(at)
        (folder / "now").mkdir(parents=True)
        (folder / "now" / "file").write_bytes(b"old")
        power = Power(folder / "now", at=at)
        with through(power):
            try:
                disk.write_beside(folder / "now" / "file", b"new")
            except PowerCut:
                assert {dict(each)["file"] for each in survivors(power, folder, 20)} <= {b"old", b"new"}
            else:
                assert survivors(power, folder, 20) == {(("file", b"new"),)}
                return
    pytest.fail("never done")


def test_a_folder_whose_name_was_not_synced_takes_all_in_it_along(power: Power, tmp_path: Path) -> None:
    below = tmp_path / "now" / "below"
    below.mkdir()
    with through(power):
        disk.write_beside(below / "inner", b"new")
    (tmp_path / "cut").mkdir()
    found = set()
    for seed in range(20):
        target = tmp_path / "cut" / str(seed)
        target.mkdir()
        power.survivors(target, seed)
        found.add((target / "below" / "inner").exists())
    assert found == {True, False}
    with through(power):
        disk.sync_folder(below.parent)
    power.survivors(tmp_path / "cut", 0)
    assert (tmp_path / "cut" / "below" / "inner").read_bytes() == b"new"


def test_a_machine_that_is_off_does_nothing_more(tmp_path: Path) -> None:
    power = Power(tmp_path, at=1)
    with through(power):
        with pytest.raises(PowerCut):
            disk.present().write(tmp_path / "file", b"new")
        for call in (disk.present().write_new, disk.append):
            with pytest.raises(PowerCut):
                call(tmp_path / "other", b"more")
    assert not (tmp_path / "other").exists()


def armed(code: int, at: int, *, once: bool = False) -> Faults:
    faults = Faults(code, at=at, once=once)
    faults.arm()
    return faults


def test_a_full_disk_takes_half_and_one_that_is_deaf_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with through(armed(FULL, 0)), pytest.raises(OSError, match="No space"):
        disk.append(path, b"four")
    assert path.read_bytes() == b"oldfo"
    with through(armed(DEAF, 0, once=True)):
        with pytest.raises(OSError, match="Input/output"):
            disk.append(path, b"four")
        disk.append(path, b"more")
    assert path.read_bytes() == b"oldfomore"


@pytest.mark.parametrize(("code", "words"), [(FULL, "the disk is full"), (DEAF, "does not answer")])
def test_what_sqlite_is_refused_is_told_in_the_words_of_the_room(tmp_path: Path, code: int, words: str) -> None:
    path = tmp_path / "scene.sinew"
    with through(armed(code, 4)), pytest.raises(UnwritableFile, match=words):
        save_project(path, document_at(0), past_at(0))


def test_what_the_layer_wrote_is_read_without_it(tmp_path: Path) -> None:
    with through(Tap()):
        save_project(tmp_path / "scene.sinew", document_at(0), past_at(0))
    with closing(sqlite3.connect(tmp_path / "scene.sinew")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert schema.journal_of(tmp_path / "scene.sinew").exists() is False


@pytest.mark.parametrize(
    ("deed", "kind", "suffix"),
    [
        (Saving("in place"), "sync", ""),
        (Saving("in place"), "sync", "-journal"),
        (Saving("in place"), "sync", ".sinew"),
        (Saving("beside"), "sync", ".part"),
        (Saving("beside"), "sync_folder", ""),
        (Saving("elsewhere"), "sync_folder", ""),
        (Recovering(), "sync", ""),
        (Recovering(), "sync_folder", ""),
        (Baking(), "sync", ""),
    ],
    ids=lambda each: getattr(each, "name", each),
)
def test_a_store_that_does_not_sync_is_found_out(deed: Deed, kind: str, suffix: str, tmp_path: Path) -> None:
    for seed in range(400):
        folder = tmp_path / str(seed)
        folder.mkdir()
        try:
            outcome(deed, folder, seed, careless=lambda power: Careless(power, kind, suffix))
        except Unsound:
            return
    pytest.fail("nobody noticed")
