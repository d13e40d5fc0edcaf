"""The sequences that ship: for the human, within its limits, on the floor, on feet that stand where they stand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.commands.sequences import read_sequence
from engine.document import Actor, Clip, Document, Layer
from engine.document.motion import TICKS_PER_SECOND
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure

FOLDER = Path("resources/sequences")
HUMAN = load_figure("human")
NAMES = sorted(path.name.removesuffix(".motion.toml") for path in FOLDER.glob("*.motion.toml"))
STANDING = ("Bow", "Crouch and rise", "Sit down")
SLACK = 0.009  # [rad] of half a degree, to which their keys were reduced
FEET = ("ankle_left", "ankle_right", "toes_left", "toes_right")


def clip_of(name: str) -> Clip:
    return read_sequence(FOLDER / f"{name}.motion.toml")


def document_of(clip: Clip) -> Document:
    layer = Layer(id="motion", tracks=clip.tracks)
    return Document(actors=(Actor(id="human", name="Human", figure=HUMAN, layers=(layer,)),))


def times_of(clip: Clip, count: int = 80) -> list[int]:
    return [round(clip.length * each / count) for each in range(count + 1)]


def joints(clip: Clip, names: tuple[str, ...]) -> NDArray[np.float64]:
    """Their places at even times, shape [times, joints, 3]."""
    evaluator, document = Evaluator(), document_of(clip)
    rows = [HUMAN.joint_index[name] for name in names]
    return np.array([evaluator.joint_transforms(document, "human", time)[rows, :, 3] for time in times_of(clip)])


def test_what_is_asked_for_ships() -> None:
    assert {"Walk", "Walk in place", "Jump", "Wave", "Crouch and rise", "Turn the head", "Sit down", "Breathe"} <= {
        *NAMES
    }


@pytest.mark.parametrize("name", NAMES)
def test_limits_hold_at_the_keys_and_between(name: str) -> None:
    clip = clip_of(name)
    values = Evaluator().coordinates(document_of(clip), "human", times_of(clip, 200))
    for place, coordinate in enumerate(HUMAN.coordinates):
        dof = HUMAN.coordinate_dof[coordinate]
        assert dof.lower is None or values[:, place].min() >= dof.lower - SLACK, coordinate
        assert dof.upper is None or values[:, place].max() <= dof.upper + SLACK, coordinate


@pytest.mark.parametrize("name", NAMES)
def test_keys_are_fewer_than_frames_and_their_pictures_are_there(name: str) -> None:
    clip = clip_of(name)
    seconds = clip.length / TICKS_PER_SECOND
    assert max(len(track.keys) for track in clip.tracks) < 30 * seconds
    assert (FOLDER / f"{name}.png").stat().st_size > 4000


@pytest.mark.parametrize("name", STANDING)
def test_feet_stay_where_they_stand(name: str) -> None:
    feet = joints(clip_of(name), FEET)
    assert np.linalg.norm(feet - feet[0], axis=2).max() < 0.006


@pytest.mark.parametrize("name", NAMES)
def test_no_foot_sinks_into_the_floor(name: str) -> None:
    clip = clip_of(name)
    rest = joints(Clip(length=1, names=()), FEET)[0]
    feet = joints(clip, FEET)
    assert (feet[:, :, 1] - rest[:, 1]).min() > -0.02


@pytest.mark.parametrize(("name", "height"), [("Crouch and rise", 0.34), ("Sit down", 0.38)])
def test_who_crouches_or_sits_is_low(name: str, height: float) -> None:
    pelvis = joints(clip_of(name), ("pelvis",))[:, 0, 1]
    assert pelvis[0] - pelvis.min() > height


@pytest.mark.parametrize("name", ["Walk", "Walk in place", "Breathe"])
def test_cycles_close(name: str) -> None:
    clip = clip_of(name)
    for track in clip.tracks:
        assert track.after in ("cycle", "cycle_offset")
        if track.after == "cycle":
            assert track.keys[0].value == pytest.approx(track.keys[-1].value, abs=2e-3)
    walked = joints(clip, ("pelvis",))[:, 0, 2]
    assert walked[-1] - walked[0] == pytest.approx(1.24 if name == "Walk" else 0.0, abs=2e-3)
