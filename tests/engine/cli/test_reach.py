"""`python -m engine reach`: a figure posed by places of its parts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.document import Document
from engine.formats import sinew
from engine.queries.examples import human

HIGH = "hand_right=-0.4,1.75,0.1"


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, float]:
    """The coordinates that moved [rad or m]."""
    assert main(["reach", "human", *arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["state"] == "reached"
    assert max(each["off"] for each in told["goals"]) < 1e-3
    found: dict[str, float] = told["coordinates"]
    return found


def test_a_hand_is_brought_to_its_place_exactly_or_as_bodies_bring_it(capsys: pytest.CaptureFixture[str]) -> None:
    exact, natural = said(capsys, HIGH), said(capsys, HIGH, "--natural", "1")
    assert "elbow_right.flexion" in exact
    assert exact != natural
    assert natural["collar_right.elevation"] > 0.2


def test_a_low_pelvis_bends_the_legs_over_the_floor_and_the_scene_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene, out = tmp_path / "in.sinew", tmp_path / "out.sinew"
    sinew.write(scene, Document(actors=(human("one", "One"), human("two", "Two"))))
    order = ["reach", str(scene), "pelvis=0,0.6,0", "--natural", "1", "--floor", "--out", str(out)]
    assert main(order) == 1
    assert "--actor with one of: one, two" in capsys.readouterr().err
    assert main([*order, "--actor", "two"]) == 0
    assert "two.knee_left.flexion=" in capsys.readouterr().out
    before, after = sinew.read(scene), sinew.read(out)
    assert after.actor("one") == before.actor("one")
    assert (after.actor("two").natural, after.actor("two").floor) == (
        before.actor("two").natural,
        before.actor("two").floor,
    )


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        ("hand_right=1,2", "the place of hand_right is '1,2'; allowed: three numbers in metres"),
        ("hand_right=1,2,inf", "three numbers in metres"),
        ("hand=1,2,3", "there is no end-effector or joint 'hand'; did you mean 'head'"),
    ],
)
def test_what_cannot_be_reached_is_named(goal: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reach", "human", goal]) == 1
    assert words in capsys.readouterr().err
