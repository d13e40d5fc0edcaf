"""Pulling a handle on a held worker: requests, one entry, Escape, what is held, and the ghost that stays."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication

from app.session import Grip
from engine.commands.reach import PullHandle, Reach, Reached
from engine.document import Document, Handle
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.ik.methods import Card, Method, describe_methods
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


class Tired(Reach):
    """Says that it ran out of time where a test says so, with these residuals, and never else, however slow it is."""

    residuals: tuple[float, ...] = ()
    asked = 0

    def answer(
        self, document: Document, time: int, request: PullHandle, *, skins: bool = True
    ) -> Generator[Reached | None, None, None]:
        *_, found = super().answer(document, time, request, skins=skins)
        assert found is not None
        self.asked += 1
        report = found.outcome.report
        if self.asked <= len(self.residuals):
            report = replace(report, state="out of time", residual=self.residuals[self.asked - 1])
        elif report.state in ("out of time", "on the way"):
            report = replace(report, state="nearest")
        yield replace(found, outcome=replace(found.outcome, report=report))


@pytest.fixture
def held(qapp: QCoreApplication, document: Document) -> Iterator[Held]:
    """With the engine's real evaluator, so that requests are solved."""
    made = hold(document)
    made.session.engine.evaluator = evaluator = Evaluator()
    made.session.engine.reach = Tired(evaluator)
    *_, cards = describe_methods()
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


@pytest.mark.parametrize(
    ("residuals", "asked"),
    [((1.0, 0.5, 0.2), 4), ((1.0, 0.99, 0.98, 0.97, 0.96), 4), ((1.0, 0.99, 0.5, 0.2), 5), ((), 1)],
)
def test_an_answer_that_ran_out_of_time_is_asked_for_again_as_long_as_it_comes_nearer(
    held: Held, residuals: tuple[float, ...], asked: int
) -> None:
    session, reaching = held.session, held.session.reaching
    tired = session.engine.reach
    assert isinstance(tired, Tired)
    tired.residuals = residuals
    reaching.pull(TIP)
    reaching.move((0.0, 0.2, 0.1))
    reaching.let_go()
    for number in range(asked):
        assert reaching.pulled == TIP, f"it was kept after {number} answers"
        held.worker.answer(PREVIEW)
    assert (tired.asked, reaching.pulled) == (asked, None)
    assert session.history.entries[-1].label == "Reach with Tip"
    assert reaching.reached is not None
    assert session.document is reaching.reached.snapshot.document


def test_a_new_move_comes_before_more_of_the_last_one(held: Held) -> None:
    session, reaching = held.session, held.session.reaching
    tired = session.engine.reach
    assert isinstance(tired, Tired)
    tired.residuals = (1.0,)
    reaching.pull(TIP)
    reaching.move((0.0, 0.2, 0.1))
    reaching.move((0.0, 0.2, 0.2))
    held.worker.answer(PREVIEW)
    assert tired.asked == 1
    reaching.move((0.0, 0.2, 0.15))
    reaching.let_go()
    held.worker.answer(PREVIEW, newest=True)
    assert reaching.reached is not None
    assert reaching.reached.request.goals[0].target == (0.0, 0.2, 0.15)  # type: ignore[union-attr]
    assert (tired.asked, reaching.pulled) == (2, None)


def test_more_of_a_move_is_not_shown_once_the_hand_has_moved_on(held: Held) -> None:
    session, reaching = held.session, held.session.reaching
    tired = session.engine.reach
    assert isinstance(tired, Tired)
    tired.residuals = (1.0, 0.5, 0.4)
    pictures: list[object] = []
    session.snapshot_ready.connect(pictures.append)
    reaching.pull(TIP)
    reaching.move((0.0, 0.2, 0.1))
    for shown in (1, 2):  # while the hand rests each is shown
        held.worker.answer(PREVIEW)
        assert len(pictures) == shown
    reaching.move((0.0, 0.2, 0.15))
    held.worker.answer(PREVIEW)
    assert len(pictures) == 2
    held.worker.answer(PREVIEW)
    assert len(pictures) == 3
    assert reaching.reached is not None
    assert reaching.reached.request.goals[0].target == (0.0, 0.2, 0.15)  # type: ignore[union-attr]


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
    session.snapshot_ready.connect(lambda snapshot: shown.append([item.role for item in snapshot.bodies]))
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


def pulled(held: Held) -> list[list[str]]:
    """The tip is pulled and let go; what each picture from then on holds, by role."""
    shown: list[list[str]] = []
    held.session.snapshot_ready.connect(lambda snapshot: shown.append([item.role for item in snapshot.bodies]))
    held.session.reaching.pull(TIP)
    held.session.reaching.move((0.0, 0.2, 0.1))
    held.worker.answer(PREVIEW)
    held.session.reaching.let_go()
    return shown


def test_another_method_is_tried_on_the_last_pull_and_never_kept(held: Held) -> None:
    session, reaching, shown = held.session, held.session.reaching, pulled(held)
    kept, first = session.document, reaching.reached
    assert first is not None
    reaching.set_method(Method(solver="transpose"))
    held.worker.answer("trial")
    held.worker.answer("pose", newest=True)
    assert reaching.reached is not None
    assert (reaching.reached.outcome.method.solver, reaching.tried) == ("transpose", True)
    assert reaching.reached.goals == first.goals
    assert shown[-1] == ["result", "result", "ghost"]
    assert (session.document, session.history.position) == (kept, 1)
    reaching.set_method(Method())
    held.worker.answer("trial")
    held.worker.answer("pose", newest=True)
    assert not reaching.tried
    assert shown[-1] == ["result", "result"]


def test_a_method_that_is_compared_after_the_pull_has_its_ghost_at_once(held: Held) -> None:
    shown = pulled(held)
    held.session.reaching.compare_with(Method(solver="ccd"))
    held.worker.answer("trial")
    held.worker.answer("pose", newest=True)
    assert shown[-1] == ["result", "result", "ghost"]
    assert not held.session.reaching.tried


def test_nothing_is_tried_on_a_pull_that_was_undone_and_a_late_trial_is_dropped(held: Held) -> None:
    reaching = held.session.reaching
    pulled(held)
    held.session.undo()
    reaching.set_method(Method(solver="transpose"))
    assert not held.worker.waiting("trial")
    held.session.redo()
    reaching.set_terms(replace(reaching.terms, gain=0.5))
    reaching.pull(MIDDLE)
    last = reaching.reached
    held.worker.answer("trial")
    assert reaching.reached is last


def test_another_method_in_the_middle_of_a_pull_counts_before_the_next_move(held: Held) -> None:
    reaching = held.session.reaching
    reaching.pull(TIP)
    reaching.move((0.0, 0.2, 0.1))
    held.worker.answer(PREVIEW)
    reaching.set_method(Method(solver="transpose"))
    held.worker.answer(PREVIEW)
    assert reaching.reached is not None
    assert reaching.reached.outcome.method.solver == "transpose"


def test_a_figure_that_goes_while_a_pull_waits_for_its_turn_is_told(held: Held) -> None:
    session, reaching = held.session, held.session.reaching
    first = session.begin_gesture("First")
    session.do(edit("remove_actor", actor="arm"))
    assert reaching.pull(TIP)
    reaching.move((0.0, 0.2, 0.1))
    first.finish()
    reaching.move((0.0, 0.2, 0.2))
    held.worker.answer(PREVIEW)
    assert reaching.pulled is None
    assert "no actor" in session.log[-1].text


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
