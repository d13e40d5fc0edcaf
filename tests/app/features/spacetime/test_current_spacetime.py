"""The planned motion that a session works on: searched for, stopped, kept, and found again after each change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.features.spacetime import planning
from app.features.spacetime.chart import SearchChart
from app.features.spacetime.current_spacetime import CHANGED, CHECK, SEARCH, STOPPED, CurrentSpacetime
from app.features.spacetime.found_torques import FoundTorques
from app.features.spacetime.panel import SpacetimePanel
from app.features.spacetime.words import about, constraint_text, progress_text, stage_text
from app.session import Item
from app.session.found_curves import FoundCurves
from app.style.units import TORQUE
from app.timeline.graph.curves import curves_of
from engine.commands.reach import Reach
from engine.document import Document, Span
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.physics.parts import TorqueCurves
from engine.spacetime.parts import (
    SpacetimeConstraint,
)
from engine.spacetime.queries import find_motion
from tests.app.session.held import Held, deliver
from tests.leaping_lamp import DOFS, ROOT, leaping_lamp, nod

SECOND = 705_600_000


@pytest.fixture
def document(tmp_path: Path) -> Document:
    lamp = leaping_lamp(tmp_path).with_part(nod())
    return Document(actors=(lamp,), play=Span(start=0, end=SECOND))


@pytest.fixture
def current(held: Held) -> CurrentSpacetime:
    """Of a session with the engine's own evaluator."""
    evaluator = Evaluator()
    held.session.engine.evaluator, held.session.engine.reach = evaluator, Reach(evaluator)
    return held.session.of(CurrentSpacetime)


def searching(current: CurrentSpacetime) -> bool:
    """Whether it searches now."""
    return current.running


def find(held: Held, current: CurrentSpacetime) -> None:
    current.run()
    assert current.running
    held.worker.answer(SEARCH, newest=True)
    assert not current.running


def set_end(held: Held, nodded: float) -> None:
    values = (*((dof, 0.0) for dof in (*ROOT, *DOFS[:2])), ("head.nod", nodded))
    held.session.do(edit("set_spacetime_constraint", actor="lamp", constraint="end", values=values))


def test_it_is_searched_for_and_kept_as_a_layer_and_undone(held: Held, current: CurrentSpacetime) -> None:
    find(held, current)
    motion = current.motion
    assert motion is not None
    assert (motion.state, motion.actor, current.minima[0] is motion) == ("solved", "lamp", True)
    assert motion.violation < 1e-8
    assert motion.duration == pytest.approx(0.4)
    assert motion.values(0.4)["head.nod"] == pytest.approx(0.5)
    assert [each.iteration for each in current.iterates] == list(range(len(current.iterates)))
    assert "ffort" in current.report
    before = held.session.document
    current.keep()
    held.worker.answer("preview")
    lamp = held.session.document.actor("lamp")
    assert len(lamp.layers) == 2
    assert (current.is_stale, current.running) == (False, False), "what is kept is not searched for anew"
    curves = lamp.part(TorqueCurves)
    assert curves is not None
    assert [each.coordinate for each in curves.tracks] == list(DOFS)
    evaluator = held.session.engine.evaluator
    assert evaluator is not None
    seen = evaluator.coordinates(held.session.document, "lamp", (SECOND * 2 // 5,))[0]
    assert seen[lamp.figure.coordinate_index["head.nod"]] == pytest.approx(0.5, abs=1e-6)
    held.session.undo()
    assert held.session.document is before
    assert current.motion is motion, "what was found stays to be seen"


def test_what_is_kept_after_another_and_taken_back_is_found_and_not_kept(held: Held, current: CurrentSpacetime) -> None:
    find(held, current)
    current.keep()
    held.worker.answer("preview")
    assert current.found == ()
    set_end(held, 0.3)
    find(held, current)
    second = current.motion
    current.keep()
    held.worker.answer("preview")
    assert current.found == ()
    held.session.undo()
    assert current.found == (second,)


def test_torques_that_are_found_are_curves_until_the_motion_is_kept_or_gone(
    held: Held, current: CurrentSpacetime
) -> None:
    session = held.session
    found, _ = session.of(FoundCurves), session.of(FoundTorques)
    session.select([Item("lamp", "head")])
    assert found.curves == ()
    find(held, current)
    first = found.curves
    assert {(each.actor, each.part) for each in first} == {("lamp", dof) for dof in DOFS}
    curves = curves_of(session.document, session.selection, found_curves=first).curves
    (torque,) = (each for each in curves if each.found is not None)
    assert torque.label.endswith("found, not kept nod")
    assert torque.unit is TORQUE
    curve = next(each for each in first if each.part == "head.nod")
    assert torque.value_at(SECOND // 5) == pytest.approx(np.interp(SECOND // 5, curve.times, curve.values))
    set_end(held, 0.6)
    held.worker.answer(SEARCH, newest=True)
    assert len(found.curves) == len(first)
    assert found.curves != first, "the search has gone on"
    current.keep()
    held.worker.answer("preview")
    assert found.curves == (), "the document has them now"
    session.undo()
    assert len(found.curves) == len(first)
    session.do(edit("remove_spacetime", actor="lamp"))
    assert found.curves == ()


def test_a_search_may_begin_with_the_motion_that_was_kept(held: Held, current: CurrentSpacetime) -> None:
    find(held, current)
    straight = len(current.iterates)
    current.keep()
    held.worker.answer("preview")
    current.begin_present(True)
    find(held, current)
    assert current.iterates[0].values(0.2)["head.nod"] == pytest.approx(
        current.iterates[-1].values(0.2)["head.nod"], abs=0.01
    )
    assert current.minima[0].state == "solved"
    assert straight > 3


def test_an_early_iterate_can_be_looked_at_and_kept(held: Held, current: CurrentSpacetime) -> None:
    find(held, current)
    early = current.iterates[1]
    current.show(early)
    assert current.motion is early
    current.keep()
    held.worker.answer("preview")
    assert len(held.session.document.actor("lamp").layers) == 2


def test_a_change_is_followed_at_once_and_what_was_found_is_seen_until_then(
    held: Held, current: CurrentSpacetime
) -> None:
    find(held, current)
    first = current.motion
    set_end(held, 0.8)
    assert [current.running, current.motion is first, current.is_stale] == [True] * 3
    set_end(held, 0.9)
    assert held.worker.waiting(SEARCH) == 2
    held.worker.answer(SEARCH)  # the one that began before the second change is seen, too
    assert current.motion is not None
    assert current.motion.values(0.4)["head.nod"] == pytest.approx(0.8)
    assert searching(current)
    held.worker.answer(SEARCH)
    assert current.motion.values(0.4)["head.nod"] == pytest.approx(0.9)
    assert not searching(current)
    assert len(current.iterates) < 25, "from where it was"
    held.session.undo()
    assert searching(current), "undone, it is found again as well"


def test_a_search_that_lasts_is_not_ended_first_when_the_problem_changes_again(
    held: Held, current: CurrentSpacetime
) -> None:
    find(held, current)
    now = 10.0
    current.clock = lambda: now
    set_end(held, 0.8)
    now += 0.1
    set_end(held, 0.85)
    assert held.worker.waiting(SEARCH) == 2, "a quick one is seen, too"
    now += 1.0
    set_end(held, 0.9)
    assert held.worker.waiting(SEARCH) == 1, "the one that is wanted alone"
    assert searching(current)
    held.worker.answer(SEARCH)
    assert current.motion is not None
    assert current.motion.values(0.4)["head.nod"] == pytest.approx(0.9)
    assert not searching(current)


def test_without_that_it_says_that_the_problem_has_changed(held: Held, current: CurrentSpacetime) -> None:
    find(held, current)
    current.set_live(False)
    set_end(held, 0.8)
    assert held.worker.waiting(SEARCH) == 0
    assert current.report == CHANGED
    held.session.undo()
    assert current.report != CHANGED


def test_a_search_that_is_stopped_leaves_its_last_iterate_and_the_document(
    held: Held, current: CurrentSpacetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_motion, "TOLD_EVERY", 0.0)
    before, told = held.session.document, list[str]()
    current.ended.connect(lambda: told.append("ended"))
    current.run()
    request = next(each for each in held.worker.requests if each.key == SEARCH)
    steps = request.job()
    while len(current.iterates) < 3:
        held.worker.publish(SEARCH, request.ticket, next(steps))
        deliver()
    steps.close()
    current.stop()
    assert (current.running, SEARCH in held.worker.cancelled, told) == (False, True, ["ended"])
    assert current.motion is current.iterates[-1]
    assert current.report == STOPPED
    assert held.session.document is before


def test_what_cannot_be_met_is_said_with_its_time_and_a_click_goes_there(
    held: Held, current: CurrentSpacetime, qtbot: QtBot
) -> None:
    panel = SpacetimePanel(held.session)
    qtbot.addWidget(panel)
    held.session.do(
        edit(
            "put_spacetime_constraint",
            actor="lamp",
            constraint=SpacetimeConstraint(
                id="high",
                name="High up",
                stage="stage",
                quantity="point",
                joint="head",
                position=(0.0, 3.0, 0.0),
                at=0.5,
            ),
        )
    )
    find(held, current)
    assert current.motion is not None
    assert current.motion.state != "solved"
    missed = current.misses[0]
    assert missed.constraint == "high"
    assert missed.seconds == pytest.approx(0.2)
    assert "High up" in missed.words
    panel.refresh()
    label = panel.misses.labels[0]
    assert (label.text(), label.isHidden(), panel.said.isHidden()) == (missed.words, False, False)
    label.clicked.emit()
    assert held.session.playhead == round(0.2 * SECOND)
    assert current.chosen == "high"


def test_contradictions_are_named_before_a_search(held: Held, current: CurrentSpacetime) -> None:
    current.watch(True)
    current.check()
    held.worker.answer(CHECK, newest=True)
    assert current.words == ()
    values = (("head.nod", 9.0),)
    held.session.do(edit("set_spacetime_constraint", actor="lamp", constraint="end", values=values))
    current.check()
    held.worker.answer(CHECK, newest=True)
    assert "End" in "".join(current.words)


def test_a_plan_that_leads_nowhere_yet_says_what_comes_next(held: Held, current: CurrentSpacetime) -> None:
    assert about(current.actor) == ""
    held.session.do(edit("remove_spacetime_constraint", actor="lamp", constraint="end"))
    assert about(current.actor).startswith(
        "Next: move the playhead to where the motion is to end, up to 0.40 s, pose Lamp"
    )


def test_the_search_ends_with_the_plan_and_with_the_document(held: Held, current: CurrentSpacetime) -> None:
    current.run()
    planning.remove_plan(held.session)
    assert not current.running
    held.session.undo()
    find(held, current)
    held.session.new()
    assert current.motion is None


def test_times_are_those_of_stages_and_snap_to_their_borders(held: Held, current: CurrentSpacetime) -> None:
    planning.add_stage(held.session)
    part = current.part
    assert part is not None
    first, second = part.stages
    frame = SECOND // held.session.document.rate[0]
    assert current.place_at(0) == (first.id, 0.0)
    stage, share = current.place_at(round(0.1 * SECOND)) or ("", 0.0)
    assert stage == first.id
    assert share == pytest.approx(0.25)
    assert current.place_at(round(0.4 * SECOND) - frame // 3) == (second.id, 0.0)
    assert current.place_at(round(0.7 * SECOND)) == (second.id, 1.0)
    assert current.place_at(SECOND) is None
    assert current.tick_of(second.id, 0.5) == round(0.55 * SECOND)


def test_stages_muscles_and_calm_parts_are_changed_in_one_entry_each(held: Held, current: CurrentSpacetime) -> None:
    session = held.session
    planning.add_stage(session)
    part = current.part
    assert part is not None
    assert current.stage is part.stages[1]
    planning.move_stage(session, -1)
    assert current.part is not None
    assert current.part.stages == part.stages[::-1]
    planning.remove_stage(session)
    assert len(current.part.stages) == 1
    planning.drive(session, "head.nod", on=False)
    assert [each.dof for each in current.part.muscles] == list(DOFS[:2])
    planning.drive_joints(session, selected=False)
    assert [each.dof for each in current.part.muscles] == list(DOFS)
    session.select([Item("lamp", "head")])
    planning.calm_selected(session)
    assert [each.joint for each in current.part.calm] == ["head"]
    planning.drive_joints(session, selected=True)
    assert [each.dof for each in current.part.muscles] == ["head.nod"]
    planning.move_in_plane(session, (1.0, 0.0, 0.0))
    assert (current.part.plane, current.part.muscles) == ((1.0, 0.0, 0.0), ()), "nothing of it turns in that plane"
    planning.move_in_plane(session, (0.0, 0.0, 1.0))
    assert [each.dof for each in current.part.muscles] == list(DOFS)
    planning.add_gentle_blow(session)
    found = current.constraint
    assert found is not None
    assert (found.quantity, found.of, found.most) == ("impulse", "head", planning.HARDEST)
    planning.remove_chosen(session)
    assert len(current.part.constraints) == 2


def test_outside_of_the_motion_nothing_can_be_demanded_and_a_note_says_so(
    held: Held, current: CurrentSpacetime
) -> None:
    held.session.set_playhead(SECOND)
    planning.be_here(held.session)
    assert held.worker.waiting("preview") == 0
    assert "not within the planned motion" in held.session.log[-1].text


def test_stages_and_constraints_are_read_with_their_times_and_the_chart_leaves_out_muscles_that_rest(
    held: Held, current: CurrentSpacetime, qtbot: QtBot
) -> None:
    part = current.part
    assert part is not None
    assert stage_text(current, part.stages[0]) == "Nod · 0.40 s · nailed"
    assert constraint_text(current, part.constraints[1]) == "End · pose · 0.40 s"
    free = replace(part.stages[0], nailed=False, least_length=0.2, most_length=0.8)
    assert stage_text(current, free) == "Nod · 0.40 s (0.20 to 0.80) · flies"
    find(held, current)
    assert progress_text(current).startswith(f"Iteration {current.iterates[-1].iteration}: effort ")
    chart = SearchChart()
    qtbot.addWidget(chart)
    chart.show_search(current)
    assert len(chart.objectives) == len(current.iterates)
    chart.objectives, chart.violations = (1e-8, 5.0, 4.0), (1.0, 0.1, 1e-9)
    (frame,) = chart.frames()
    violation, objective = (np.asarray(trace.y) for trace in frame.traces[:2])
    assert np.isnan(objective).tolist() == [True, False, False]
    assert violation[:2].tolist() == [0.0, -1.0]
