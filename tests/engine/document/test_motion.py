"""Blobs, keys, samples and layers as values: exact, checked, and stored once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob, Document, Figure, Handle, Key, Layer, Samples, Span, SpeedRange, Track, validate
from engine.document.figure import Body
from engine.document.motion import TICKS_PER_SECOND, frame_time
from engine.document.part_reader import decode
from engine.document.parts import encode, encode_document
from engine.formats import sinew
from engine.runtime.errors import InvalidDocument
from tests.engine.figures import scene


def moving() -> Document:
    """A scene whose first two actors share keys and samples."""
    document = scene()
    figure = document.actors[0].figure
    assert figure is not None
    first, second = figure.coordinates[:2]
    keys = tuple(Key(each * TICKS_PER_SECOND, 0.1 * each) for each in range(4))
    samples = Samples(coordinates=(first, second), values=Blob(np.arange(20.0).reshape(10, 2)), rate=(30, 1))
    layer = Layer(id="walk", samples=samples, tracks=(Track(coordinate=first, keys=keys),), span=Span(start=0, end=99))
    actors = (*(replace(actor, layers=(layer,)) for actor in document.actors[:2]), *document.actors[2:])
    return replace(document, actors=actors)


def test_motion_comes_back_from_a_file_and_arrays_are_stored_once(tmp_path: Path) -> None:
    document = moving()
    validate(document)
    assert len(encode_document(document).blobs) == 1
    sinew.write(tmp_path / "a.sinew", document)
    again = sinew.read(tmp_path / "a.sinew")
    assert again == document
    assert again.digest == document.digest
    assert again.actors[0].layers[0] is again.actors[1].layers[0]


def test_whole_encodings_carry_their_arrays() -> None:
    layer = moving().actors[0].layers[0]
    assert decode(encode(layer)) == layer


def test_arrays_are_read_only_and_named_by_content() -> None:
    source = np.arange(6.0).reshape(2, 3)
    blob, other = Blob(source), Blob(source.reshape(3, 2))
    source[:] = 0.0
    assert blob.array[1, 2] == 5.0
    assert blob == Blob(np.arange(6.0).reshape(2, 3))
    assert blob != other
    with pytest.raises(ValueError, match="read-only"):
        blob.array[0, 0] = 1.0
    for bad in (np.array([np.nan]), np.array(["a"]), np.array([1j])):
        with pytest.raises(InvalidDocument, match="array"):
            Blob(bad)


@pytest.mark.parametrize(
    "change", [{"shape": [10, 3]}, {"numbers": "<f4"}, {"numbers": "O"}, {"shape": "no"}, {"shape": [-10, -2]}]
)
def test_arrays_that_do_not_fit_their_description_are_refused(change: dict[str, object]) -> None:
    plain = encode(Blob(np.arange(20.0).reshape(10, 2)))
    assert isinstance(plain, dict)
    with pytest.raises(InvalidDocument, match="array"):
        decode({**plain, **change})  # type: ignore[dict-item]


def test_every_usual_rate_has_whole_ticks() -> None:
    for rate in ((24, 1), (25, 1), (30, 1), (50, 1), (60, 1), (100, 1), (120, 1), (24000, 1001), (30000, 1001)):
        assert frame_time(1, rate) * rate[0] == TICKS_PER_SECOND * rate[1]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Key(0.5, 1.0),  # type: ignore[arg-type]
            "whole number of ticks",
        ),
        (lambda: Key(2**53, 1.0), "73 days"),
        (lambda: Key(0, float("inf")), "finite"),
        (lambda: Key(0, 0.0, weight_in=2.0), "0 to 1"),
        (lambda: Track(coordinate="a", keys=()), "one or more"),
        (lambda: Track(coordinate="a", keys=(Key(1, 0.0), Key(1, 0.0))), "rising"),
        (lambda: Samples(coordinates=("a",), values=Blob(np.zeros((2, 2))), rate=(30, 1)), "shape of samples"),
        (lambda: Samples(coordinates=("a",), values=Blob(np.zeros((2, 1))), rate=(0, 1)), "rate of samples"),
        (lambda: Span(start=5, end=5), "a span"),
        (lambda: Span(start=0, end=5, ease_in=3, ease_out=3), "within the span"),
        (lambda: Layer(id="l", weight=1.5), "0 to 1"),
        (lambda: SpeedRange(start=0, end=9, coordinates=("a",), keys=(Key(0, 0.0), Key(9, 0.5))), "from 0 to 1"),
        (lambda: SpeedRange(start=0, end=9, coordinates=("a",), keys=(Key(0, 0.0),)), "from its start"),
        (lambda: Body(mass=-1.0), "0 and above"),
        (lambda: Body(mass=1.0, inertia=(1.0, 1.0, 3.0, 0.0, 0.0, 0.0)), "principal moments"),
    ],
)
def test_unsound_parts_are_named(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(InvalidDocument, match=message):
        make()


def test_tracks_masks_mirrors_and_handles_must_name_something() -> None:
    document = scene()
    actor = document.actors[0]
    figure = actor.figure
    assert figure is not None
    key = (Key(0, 0.0),)
    for layer in (
        Layer(id="l", tracks=(Track(coordinate="wing", keys=key),)),
        Layer(id="l", mask=("wing",)),
        Layer(id="l", samples=Samples(coordinates=("wing",), values=Blob(np.zeros((1, 1))), rate=(30, 1))),
    ):
        with pytest.raises(InvalidDocument, match="wing"):
            validate(document.with_actor(replace(actor, layers=(layer,))))
    for content, message in (
        (replace(figure, handles=(Handle(id="h", name="H", joint="nobody"),)), "joint of handle"),
        (replace(figure, joints=(replace(figure.joints[0], mirror="j1"), *figure.joints[1:])), "mirror of j0"),
    ):
        assert isinstance(content, Figure)
        with pytest.raises(InvalidDocument, match=message):
            validate(document.with_actor(replace(actor, figure=content)))


def test_fields_at_their_defaults_are_not_written() -> None:
    assert "weight" not in Layer(id="l").text
    assert "weight" in Layer(id="l", weight=0.5).text
    assert Layer(id="l", weight=1).digest == Layer(id="l").digest
