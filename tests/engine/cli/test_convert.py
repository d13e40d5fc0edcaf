"""`python -m engine convert` over files of every format."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.__main__ import main
from engine.commands.bring_in import read_contents
from engine.document import Actor, Attachment, Box, Document, Layer, Placement, prop
from engine.formats import sinew
from engine.formats.figure_toml import load_figure, read
from engine.formats.format import Options
from engine.long.export import export
from tests.engine.cli.test_files import BVH
from tests.engine.figures import scene
from tests.engine.formats.test_gltf_shown import moving


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    path = tmp_path / "clip.bvh"
    path.write_text(BVH, encoding="utf-8")
    return path


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
    assert "left out: what hangs on other actors stays at its own place: Arm" in capsys.readouterr().err
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

    monkeypatch.setattr("engine.cli.convert.Percent", lambda what: interrupt)
    assert main(["convert", str(clip), str(clip.with_name("a.csv"))]) == 130
    assert [path.name for path in clip.parent.iterdir()] == ["clip.bvh"]


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


@pytest.mark.parametrize("suffix", [".bvh", ".amc", ".asf", ".glb", ".gltf", ".csv", ".npz", ".figure.toml", ".usda"])
def test_an_actor_of_a_scene_is_converted_as_it_is_seen(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document, source, target = moving("ball"), tmp_path / "s.sinew", tmp_path / f"out{suffix}"
    sinew.write(source, document)
    human = next(actor for actor in document.actors if not actor.figure.is_prop)
    assert main(["convert", str(source), str(target), "--actor", human.name.casefold()]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if line.startswith("left out: pins")]
    assert lines[-1] == "done"
    export(tmp_path / f"window{suffix}", document, [human.id], Options())
    assert target.read_bytes() == (tmp_path / f"window{suffix}").read_bytes(), "the window's export is the same"


def test_all_actors_become_a_file_each_and_their_names_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = moving("ball")
    sinew.write(tmp_path / "s.sinew", document)
    assert main(["convert", str(tmp_path / "s.sinew"), str(tmp_path / "out.bvh"), "--all"]) == 0
    said = capsys.readouterr().err
    written = sorted(path.name for path in tmp_path.glob("out-*.bvh"))
    assert len(written) == len(document.actors) > 1
    assert all(f"wrote {tmp_path / name}" in said for name in written)


@pytest.mark.parametrize(
    ("asked", "message"),
    [(["--actor", "nobody"], "no actor 'nobody'"), (["--actor", "two", "--actor", "x"], "no actor 'x'")],
)
def test_an_actor_that_is_not_there_is_named_and_nothing_written(
    asked: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sinew.write(tmp_path / "s.sinew", scene())
    assert main(["convert", str(tmp_path / "s.sinew"), str(tmp_path / "out.bvh"), *asked]) == 1
    assert message in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["s.sinew"]


def test_a_motion_has_no_actors_to_choose_from(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(clip), str(clip.with_name("a.csv")), "--actor", "hips"]) == 1
    assert "the actors to convert is 'hips'; allowed: those of a scene" in capsys.readouterr().err
    assert [path.name for path in clip.parent.iterdir()] == ["clip.bvh"]
