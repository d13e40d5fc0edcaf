"""Choosing by how joints hang together, on the human."""

from __future__ import annotations

import pytest

from app.session import Item, choosing
from app.session.actors import ball, new_document
from engine.document import Document
from engine.edits import edit


@pytest.fixture(scope="module")
def document() -> Document:
    first = new_document()
    return edit("add_actor", actor=ball(first)).apply(first)


def parts(items: list[Item]) -> list[str | None]:
    return [item.part for item in items]


def test_up_and_down_the_tree(document: Document) -> None:
    who = document.actors[0].id
    assert parts(choosing.parents(document, [Item(who, "elbow_left")])) == ["shoulder_left"]
    assert parts(choosing.parents(document, [Item(who, "pelvis")])) == [None]
    assert parts(choosing.parents(document, [Item(who)])) == [None]
    assert parts(choosing.children(document, [Item(who)])) == ["pelvis"]
    assert set(parts(choosing.children(document, [Item(who, "pelvis")]))) == {"lower_spine", "hip_left", "hip_right"}
    tip = choosing.children(document, [Item(who, "head")])
    assert parts(tip) == ["head"], "what has no child stays"
    assert choosing.children(document, [Item(document.actors[1].id)]) == [Item(document.actors[1].id)]


def test_a_limb_ends_at_branches(document: Document) -> None:
    who = document.actors[0].id
    leg = ["hip_left", "knee_left", "ankle_left", "toes_left"]
    for joint in leg:
        assert parts(choosing.limbs(document, [Item(who, joint)])) == leg
    arm = parts(choosing.limbs(document, [Item(who, "elbow_right")]))
    assert arm == ["collar_right", "shoulder_right", "elbow_right", "forearm_right", "wrist_right"]


def test_partners_are_mirror_images_each_once(document: Document) -> None:
    who = document.actors[0].id
    both = [Item(who, "knee_left"), Item(who, "knee_right"), Item(who, "pelvis")]
    assert parts(choosing.partners(document, both)) == ["knee_right", "knee_left", "pelvis"]


def test_inverting_twice_comes_back(document: Document) -> None:
    who = document.actors[0].id
    items = [Item(who, "pelvis"), Item(who, "neck")]
    rest = choosing.others(document, items)
    assert len(rest) == len(document.actors[0].figure.joints) - 2
    assert set(choosing.others(document, rest)) == set(items)
    assert choosing.others(document, [Item(who)]) == [Item(document.actors[1].id)]
    assert choosing.others(document, []) == [Item(actor.id) for actor in document.actors]


def test_a_set_holds_actors_and_joints_but_no_locks() -> None:
    items = [Item("a", "b"), Item("a", "b", "lock"), Item("a")]
    assert choosing.chosen(items) == (("a", "b"), ("a", None))
