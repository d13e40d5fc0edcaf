"""Folders: each file is done under its name, what is wrong with one is said, and the others go on."""

from __future__ import annotations

from math import radians
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.commands.bring_in import read_contents
from engine.commands.build_limits import BuildLimits
from engine.commands.make_limit import write_limit
from engine.document import Actor, Document
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.formats.figure_toml import load_figure
from engine.runtime.progress import finish

BVH = """HIERARCHY
ROOT hips
{{
 OFFSET 0 0 0
 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
 JOINT spine
 {{
  OFFSET 0 10 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  End Site
  {{
   OFFSET 0 10 0
  }}
 }}
}}
MOTION
Frames: 2
Frame Time: 0.033333
0 100 0 0 0 0 {angle} 0 0
0 100 0 0 0 0 0 0 0
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three motions, one of which is damaged, and a text that is none."""
    made = tmp_path / "motions"
    made.mkdir()
    for name, angle in (("a", 10), ("b", 20)):
        (made / f"{name}.bvh").write_text(BVH.format(angle=angle))
    (made / "broken.bvh").write_text(BVH.format(angle="much"))
    (made / "notes.txt").write_text("nothing to see")
    return made


def run(*arguments: str | Path) -> int:
    return main([*map(str, arguments), "--workers", "1"])


def test_every_file_of_a_folder_is_converted_and_what_is_wrong_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder.parent / "out"
    assert run("convert", folder, out, "--to", ".motion.toml") == 1
    said = capsys.readouterr()
    assert said.out == "2 of 3 files written; 1 failed: broken.bvh\n"
    assert "broken.bvh: cannot read" in said.err
    assert "'much'" in said.err
    assert sorted(each.name for each in out.glob("*.motion.toml")) == ["a.motion.toml", "b.motion.toml"]
    alone = folder.parent / "a.motion.toml"
    assert main(["convert", str(folder / "a.bvh"), str(alone)]) == 0
    assert (out / "a.motion.toml").read_bytes() == alone.read_bytes()


def test_every_file_of_a_folder_is_measured_and_retargeted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "broken.bvh").unlink()
    out = folder.parent / "curves"
    assert run("curves", folder, out, "place.y:.spine", "--to", "csv") == 0
    assert capsys.readouterr().out == "2 of 2 files written\n"
    header, first, _ = (out / "b.csv").read_text().splitlines()
    assert "position y [m]" in header
    assert float(first.split(",")[1]) == pytest.approx(110.0 * 0.0254 / 0.45, abs=1e-9), "of the CMU's units"
    names = {each.id for each in read_contents(folder / "a.bvh").figure.joints}  # type: ignore[union-attr]
    assert names == {"hips", "spine"}
    (folder.parent / "map.txt").write_text("hips -> hips\nspine -> spine\n")
    back = folder.parent / "back"
    arguments = ("retarget", folder, folder / "a.bvh", back, "--to", ".bvh", "--map", folder.parent / "map.txt")
    assert run(*arguments) == 0, capsys.readouterr().err
    assert capsys.readouterr().out == "2 of 2 files written\n"
    assert sorted(each.name for each in back.iterdir()) == ["a.bvh", "b.bvh"]


def test_folders_that_cannot_be_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder.parent / "empty").mkdir()
    (folder / "a.motion.toml").write_text("")
    for arguments, said in (
        ((folder, folder.parent / "out"), "--to, with a folder is 'nothing'"),
        ((folder, folder / "a.bvh", "--to", ".bvh"), "it is a file. Name a folder"),
        ((folder.parent / "empty", folder.parent / "out", "--to", ".bvh"), "is of a format that Sinew reads"),
        ((folder, folder.parent / "out", "--to", ".bvh"), "a.bvh and a.motion.toml would both be it"),
    ):
        assert run("convert", *arguments) == 1
        assert said in capsys.readouterr().err


def test_limits_of_a_folder_are_those_that_its_captures_give_in_the_window(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder.parent / "fields"
    assert run("fields", folder, out, "--nodes", "6") == 1
    said = capsys.readouterr()
    assert said.out == "1 field of a written, over 2 clips; 1 failed: broken.bvh\n"
    assert "broken.bvh: cannot read" in said.err
    [path] = out.iterdir()
    assert path.name == "spine.field.npz"
    figure = read_contents(folder / "a.bvh").figure
    assert figure is not None
    document = Document(actors=(Actor(id="one", name="One", figure=figure),))
    files = (folder / "a.bvh", folder / "b.bvh")
    command = BuildLimits(actor="one", joints=("spine",), files=files, ids=("spine",), nodes=6, margin=radians(5.7))
    built = finish(command.work_through(Evaluator(), document)).apply(document)
    write_limit(folder.parent / "other.field.npz", built, "one", "spine")
    assert path.read_bytes() == (folder.parent / "other.field.npz").read_bytes()
    first = path.read_bytes()
    assert run("fields", folder, out, "--nodes", "6", "--figure", folder / "b.bvh", "--joint", "spine") == 1
    assert path.read_bytes() == first
    assert run("fields", folder, out, "--joint", "tail") == 1
    assert "there is no joint 'tail'" in capsys.readouterr().err


def test_every_file_of_a_folder_is_a_row_of_a_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = folder.parent / "table.csv"
    how = ("measure", folder, table, "place.y:.spine", "--of", "min", "--of", "last")
    assert run(*how) == 1
    assert "3 rows, 3 of them worked out now; 1 without numbers" in capsys.readouterr().out
    _, head, *rows = table.read_text().splitlines()
    assert head == "row,file,min place.y:.spine [m],last place.y:.spine [m],problem,key"
    assert [each.split(",")[1] for each in rows] == ["a.bvh", "b.bvh", "broken.bvh"]
    assert float(rows[1].split(",")[2]) == pytest.approx(110.0 * 0.0254 / 0.45, abs=1e-9)
    assert "cannot read" in rows[2]
    (folder / "broken.bvh").write_text(BVH.format(angle=30))
    assert run(*how) == 0
    assert "3 rows, 1 of them worked out now" in capsys.readouterr().out
    assert table.read_text().splitlines()[2:4] == rows[:2]
    assert run(*how[:3], "place.x:.spine") == 1
    assert "3 rows of another study" in capsys.readouterr().err
    assert run("measure", folder, folder.parent / "other.csv", "place.y:.tail") == 1
    assert "tail" in capsys.readouterr().err
    assert not (folder.parent / "other.csv").exists()


def test_projects_of_a_folder_are_met_and_baked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenes = tmp_path / "scenes"
    scenes.mkdir()
    still = Document(actors=(Actor(id="one", name="One", figure=load_figure("human")),))
    for name in ("a", "b"):
        sinew.write(scenes / f"{name}.sinew", still)
    (scenes / "torn.sinew").write_bytes(b"no project")
    assert run("bake", scenes, "--end", "0.1") == 1
    said = capsys.readouterr()
    assert said.out == "2 of 3 files done; 1 failed: torn.sinew\n"
    assert said.err.count("frames, ") == 2
    assert "torn.sinew: cannot " in said.err
    assert run("meet", scenes, "--out", tmp_path / "met") == 1
    assert "a.sinew: the targets of the project is 'none'" in capsys.readouterr().err
    assert run("water", "bake", scenes) == 1
    assert "allowed: one with a tank of water" in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert run("bake", tmp_path / "empty") == 1
    assert "no file in" in capsys.readouterr().err
