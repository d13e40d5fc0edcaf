"""Whole poses on a held worker: what is meant, what is seen, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication

from app.session import Item
from engine.commands.reach import Reach
from engine.document import Document, Key, Layer, Track
from engine.document.drafts import draft_times
from engine.document.pose import read_pose
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from tests.app.session.held import Held, hold

POSE, PREVIEW = "pose", "preview"
TURNED = (("upper.turn", 0.5),)


@pytest.fixture
def held(qapp: QCoreApplication, document: Document) -> Iterator[Held]:
    """With the engine's real evaluator, so that poses are worked out."""
    made = hold(document)
    made.session.engine.evaluator = evaluator = Evaluator()
    made.session.engine.reach = Reach(evaluator)
    made.session.request_picture()
    made.worker.answer(POSE, newest=True)
    yield made
    made.session.close()
    made.session.deleteLater()


def turn(held: Held) -> None:
    held.session.do(edit("set_pose", actor="arm", layer="pose", values=TURNED))
    held.worker.answer(POSE, newest=True)


def keyed(held: Held) -> Document:
    """The arm with keys at two ticks."""
    actor = held.session.document.actor("arm")
    layer = Layer(id="keys", tracks=(Track(coordinate="upper.turn", keys=(Key(0, 0.1), Key(100, 0.3))),))
    held.session.do(edit("remove_actor", actor="arm"))
    held.session.do(edit("add_actor", actor=replace(actor, layers=(layer,))))
    held.worker.answer(POSE, newest=True)
    return held.session.document


def test_what_is_meant_is_what_is_selected_else_the_first_figure(held: Held) -> None:
    session, posing = held.session, held.session.posing
    assert [(actor.id, joints) for actor, joints in posing.targets()] == [("arm", None)]
    session.select([Item("box"), Item("arm", "upper"), Item("arm", "lower")])
    assert [(actor.id, joints) for actor, joints in posing.targets()] == [
        ("box", None),
        ("arm", frozenset(("upper", "lower"))),
    ]
    session.select([Item("arm", "upper"), Item("arm")])
    assert [(actor.id, joints) for actor, joints in posing.targets()] == [("arm", None)]


def test_a_copy_waits_for_the_picture_of_the_document(held: Held) -> None:
    texts: list[str] = []
    held.session.do(edit("set_pose", actor="arm", layer="pose", values=TURNED))
    held.session.posing.copy(texts.append)
    assert texts == []
    held.worker.answer(POSE, newest=True)
    assert read_pose(texts[0]).values == (0.5, 0.0)


def test_what_is_pasted_is_one_entry_and_as_it_was_copied(held: Held) -> None:
    texts: list[str] = []
    turn(held)
    posed = held.session.document
    held.session.posing.copy(texts.append)
    held.session.posing.reset()
    assert held.session.document.actor("arm").layers[0].values == ()
    held.session.posing.paste(texts[0])
    held.worker.answer(PREVIEW, newest=True)
    assert held.session.document.digest == posed.digest
    assert held.session.history.entries[-1].label == "Paste pose"


def test_without_auto_key_a_pose_stays_a_draft_at_the_playhead(held: Held) -> None:
    before, posing = keyed(held), held.session.posing
    heard: list[bool] = []
    posing.changed.connect(lambda: heard.append(posing.drafted))
    posing.set_auto_key(False)
    held.session.set_playhead(50)
    held.worker.answer(POSE, newest=True)
    posing.reset()
    held.worker.answer(PREVIEW, newest=True)
    assert draft_times(held.session.document) == (50,)
    held.session.set_playhead(0)
    posing.to_next_draft()
    assert held.session.playhead == 50
    posing.drop_draft()
    assert held.session.document.digest == before.digest
    assert heard == [False, True, False, True, False]


def test_a_frozen_figure_is_not_posed(held: Held) -> None:
    turn(held)
    held.session.do(edit("freeze_actor", actor="arm", frozen=True))
    before = held.session.document
    held.session.posing.flip()
    held.session.posing.reset()
    assert held.session.document is before
    assert any("frozen" in entry.text for entry in held.session.log)


def test_what_needs_joints_says_so(held: Held) -> None:
    before = held.session.document
    held.session.posing.mirror_across()
    held.session.posing.reset(on_selected=True)
    held.session.posing.key(on_selected=True)
    assert [entry.kind for entry in held.session.log][-3:] == ["warning"] * 3
    assert held.session.document is before


def test_nothing_is_posed_where_there_is_no_figure(held: Held) -> None:
    held.session.do(edit("remove_actor", actor="arm"))
    texts: list[str] = []
    held.session.posing.copy(texts.append)
    assert texts == []
    assert "no figure" in held.session.log[-1].text


def test_a_flip_of_some_joints_says_that_it_is_of_these_alone(held: Held) -> None:
    held.session.posing.flip()
    assert not held.session.log
    held.session.select([Item("arm", "lower")])
    held.session.posing.flip()
    assert "Select nothing, or the whole figure, to flip all of it" in "".join(e.text for e in held.session.log)
