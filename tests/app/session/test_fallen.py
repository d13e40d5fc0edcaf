"""What has gone along with something else is said in words."""

from __future__ import annotations

from app.session.actors import fallen
from engine.edits import edit
from tests.engine.edits.test_limits import HIP, box, document


def test_a_joint_limit_that_goes_with_a_hinge_is_named_and_one_that_is_removed_is_not() -> None:
    start = document(box("knee", "left.hip.x", "left.knee"), box("hip", *HIP))
    gone = edit("remove_joint", actor="me", joint="left_shin").apply(start)
    assert fallen(start, gone) == ["Me's joint limit Knee has gone with a hinge of it"]
    removed = edit("remove_limit", actor="me", limit="knee").apply(start)
    assert fallen(start, removed) == []
