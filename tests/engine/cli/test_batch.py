"""Folders: each file is done under its name, what is wrong with one is said, and the others go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.__main__ import main
from engine.commands.bring_in import read_contents

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
