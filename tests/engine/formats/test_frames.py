"""What a writer writes of layered motion."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob, Dof, Figure, Joint, Key, Layer, Samples, Track
from engine.document.motion import TICKS_PER_SECOND
from engine.formats.format import Options
from engine.formats.frames import frames_of
from engine.runtime.errors import UnwritableFile

FIGURE = Figure(
    name="F", joints=(Joint(id="a", name="a", dofs=tuple(Dof(id=each, name=each) for each in ("a.x", "a.y"))),)
)
WAVE = Samples(
    coordinates=("a.x",), values=Blob(np.sin(np.arange(61) * math.pi / 30.0)[:, None]), rate=(60, 1)
)  # one turn in a second
PATH = Path("some.bvh")


def test_samples_alone_are_written_bit_for_bit() -> None:
    layers = (Layer(id="s", samples=WAVE), Layer(id="v", values=(("a.y", 0.25),)))
    frames = frames_of(PATH, FIGURE, layers, Options())
    assert frames.rate == (60, 1)
    assert frames.q[:, 0].tolist() == WAVE.values.array[:, 0].tolist()
    assert frames.q[:, 1].tolist() == [0.25] * 61


def test_constant_layers_make_one_frame() -> None:
    frames = frames_of(PATH, FIGURE, (Layer(id="v", values=(("a.x", 0.5),)),), Options())
    assert frames.q.tolist() == [[0.5, 0.0]]
    assert frames_of(PATH, FIGURE, (), Options()).q.tolist() == [[0.0, 0.0]]


def test_keys_are_evaluated_from_the_first_to_the_last() -> None:
    keys = (
        Key(time=0, value=0.0, interpolation="linear"),
        Key(time=TICKS_PER_SECOND // 2, value=1.0, interpolation="linear"),
    )
    frames = frames_of(PATH, FIGURE, (Layer(id="k", tracks=(Track(coordinate="a.x", keys=keys),)),), Options())
    assert frames.rate == (30, 1)
    np.testing.assert_allclose(frames.q[:, 0], np.arange(16) / 15.0, atol=1e-12)


def test_muted_and_added_layers_count_as_on_screen() -> None:
    muted = Layer(id="m", values=(("a.x", 9.0),), mute=True)
    added = Layer(id="a", values=(("a.x", 0.5),), mode="add", weight=0.5)
    frames = frames_of(PATH, FIGURE, (Layer(id="s", samples=WAVE), muted, added), Options())
    np.testing.assert_allclose(frames.q[:, 0], WAVE.values.array[:, 0] + 0.25, atol=1e-12)


@pytest.mark.parametrize("rate", [(30, 1), (120, 1)])
def test_another_rate_keeps_the_motion(rate: tuple[int, int]) -> None:
    frames = frames_of(PATH, FIGURE, (Layer(id="s", samples=WAVE),), Options(rate=rate))
    assert frames.rate == rate
    assert len(frames.q) == rate[0] + 1
    seconds = np.arange(len(frames.q)) / rate[0]
    np.testing.assert_allclose(frames.q[:, 0], np.sin(2 * math.pi * seconds), atol=5e-3)


def test_motions_without_end_are_refused() -> None:
    keys = (Key(time=0, value=0.0), Key(time=2**51, value=1.0))
    layers = (Layer(id="k", tracks=(Track(coordinate="a.x", keys=keys),)),)
    with pytest.raises(UnwritableFile, match="frames"):
        frames_of(PATH, FIGURE, layers, Options(rate=(1000, 1)))
