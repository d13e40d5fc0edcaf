"""`python -m engine retarget` over files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.commands.bring_in import bring_in
from engine.document import Target
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.secondary import Gains
from engine.formats import sinew
from engine.formats.format import Contents, Options
from engine.formats.motion_toml import load_motion
from engine.formats.table import by_suffix
from tests.engine.targets.test_meet_targets import met, puncher, scene


@pytest.fixture
def wave(tmp_path: Path) -> Path:
    """Our own wave as a BVH file holds it."""
    path, contents = tmp_path / "wave.bvh", load_motion("wave")
    format = by_suffix(path)
    assert format is not None
    assert format.write is not None
    format.write(path, Contents(figure=contents.figure, layers=contents.layers, rate=(30, 1)), Options(rate=(30, 1)))
    return path


@pytest.mark.parametrize("suffix", [".sinew", ".bvh"])
def test_a_motion_becomes_one_of_another_figure(
    wave: Path, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"out{suffix}"
    assert main(["retarget", str(wave), "stick", str(out)]) == 0
    assert "Left_knee -> knee_left" in capsys.readouterr().err
    found = bring_in(out)
    actor = found.actor if found.document is None else found.document.actors[0]
    assert actor is not None
    assert actor.figure is not None
    assert len(actor.figure.joints) == 15
    assert any(layer.samples is not None and layer.samples.frame_count > 30 for layer in actor.layers)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing.bvh", "stick", "out.bvh"], "nothing.bvh"),
        (["WAVE", "nobody", "out.bvh"], "nobody"),
        (["WAVE", "stick", "out.obj"], "no format of motions"),
        (["WAVE", "lamp", "out.bvh"], "share a limb"),
        (["WAVE", "stick", "out.bvh", "--reference", "100000"], "the frame"),
    ],
)
def test_what_cannot_be_retargeted_is_said(
    wave: Path, arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(wave) if each == "WAVE" else str(tmp_path / each) if "." in each else each for each in arguments]
    assert main(["retarget", *given]) == 1
    assert said in capsys.readouterr().err


def test_what_swings_is_retargeted_as_it_is_keyed_and_what_is_left_out_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    goal = Target(id="hand", kind="point", joint="wrist_right", time=SECOND)
    loose = scene(goal, actor=puncher(), gains=Gains(tension=3.0))
    corrected = met(loose).edit.apply(loose)
    assert corrected.actors[0].layers[-1].correction is not None
    plain = loose.with_actor(replace(loose.actors[0], secondary=None))
    samples = []
    for name, document in (("corrected", corrected), ("plain", plain)):
        sinew.write(tmp_path / f"{name}.sinew", document)
        out = tmp_path / f"{name}_out.sinew"
        assert main(["retarget", str(tmp_path / f"{name}.sinew"), "stick", str(out)]) == 0
        said = capsys.readouterr().err
        assert ("left out: corrections that meet targets" in said) == (name == "corrected")
        assert ("left out: secondary motion with its targets" in said) == (name == "corrected")
        (actor,) = sinew.read(out).actors
        assert actor.secondary is None
        (layer,) = actor.layers
        assert layer.correction is None
        assert layer.samples is not None
        samples.append(layer.samples.values.array.tobytes())
    assert samples[0] == samples[1]


def test_joints_follow_a_map_from_a_file(wave: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs, out = tmp_path / "pairs.txt", tmp_path / "out.sinew"
    pairs.write_text("Left_hip -> hip_right\nLeft_knee -> knee_right\nNobody -> head\n")
    assert main(["retarget", str(wave), "stick", str(out), "--map", str(pairs)]) == 0
    said = capsys.readouterr().err
    assert "Left_knee -> knee_right" in said
    assert "(rest) -> knee_left" in said
    pairs.write_text("Left_hip = hip_right\n")
    assert main(["retarget", str(wave), "stick", str(out), "--map", str(pairs)]) == 1
    assert "pairs.txt, line 1" in capsys.readouterr().err
