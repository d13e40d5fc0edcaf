"""Bakes go into a project file and out again; what somebody else put there does no harm."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob
from engine.project.bakes import bakes_in
from engine.project.packed_bakes import NOTE, pack_bakes, packed_bakes, unpack_bakes
from engine.project.save import open_project, save_project
from engine.project.store import Store
from engine.runtime.errors import UnwritableFile
from tests.engine.project.committing import arm
from tests.engine.project.test_bakes import DIGEST, frames, read, write


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "arm.sinew"
    save_project(path, arm())
    return path


def test_bakes_are_packed_and_unpacked_as_they_were(project: Path, tmp_path: Path) -> None:
    one, other = write(tmp_path / "a", range(9)), write(tmp_path / "a", range(4), digest="cd" * 32)
    broken = tmp_path / "a" / f"{'ef' * 32}.bake"
    broken.write_bytes(b"x")
    assert pack_bakes(project, [one, other, broken, tmp_path / "missing.bake"]) == 2
    assert set(packed_bakes(project)) == {one.name, other.name}
    assert open_project(project).document.digest == arm().digest
    with Store.open(project) as store:
        store.check()
    assert unpack_bakes(project, [tmp_path / "b"]) == 2
    assert {each.name: each.read_bytes() for each in bakes_in(tmp_path / "b")} == {
        each.name: each.read_bytes() for each in (one, other)
    }
    assert unpack_bakes(project, [tmp_path / "c", tmp_path / "b"]) == 0, "they are there"


def test_a_bake_that_went_on_since_it_was_packed_is_not_replaced(project: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "a", range(3))
    pack_bakes(project, [path])
    write(tmp_path / "a", range(6))
    assert unpack_bakes(project, [tmp_path / "a"]) == 0
    assert read(path) == frames(range(6))


def test_they_go_where_something_can_be_written(project: Path, tmp_path: Path) -> None:
    pack_bakes(project, [write(tmp_path / "a", range(3))])
    (tmp_path / "file").write_text("")
    assert unpack_bakes(project, [tmp_path / "file", tmp_path / "b"]) == 1
    assert read(tmp_path / "b" / f"{DIGEST}.bake") == frames(range(3))
    with pytest.raises(UnwritableFile):
        unpack_bakes(project, [tmp_path / "file"])


@pytest.mark.parametrize("name", ["../../evil.bake", "/etc/passwd", "a.bake", f"{DIGEST}.bake/../x", f"{DIGEST}.txt"])
def test_no_name_leads_out_of_the_folder(project: Path, tmp_path: Path, name: str) -> None:
    blob = Blob(np.frombuffer(b"evil", np.uint8))
    with Store.open(project, writable=True) as store:
        store.put_array(blob)
        store.note(NOTE, json.dumps({name: blob.digest}))
    before = sorted(tmp_path.rglob("*"))
    assert packed_bakes(project) == ()
    assert unpack_bakes(project, [tmp_path / "b"]) == 0
    assert sorted(tmp_path.rglob("*")) == before


NO_NOTES = ["", "[]", "{", '{"x": 1}', json.dumps({f"{DIGEST}.bake": "ab" * 32}), pytest.param("[" * 99_999, id="deep")]


@pytest.mark.parametrize("note", NO_NOTES)
def test_a_note_that_is_none_is_no_error(project: Path, tmp_path: Path, note: str) -> None:
    with Store.open(project, writable=True) as store:
        store.note(NOTE, note)
    assert unpack_bakes(project, [tmp_path / "b"]) == 0


def test_a_file_that_is_no_project_has_none(tmp_path: Path) -> None:
    (tmp_path / "x.sinew").write_bytes(b"no project")
    assert packed_bakes(tmp_path / "x.sinew") == ()
    assert packed_bakes(tmp_path / "gone.sinew") == ()
