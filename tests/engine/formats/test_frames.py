"""What a writer writes of layered motion."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob, Dof, Figure, Joint, Key, Layer, Samples, Track
from engine.document.motion import TICKS_PER_SECOND
from engine.formats.format import Contents, Options
from engine.formats.frames import Frames, frames_of
from engine.runtime.errors import InvalidArguments, UnwritableFile

FIGURE = Figure(
    name="F", joints=(Joint(id="a", name="a", dofs=tuple(Dof(id=each, name=each) for each in ("a.x", "a.y"))),)
)
WAVE = Samples(
    coordinates=("a.x",), values=Blob(np.sin(np.arange(61) * math.pi / 30.0)[:, None]), rate=(60, 1)
)  # one turn in a second
PATH = Path("some.bvh")
SECOND = TICKS_PER_SECOND


def written(layers: tuple[Layer, ...], options: Options, span: tuple[int, int] | None = None) -> Frames:
    """The frames of layers, over a span where one is given."""
    return frames_of(PATH, FIGURE, Contents(figure=FIGURE, layers=layers, span=span), options)


def test_samples_alone_are_written_bit_for_bit() -> None:
    layers = (Layer(id="s", samples=WAVE), Layer(id="v", values=(("a.y", 0.25),)))
    frames = written(layers, Options())
    assert frames.rate == (60, 1)
    assert frames.q[:, 0].tolist() == WAVE.values.array[:, 0].tolist()
    assert frames.q[:, 1].tolist() == [0.25] * 61


def test_constant_layers_make_one_frame() -> None:
    frames = written((Layer(id="v", values=(("a.x", 0.5),)),), Options())
    assert frames.q.tolist() == [[0.5, 0.0]]
    assert written((), Options()).q.tolist() == [[0.0, 0.0]]


def test_keys_are_evaluated_from_the_first_to_the_last() -> None:
    keys = (
        Key(time=0, value=0.0, interpolation="linear"),
        Key(time=TICKS_PER_SECOND // 2, value=1.0, interpolation="linear"),
    )
    frames = written((Layer(id="k", tracks=(Track(coordinate="a.x", keys=keys),)),), Options())
    assert frames.rate == (30, 1)
    np.testing.assert_allclose(frames.q[:, 0], np.arange(16) / 15.0, atol=1e-12)


def test_muted_and_added_layers_count_as_on_screen() -> None:
    muted = Layer(id="m", values=(("a.x", 9.0),), mute=True)
    added = Layer(id="a", values=(("a.x", 0.5),), mode="add", weight=0.5)
    frames = written((Layer(id="s", samples=WAVE), muted, added), Options())
    np.testing.assert_allclose(frames.q[:, 0], WAVE.values.array[:, 0] + 0.25, atol=1e-12)


@pytest.mark.parametrize("rate", [(30, 1), (120, 1)])
def test_another_rate_keeps_the_motion(rate: tuple[int, int]) -> None:
    frames = written((Layer(id="s", samples=WAVE),), Options(rate=rate))
    assert frames.rate == rate
    assert len(frames.q) == rate[0] + 1
    seconds = np.arange(len(frames.q)) / rate[0]
    np.testing.assert_allclose(frames.q[:, 0], np.sin(2 * math.pi * seconds), atol=5e-3)


def test_motions_without_end_are_refused() -> None:
    keys = (Key(time=0, value=0.0), Key(time=2**51, value=1.0))
    layers = (Layer(id="k", tracks=(Track(coordinate="a.x", keys=keys),)),)
    with pytest.raises(UnwritableFile, match="frames"):
        written(layers, Options(rate=(1000, 1)))


def test_a_range_takes_its_frames_of_samples_bit_for_bit() -> None:
    layers, own = (Layer(id="s", samples=WAVE),), WAVE.values.array[:, 0]
    whole = written(layers, Options(), (0, SECOND))
    assert whole.q[:, 0].tolist() == own.tolist()
    part = written(layers, Options(), (SECOND // 4, SECOND // 2))
    assert (part.start, part.q[:, 0].tolist()) == (SECOND // 4, own[15:31].tolist())
    asked = written(layers, Options(start=SECOND // 2), (0, SECOND))
    assert asked.q[:, 0].tolist() == own[30:].tolist(), "what is asked for comes before what the document says"
    between = written(layers, Options(), (SECOND // 120, SECOND // 120 + 2 * SECOND))
    assert len(between.q) == 121, "from between two frames, and on beyond the last"
    assert between.q[-1, 0] == own[-1], "which is held"


def test_a_range_goes_on_with_what_cycles_and_holds_the_rest() -> None:
    keys = (Key(0, 0.0, "linear"), Key(SECOND, 1.0, "linear"))
    tracks = (Track(coordinate="a.x", keys=keys, after="cycle"), Track(coordinate="a.y", keys=keys))
    frames = written((Layer(id="k", tracks=tracks),), Options(), (0, 4 * SECOND))
    assert (len(frames.q), frames.start) == (121, 0)
    cycles, held = frames.q[45].tolist()
    assert cycles == pytest.approx(0.5)
    assert held == 1.0
    still = written((Layer(id="v", values=(("a.x", 0.5),)),), Options(), (SECOND, 2 * SECOND))
    assert (still.q[:, 0].tolist(), still.start) == ([0.5] * 31, SECOND), "a pose lasts as long as the range"


def test_a_range_at_another_rate_is_that_of_the_resampled_motion() -> None:
    layers = (Layer(id="s", samples=WAVE),)
    whole = written(layers, Options(rate=(30, 1)))
    part = written(layers, Options(rate=(30, 1)), (0, SECOND // 2))
    assert part.q.tolist() == whole.q[:16].tolist()


def test_a_range_that_ends_before_it_begins_is_refused_by_name() -> None:
    with pytest.raises(InvalidArguments, match="allowed: at or after its start, 2 s"):
        written((Layer(id="s", samples=WAVE),), Options(start=2 * SECOND, end=SECOND))
