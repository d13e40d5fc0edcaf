"""What is frozen is changed by no hand: one place in the session refuses, in words, whatever the tool."""

from __future__ import annotations

import pytest

from app.session.frozen import refusal
from app.session.gesture import EditOrCommand
from engine.commands.breakdown import Breakdown
from engine.commands.clean_up import CleanUp
from engine.commands.reach import PullHandle
from engine.document import Document
from engine.edits import edit
from tests.app.session.held import Held

TURN = edit("set_value", actor="arm", layer="pose", coordinate="upper.turn", value=0.3)
COMMANDS: tuple[EditOrCommand, ...] = (
    TURN,
    edit("pose_actors", time=0, poses=(("arm", (("upper.turn", 0.1),)),), auto_key=True),
    edit("move_chosen", chosen=(("arm", "pose", ()),), ticks=1),
    PullHandle(drag="one", actor="arm", goals=()),
    edit("reverse_ranges", parts=(("arm", "pose", None),), start=0, end=1),
    Breakdown(parts=(("arm", None),), time=0, share=0.5),
    CleanUp(parts=(("arm", None),), spikes=True),
)


@pytest.fixture
def frozen(held: Held) -> Held:
    held.session.do(edit("freeze_actor", actor="arm", frozen=True))
    return held


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: getattr(command, "name", type(command).__name__))
def test_a_gesture_on_what_is_frozen_ends_as_it_begins_and_says_why_once(command: EditOrCommand, frozen: Held) -> None:
    before, asked = frozen.session.document, len(frozen.worker.requests)
    gesture = frozen.session.begin_gesture("Turn Upper")
    gesture.preview(command)
    gesture.preview(command)
    gesture.finish()
    assert gesture.state == "ended"
    assert frozen.session.at_rest
    assert frozen.session.document is before
    assert not any(each.key == "preview" for each in frozen.worker.requests[asked:])
    said = [entry for entry in frozen.session.log if "is frozen: thaw it" in entry.text]
    assert [entry.kind for entry in said] == ["warning"]


def test_a_figure_that_is_frozen_is_not_edited(frozen: Held) -> None:
    frozen.session.edit_figure("arm")
    assert frozen.session.editing is None
    assert "is frozen: thaw it" in frozen.session.log[-1].text


def test_thawed_it_is_changed_again(frozen: Held) -> None:
    frozen.session.do(edit("freeze_actor", actor="arm", frozen=False))
    gesture = frozen.session.begin_gesture("Turn Upper")
    gesture.preview(TURN)
    assert gesture.state == "open"
    gesture.cancel()


def test_showing_and_naming_are_no_changes_by_hand(held: Held, document: Document) -> None:
    still = edit("freeze_actor", actor="arm", frozen=True).apply(document)
    assert refusal(still, edit("show_actor", actor="arm", visible=False)) == ""
    assert refusal(still, edit("rename_actor", actor="arm", name="Limb")) == ""
    assert refusal(still, TURN) != ""
