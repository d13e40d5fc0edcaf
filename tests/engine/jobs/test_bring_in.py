"""Files of any format become actors of the document."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.document import Document, validate
from engine.edits import edit
from engine.evaluate import rest_snapshot
from engine.formats import sinew
from engine.jobs.bring_in import bring_in
from engine.runtime.errors import UnreadableFile
from tests.engine.figures import scene

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
    assert len(rest_snapshot(document).items[0].mesh.triangles) > 100
    assert found.notes == ()


@pytest.mark.parametrize(
    ("chest", "unit", "up"), [("0 16 0", 0.0564444, "y"), ("0 0 85", 0.01, "z"), ("0 0.85 0", 1, "y")]
)
def test_a_person_stands_upright_and_of_a_persons_size(tmp_path: Path, chest: str, unit: float, up: str) -> None:
    found = bring_in(file_of(tmp_path, chest))
    assert found.actor is not None
    top = rest_snapshot(edit("add_actor", actor=found.actor).apply(Document())).items[0]
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
