"""What a hand leads: when a drag sets a target and when it poses keys; how often marks and paths are asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.features.secondary.current_secondary import CurrentSecondary
from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.paths import KEY as PATHS
from app.features.secondary.target_marks import KEY as MARKS
from app.features.secondary.target_pull import TargetPull
from app.session.history import Entry, History
from app.session.selection import Item
from engine.document import Actor, Bell, Correction, Document, Draft, Key, Layer, Secondary, Target, Term, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.secondary import Gains
from engine.edits import Edit, both, edit
from engine.targets.commands.meet_targets import MeetTargets
from engine.targets.queries.mark_targets import TargetMark, TargetsMarked
from tests.app.session.conftest import small_document
from tests.app.session.held import Held, deliver

TIP = Target(id="tip", kind="point", joint="lower", time=SECOND)
ONE = TargetMark(
    owner="arm", target="tip", kind="point", time=SECOND, own=True, name="Lower", part="lower",
    place=(0.0, 1.0, 0.0), at=(0.0, 1.0, 0.0),
)  # fmt: skip


@pytest.fixture
def document() -> Document:
    """The arm swings and has a target; it is keyed for two seconds."""
    found = small_document()
    track = Track(coordinate="upper.turn", keys=(Key(0, 0.0), Key(2 * SECOND, 0.5)))
    secondary = Secondary(gains=Gains(tension=2.0), targets=(TIP,))
    return found.with_actor(
        replace(found.actor("arm"), layers=(Layer(id="pose", tracks=(track,)),), secondary=secondary)
    )


def arm(held: Held) -> Actor:
    return held.session.document.actor("arm")


def test_a_drag_leads_what_swings_and_the_option_or_ctrl_turn_that_round(held: Held) -> None:
    current_targets = held.session.of(CurrentTargets)
    assert current_targets.is_led("arm")
    assert not current_targets.is_led("arm", other=True)
    assert not current_targets.is_led("box")
    assert not current_targets.is_led("gone")
    current_targets.lead_by_hand(False)
    assert not current_targets.is_led("arm")
    assert current_targets.is_led("arm", other=True)
    held.session.do(edit("set_secondary", actor="arm", on=False))
    assert not current_targets.is_led("arm", other=True)


def test_where_the_correction_is_muted_or_a_draft_is_shown_keys_are_posed_and_words_say_so(held: Held) -> None:
    current_targets, first = held.session.of(CurrentTargets), held.session.document
    assert "set a target" in current_targets.words_of("arm", keyed=False)
    assert "as keyed" in current_targets.words_of("arm", keyed=True)
    assert current_targets.words_of("box", keyed=False) == ""
    drafted = replace(arm(held).layers[0], drafts=(Draft(time=0, values=(("upper.turn", 0.2),)),))
    held.session.history.add(first.with_actor(replace(arm(held), layers=(drafted,))), held.session.history.newest)
    assert not current_targets.is_led("arm")
    assert "working pose" in current_targets.words_of("arm", keyed=False)
    held.session.set_playhead(SECOND)
    assert current_targets.is_led("arm")


def test_the_target_within_half_a_frame_is_led_else_a_new_one(held: Held) -> None:
    current_targets, session = held.session.of(CurrentTargets), held.session
    half = SECOND // 60
    for time, is_new in ((SECOND, False), (SECOND + half, False), (SECOND - half - 1, True), (0, True)):
        session.set_playhead(time)
        target, new = current_targets.led_target("arm", "lower", (0.0, 0.1, 0.0))
        assert new is is_new, time
        assert (target.id == "tip") is not is_new
    assert (target.joint, target.point, target.time) == ("lower", (0.0, 0.1, 0.0), 0)
    session.set_playhead(SECOND)
    assert current_targets.led_target("arm", "upper", (0.0, 0.0, 0.0))[1], "another joint"
    session.do(edit("set_targets", actor="arm", targets=("tip",), changes=(("on", False),)))
    assert current_targets.led_target("arm", "lower", (0.0, 0.0, 0.0))[1], "one that is off"


def test_a_target_that_is_dragged_is_placed_or_met_and_a_new_one_comes_last(held: Held) -> None:
    current_targets, moved = held.session.of(CurrentTargets), replace(TIP, position=(0.0, 0.9, 0.1))
    placed = current_targets.dragged("arm", moved)
    assert isinstance(placed, Edit)
    assert placed.apply(held.session.document).actor("arm").secondary == replace(
        arm(held).secondary,
        targets=(moved,),  # type: ignore[type-var]
    )
    met = current_targets.dragged("arm", replace(moved, id="new"), meets=True, layer="its own")
    assert isinstance(met, MeetTargets)
    assert (met.coarse, met.id) == (True, "its own")
    assert met.moved == replace(moved, id="new")
    ends = current_targets.dragged("arm", moved, ends=True, meets=True)
    assert isinstance(ends, MeetTargets)
    assert not ends.coarse


def test_a_pull_that_waits_keeps_what_the_gesture_before_it_commits(held: Held) -> None:
    session, first, moved = held.session, held.session.document, replace(TIP, position=(0.0, 0.9, 0.1))
    waits = session.begin_gesture("Another")
    pull = TargetPull(session, "arm", TIP, label="Move target of Lower")
    pull.lead((0.0, 0.9, 0.1))
    pull.finish()
    secondary = arm(held).secondary
    assert secondary is not None
    other = replace(TIP, id="other", joint="upper")
    session.history.add(
        first.with_actor(replace(arm(held), secondary=replace(secondary, targets=(TIP, other)))), session.history.newest
    )
    waits.cancel()
    held.worker.answer("preview")
    kept = arm(held).secondary
    assert kept is not None
    assert kept.targets == (moved, other)


def test_a_pull_of_what_has_gone_meanwhile_ends_without_a_change(held: Held) -> None:
    session, first = held.session, held.session.document
    waits = session.begin_gesture("Another")
    pull = TargetPull(session, "arm", TIP, label="Move target of Lower", meets=True)
    pull.lead((0.0, 1.0, 0.0))
    session.history.add(first.with_actor(replace(arm(held), secondary=None)), session.history.newest)
    waits.cancel()
    pull.lead((0.0, 1.1, 0.0))
    assert pull.is_over
    assert arm(held).secondary is None
    assert session.at_rest


def test_what_is_due_after_an_edit_goes_with_its_document(held: Held) -> None:
    session, current_targets = held.session, held.session.of(CurrentTargets)
    current_targets.automatic = True
    session.do(edit("set_gains", actor="arm", tension=1.0))
    session.begin_with(History(session.document, Entry("Another")), None)
    deliver()
    assert held.worker.waiting("preview") == 0
    session.do(edit("set_gains", actor="arm", tension=1.5))
    deliver()
    assert held.worker.waiting("preview") == 1


def test_an_edit_that_holds_what_meeting_found_is_not_met_again_when_it_is_done_or_redone(held: Held) -> None:
    session = held.session
    session.of(CurrentTargets).automatic = True
    bell = Bell(time=SECOND, before=SECOND // 4, after=SECOND // 4)
    correction = Correction(terms=(Term(bell=bell, amplitudes=(("upper.turn", 0.1),)),))
    loose = edit("set_gains", actor="arm", tension=1.0)
    session.do(both(loose, edit("set_correction", actor="arm", layer="met", correction=correction)))
    session.undo()
    session.redo()
    deliver()
    assert arm(held).layers[-1].id == "met"
    assert held.worker.waiting("preview") == 0
    session.do(edit("set_gains", actor="arm", tension=1.5))
    deliver()
    assert held.worker.waiting("preview") == 1


def test_delete_is_for_the_clicked_target_until_that_goes_or_something_else_is_chosen(held: Held) -> None:
    session, current_targets, told = held.session, held.session.of(CurrentTargets), list[bool]()
    current_targets.hand_changed.connect(lambda: told.append(current_targets.in_hand))
    session.select([Item("arm", "lower")])
    session.do(edit("place_target", actor="arm", target=replace(TIP, id="new")))
    current_targets.choose("new", in_hand=True)
    session.undo()
    assert told == [True, False]
    current_targets.choose("tip", in_hand=True)
    session.sets.make()
    assert told == [True, False, True, False]
    assert current_targets.target == TIP
    current_targets.choose("tip", in_hand=True)
    session.sets.recall(session.document.selection_sets[0].id)
    assert told[4:] == [True, False], "though the selection is the same"
    current_targets.choose("tip", in_hand=True)
    session.select(())
    assert not current_targets.in_hand


def test_marks_are_asked_for_once_while_they_are_to_be_seen(held: Held) -> None:
    session, marks = held.session, held.session.of(CurrentTargets).marks
    session.of(CurrentTargets).marks.want(False)
    held.worker.requests.clear()
    marks.want(True)
    assert held.worker.waiting(MARKS) == 1
    session.set_playhead(SECOND)
    assert held.worker.waiting(MARKS) == 1, "they are of all times"
    held.worker.publish(MARKS, 99, TargetsMarked(session.document, "arm", (ONE,), True))
    session.engine._take_frame(MARKS)
    assert marks.of("tip") == marks.of("tip", SECOND) == ONE
    assert marks.of("tip", 0) is None
    session.edit_figure("arm")
    assert marks.marks == ()
    session.edit_figure(None)
    assert held.worker.waiting(MARKS) == 1


def test_marks_that_are_not_all_are_asked_for_again_at_another_time(held: Held) -> None:
    session = held.session
    held.worker.publish(MARKS, 99, TargetsMarked(session.document, "arm", (ONE,), False))
    session.engine._take_frame(MARKS)
    held.worker.requests.clear()
    session.set_playhead(SECOND // 2)
    assert held.worker.waiting(MARKS) == 1


def test_paths_are_asked_for_of_what_is_selected_and_swings_over_what_is_played(held: Held) -> None:
    session, paths = held.session, held.session.of(CurrentSecondary).paths
    session.select([Item("arm", "lower")])
    assert held.worker.waiting(PATHS) == 0
    paths.want(True)
    assert held.worker.waiting(PATHS) == 1
    session.set_playhead(SECOND)
    assert held.worker.waiting(PATHS) == 1
    session.do(edit("set_gains", actor="arm", tension=1.0))
    assert held.worker.waiting(PATHS) == 2
    held.worker.requests.clear()
    session.select([Item("box")])
    assert held.worker.waiting(PATHS) == 0
    session.trails.choose(replace(session.trails.choice, everyone=True, around=3))
    assert held.worker.waiting(PATHS) == 1
    session.set_playhead(0)
    assert held.worker.waiting(PATHS) == 2, "short ones go with the playhead"
