"""A search for a planned motion as the window sees it: its messages, its end, what is kept of it; the plan that is
meant."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import numpy as np
import pytest

from app.features.soft.current_plan import CurrentPlan
from app.features.soft.plan_run import KEY, PlanRun
from app.features.soft.words import keyframe_text, plan_text
from app.session import Item
from engine.document import Document
from engine.edits import edit
from engine.runtime.child import Json
from engine.soft.goals import SoftKeyframe, SoftPlan
from engine.soft.parts import SoftWorld
from engine.soft.uses import soft_body
from tests.app.session.held import Held, deliver
from tests.app.session.test_long_job import Started
from tests.engine.soft.bodies import soft_actor, soft_cube, spline

SECOND = 705_600_000


@pytest.fixture
def document() -> Document:
    """A jelly with two splines that is to be somewhere."""
    keyframe = SoftKeyframe(id="high", time=SECOND, position=(0.0, 1.0, 0.0))
    jelly = soft_actor("jelly", soft_cube(spline("up"), spline("along")))
    return Document(actors=(jelly.with_part(SoftPlan(keyframes=(keyframe,))),))


def iterate(number: int, missed: float, actor: str = "jelly") -> Json:
    points = b64encode(np.zeros(24, "<f4").tobytes()).decode()
    return {
        "number": number,
        "until": SECOND,
        "objective": 100.0 * missed,
        "effort": 0.1,
        "missed": [[missed, 0.0]],
        "said": [f"Jelly at 1.00 s: centre missed by {missed:g}"],
        "parts": [[actor, "up", [[0, 1.0], [SECOND, 1.5 - missed]]]],
        "forces": [],
        "shapes": {actor: {"times": [SECOND], "points": points, "way": [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]}},
    }


def begun(held: Held) -> tuple[PlanRun, Started]:
    """A search whose process has started and told what is planned."""
    started = Started()
    run = PlanRun(held.session, started)
    assert run.may_plan
    run.plan()
    held.worker.answer(KEY)
    about: Any = {"splines": [["jelly", "up"]], "forces": [], "knots": [0, SECOND], "keyframes": [["jelly", SECOND]]}
    started.say(plan={**about, "tolerance": 1e-6})
    return run, started


def test_iterates_come_and_the_last_is_kept_as_one_step(held: Held) -> None:
    run, started = begun(held)
    assert not run.may_keep
    for number, missed in enumerate((0.5, 0.2)):
        started.say(progress=0.5 * number, iterate=iterate(number, missed))
    assert run.objectives == [50.0, 20.0]
    assert run.missed("jelly", SECOND) == 0.2
    assert run.missed("jelly", 2 * SECOND) is None
    assert run.share == 0.5
    before, entries = held.session.document, held.session.history.position
    run.keep()
    started.say(progress=0.6, iterate=iterate(2, 0.1))  # on its way when the process was ended
    started.say(ended="cancelled")
    body = soft_body(held.session.document.actor("jelly"))
    assert body is not None
    assert [key.value for key in body.splines[0].track.keys] == [1.0, 1.3]  # type: ignore[union-attr]
    world = held.session.document.part(SoftWorld)
    assert world is not None
    assert world.tolerance == 1e-6
    assert held.session.history.position == entries + 1
    assert not run.may_keep
    held.session.undo()
    assert held.session.document is before


def test_one_that_is_stopped_leaves_its_last_motion_and_the_document(held: Held) -> None:
    run, started = begun(held)
    started.say(progress=0.1, iterate=iterate(0, 0.5))
    before = held.session.document
    run.cancel()
    started.say(ended="cancelled")
    assert (run.running, run.may_keep, run.problem) == (False, True, "")
    assert "Keep" in held.session.log[-1].text
    assert held.session.document is before
    run.drop()
    assert (run.may_keep, run.objectives) == (False, [])


def test_of_a_frozen_body_nothing_is_kept_and_of_one_that_is_gone_nothing_stays(held: Held) -> None:
    run, started = begun(held)
    started.say(iterate=iterate(0, 0.5))
    held.session.do(edit("freeze_actor", actor="jelly", frozen=True))
    run.keep()
    assert "frozen" in held.session.log[-1].text
    assert run.last is not None
    for change in (edit("freeze_actor", actor="jelly", frozen=False), edit("remove_actor", actor="jelly")):
        held.session.do(change)
    assert run.objectives == []
    assert started.children[-1].cancelled
    started.say(ended="cancelled")
    assert not run.running


def test_why_there_is_no_plan_is_said(held: Held) -> None:
    run, started = begun(held)
    started.say(error={"type": "NothingThere", "text": "jelly has no spline, so nothing can move it."})
    started.say(ended="failed")
    assert run.problem == "Jelly has no spline, so nothing can move it."
    assert not run.may_keep


def test_fields_become_edits_of_the_chosen_keyframe(held: Held) -> None:
    session, current = held.session, held.session.of(CurrentPlan)
    session.select([Item("jelly")])
    for name, value in (("time", SECOND // 2), ("y", 0.4), ("weight", 2.0), ("moves", True), ("vx", 0.5)):
        change = current.edit_keyframe(name, value)
        assert change is not None
        session.do(change)
    (found,) = current.plan.keyframes
    assert (found.time, found.position, found.weight) == (SECOND // 2, (0.0, 0.4, 0.0), 2.0)
    assert found.velocity == (0.5, 0.0, 0.0)
    used = []
    for use in (False, True):
        current.use("along", use)
        used.append(current.plan.splines)
    assert used == [("up",), None]
    for change in (current.edit_choices("calm", 0.2), current.edit_start("start", 5)):
        assert change is not None
        session.do(change)
    assert (current.choices.calm, current.plan.start) == (0.2, 5)
    current.remove()
    assert current.keyframe is None
    deliver()


def test_words_say_what_is_wanted_and_what_to_do() -> None:
    still = SoftKeyframe(id="k", time=SECOND, position=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0))
    assert keyframe_text(still, None) == "1.00 s · centre, still"
    assert keyframe_text(still, 0.0123).endswith("missed by 12.3 mm")
    assert keyframe_text(still, 1e-5).endswith("met")
    assert "draw a spline" in plan_text(soft_cube(), ())
    told = {plan_text(soft_cube(spline()), each) for each in ((), (still,))}
    assert len(told) == 2
    assert edit("set_plan_choices", calm=1.0).apply(Document()).parts
