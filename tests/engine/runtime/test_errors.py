"""Errors say what was wrong, which value, what is allowed; and keep the same as fields."""

from pathlib import Path

from engine.runtime.errors import (
    Diverged,
    EngineError,
    InvalidDocument,
    JobFailed,
    UnknownJob,
    UnknownPart,
    UnreadableFile,
    UnwritableFile,
)


def test_a_message_names_the_value_and_what_is_allowed() -> None:
    error = InvalidDocument(what="the stiffness of knee", value=-1.0, allowed="0 and above")
    assert str(error) == "the stiffness of knee is -1.0; allowed: 0 and above"
    assert (error.what, error.value, error.allowed) == ("the stiffness of knee", -1.0, "0 and above")


def test_an_unknown_name_is_answered_with_the_nearest_or_with_a_few() -> None:
    near = UnknownPart(kind="joint", id="elbow_lft", known=("elbow_left", "knee_left", "head"))
    assert str(near) == "there is no joint 'elbow_lft'; did you mean 'elbow_left'?"
    many = UnknownPart(kind="layer", id="?", known=[f"layer {number}" for number in range(10)])
    assert str(many).endswith("'layer 7' and 2 more")
    assert str(UnknownJob(name="bake", known=())) == "there is no job 'bake'; there are none"


def test_a_file_error_names_file_line_and_remedy() -> None:
    error = UnreadableFile(path="walk.bvh", found="the word 'OFSET'", remedy="It should be OFFSET.", line=7)
    assert str(error) == "cannot read walk.bvh, line 7: the word 'OFSET'. It should be OFFSET."
    assert (error.path, error.line) == (Path("walk.bvh"), 7)
    assert str(UnwritableFile(path="a", found="the disk is full", remedy="Free some space.")).startswith(
        "cannot write a:"
    )


def test_every_error_has_one_root() -> None:
    for kind in (Diverged, InvalidDocument, JobFailed, UnknownJob, UnknownPart, UnreadableFile, UnwritableFile):
        assert issubclass(kind, EngineError)
