"""Keys as text: to and fro, and refused with the line."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from engine.document import Blob, Figure, Key, Layer, Samples, Track
from engine.document.motion import TICKS_PER_SECOND
from engine.formats.figure_toml import load_figure
from engine.formats.format import Contents, Options
from engine.formats.motion_toml import omits, read, write
from engine.runtime.errors import UnreadableFile
from tests.engine.figures import random_figure

WAVE = """\
name = "Wave"
figure = "human"  # the one that ships
angles = "degrees"
values = { "knee_left.flexion" = 5, "pelvis.move_x" = 0.25 }

[[track]]
coordinate = "elbow_right.flexion"
after = "cycle"
keys = [[0, 10], [0.5, 95, "linear"], { time = 1, value = 10, tangent = "free", slopes = [0, 90] }]
"""


def layer_of(folder: Path, text: str) -> Layer:
    (folder / "a.motion.toml").write_text(text, encoding="utf-8")
    (layer,) = read(folder / "a.motion.toml", Options()).layers
    return layer


def again(folder: Path, figure: Figure, layer: Layer) -> Contents:
    write(folder / "b.motion.toml", Contents(figure=figure, layers=(layer,)), Options())
    return read(folder / "b.motion.toml", Options())


def test_keys_are_read_in_seconds_and_degrees(tmp_path: Path) -> None:
    layer = layer_of(tmp_path, WAVE)
    assert layer.by_coordinate == {"knee_left.flexion": math.radians(5.0), "pelvis.move_x": 0.25}
    (track,) = layer.tracks
    assert (track.coordinate, track.before, track.after) == ("elbow_right.flexion", "hold", "cycle")
    first, second, third = track.keys
    assert (first.time, second.time, third.time) == (0, TICKS_PER_SECOND // 2, TICKS_PER_SECOND)
    assert (first.interpolation, second.interpolation) == ("cubic", "linear")
    assert second.value == math.radians(95.0)
    assert third.tangent == "free"
    assert third.slope_out == pytest.approx(math.radians(90.0))


def test_what_is_written_comes_back_equal(tmp_path: Path) -> None:
    layer = layer_of(tmp_path, WAVE)
    assert again(tmp_path, load_figure("human"), layer).layers == (layer,)
    assert 'angles = "degrees"' in (tmp_path / "b.motion.toml").read_text(encoding="utf-8")
    assert not (tmp_path / "b.figure.toml").exists()


def test_odd_times_and_values_come_back_equal(tmp_path: Path) -> None:
    figure = random_figure(1)
    keys = (Key(-7, 0.1 / 3.0, "stepped"), Key(12345678901, -0.0, "cubic", "free", 0.1, 0.7, 0.2, 1.0))
    tracks = tuple(Track(coordinate=name, keys=keys, before="linear") for name in figure.coordinates[:3])
    layer = Layer(id="motion", name="Odd", tracks=tracks)
    found = again(tmp_path, figure, layer)
    assert found.layers == (layer,)
    assert found.figure == figure
    assert (tmp_path / "b.figure.toml").exists()


def test_samples_are_written_as_keys_and_that_is_said(tmp_path: Path) -> None:
    figure = random_figure(1)
    samples = Samples(coordinates=figure.coordinates[:1], values=Blob([[0.0], [0.5]]), rate=(24, 1))
    layer = Layer(id="motion", name="Take", samples=samples)
    assert "samples, written as keys" in omits(Contents(figure=figure, layers=(layer,)))
    (found,) = again(tmp_path, figure, layer).layers
    assert [(key.time, key.value) for key in found.tracks[0].keys] == [(0, 0.0), (TICKS_PER_SECOND // 24, 0.5)]


def test_what_is_muted_is_not_written_and_that_is_said(tmp_path: Path) -> None:
    figure = random_figure(1)
    first, second = figure.coordinates[:2]
    samples = Samples(coordinates=(first,), values=Blob([[0.0], [0.5]]), rate=(24, 1))
    tracks = tuple(Track(coordinate=name, keys=(Key(0, 9.0),), mute=True) for name in (first, second))
    layer = Layer(id="motion", name="Take", samples=samples, tracks=tracks)
    assert f"muted tracks: {first}, {second}" in omits(Contents(figure=figure, layers=(layer,)))
    (found,) = again(tmp_path, figure, layer).layers
    assert {track.coordinate: track.keys[-1].value for track in found.tracks} == {first: 0.5}


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('figure = "human"', 'figure = "humn"', 2, "no figure 'humn'.*human"),
        ('figure = "human"', 'figure = "../x.figure.toml"', 2, "no figure"),
        ("knee_left.flexion", "knee.flexion", 4, "unknown key 'knee.flexion'"),
        ("= 5", "= nan", 4, "not finite"),
        ("elbow_right.flexion", "elbow.flexion", 7, "no coordinate 'elbow.flexion'"),
        ('"cycle"', '"loop"', 8, "one of 'hold'"),
        ("[0.5, 95", "[-0.5, 95", 9, "rising"),
        ("[0.5, 95", '[0.5, "95"', 9, "a key of"),
        ("[0, 10]", "[0, nan]", 9, "finite"),
        ("[0, 10]", "[1e14, 10]", 9, "ticks"),
        ("[0, 10]", "[inf, 10]", 9, "infinity"),
        ('"linear"', '"straight"', 9, "one of 'stepped'"),
        ("time = 1, ", "", 9, "has no 'time'"),
    ],
)
def test_refusals_name_the_line(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    assert old in WAVE
    with pytest.raises(UnreadableFile, match=message) as caught:
        layer_of(tmp_path, WAVE.replace(old, new, 1))
    assert caught.value.line == line


def test_a_coordinate_has_one_track(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"second track of elbow_right\.flexion") as caught:
        layer_of(tmp_path, WAVE + '\n[[track]]\ncoordinate = "elbow_right.flexion"\nkeys = [[0, 1]]\n')
    assert caught.value.line == 11
