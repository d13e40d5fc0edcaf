"""Attachments are made, moved and taken away; what they name is always there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.document import Actor, Attachment, Box, Document, Layer, Span, prop, validate
from engine.edits import edit
from engine.runtime.errors import InvalidDocument, UnknownPart
from tests.engine.figures import random_figure

HOLD = Attachment(id="hold", joint="body", target="one", target_joint="j3")


def document() -> Document:
    figure, thing = random_figure(1), prop("Box", (Box(half=(0.1, 0.1, 0.1)),))
    pose = (Layer(id="pose"),)
    return Document(
        actors=(
            Actor(id="box", name="Box", figure=thing, layers=pose),
            Actor(id="one", name="One", figure=figure, layers=pose),
            Actor(id="cup", name="Cup", figure=thing, layers=pose),
        )
    )


def attached(hold: Attachment = HOLD, actor: str = "box", start: Document | None = None) -> Document:
    return edit("attach_actor", actor=actor, attachment=hold).apply(start or document())


def test_an_attachment_is_made_moved_and_taken_away() -> None:
    held = attached()
    assert held.actor("box").attachments == (HOLD,)
    place = {"actor": "box", "attachment": "hold"}
    timed = edit("move_attachment", **place, start=5, end=50, ease_in=10).apply(held)
    assert timed.actor("box").attachments[0].span == Span(start=5, end=50, ease_in=10)
    assert edit("move_attachment", **place, start=5, end=50, ease_in=10).apply(timed) is timed
    assert edit("move_attachment", **place).apply(timed).actor("box").attachments == (HOLD,)
    moved: dict[str, Any] = {"position": (0.0, 0.5, 0.0), "rotation": (0.6, 0.8, 0.0, 0.0)}
    placed = edit("place_attachment", **place, **moved).apply(timed)
    assert placed.actor("box").attachments == (replace(timed.actor("box").attachments[0], **moved),)
    assert edit("place_attachment", **place, **moved).apply(placed) is placed
    assert edit("detach_actor", **place).apply(timed).actor("box").attachments == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"target": "nobody"}, "nobody"),
        ({"target_joint": "wing"}, "wing.*One"),
        ({"joint": "wing"}, "wing.*Box"),
        ({"target": "box", "target_joint": "body"}, "Box on Box"),
        ({"id": "hold"}, "attachment ids of Box"),
    ],
)
def test_what_an_attachment_names_must_be_there(change: dict[str, str], said: str) -> None:
    start = attached(replace(HOLD, span=Span(start=0, end=9)))
    with pytest.raises(InvalidDocument, match=f"(?s){said}"):
        attached(replace(HOLD, **{"id": "other", **change}), start=start)  # type: ignore[arg-type]


def test_rings_are_refused_by_the_names_along_them() -> None:
    chain = attached(replace(HOLD, target="cup", target_joint="body"))
    with pytest.raises(InvalidDocument, match=r"Box on Cup on Box|Cup on Box on Cup"):
        attached(replace(HOLD, target="box", target_joint="body"), "cup", chain)


def test_removing_what_something_hangs_on_lets_it_go() -> None:
    held = attached(replace(HOLD, id="cup", target="cup", target_joint="body"), start=attached())
    without = edit("remove_actor", actor="one").apply(held)
    assert [each.id for each in without.actor("box").attachments] == ["cup"]
    validate(without)
    assert edit("remove_actor", actor="box").apply(held).actors == held.actors[1:]


def test_unknown_attachments_and_half_spans_are_refused() -> None:
    with pytest.raises(UnknownPart, match="hold"):
        edit("detach_actor", actor="box", attachment="other").apply(attached())
    with pytest.raises(InvalidDocument, match="neither"):
        edit("move_attachment", actor="box", attachment="hold", start=3).apply(attached())


def test_the_targets_joint_is_still_there_after_rerooting() -> None:
    figure = random_figure(1)
    for joint in figure.joints:
        held = attached(replace(HOLD, target_joint=joint.id))
        for new_root in ("j7", "j0"):
            held = edit("reroot_figure", actor="one", joint=new_root, layer=f"path {new_root}").apply(held)
            validate(held)
