"""Motions compiled in slices before they are asked for are those that are then shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.document import Actor, Document, Key, Layer, Track
from engine.evaluate import evaluator as module
from engine.evaluate.evaluator import Evaluator
from tests.engine.motion.motions import walker

SECOND = 705_600_000


def scene(*knees: float) -> Document:
    """A walker whose knee and hip have keys."""
    keys = tuple(Key(place * SECOND, value) for place, value in enumerate(knees))
    tracks = (Track(coordinate="knee", keys=keys), Track(coordinate="x", keys=(Key(0, 0.1),)))
    layer = Layer(id="walk", tracks=tracks)
    return Document(actors=(Actor(id="one", name="One", figure=walker(), layers=(layer,)),))


def test_what_is_prepared_is_not_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    document, evaluator = scene(0.0, 1.0), Evaluator()
    assert len(list(evaluator.prepare(document))) == 2, "a slice for each track"
    monkeypatch.setattr(module, "compile_motion", lambda *_: pytest.fail("compiled again"))
    shown = evaluator.coordinates(document, "one", [0, SECOND])
    monkeypatch.undo()
    assert (shown == Evaluator().coordinates(document, "one", [0, SECOND])).all()
    assert list(evaluator.prepare(document)) == []


def test_only_tracks_that_are_others_are_packed() -> None:
    document, evaluator = scene(0.0, 1.0), Evaluator()
    evaluator.snapshot(document)
    layer = document.actors[0].layers[0]
    knee = replace(layer.tracks[0], keys=(Key(0, 0.7),))
    changed = document.with_actor(replace(document.actors[0], layers=(replace(layer, tracks=(knee, layer.tracks[1])),)))
    assert len(list(evaluator.prepare(changed))) == 1
    place = walker().coordinate_index["knee"]
    assert evaluator.coordinates(changed, "one", [0])[0, place] == 0.7
