"""`python -m engine info` and `convert` over files of every format."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.__main__ import main
from engine.document import Actor, Attachment, Box, Document, Layer, Placement, prop
from engine.formats import sinew
from engine.formats.figure_toml import load_figure, read, write
from engine.formats.table import by_suffix
from engine.jobs.bring_in import read_contents
from engine.jobs.files import Percent, rate_from
from tests.engine.figures import scene

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


def test_convert_says_what_is_lost_before_it_writes(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = clip.with_name("clip.figure.toml")
    assert main(["convert", str(clip), str(target)]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines.index("left out: motion") < lines.index(f"writing {target}")
    assert lines[-1] == "done"
    figure = read_contents(clip).figure
    assert figure is not None
    assert read(target).joints == figure.joints


def test_convert_at_another_rate_keeps_the_length(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = clip.with_name("fast.bvh")
    assert main(["convert", str(clip), str(target), "--fps", "60"]) == 0
    (layer,) = read_contents(target).layers
    assert layer.samples is not None
    assert (layer.samples.rate, layer.samples.frame_count) == ((60, 1), 5)


def test_units_are_those_of_the_file_that_is_read(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = clip.with_name("clip.figure.toml")
    assert main(["convert", str(clip), str(target), "--unit", "mm"]) == 0
    assert read(target).joints[0].offset == (0.0, 0.09, 0.0)


def test_convert_to_a_document_and_back(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene_file, back = clip.with_name("clip.sinew"), clip.with_name("back.bvh")
    assert main(["convert", str(clip), str(scene_file)]) == 0
    assert main(["convert", str(scene_file), str(back)]) == 0
    first, again = read_contents(clip).layers[0].samples, read_contents(back).layers[0].samples
    assert first is not None
    assert again is not None
    assert again.values.array == pytest.approx(first.values.array, abs=1e-9)


def test_a_figure_that_hangs_on_another_is_converted_where_it_was_placed_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figure = load_figure("chain3")
    box = Actor(id="box", name="Box", figure=prop("Box", (Box(half=(0.2, 0.2, 0.2)),)))
    hold = Attachment(id="hold", joint=figure.joints[0].id, target="box", target_joint=box.figure.joints[0].id)
    place = Placement(position=(1.0, 2.0, 3.0))
    arm = Actor(id="arm", name="Arm", figure=figure, placement=place, attachments=(hold,))
    sinew.write(tmp_path / "s.sinew", Document(actors=(arm, box)))
    assert main(["convert", str(tmp_path / "s.sinew"), str(tmp_path / "one.figure.toml")]) == 0
    assert "Arm stands at its own place; what it hangs on is not taken" in capsys.readouterr().err
    assert read(tmp_path / "one.figure.toml").joints[0].offset == pytest.approx(
        [a + b for a, b in zip(figure.joints[0].offset, (1.0, 2.0, 3.0), strict=True)]
    )


def test_a_scene_of_several_figures_gives_its_first_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sinew.write(tmp_path / "s.sinew", scene())
    assert main(["convert", str(tmp_path / "s.sinew"), str(tmp_path / "one.figure.toml")]) == 0
    assert "only one figure is taken; not Two, Three, Box" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("none.bvh", "a.figure.toml", "cannot read"),
        ("clip.bvh", "a.xyz", "no format that Sinew writes ends in '.xyz'"),
        ("clip.xyz", "a.bvh", "no format that Sinew reads ends in '.xyz'"),
        ("clip.bvh", "clip.bvh", "the file that is read"),
        ("clip.bvh", "no/such/a.bvh", "no such folder"),
    ],
)
def test_what_cannot_be_converted_is_one_error_and_exit_1(
    clip: Path, capsys: pytest.CaptureFixture[str], source: str, target: str, message: str
) -> None:
    assert main(["convert", str(clip.with_name(source)), str(clip.parent / target)]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert message in last
    assert clip.read_text(encoding="utf-8") == BVH


def test_an_interruption_exits_130_and_leaves_no_file(clip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(share: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("engine.jobs.files.Percent", lambda what: interrupt)
    assert main(["convert", str(clip), str(clip.with_name("a.csv"))]) == 130
    assert [path.name for path in clip.parent.iterdir()] == ["clip.bvh"]


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


@pytest.mark.parametrize("option", [["--fps", "0"], ["--fps", "inf"], ["--unit", "cubit"], ["--up", "w"]])
def test_options_that_make_no_sense_exit_2(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        main(["convert", "a.bvh", "b.bvh", *option])
    assert ending.value.code == 2


def test_a_document_without_motion_gives_its_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figure = load_figure("lamp")
    actor = Actor(id="lamp", name="Lamp", figure=figure, layers=(Layer(id="pose"),))
    sinew.write(tmp_path / "s.sinew", Document(actors=(actor,)))
    assert main(["convert", str(tmp_path / "s.sinew"), str(tmp_path / "lamp.figure.toml")]) == 0
    assert read(tmp_path / "lamp.figure.toml") == figure


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
