"""One thing that is asked of each document: nothing twice, nothing late, and an end."""

from __future__ import annotations

import pytest

from app.session.live_query import LiveQuery, Question
from tests.app.session.held import Held, deliver, steps

KEY = "asked by a test"


class Asker:
    """Shows what it is told."""

    def __init__(self, held: Held, *, late: bool = True) -> None:
        self.shown: list[object] = []
        self.refused: list[str] = []
        self.worker = held.worker
        self.query = LiveQuery(
            held.session,
            held.session.engine,
            KEY,
            self.show,
            refuse=lambda why: self.refused.append(str(why)),
            late=late,
        )

    def show(self, answer: object) -> None:
        self.shown.append(answer)


@pytest.fixture
def asker(held: Held) -> Asker:
    return Asker(held)


def question(answer: object, *, of: object = None, about: object = None) -> Question[object]:
    return Question(work=steps(None, answer), of=(of,), about=about)


def test_what_was_asked_last_is_not_asked_anew(asker: Asker) -> None:
    one, same = [1], [1]
    assert asker.query.follow(question("a", of=one, about=(2, 3)))
    assert not asker.query.follow(question("b", of=one, about=(2, 3)))
    assert asker.worker.waiting(KEY) == 1
    assert asker.query.follow(question("c", of=one, about=(2, 4))), "about something else"
    assert asker.query.follow(question("d", of=same, about=(2, 4))), "of another object that is equal"
    asker.query.forget()
    assert asker.query.follow(question("e", of=same, about=(2, 4)))
    assert asker.worker.waiting(KEY) == 4


def test_where_nothing_is_to_be_seen_the_work_ends_and_no_answer_is_shown(asker: Asker) -> None:
    asker.query.follow(question("a"))
    ticket = asker.worker.requests[-1].ticket
    asker.query.follow(None)
    assert asker.worker.cancelled == [KEY]
    asker.worker.publish(KEY, ticket, "a")
    deliver()
    assert asker.shown == [None]
    asker.query.follow(None)
    assert asker.worker.cancelled == [KEY], "nothing was under way"


@pytest.mark.parametrize(("late", "shown"), [(True, ["a", "b"]), (False, ["b"])])
def test_answers_to_an_earlier_question_are_shown_if_they_are_to_be(held: Held, late: bool, shown: list[str]) -> None:
    asker = Asker(held, late=late)
    asker.query.follow(question("a", about=1))
    asker.query.follow(question("b", about=2))
    asker.worker.answer(KEY)
    asker.worker.answer(KEY)
    assert asker.shown == shown


def test_answers_under_other_keys_are_others(held: Held, asker: Asker) -> None:
    asker.query.follow(question("a"))
    held.session.engine.submit("another", steps("b"), document=None)
    held.worker.answer("another")
    assert asker.shown == []


def test_a_failure_of_the_newest_question_is_told(asker: Asker) -> None:
    for about in (1, 2):
        asker.query.follow(question("a", about=about))
    first, newest = (each for each in asker.worker.requests if each.key == KEY)
    asker.worker.fail(first, ValueError("first"))
    asker.worker.fail(newest, ValueError("newest"))
    deliver()
    assert asker.refused == ["newest"]
