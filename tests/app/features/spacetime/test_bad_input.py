"""Searches that come to an odd end: what they are of goes, another scene is opened, they are stopped."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.features.spacetime.current_spacetime import CHECK, SEARCH, STOPPED, CurrentSpacetime
from app.session import Item
from app.session.history import Entry, History
from engine.commands.reach import Reach
from engine.document import Document
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.spacetime.parts import Spacetime
from tests.app.session.held import Held, deliver
from tests.engine.spacetime.meeting_actors import balls


@pytest.fixture
def document() -> Document:
    return balls(longest=3.0)


@pytest.fixture
def current(held: Held) -> CurrentSpacetime:
    evaluator = Evaluator()
    held.session.engine.evaluator, held.session.engine.reach = evaluator, Reach(evaluator)
    held.session.select([Item("light")])
    return held.session.of(CurrentSpacetime)


def test_an_actor_may_go_while_its_motion_is_searched_for(held: Held, current: CurrentSpacetime) -> None:
    session = held.session
    current.run()
    session.do(edit("remove_actor", actor="light"))
    assert not current.running
    assert held.worker.waiting(SEARCH) == 0
    session.undo()
    session.select([Item("light")])
    current.run()
    held.worker.answer(SEARCH, newest=True)
    assert current.come.solved


def test_whom_it_meets_may_go_while_their_motions_are_searched_for(held: Held, current: CurrentSpacetime) -> None:
    current.run()
    request = next(each for each in held.worker.requests if each.key == SEARCH)
    found = list(request.job())[-1]
    held.session.do(edit("remove_actor", actor="heavy"))
    held.worker.publish(SEARCH, request.ticket, found)
    deliver()
    assert current.motion is not None
    assert [each.actor for each in current.found] == ["light"], "what was found of the other is gone with it"
    assert current.running, "it is found anew without the other"
    held.worker.answer(SEARCH, newest=True)
    assert (current.running, current.is_stale, current.motion.others) == (False, False, ())


def test_a_search_that_is_stopped_leaves_document_and_history_as_they_were(
    held: Held, current: CurrentSpacetime
) -> None:
    document, past = held.session.document, held.session.history.past
    current.run()
    current.stop()
    assert held.session.document is document
    assert held.session.history.past == past
    current.run()
    held.worker.answer(SEARCH, newest=True)
    assert held.session.history.past == past
    assert current.report != STOPPED


def test_another_scene_ends_the_search_and_what_cannot_be_there_is_said(held: Held, current: CurrentSpacetime) -> None:
    current.watch(True)
    current.run()
    held.worker.answer(SEARCH, newest=True)
    current.run()
    light = held.session.document.actor("light")
    plan = light.part(Spacetime)
    assert plan is not None
    begin = plan.constraints[0]
    again = replace(begin, id="again", name="Begin elsewhere", values=(("light.x", 3.0),))
    other = Document(actors=(light.with_part(replace(plan, constraints=(begin, again), meetings=())),))
    held.session.begin_with(History(other, Entry("Open other")), None)
    assert (current.running, current.motion, current.words) == (False, None, ())
    held.session.select([Item("light")])
    assert current._check_soon.isActive(), "it is looked at what cannot be"
    current.check()
    held.worker.answer(CHECK)
    assert current.words[0].startswith("Begin and Begin elsewhere ask Light X to be at 0 m and at 3 m, both at 0.000 s")
