"""Scenes as they are seen, for files that hold whole scenes: which actors, times and rate, and the command line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.__main__ import main
from engine.commands.bring_in import bring_in
from engine.document import Document, Draft, Lock
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.formats import obj, sinew
from engine.formats.format import Format, Options
from engine.formats.scene import Scene
from engine.formats.table import FORMATS
from engine.long.export import export, left_out
from engine.long.scenes import scene_contents
from tests.engine.cli.test_files import BVH
from tests.engine.formats.scenes import RATE, crowd, seen, vertices
from tests.engine.formats.usd_reader import UsdFile

SCENES = tuple(each for each in FORMATS if each.takes_scene)
every_scene_format = pytest.mark.parametrize("format", SCENES, ids=lambda format: format.name)

NEAR = 1e-5  # [m]


def scene(document: Document, *chosen: str) -> Scene:
    found = scene_contents(document, chosen).scene
    assert found is not None
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    sinew.write(tmp_path / "crowd.sinew", crowd())
    return tmp_path / "crowd.sinew"


def test_what_moves_the_chosen_comes_along_and_nothing_else() -> None:
    found = scene(crowd(), "ball")
    assert [actor.id for actor in found.actors] == ["ball"]
    assert {actor.id for actor in found.document.actors} == {"one", "ball"}


def test_the_range_is_what_is_played_else_from_0_to_the_last_of_what_moves_it() -> None:
    document = crowd()
    assert (scene(document, "box").first, scene(document, "box").last) == (0, SECOND)
    free = replace(document, play=None)
    assert (scene(free, "box").first, scene(free, "box").last) == (0, SECOND)
    assert (scene(free, "empty").first, scene(free, "empty").last) == (0, 0), "nothing of it moves"
    assert scene(free, "ball").last == scene(free, "one").last > SECOND, "it is held by what moves for longer"


def test_samples_are_written_at_their_rate_and_keys_at_that_of_the_document(tmp_path: Path) -> None:
    (tmp_path / "a.bvh").write_text(BVH)
    actor = bring_in(tmp_path / "a.bvh").actor
    assert actor is not None
    (rate,) = {layer.samples.rate for layer in actor.layers if layer.samples is not None}
    assert rate != RATE
    document = crowd()
    document = replace(document, actors=(*document.actors, actor))
    assert scene(document, "box").rate == RATE
    assert scene(document, "box", actor.id).rate == rate


@every_scene_format
def test_a_draft_is_left_out_and_said_so(format: Format, tmp_path: Path) -> None:
    document = crowd()
    box = document.actor("box")
    draft = Draft(time=0, values=((box.figure.coordinates[0], 5.0),))
    drafted = document.with_actor(replace(box, layers=(replace(box.layers[0], drafts=(draft,)),)))
    assert "working poses, which are not keyed: Box" in left_out(format, drafted, ["box"])
    found = scene(drafted, "box").seen().rows(scene(drafted, "box").document, 0)["box"]
    kept = scene(document, "box").seen().rows(scene(document, "box").document, 0)["box"]
    assert np.array_equal(found, kept)


@every_scene_format
def test_what_becomes_of_locks_and_what_hangs_is_said(format: Format) -> None:
    lost = left_out(format, crowd(), ["one", "ball"])
    assert "pins, written as the motion that meets them: Anna Bölling" in lost
    assert 'what hangs on other actors, written as the motion that is seen: The "ball"' in lost


@every_scene_format
def test_locks_are_kept_in_what_is_written(format: Format, tmp_path: Path) -> None:
    path = tmp_path / f"a{format.suffixes[0]}"
    moved: Lock = replace(crowd().actor("one").locks[0], position=(0.2, 1.1, 0.5))
    document = crowd().with_actor(replace(crowd().actor("one"), locks=(moved,)))
    assert export(path, document, ["ball"], Options(end=SECOND // 2)) == (path,)
    expected = vertices(seen(document, 12), "ball")
    if path.is_dir():
        found = obj.read(path / "a_0013.obj", Options()).surfaces[0].positions
    else:
        found = UsdFile(path).points("/Scene/The__ball_/Mesh", 12)
    assert np.abs(found - expected).max() < NEAR


def test_convert_writes_all_actors_of_a_project_over_a_range(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = project.with_name("out.objseq")
    assert main(["convert", str(project), str(target), "--start", "0.25", "--end", "0.5", "--fps", "12"]) == 0
    assert "left out: actors that are hidden: Box" in capsys.readouterr().err.splitlines()
    assert [each.name for each in sorted(target.iterdir())] == [f"out_000{number}.obj" for number in range(1, 5)]
    assert len(obj.read(target / "out_0001.obj", Options()).surfaces) == 4
    assert main(["convert", str(project), str(project.with_name("one.usda")), "--actor", "box", "--end", "0"]) == 0
    assert set(UsdFile(project.with_name("one.usda")).prims("Mesh")) == {"/Scene/Box/Mesh"}


def test_convert_takes_a_motion_to_usd_in_its_own_frames(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.bvh").write_text(BVH)
    found = bring_in(tmp_path / "a.bvh").actor
    assert found is not None
    (samples,) = (layer.samples for layer in found.layers if layer.samples is not None)
    assert main(["convert", str(tmp_path / "a.bvh"), str(tmp_path / "a.usda")]) == 0
    stage = UsdFile(tmp_path / "a.usda").stage
    assert stage.GetTimeCodesPerSecond() == pytest.approx(samples.rate[0] / samples.rate[1])
    assert stage.GetEndTimeCode() == samples.frame_count - 1


@pytest.mark.parametrize(
    ("name", "options", "found"),
    [
        ("a.obj", ["--start", "1"], "a range"),
        (
            "a.usda",
            ["--start", "2", "--end", "1"],
            "the end of the range is '1 s'; allowed: at or after its start, 2 s",
        ),
        ("a.usda", ["--end", "nan"], "a range"),
        ("a.usda", ["--end", "1e300"], "a range"),
        ("taken.objseq", [], "there is a folder of that name"),
        ("a.objseq", ["--actor", "empty"], "nothing to write"),
    ],
)
def test_what_cannot_be_is_one_line_that_names_it(
    project: Path, name: str, options: list[str], found: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project.parent / "taken.objseq").mkdir()
    assert main(["convert", str(project), str(project.with_name(name)), *options]) == 1
    assert found in capsys.readouterr().err.splitlines()[-1]
    assert sorted(each.name for each in project.parent.iterdir()) == ["crowd.sinew", "taken.objseq"]


@every_scene_format
def test_a_scene_without_actors_is_not_written(format: Format, tmp_path: Path) -> None:
    sinew.write(tmp_path / "none.sinew", Document())
    target = tmp_path / f"a{format.suffixes[0]}"
    assert main(["convert", str(tmp_path / "none.sinew"), str(target)]) == 1
    assert not target.exists()
