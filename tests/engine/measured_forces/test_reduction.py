"""Residual reduction: a motion gives way to its forces as far as is allowed, feet stay, the trunk's mass is shifted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sinew
from engine.__main__ import main
from engine.cli.residuals import find_reduction
from engine.document import Document
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew as project
from engine.measured_forces.commands.reduce import FoundReduction
from engine.muscles.required import RequiredDynamics
from engine.runtime.errors import InvalidArguments, NothingThere
from tests.engine.measured_forces.walk import END, HERTZ, MASS, START, WIDE, bobbing, measured_walk, post


def left(document: Document, times: np.ndarray) -> np.ndarray:
    """What inverse dynamics leaves at the root of a document's motion."""
    ticks = [round(each) for each in times.tolist()]
    torques: np.ndarray = RequiredDynamics(Evaluator(), document, document.actors[0].id).at(ticks).torques
    return torques


def test_a_motion_that_its_force_denies_gives_way() -> None:
    document = bobbing()
    found = find_reduction(document, trunk="none")
    most, _ = found.found.force(reduced=False)
    assert most == pytest.approx(MASS * WIDE * (2.0 * np.pi * HERTZ) ** 2, rel=0.02)
    assert found.found.force(reduced=True)[0] < 0.25 * most, "the body that bears the force would rather stay"
    assert np.abs(found.found.changed).max() == pytest.approx(0.85 * WIDE, rel=0.15)
    after = found.edit.apply(document)
    assert left(after, found.found.times)[:, :6] == pytest.approx(found.found.after, abs=1e-6)
    assert left(document, found.found.times)[:, :6] == pytest.approx(found.found.before, abs=1e-6)
    assert after.actors[0].layers[0] is document.actors[0].layers[0]
    assert after.actors[0].figure is document.actors[0].figure


def test_it_gives_way_no_further_than_is_allowed() -> None:
    found = find_reduction(bobbing(), trunk="none", centimetres=0.2).found
    assert np.abs(found.changed).max() <= 0.002
    assert found.kept_within
    assert 0.3 * found.force(reduced=False)[1] < found.force(reduced=True)[1] < found.force(reduced=False)[1]


def test_a_torque_that_stays_shifts_the_mass_centre_to_above_its_force() -> None:
    document = bobbing(off=0.02)
    found = find_reduction(document)
    assert found.found.trunk == "ball"
    assert found.found.shift == pytest.approx([0.02, 0.0, 0.0], abs=1e-3)
    after = found.edit.apply(document)
    body = after.actors[0].figure.joint("ball").body
    assert body is not None
    assert body.centre == pytest.approx((0.02, 0.0, 0.0), abs=1e-3)
    assert body.mass == MASS
    assert left(after, found.found.times)[:, :6] == pytest.approx(found.found.after, abs=1e-6)
    assert any("shifted by 2 cm" in line for line in found.words)


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(NothingThere, match="no measured forces while it moves"):
        find_reduction(post(), actor="me")
    with pytest.raises(NothingThere, match="nobody has measured forces"):
        find_reduction(post())
    with pytest.raises(InvalidArguments, match="while forces were measured"):
        find_reduction(bobbing(), start=1.0, end=3.0)
    muted = edit("set_measured_force", actor="me", force="plate", mute=True).apply(bobbing())
    with pytest.raises(NothingThere, match="no measured forces while it moves"):
        find_reduction(muted)


def test_a_measured_walk_is_left_with_a_twentieth_of_its_greatest_force() -> None:
    document = measured_walk()
    found = reduced_walk(document)
    most, rms = found.found.force(reduced=True)
    assert found.found.force(reduced=False)[0] > 0.17 * found.found.peak
    assert most < 0.05 * found.found.peak
    assert rms < 0.02 * found.found.peak


def reduced_walk(document: Document) -> FoundReduction:
    """Reduce the residuals of the shared walk."""
    return find_reduction(document, start=START / SECOND, end=END / SECOND)


def test_the_command_line_and_the_library_reduce_residuals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene, kept = tmp_path / "bob.sinew", tmp_path / "still.sinew"
    project.write(scene, bobbing(off=0.02))
    assert main(["residuals", str(scene), str(kept), "--between", "0", "2", "--most", "2", "2"]) == 0
    assert "Left at the root: " in capsys.readouterr().out
    layers = project.read(kept).actors[0].layers
    assert [each.mode for each in layers] == ["replace", "add"]
    assert main(["residuals", str(scene), str(tmp_path / "still.csv")]) == 1
    found = sinew.reduce_residuals(project.read(scene), trunk="none")
    assert found.document.actors[0].figure.joint("ball").body == bobbing().actors[0].figure.joint("ball").body
    assert found.residuals.shape == found.residuals_before.shape == (len(found.times), 6)
    assert np.abs(found.residuals[:, 1]).max() < 0.25 * np.abs(found.residuals_before[:, 1]).max()
