"""Satisfy: locks led to convergence, and the pose that keeps them as the actor's own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Actor, Document, Key, Layer, Lock, Placement, Span, Track
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.locks.commands.satisfy import Satisfy
from engine.runtime.errors import InvalidArguments

HUMAN = load_figure("human")


def person(*locks: Lock, id: str = "me", x: float = 0.0, layer: Layer | None = None) -> Actor:
    sunk = layer or Layer(id="pose", values=(("pelvis.move_y", -0.25),))
    place = Placement(position=(x, 0.0, 0.0))
    return Actor(id=id, name=id, figure=HUMAN, layers=(sunk,), locks=locks, placement=place)


def foot(side: str = "left", **fields: object) -> Lock:
    resting = Document(actors=(replace(person(), layers=(Layer(id="pose"),)),))
    place = Evaluator().joint_transforms(resting, "me", 0)[HUMAN.joint_index[f"ankle_{side}"]]
    made = {"id": side, "name": side, "joint": f"ankle_{side}", "position": tuple(place[:, 3].tolist())}
    return Lock(**{**made, **fields})  # type: ignore[arg-type]


def done(document: Document, time: int = 0, actor: str = "me") -> Document:
    return Satisfy(actor=actor, time=time).work_out(Evaluator(), document).apply(document)


def unlocked(document: Document) -> Document:
    return replace(document, actors=tuple(replace(each, locks=()) for each in document.actors))


def place(
    document: Document, joint: str, actor: str = "me", time: int = 0
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray(Evaluator().joint_transforms(document, actor, time)[HUMAN.joint_index[joint]][:, 3])


def test_the_pose_keeps_the_locks_without_them_even_where_pictures_get_one_iteration() -> None:
    turned = Layer(id="pose", values=(("pelvis.move_y", -0.25), ("pelvis.turn", 0.3)))
    feet = foot(axes=("i", "j")), foot("right", axes=("i", "j"))
    before = Document(actors=(person(*feet, layer=turned),), lock_iterations=1)
    after = done(before)
    assert max(mark.off for mark in Evaluator().snapshot(before, skins=False).locks) > 1e-6
    for side in ("left", "right"):
        assert np.abs(place(unlocked(after), f"ankle_{side}") - foot(side).position).max() < 1e-8
    assert after.lock_iterations == 1
    assert done(after) is after


def test_a_layer_with_keys_gets_keys_at_that_time_alone() -> None:
    keyed = Layer(id="pose", tracks=(Track(coordinate="pelvis.move_y", keys=(Key(0, 0.0), Key(1000, -0.2))),))
    after = done(Document(actors=(person(foot(), layer=keyed),)), 1000)
    tracks = after.actor("me").layers[0].track_of
    assert [key.time for key in tracks["knee_left.flexion"].keys] == [1000]
    assert np.abs(place(unlocked(after), "ankle_left", time=1000) - foot().position).max() < 1e-8


def test_those_who_hold_hands_are_posed_together() -> None:
    hands = Lock(id="h", name="h", joint="wrist_left", target="you", target_joint="wrist_right", shared=True)
    after = done(Document(actors=(person(hands), person(id="you", x=0.9))))
    assert np.abs(place(unlocked(after), "wrist_left") - place(unlocked(after), "wrist_right", "you")).max() < 1e-8


def test_what_cannot_be_met_is_missed_evenly_and_said_at_its_mark() -> None:
    x, y, z = foot().position
    after = done(Document(actors=(person(foot(), foot(id="too", position=(x, y, z + 0.04))),)))
    marks = Evaluator().snapshot(after, skins=False).locks
    assert [mark.text for mark in marks] == ["missed by 20.0 mm"] * 2
    assert np.abs(place(unlocked(after), "ankle_left") - (x, y, z + 0.02)).max() < 1e-4


def test_a_lock_that_is_eased_is_left_to_the_picture() -> None:
    half = foot("right", span=Span(start=-1000, end=1000, ease_in=2000), position=(-0.1, 0.3, 0.0))
    eased, muted = (Document(actors=(person(foot(), each),)) for each in (half, replace(half, mute=True)))
    assert done(eased).actor("me").layers == done(muted).actor("me").layers


def test_nothing_to_satisfy_is_told() -> None:
    for locks in ((), (foot(mute=True),), (foot(weight=0.5),)):
        with pytest.raises(InvalidArguments, match="No pin of me counts in full"):
            done(Document(actors=(person(*locks),)))
    assert Satisfy(actor="me", time=0).label(Document(actors=(person(),))) == "Satisfy pins of me"
