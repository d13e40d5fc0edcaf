"""Copied keys pasted: back where they came from, onto another actor, into another layer; and what does not fit."""

from __future__ import annotations

import pytest

from app.session.actors import new_document
from app.timeline.clip import copied, pasted
from app.timeline.keys import Channel
from engine.document import Actor, Document, Key, Layer, Lock, Track
from engine.edits import edit
from engine.physics.parts import TorqueCurves
from tests.engine.motion.motions import walker

KEYS = (Key(0, 0.0), Key(10, 1.0), Key(20, 0.5))
KNEE, X = Channel("one", "low", "knee"), Channel("one", "low", "x")
OTHER, FOOT = Channel("two", "high", "knee"), Channel("one", "foot", "y")


@pytest.fixture
def document() -> Document:
    tracks = (Track(coordinate="x", keys=KEYS), Track(coordinate="knee", keys=KEYS))
    layers = (Layer(id="low", tracks=tracks), Layer(id="high", tracks=tracks))
    lock = Lock(id="foot", name="Foot", joint="knee", tracks=(Track(coordinate="y", keys=KEYS),))
    one = Actor(id="one", name="One", figure=walker(), layers=layers, locks=(lock,))
    two = Actor(id="two", name="Two", figure=walker(), layers=layers)
    return Document(actors=(one, two))


def test_what_is_copied_is_pasted_with_its_first_key_on_the_tick(document: Document) -> None:
    clip = copied(document, {KNEE: frozenset((10, 20)), OTHER: frozenset((20,)), FOOT: frozenset((10,))})
    keys, missing = pasted(document, clip, 100)
    made = edit("paste_keys", chosen=keys).apply(document)
    assert missing == ()
    assert made.actor("one").layers[0].track_of["knee"].keys == (*KEYS, Key(100, 1.0), Key(110, 0.5))
    assert made.actor("two").layers[1].track_of["knee"].keys == (*KEYS, Key(110, 0.5))
    assert made.actor("one").locks[0].track_of["y"].keys == (*KEYS, Key(100, 1.0))
    assert made.actor("one").layers[0].track_of["x"] is document.actor("one").layers[0].track_of["x"]


def test_keys_go_onto_another_actor_into_the_layer_of_the_same_id_or_the_one_that_is_named(document: Document) -> None:
    clip = copied(document, {KNEE: frozenset((10,))})
    assert pasted(document, clip, 5, onto="two")[0] == (("two", "low", (("knee", Key(5, 1.0)),)),)
    assert pasted(document, clip, 5, onto="two", into="high")[0] == (("two", "high", (("knee", Key(5, 1.0)),)),)
    assert pasted(document, clip, 5, into="high")[0] == (("one", "high", (("knee", Key(5, 1.0)),)),)


def test_keys_of_several_actors_each_go_back_to_their_own(document: Document) -> None:
    clip = copied(document, {KNEE: frozenset((10,)), OTHER: frozenset((10,))})
    assert [place[:2] for place in pasted(document, clip, 0, onto="two")[0]] == [("one", "low"), ("two", "high")]


def test_what_has_no_place_is_named(document: Document) -> None:
    human = new_document().actors[0]
    both = Document(actors=(*document.actors, human))
    clip = copied(both, {KNEE: frozenset((10,)), X: frozenset((10,)), FOOT: frozenset((0,))})
    keys, missing = pasted(both, clip, 0, onto=human.id)
    assert keys == ()
    assert missing == ("keys of lock Foot", "Knee: Knee", "Root: x")


def test_keys_of_an_actor_that_has_gone_are_said_to_have_no_place(document: Document) -> None:
    clip = copied(document, {KNEE: frozenset((10,))})
    left = edit("remove_actor", actor="one").apply(document)
    assert pasted(left, clip, 0) == ((), ("keys of an actor that has gone",))
    assert pasted(left, clip, 0, onto="two")[0] == (("two", "low", (("knee", Key(0, 1.0)),)),)


def test_keys_of_torques_go_into_the_torques_of_another_actor_of_its_own_coordinates(document: Document) -> None:
    torques = TorqueCurves(id="first", tracks=(Track(coordinate="knee", keys=KEYS),))
    one, two = document.actor("one").with_part(torques), document.actor("two").with_part(TorqueCurves(id="second"))
    both = document.with_actor(one).with_actor(two)
    clip = copied(both, {Channel("one", "first", "knee"): frozenset((10,))})
    keys, missing = pasted(both, clip, 5, onto="two")
    assert (keys, missing) == ((("two", "second", (("knee", Key(5, 1.0)),)),), ())
    made = edit("paste_keys", chosen=keys).apply(both).actor("two").part(TorqueCurves)
    assert made is not None
    assert made.tracks[0].keys == (Key(5, 1.0),)
    bare = document.with_actor(one)
    assert pasted(bare, clip, 5, onto="two") == ((), ("keys of Torque curves",))
