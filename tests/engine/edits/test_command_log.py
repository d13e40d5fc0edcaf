"""Deeds: done again in order, back and forward, and refused where they do not fit."""

from __future__ import annotations

import pytest

from engine.document import Document
from engine.edits import edit
from engine.edits.command_log import Replay, Start, Step, replay
from engine.runtime.errors import InvalidArguments

START = Start(Document(), "New document")
SLOW, QUICK = edit("set_rate", frames=24), edit("set_rate", frames=60)


def test_commands_make_what_was_made() -> None:
    assert replay([START, SLOW, QUICK]) == Document(rate=(60, 1))


def test_steps_go_back_and_forward_and_an_edit_after_them_forgets_what_was_undone() -> None:
    assert replay([START, SLOW, QUICK, Step("undo", 2), Step("redo")]).rate == (24, 1)
    again = Replay()
    for command in (START, SLOW, QUICK, Step("undo"), edit("set_rate", frames=25)):
        again.do(command)
    with pytest.raises(InvalidArguments, match="how many changes to redo"):
        again.do(Step("redo"))
    again.do(Step("undo", 2))
    assert again.document is START.document


def test_an_edit_that_changes_nothing_is_no_step() -> None:
    assert replay([START, SLOW, SLOW, Step("undo")]) == Document()


def test_another_start_begins_anew() -> None:
    assert replay([START, SLOW, Start(Document(rate=(25, 1)), "Open a"), QUICK, Step("undo")]).rate == (25, 1)


@pytest.mark.parametrize("step", [Step("undo"), Step("redo"), Step("undo", 0), Step("undo", -1)])
def test_a_step_to_nowhere_is_refused(step: Step) -> None:
    with pytest.raises(InvalidArguments, match="how many changes"):
        replay([START, step])


def test_nothing_can_be_done_to_nothing() -> None:
    with pytest.raises(InvalidArguments, match="the first command"):
        replay([SLOW])
    with pytest.raises(InvalidArguments, match="the first command"):
        replay([])
