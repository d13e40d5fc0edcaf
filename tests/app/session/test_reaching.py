"""Pulling a handle on a held worker: requests, one entry, Escape, what is held, and the ghost that stays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication

from app.session import Grip
from engine.document import Document, Handle
from engine.evaluate.evaluator import Evaluator
from engine.jobs.methods import Card, Method, describe_methods
from engine.jobs.reach import Reach
from tests.app.session.conftest import small_document
from tests.app.session.held import Held, hold

PREVIEW = "preview"
TIP, MIDDLE = Grip("arm", "tip"), Grip("arm", "middle")


@pytest.fixture
def document() -> Document:
    arm = small_document().actor("arm")
    handles = (
        Handle(id="tip", name="Tip", joint="lower", point=(0.0, 0.3, 0.0)),
        Handle(id="middle", name="Middle", joint="upper", point=(0.0, 0.2, 0.0)),
    )
    return small_document().with_actor(replace(arm, figure=replace(arm.figure, handles=handles)))


@pytest.fixture
def held(qapp: QCoreApplication, document: Document) -> Iterator[Held]:
    """With the engine's real evaluator, so that requests are solved."""
    made = hold(document)
    made.session.engine.evaluator = evaluator = Evaluator()
    made.session.engine.reach = Reach(evaluator)
    *_, cards = describe_methods(insist=True)
    assert cards is not None
    made.session.reaching.take_cards(cards)
    yield made
    made.session.close()
    made.session.deleteLater()


def test_letting_go_commits_the_last_answer_as_one_entry(held: Held, document: Document) -> None:
    session, reaching = held.session, held.session.reaching
    assert reaching.pull(TIP)
    for y in (0.25, 0.2):
        reaching.move((0.0, y, 0.1))
    held.worker.answer(PREVIEW, newest=True)
    assert session.shown is not document
    assert session.document is document
    reaching.let_go()
    assert [entry.label for entry in session.history.entries] == ["New document", "Reach with Tip"]
    assert session.history.entries[1].line.startswith("document = set_pose(")
    assert reaching.pulled is None
    session.undo()
    assert session.document is document


def test_letting_go_waits_for_the_last_answer(held: Held, document: Document) -> None:
    reaching = held.session.reaching
    reaching.pull(TIP)
    reaching.move((0.0, 0.2, 0.1))
    reaching.let_go()
    assert held.session.document is document
    assert reaching.pulled == TIP
    held.worker.answer(PREVIEW)
    assert held.session.document is not document
    assert reaching.pulled is None


def test_cancel_leaves_the_document_and_ends_the_pull(held: Held, document: Document) -> None:
    reaching = held.session.reaching
    reaching.pull(TIP)
    reaching.move((0.0, 0.2, 0.1))
    held.worker.answer(PREVIEW)
    reaching.cancel()
    assert (held.session.shown, reaching.pulled, reaching.goal) == (document, None, None)


def test_a_handle_that_is_held_stays_a_goal_while_another_is_pulled(held: Held) -> None:
    reaching = held.session.reaching
    reaching.toggle_held(MIDDLE)
    reaching.pull(TIP)
    reaching.move((0.0, 0.2, 0.1))
    held.worker.answer(PREVIEW)
    assert reaching.reached is not None
    assert [spot.joint for spot in reaching.reached.request.held] == ["upper"]
    assert len(reaching.reached.outcome.places) == 2
    reaching.toggle_held(MIDDLE)
    assert reaching.held == frozenset()


def test_the_ghost_of_a_second_method_stays_until_something_changes(held: Held) -> None:
    session, reaching = held.session, held.session.reaching
    shown: list[list[str]] = []
    session.snapshot_ready.connect(lambda snapshot: shown.append([item.role for item in snapshot.items]))
    reaching.compare_with(Method(solver="ccd"))
    reaching.pull(TIP)
    reaching.move((0.0, 0.2, 0.1))
    held.worker.answer(PREVIEW)
    reaching.let_go()
    session.request_picture()
    held.worker.answer("pose", newest=True)
    assert shown[-2:] == [["result", "result", "ghost"]] * 2
    reaching.compare_with(None)
    held.worker.answer("pose", newest=True)
    assert shown[-1] == ["result", "result"]


def test_an_error_of_the_engine_ends_the_pull_and_is_told(held: Held, document: Document) -> None:
    reaching = held.session.reaching
    reaching.set_method(Method(solver="guess"))
    reaching.pull(TIP)
    reaching.move((0.0, 0.2, 0.1))
    held.worker.answer(PREVIEW)
    assert reaching.pulled is None
    assert held.session.document is document
    assert "solver" in held.session.log[-1].text


def test_nothing_can_be_pulled_before_the_solvers_are_known(held: Held) -> None:
    reaching, cards = held.session.reaching, held.session.reaching.cards
    reaching.take_cards(())
    assert not reaching.pull(TIP)
    reaching.take_cards(cards)
    assert not reaching.pull(Grip("arm", "gone"))
    assert not reaching.pull(Grip("gone", "tip"))
    assert reaching.pull(TIP)
    assert not reaching.pull(MIDDLE), "one at a time"


def test_the_session_asks_for_the_solvers_when_the_engine_is_ready(held: Held) -> None:
    assert held.worker.waiting("methods") == 1
    held.session.reaching.take_cards(())
    held.worker.answer("methods")
    cards: tuple[Card, ...] = held.session.reaching.cards
    assert not cards or cards[0].name == "levenberg", "none while kernels are not compiled"
