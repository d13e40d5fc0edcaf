"""`python -m engine info` and `convert` over files of every format."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.__main__ import main
from engine.cli.files import rate_from
from engine.formats.figure_toml import load_figure, write
from engine.formats.shipped import shipped_file
from engine.formats.table import by_suffix
from engine.long.percent import Percent

BVH = """\
HIERARCHY
ROOT Hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 50 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 30 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.0333333
0 90 0 0 0 0 0 0 0
1 90 0 0 0 0 0 10 0
2 90 0 0 0 0 0 20 0
"""


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    path = tmp_path / "clip.bvh"
    path.write_text(BVH, encoding="utf-8")
    return path


def test_info_of_a_motion_says_what_it_holds(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(clip)]) == 0
    output = capsys.readouterr().out
    for part in ("BVH motion", "2 joints, 9 degrees of freedom, 0 limits", "3 frames of 9 coordinates"):
        assert part in output
    assert "longest side at rest: 0.8 m" in output
    assert "rate: 30 frames a second" in output


def test_info_of_a_figure_says_its_limits_mass_and_handles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "h.figure.toml", load_figure("human"))
    assert main(["info", str(tmp_path / "h.figure.toml")]) == 0
    output = capsys.readouterr().out
    assert "40 joints, 71 degrees of freedom, 142 limits" in output
    assert "mass: 70 kg" in output
    assert "hand_left" in output
    figures = shipped_file("figure", "anatomy", ".figure.toml")
    with figures as path:
        assert main(["info", str(path)]) == 0
    assert "103 bones, 163 degrees of freedom, besides 6 of the root" in capsys.readouterr().out


def test_help_says_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        main(["--help"])
    assert ending.value.code == 0
    said = " ".join(capsys.readouterr().out.split())
    assert all(each in said for each in ("0 done", "1 it failed", "2 the arguments", "130 it was interrupted"))


def test_percents_are_said_once_a_second_and_not_before(capsys: pytest.CaptureFixture[str]) -> None:
    now = iter([0.0, 0.5, 0.99, 1.2, 1.9, 2.3])
    percent = Percent("reading", clock=lambda: next(now))
    for share in (0.1, 0.2, 0.3, 0.4, 0.5):
        percent(share)
    assert capsys.readouterr().err.splitlines() == ["reading: 30%", "reading: 50%"]


def test_rates_as_people_write_them() -> None:
    written = {
        "30": (30, 1),
        "29.97": (30000, 1001),
        "23.976": (24000, 1001),
        "12.5": (25, 2),
        "60000/1001": (60000, 1001),
    }
    assert {text: rate_from(text) for text in written} == written


def test_a_figure_is_found_by_its_long_suffix() -> None:
    format = by_suffix("Lamp.Figure.TOML")
    assert format is not None
    assert format.name == "Sinew figure"
