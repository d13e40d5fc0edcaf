"""The pose library: what comes with Sinew, one's own poses as files, and nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.features.poses.library import PoseLibrary
from engine.document import Document
from engine.document.pose import pose_of
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from tests.app.session.conftest import small_document
from tests.app.session.held import Held

POSE = "pose"
SHIPPED = ["Reach", "Sit", "Squat", "Stand", "Star", "T", "Wave"]


@pytest.fixture
def document() -> Document:
    return small_document()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SINEW_DATA", str(tmp_path))
    return tmp_path / "poses"


def names(held: Held) -> list[str]:
    return [each.pose.name for each in held.session.of(PoseLibrary).poses]


def save(held: Held) -> None:
    held.session.engine.evaluator = Evaluator()
    held.session.do(edit("set_pose", actor="arm", layer="pose", values=(("upper.turn", 0.5),)))
    held.session.of(PoseLibrary).save_present()
    held.session.request_picture()
    held.worker.answer(POSE, newest=True)


def test_the_shipped_poses_fit_the_human_within_its_limits_and_have_pictures(held: Held) -> None:
    figure = load_figure("human")
    assert names(held) == SHIPPED
    for kept in held.session.of(PoseLibrary).poses:
        values, missing = kept.pose.fit(figure)
        assert missing == ()
        assert len(values) == len(figure.coordinates) - 3  # the place on the floor and the heading stay
        assert all(figure.coordinate_dof[name].clamp(value) == value for name, value in values)
        assert kept.picture.stat().st_size > 1000


def test_a_pose_is_kept_and_found_again_by_another_window(held: Held, folder: Path) -> None:
    save(held)
    assert names(held)[len(SHIPPED) :] == ["Pose"]
    kept = held.session.of(PoseLibrary).poses[-1]
    assert kept.path == folder / "Pose.pose.toml"
    held.session.of(PoseLibrary)._kept = None
    assert held.session.of(PoseLibrary).poses[-1] == kept
    assert kept.pose.values == (0.5, 0.0)


def test_names_are_unique_and_renaming_moves_the_file(held: Held, folder: Path) -> None:
    save(held)
    held.session.do(edit("set_pose", actor="arm", layer="pose", values=(("upper.turn", 0.4),)))
    save(held)
    assert names(held)[len(SHIPPED) :] == ["Pose", "Pose 2"]
    poses = held.session.of(PoseLibrary)
    poses.rename(poses.poses[-1], "  squat ")
    assert names(held)[len(SHIPPED) :] == ["Pose", "squat 2"]
    poses.rename(poses.poses[-1], "a/b: ö")
    assert (folder / "a_b_ ö.pose.toml").exists()
    assert sorted(path.name for path in folder.glob("*.toml")) == ["Pose.pose.toml", "a_b_ ö.pose.toml"]
    before = poses.poses
    poses.rename(before[-1], "   ")
    poses.rename(before[0], "Mine")
    assert poses.poses == before


def test_what_is_removed_lies_in_the_trash_and_comes_back(held: Held, folder: Path) -> None:
    save(held)
    poses = held.session.of(PoseLibrary)
    kept = poses.poses[-1]
    assert kept.own
    kept.picture.write_bytes(b"picture")
    poses.remove(poses.poses[0])  # one that comes with Sinew
    assert names(held)[: len(SHIPPED)] == SHIPPED
    poses.remove(kept)
    assert names(held) == SHIPPED
    assert (folder / "trash" / "Pose.pose.toml").exists()
    save(held)
    poses.restore()
    assert not poses.can_restore
    assert sorted(path.name for path in folder.glob("*.toml")) == ["Pose 2.pose.toml", "Pose.pose.toml"]
    assert (folder / "Pose 2.png").read_bytes() == b"picture"


def test_damaged_files_are_left_out_and_named(held: Held, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "bad.pose.toml").write_text("sinew_pose = 1\n")
    (folder / "binary.pose.toml").write_bytes(b"\xff\xfe\x00")
    arm = held.session.document.actor("arm").figure
    good = pose_of(arm, {"upper.turn": 0.5}, name="Good")
    (folder / "good.pose.toml").write_text(good.to_toml())
    assert names(held)[len(SHIPPED) :] == ["Good"]
    said = " ".join(entry.text for entry in held.session.log)
    assert "bad.pose.toml" in said
    assert "binary.pose.toml" in said


def test_a_folder_that_cannot_be_written_says_so_and_keeps_the_rest(held: Held, folder: Path) -> None:
    folder.parent.mkdir(exist_ok=True)
    folder.write_text("a file stands where the folder should")
    save(held)
    assert names(held) == SHIPPED
    assert "could not be written" in held.session.log[-1].text
