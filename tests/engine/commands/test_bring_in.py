"""Files of any format become actors of the document."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.commands.bring_in import bring_in
from engine.document import Actor, Document, validate
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate import rest_snapshot
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.formats.conventions import rest_box
from engine.formats.format import Options, Up
from engine.motion.mirror import mirror_layer
from engine.runtime.errors import UnreadableFile
from tests.engine.figures import scene
from tests.engine.shared_data import shared

BVH = """HIERARCHY
ROOT Hips
{{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {{
    OFFSET {chest}
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {{
      OFFSET {chest}
    }}
  }}
}}
MOTION
Frames: 2
Frame Time: 0.033333
0 0 0 0 0 0 0 0 0
1 0 0 0 0 0 10 0 0
"""


def file_of(folder: Path, chest: str) -> Path:
    path = folder / "clip.bvh"
    path.write_text(BVH.format(chest=chest))
    return path


def test_a_motion_becomes_an_actor_with_bones_and_a_layer_to_pose(tmp_path: Path) -> None:
    found = bring_in(file_of(tmp_path, "0 85 0"))
    assert found.document is None
    assert found.actor is not None
    document = edit("add_actor", actor=found.actor).apply(Document())
    validate(document)
    assert found.actor.name == "clip"
    assert found.actor.layers[-1].samples is None, "a layer that sliders can write to"
    assert len(rest_snapshot(document).bodies[0].skeleton.start) > 1, "bones to be seen and picked"
    assert found.notes == ()


@pytest.mark.parametrize(
    ("chest", "unit", "up"), [("0 16 0", 0.0564444, "y"), ("0 0 85", 0.01, "z"), ("0 0.85 0", 1, "y")]
)
def test_a_person_stands_upright_and_of_a_persons_size(tmp_path: Path, chest: str, unit: float, up: str) -> None:
    found = bring_in(file_of(tmp_path, chest))
    assert found.actor is not None
    top = rest_snapshot(edit("add_actor", actor=found.actor).apply(Document())).bodies[0]
    positions = top.transforms[:, :, 3]
    assert 0.5 < positions[1, 1] - positions[0, 1] < 2.0, "the chest is above the hips"
    assert f"a unit of {unit:.6g} m, {up} is up" in found.notes[-1]


def test_a_document_comes_whole(tmp_path: Path) -> None:
    sinew.write(tmp_path / "a.sinew", scene())
    assert bring_in(tmp_path / "a.sinew").document == scene()


@pytest.mark.parametrize("name", ["notes.txt", "nothing", "clip.xyz"])
def test_other_files_are_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("hello")
    with pytest.raises(UnreadableFile, match=r"\.bvh"):
        bring_in(tmp_path / name)


@pytest.mark.parametrize(
    ("chest", "axes", "height"),
    [
        ("0 85 0", {"y": 1.7, "z": 0.0}, 1.7),
        ("0 0 85", {"z": 1.7, "y": 0.0}, 1.7),
        ("0 20 3", {"y": 40 * 0.0564444}, 2.26),
    ],
)
def test_what_was_taken_says_how_tall_the_figure_stands(
    tmp_path: Path, chest: str, axes: dict[Up, float], height: float
) -> None:
    found = bring_in(file_of(tmp_path, chest))
    assert found.taken is not None
    assert found.taken.rate is None, "the file says it"
    assert not found.taken.all_said
    assert found.taken.height(found.taken.unit, found.taken.up) == pytest.approx(height, abs=0.01)
    for up, tall in axes.items():
        assert found.taken.height(found.taken.unit, up) == pytest.approx(tall, abs=0.01)


@pytest.mark.parametrize("unit", [0.01, 0.0254])
@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_a_choice_gives_the_height_that_was_said(tmp_path: Path, unit: float, up: Up) -> None:
    path = file_of(tmp_path, "20 70 30")
    first = bring_in(path).taken
    again = bring_in(path, Options(unit=unit, up=up))
    assert first is not None
    assert again.actor is not None
    assert again.actor.figure is not None
    assert rest_box(again.actor.figure)[1] == pytest.approx(first.height(unit, up), abs=1e-12)
    assert again.taken is not None
    assert again.taken.sides == pytest.approx(first.sides, abs=1e-9)


def test_a_rate_that_the_file_states_stays(tmp_path: Path) -> None:
    found = bring_in(file_of(tmp_path, "0 85 0"), Options(rate=(60, 1)))
    assert found.rate == (30, 1)


def transforms(actor: Actor) -> NDArray[np.float64]:
    return Evaluator().joint_transforms(Document(actors=(actor,)), actor.id, SECOND)


CAPTURES = (
    ("bvh", "cmu_12_01_walk.bvh"), ("bvh", "rokoko_dance.bvh"), ("bvh", "fair1_jumping.bvh"),
    ("asfamc", "cmu_01_01_forward_jumps.amc"),
)  # fmt: skip


@pytest.mark.parametrize(("folder", "name"), CAPTURES, ids=[name for _, name in CAPTURES])
def test_a_capture_knows_its_sides_and_is_mirrored(folder: str, name: str) -> None:
    """The mirrored motion puts each joint where the reflection of its partner was."""
    actor = bring_in(shared("mocap", folder, name)).actor
    assert actor is not None
    figure, layer = actor.figure, actor.layers[0]
    assert figure is not None
    partners = {joint.id: joint.mirror or joint.id for joint in figure.joints}
    assert sum(id != other for id, other in partners.items()) >= 8
    plain = replace(figure, skins=())
    before = transforms(replace(actor, figure=plain, layers=(layer,)))
    mirrored = mirror_layer(figure, layer)
    after = transforms(replace(actor, figure=plain, layers=(mirrored,)))
    order = [figure.joint_index[partners[joint.id]] for joint in figure.joints]
    reflected = before[order][:, :, 3] * (-1.0, 1.0, 1.0)
    assert np.abs(after[:, :, 3] - reflected).max() < 0.05


def test_an_amc_file_leaves_its_rate_open_alone() -> None:
    taken = bring_in(shared("mocap", "asfamc", "cmu_01_01_forward_jumps.amc")).taken
    assert taken is not None
    assert (taken.unit, taken.up, taken.rate) == (None, None, (120, 1))
    assert 1.0 < taken.height(None, None) < 2.2


@pytest.mark.parametrize(("name", "least", "most"), [("rokoko_dance.bvh", 1.3, 2.0), ("cmu_12_01_walk.bvh", 1.3, 2.0)])
def test_the_height_is_that_of_the_first_frame(name: str, least: float, most: float) -> None:
    """At rest the bones of one of these lie along one another."""
    found = bring_in(shared("mocap", "bvh", name))
    assert found.taken is not None
    assert found.actor is not None
    height = found.taken.height(found.taken.unit, found.taken.up)
    worlds = Evaluator().joint_transforms(Document(actors=(found.actor,)), found.actor.id, 0)
    joints = float(np.ptp(worlds[:, 1, 3]))
    assert joints - 1e-9 <= height < joints + 0.3, "its handles reach a little further than its joints"
    assert least < height < most


OBJ = "v 0 0 0\nv 900 0 0\nv 0 900 0\nv 0 0 900\nf 1 2 3\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
AMC = ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\n2\nroot 0 1 0 0 0 0\n"
ASF = (
    ":units\n  length 0.45\n  angle deg\n:root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n  position 0 0 0\n"
    "  orientation 0 0 0\n:bonedata\n:hierarchy\n  begin\n  end\n"
)


@pytest.mark.parametrize(
    ("name", "text", "options", "took"),
    [
        ("clip.bvh", BVH.format(chest="0 0 85"), Options(), Options(unit=0.01, up="z")),
        ("clip.bvh", BVH.format(chest="0 16 0"), Options(rate=(60, 1)), Options(unit=0.0254 / 0.45, up="y")),
        ("thing.obj", OBJ, Options(), Options(unit=0.001)),
        ("clip.amc", AMC, Options(rate=(60, 1)), Options(rate=(60, 1))),
    ],
)
def test_a_silent_file_is_read_once_and_is_as_if_it_had_said_it(
    name: str, text: str, options: Options, took: Options, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    path.write_text(text)
    (tmp_path / "clip.asf").write_text(ASF)
    opened: list[Path] = []
    open_file = Path.open

    def count(self: Path, mode: str = "r") -> IO[Any]:
        opened.append(self)
        return open_file(self, mode)

    monkeypatch.setattr(Path, "open", count)
    found = bring_in(path, options)
    assert opened.count(path) == 1
    told = bring_in(path, took)
    assert found.actor is not None
    assert told.actor is not None
    assert found.actor.figure.digest == told.actor.figure.digest
    assert [each.digest for each in found.actor.layers if each.samples] == [
        each.digest for each in told.actor.layers if each.samples
    ]
