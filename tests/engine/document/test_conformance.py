"""The gate: values that could not be saved, drawn or read back come into no document, and are told in few words."""

from __future__ import annotations

import json
import math
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest

from engine.document import Actor, Blob, Box, Document, Key, Layer, Samples, Track, conformance, prop, validate
from engine.document.motion import TICKS_LIMIT
from engine.document.parts import encode
from engine.edits import edit, from_record
from engine.queries.examples import example
from engine.runtime.errors import EngineError, InvalidDocument, UnknownPart, UnreadableFile
from tests.engine.figures import scene

HALF = "bone\ud800"


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("show_actor", {"actor": "one", "visible": math.nan}, "true or false"),
        ("freeze_actor", {"actor": "one", "frozen": 1}, "true or false"),
        ("rename_actor", {"actor": "one", "name": HALF}, "half of one"),
        ("rename_actor", {"actor": "one", "name": "a\0b"}, "null"),
        ("rename_actor", {"actor": "one", "name": "a" * 5000}, "4096"),
        ("rename_actor", {"actor": "one", "nom": "a"}, "actor, name"),
        ("rename_actor", {"actor": "one"}, "actor, name"),
        ("rename_actor", {"actor": ["one"], "name": "a"}, "text"),
        ("set_rate", {"frames": 10**400}, "a whole number of 1329 bits"),
        ("set_rate", {"frames": 10**9}, "a frame of 1e-06"),
        ("set_layer_mode", {"actor": "one", "layer": "pose", "mode": "subtract"}, "replace, add"),
        ("place_actor", {"actor": "one", "position": (0.0, 3e306, 0.0), "rotation": (1.0, 0.0, 0.0, 0.0)}, r"3e\+306"),
        ("set_reference", {"reference": HALF, "changes": ()}, "half of one"),
        ("add_layer", {"actor": "one", "layer": Layer(id="x", name=HALF)}, "half of one"),
        ("add_layer", {"actor": "one", "layer": Layer(id="x", mute=0)}, "true or false"),  # type: ignore[arg-type]
        ("add_actor", {"actor": Actor(id="x", name="X", figure=prop(HALF, (Box(half=(1, 1, 1)),)))}, "half of one"),
    ],
)
def test_what_could_not_be_saved_or_drawn_is_refused_by_name(name: str, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(EngineError, match=said) as caught:
        edit(name, **arguments).apply(scene())
    assert len(str(caught.value)) < 600


def test_what_an_edit_makes_is_a_sound_document() -> None:
    values = Blob(np.zeros((2, 1)))
    for name in ("bake_physics", "bake_secondary"):
        change = edit(name, actor="one", id="x", samples=Samples(coordinates=("wing",), values=values, rate=(30, 1)))
        with pytest.raises(InvalidDocument, match="wing"):
            change.apply(scene())


def test_fields_stand_first_in_every_part_in_their_order() -> None:
    """As the gate and `quick_replace` count on."""
    waiting: list[object] = [example("body").build()]
    kinds = set[type]()
    while waiting:
        part = waiting.pop()
        if hasattr(part, "__dict__") and is_dataclass(part):
            names = [each.name for each in fields(part)]
            assert list(vars(part))[: len(names)] == names, type(part)
            kinds.add(type(part))
            waiting += [getattr(part, name) for name in names]
        elif isinstance(part, tuple):
            waiting += part
    assert len(kinds) > 15


def test_records_with_odd_values_are_refused_by_name() -> None:
    record = edit("rename_actor", actor="one", name="a").record()
    odd_values: tuple[Any, ...] = (
        math.nan,
        10**5000,
        {"type": 10**5000},
        {"blob": 1, "shape": [2]},
        {"type": "Key"},
        [[]],
    )
    for odd in odd_values:
        with pytest.raises(EngineError):
            from_record({**record, "arguments": {"actor": "one", "name": odd}}).apply(scene())


def test_arrays_keys_and_samples_hold_sizes_that_can_be_drawn() -> None:
    for value in (3e306, -2e15, math.nan, math.inf):
        with pytest.raises(InvalidDocument):
            Blob(np.array([0.0, value]))
        with pytest.raises(InvalidDocument):
            Key(0, value)
    with pytest.raises(InvalidDocument, match="stepped, linear, cubic"):
        Key(0, 0.0, "bouncy")  # type: ignore[arg-type]
    with pytest.raises(InvalidDocument, match="the end of samples"):
        Samples(coordinates=("x",), values=Blob(np.zeros((99, 1))), rate=(1, 3600), start=TICKS_LIMIT - 1)
    assert Blob(np.zeros((0, 3))).shape == (0, 3)


def test_a_part_is_no_longer_than_files_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "LONGEST_PART", 1000)
    monkeypatch.setattr(conformance, "_MANY", 10)
    first = scene().actors[0].figure.dofs[0].id
    tracks = (Track(coordinate=first, keys=tuple(Key(time, 0.5) for time in range(100))),)
    with pytest.raises(InvalidDocument, match="the size of Track"):
        edit("add_layer", actor="one", layer=Layer(id="x", tracks=tracks)).apply(scene())


def test_what_was_refused_is_refused_again() -> None:
    actor = replace(scene().actors[0], id="x", layers=(Layer(id="pose", name=HALF),))
    for _ in range(2):
        with pytest.raises(InvalidDocument, match="the name of Layer"):
            validate(Document(actors=(actor,)))


def test_messages_are_short_whatever_the_values_are() -> None:
    for value in ("a" * 2_000_000, ("a",) * 10**6, 10**5000, (10**5000,), HALF, {"a": ["b" * 10**6]}):
        for error in (
            InvalidDocument(what="a value", value=value, allowed="another"),
            UnknownPart(kind="joint", id=value, known=("a" * 10**6,)),  # type: ignore[arg-type]
            UnreadableFile(
                path="a\udcff.bvh", found=f"it is {str(value)[: 10**6] if value != 10**5000 else 1}", remedy="x"
            )
            if not isinstance(value, tuple)
            else InvalidDocument(what="w", value=value, allowed="y"),
        ):
            assert len(str(error)) < 4500
            assert str(error).encode()


def test_the_gate_changes_no_value() -> None:
    """What passes is written as it was."""
    document = edit("rename_actor", actor="one", name="Ünn \N{GRINNING FACE}").apply(scene())
    assert json.loads(json.dumps(encode(document))) == encode(document)
