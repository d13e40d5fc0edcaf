"""Locks are made, changed and taken away; what they name is always there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.document import Document, Lock, Span, Track, validate
from engine.edits import edit
from engine.runtime.errors import EngineError, InvalidDocument, UnknownPart
from tests.engine.figures import scene

LOCK = Lock(id="lock", name="Lock", joint="j3", axes=("i", "j"), position=(0.1, 0.2, 0.3))
PLACE: dict[str, Any] = {"actor": "one", "lock": "lock"}


def locked(lock: Lock = LOCK, actor: str = "one", start: Document | None = None) -> Document:
    return edit("add_lock", actor=actor, lock=lock).apply(start or scene())


def the_lock(document: Document) -> Lock:
    return document.actor("one").locks[0]


def test_a_lock_is_made_named_muted_and_taken_away() -> None:
    held = locked()
    assert the_lock(held) == LOCK
    assert the_lock(edit("rename_lock", **PLACE, name="Foot").apply(held)).name == "Foot"
    assert the_lock(edit("mute_lock", **PLACE, mute=True).apply(held)).mute
    assert edit("mute_lock", **PLACE, mute=False).apply(held) is held
    assert edit("remove_lock", **PLACE).apply(held).actor("one").locks == ()
    assert edit("remove_lock", **PLACE).label(held) == "Remove pin Lock"


def test_its_numbers_are_set_one_by_one() -> None:
    held = locked()
    assert the_lock(edit("set_lock_target", **PLACE, position=(1.0, 0.0, 0.0)).apply(held)) == replace(
        LOCK, position=(1.0, 0.0, 0.0)
    )
    assert the_lock(edit("set_lock_weight", **PLACE, importance=2.0).apply(held)) == replace(LOCK, importance=2.0)
    timed = edit("set_lock_span", **PLACE, start=5, end=50, ease_in=10).apply(held)
    assert the_lock(timed).span == Span(start=5, end=50, ease_in=10)
    assert the_lock(edit("set_lock_axes", **PLACE, axes=("k", "i")).apply(held)).axes == ("i", "k")
    some = edit("set_lock_joints", **PLACE, joints=("j3", "j1")).apply(held)
    assert the_lock(some).joints == ("j1", "j3")


def test_keys_are_set_moved_and_taken_away() -> None:
    keyed = edit("key_lock", **PLACE, time=10, values=(("y", 0.5), ("weight", 0.2))).apply(locked())
    again = edit("key_lock", **PLACE, time=0, values=(("y", 0.1),)).apply(keyed)
    assert [key.time for key in the_lock(again).track_of["y"].keys] == [0, 10]
    less = edit("unkey_lock", **PLACE, names=("y",), time=10).apply(again)
    assert [key.time for key in the_lock(less).track_of["y"].keys] == [0]
    assert [track.coordinate for track in the_lock(edit("unkey_lock", **PLACE, names=("y",)).apply(less)).tracks] == [
        "weight"
    ]


def test_a_lock_moves_to_another_actor_and_its_keys_of_the_old_frame_go() -> None:
    keyed = edit("key_lock", **PLACE, time=10, values=(("y", 0.5), ("weight", 0.2))).apply(locked())
    there = {"position": (0.0, 0.0, 0.0), "rotation": (1.0, 0.0, 0.0, 0.0)}
    moved = edit("move_lock_to", **PLACE, target="two", target_joint="j2", **there).apply(keyed)
    assert (the_lock(moved).target, the_lock(moved).target_joint) == ("two", "j2")
    assert [track.coordinate for track in the_lock(moved).tracks] == ["weight"]
    gone = edit("remove_actor", actor="two").apply(moved)
    assert gone.actor("one").locks == ()
    validate(gone)


def test_a_lock_that_moves_to_another_joint_of_its_target_loses_its_keys_and_one_that_stays_keeps_them() -> None:
    there: dict[str, Any] = {"position": (0.0, 0.0, 0.0), "rotation": (1.0, 0.0, 0.0, 0.0), "target": "two"}
    held = edit("move_lock_to", **PLACE, **there, target_joint="j2").apply(locked())
    keyed = edit("key_lock", **PLACE, time=10, values=(("y", 0.5), ("weight", 0.2))).apply(held)
    for joint, left in (("j2", ["y", "weight"]), ("j3", ["weight"])):
        moved = edit("move_lock_to", **PLACE, **there, target_joint=joint).apply(keyed)
        assert [track.coordinate for track in the_lock(moved).tracks] == left


def test_what_a_lock_names_must_be_there() -> None:
    held = locked()
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("add_lock", {"actor": "one", "lock": LOCK}),
        ("add_lock", {"actor": "one", "lock": replace(LOCK, id="x", joint="wing")}),
        ("add_lock", {"actor": "one", "lock": replace(LOCK, id="x", target="nobody", target_joint="j1")}),
        ("add_lock", {"actor": "one", "lock": replace(LOCK, id="x", target="two", target_joint="wing")}),
        ("add_lock", {"actor": "one", "lock": replace(LOCK, id="x", target="one", target_joint="j1", shared=True)}),
        ("remove_lock", {"actor": "one", "lock": "other"}),
        ("set_lock_joints", {**PLACE, "joints": ("wing",)}),
        ("set_lock_weight", {**PLACE, "weight": 1.5}),
        ("set_lock_axes", {**PLACE, "axes": ("i", "i")}),
        ("set_lock_axes", {**PLACE, "axes": (), "held": "turn"}),
        ("key_lock", {**PLACE, "time": 0, "values": (("size", 1.0),)}),
        ("set_lock_solver", {"solver": "magic"}),
        ("set_lock_iterations", {"iterations": 0}),
        ("set_lock_iterations", {"iterations": 1001}),
        ("set_comfort", {"actor": "one", "comfort": 2.0}),
    ]
    for name, arguments in wrong:
        with pytest.raises(EngineError):
            edit(name, **arguments).apply(held)


def test_rings_are_refused_and_shared_locks_make_none() -> None:
    there = locked(replace(LOCK, target="two", target_joint="j1"))
    back = replace(LOCK, target="one", target_joint="j1")
    with pytest.raises(InvalidDocument, match="One on Two on One"):
        locked(back, "two", there)
    both = locked(replace(back, shared=True), "two", there)
    assert [[actor.id for actor in group] for group in both.groups] == [["one", "two"], ["three"], ["ball"]]


def test_rerooting_keeps_locks_on_their_joints() -> None:
    held = edit("set_lock_joints", **PLACE, joints=("j1", "j3")).apply(locked())
    turned = edit("reroot_figure", actor="one", joint="j5", layer="path").apply(held)
    validate(turned)
    assert the_lock(turned).joint == "j3"
    assert set(the_lock(turned).joints or ()) <= set(turned.actor("one").figure.joint_index)


def test_a_part_that_contradicts_itself_is_refused() -> None:
    fields: dict[str, Any]
    for fields in (
        {"importance": 0.0},
        {"normal": (0.0, 0.0, 0.0)},
        {"held": "centre"},
        {"shared": True},
        {"weight": -1.0},
    ):
        with pytest.raises(InvalidDocument):
            replace(LOCK, **fields)
    key = edit("key_lock", **PLACE, time=0, values=(("x", 1.0),)).apply(locked())
    track: Track = the_lock(key).tracks[0]
    with pytest.raises(InvalidDocument, match="keyed numbers"):
        replace(LOCK, tracks=(track, track))
    with pytest.raises(UnknownPart):
        edit("add_lock", actor="nobody", lock=LOCK).apply(scene())


def test_a_place_too_far_for_any_answer_is_refused_also_as_a_key() -> None:
    for change in ({"position": (1e14, 0.0, 0.0)}, {"point": (0.0, -1e12, 0.0)}):
        with pytest.raises(InvalidDocument, match="a place of lock Lock"):
            edit("set_lock_target", **PLACE, **change).apply(locked())
    with pytest.raises(InvalidDocument, match="a place of lock Lock"):
        edit("key_lock", **PLACE, time=0, values=(("y", 1e12),)).apply(locked())


def test_a_part_is_not_held_at_itself() -> None:
    itself = {"target": "one", "target_joint": "j3"}
    with pytest.raises(InvalidDocument, match=r"another part than .* itself, another actor, or the world"):
        locked(replace(LOCK, target="one", target_joint="j3"))
    with pytest.raises(InvalidDocument, match="itself"):
        edit("move_lock_to", **PLACE, **itself, position=(0.0, 0.0, 0.0), rotation=(1.0, 0.0, 0.0, 0.0)).apply(locked())
