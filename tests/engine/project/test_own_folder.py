"""A hidden folder beside what is to appear whole: it goes however the work ends, and with a killed one's next."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.project.own_folder import HOST, own_folder


def test_it_stands_beside_what_is_to_be_and_goes_with_all_that_is_in_it(tmp_path: Path) -> None:
    with own_folder(tmp_path / "walk.objseq") as folder:
        assert folder.parent == tmp_path
        assert folder.name.startswith(f".walk.objseq.{HOST}.{os.getpid()}.")
        (folder / "half").write_text("half")
    assert list(tmp_path.iterdir()) == []


def test_it_goes_when_the_work_fails(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), own_folder(tmp_path / "a") as folder:
        fail(folder)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["\N{CJK UNIFIED IDEOGRAPH-6F22}" * 80, "a" * 240, "Bölling.objseq"])
def test_any_name_that_a_file_may_have_has_one(tmp_path: Path, name: str) -> None:
    with own_folder(tmp_path / name) as folder:
        assert folder.is_dir()


@pytest.mark.skipif(sys.platform == "win32", reason="asks whether a process lives")
def test_what_a_killed_process_left_goes_and_nothing_else(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    left, alive = (f".a.{HOST}.{each}.x.part" for each in (process.pid, os.getpid()))
    others = [alive, f".a.another-{HOST}.{process.pid}.x.part", ".notes.part", f"a.{HOST}.{process.pid}.x.part"]
    for each in (left, *others):
        (tmp_path / each).mkdir()
    with own_folder(tmp_path / "b"):
        pass
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(others)
