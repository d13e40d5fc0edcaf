"""`python -m engine retarget` over files."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.__main__ import main
from engine.formats.format import Contents, Options
from engine.formats.motion_toml import load_motion
from engine.formats.table import by_suffix
from engine.jobs.bring_in import bring_in


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
