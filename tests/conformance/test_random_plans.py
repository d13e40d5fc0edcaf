"""Random edits of plans, of figures and soft bodies: exact to undo, whole through a file, set up or refused in words.

Two lamps whose plans may meet, and two soft cubes; all edits of plans, of what soft plans choose, and those of time and
actors that take plans along.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from app.session.history import Entry, History
from engine.document import Document
from engine.document.validation import validate
from engine.edits import Edit, edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.motion.changed import changed_span
from engine.runtime.errors import EngineError
from engine.runtime.progress import finish
from engine.soft.control.planned import plan_of, planned_actors
from engine.spacetime.queries.check_motion import check_motion
from engine.spacetime.uses import spacetime_of
from tests.engine.edits.examples import SECOND
from tests.engine.edits.plan_examples import PLAN_EDITS
from tests.engine.edits.soft_examples import soft_edit
from tests.engine.edits.spacetime_examples import SPACETIME_EDITS, spacetime_edit
from tests.engine.soft.bodies import soft_actor, soft_cube, spline
from tests.engine.spacetime.lamps import lamp, leap

SOFT = (
    "set_activation",
    "set_activation_keys",
    "draw_activation",
    "set_soft_body",
    "put_soft_pull",
    "remove_soft_pulls",
)
ASIDE = ("insert_everywhere", "delete_everywhere", "scale_everywhere", "freeze_actor", "rename_actor", "remove_actor")
DEEP = [pytest.param(each, marks=pytest.mark.deep) for each in range(1, 16)]


def scene() -> Document:
    """What is planned with."""
    one, other = lamp(leap()), replace(lamp(leap(free=True)), id="other", name="Other")
    soft = (soft_actor(id, soft_cube(spline("up")), at=(x, 0.02, 0.0)) for id, x in (("jelly", 1.0), ("cube", 1.5)))
    return Document(actors=(one, other, *soft), rate=(30, 1))


def plan_edit(chance: Random, document: Document) -> Edit:
    """One edit of a plan, or of what takes plans along."""
    kind = chance.random()
    if kind < 0.45:
        return spacetime_edit(chance, chance.choice(SPACETIME_EDITS), document)
    if kind < 0.9:
        return soft_edit(chance, chance.choice((*PLAN_EDITS, *SOFT)), document)
    return aside(chance, document)


def aside(chance: Random, document: Document) -> Edit:
    """An edit of time or of actors, which takes plans along."""
    name, actor = chance.choice(ASIDE), chance.choice(document.actors)
    start = chance.randint(0, 4) * SECOND // 2
    if name in ("insert_everywhere", "delete_everywhere"):
        length = {"length": SECOND // 2} if name == "insert_everywhere" else {"end": start + SECOND // 4}
        time = {"time": start} if name == "insert_everywhere" else {"start": start}
        return edit(name, actors=tuple(each.id for each in document.actors), **time, **length)
    if name == "freeze_actor":
        return edit(name, actor=actor.id, frozen=chance.random() < 0.3)
    if name == "remove_actor" and len(document.actors) > 3:
        return edit(name, actor=actor.id)
    return edit("rename_actor", actor=actor.id, name=chance.choice(("Ann", "Ben")))


def set_up(document: Document) -> None:
    """Make all plans ready to be searched: each is checked in words, or refused in words."""
    for actor in document.actors:
        if spacetime_of(actor) is not None:
            with suppress(EngineError):
                said = finish(check_motion(document, actor.id))
                assert said is None or all(each.strip() for each in said)
    if planned_actors(document):
        with suppress(EngineError):
            plan = plan_of(Evaluator(), document)
            lower, upper = plan.problem.controls.bounds()
            assert (lower < upper).all()
            assert plan.first.shape == plan.pinned.shape == plan.problem.controls.shape


@pytest.mark.parametrize("seed", [0, *DEEP])
def test_random_edits_of_plans_are_undone_saved_and_set_up_or_refused(seed: int, tmp_path: Path) -> None:
    chance, document = Random(seed), scene()
    history, seen = History(document, Entry("Begin")), [document]
    for number in range(60):
        change = plan_edit(chance, document)
        try:
            after = change.apply(document)
        except EngineError:
            continue
        validate(after)
        changed_span(document, after)
        history.add(after, Entry(change.label(document), change))
        seen, document = [*seen[: history.position], after], after
        if chance.random() < 0.15:
            back = chance.randint(0, history.position)
            assert history.go_to(back) is seen[back]
            document = seen[back]
            if chance.random() < 0.5:
                assert history.go_to(len(seen) - 1) is seen[-1]
                document = seen[-1]
            else:
                seen = seen[: back + 1]
        if number % 20 == 19:
            sinew.write(tmp_path / "plans.sinew", document)
            assert sinew.read(tmp_path / "plans.sinew").digest == document.digest
            set_up(document)
