"""The nodal forces that a session means, and what is done with them; their rows and those of marks in the timeline."""

from __future__ import annotations

import numpy as np
import pytest

from app.features.soft.current_forces import CurrentForces
from app.features.soft.current_plan import CurrentPlan
from app.features.soft.plan_rows import FORCES, KEYFRAMES, SoftPlanRows
from app.features.soft.words import forces_text, plan_text
from app.session import Item
from engine.document import Blob, Document
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.soft.commands.put_forces import PutForces
from engine.soft.goals import SoftKeyframe, SoftPlan
from engine.soft.nodal import NodalForces
from engine.soft.uses import soft_body
from tests.app.session.held import Held
from tests.engine.soft.bodies import soft_actor, soft_cube

SECOND = 705_600_000


@pytest.fixture
def document() -> Document:
    """A jelly that is to be somewhere, with forces on its bottom and on its top."""
    keyframe = SoftKeyframe(id="high", time=SECOND, position=(0.0, 1.0, 0.0))
    forces = tuple(
        NodalForces(id=id, name=id.capitalize(), points=Blob(np.array(points, dtype=np.int32)))
        for id, points in (("low", (0, 1)), ("top", (2, 3)))
    )
    jelly = soft_actor("jelly", soft_cube(forces=forces))
    return Document(actors=(jelly.with_part(SoftPlan(keyframes=(keyframe,))),))


def test_what_is_done_with_the_chosen_ones_becomes_edits(held: Held) -> None:
    session, current = held.session, held.session.of(CurrentForces)
    session.select([Item("jelly")])
    assert current.forces is not None
    assert current.forces.id == "top", "the last ones, while none are chosen"
    current.choose("low")
    used = []
    for use in (False, True):
        current.use("low", use)
        used.append(session.of(CurrentPlan).plan.forces)
    assert used == [("top",), None]
    for name, value in (("strongest", 3.0), ("form", "held"), ("mute", True)):
        change = current.edit_forces(name, value)
        assert change is not None
        session.do(change)
    low = current.forces
    assert low is not None
    assert (low.id, low.strongest, low.form) == ("low", 3.0, "held")
    assert forces_text(low) == "Low, muted"
    change = current.edit_forces("mute", False)
    assert change is not None
    session.do(change)
    told = edit("set_nodal_values", actor="jelly", forces="low", times=(0, SECOND), values=Blob(np.ones((2, 2, 3))))
    session.do(told)
    assert forces_text(current.all[0]) == "Low · 0.00 s to 1.00 s"
    current.clear()
    assert forces_text(current.all[0]) == "Low · none yet"
    current.remove()
    assert [each.id for each in current.all] == ["top"]


def test_a_point_that_was_clicked_is_meant_while_its_body_is(held: Held) -> None:
    session, current, told = held.session, held.session.of(CurrentForces), list[bool]()
    session.select([Item("jelly")])
    assert current.spot is None
    current.changed.connect(lambda: told.append(True))
    current.mean("jelly", 7)
    assert (current.spot, bool(told)) == (7, True)
    current.mean("another", 3)
    assert current.spot is None


def test_forces_are_put_on_all_points_or_on_those_near_one() -> None:
    document = Document(actors=(soft_actor("jelly", soft_cube()),))
    found = []
    for spot, reach in ((None, 0.1), (7, 0.01), (7, 0.11)):
        change = PutForces(id="new", actor="jelly", spot=spot, reach=reach).work_out(Evaluator(), document)
        body = soft_body(change.apply(document).actor("jelly"))
        assert body is not None
        found.append(body.forces[0])
    assert [(each.name, each.count) for each in found] == [
        ("Forces on all points", 8), ("Forces on one point", 1), ("Forces on 4 points", 4),
    ]  # fmt: skip
    for each in found:
        assert each.strongest * each.count == pytest.approx(4.0 * 9.81, rel=0.06), "four times the weight of 1 kg"


def test_rows_of_the_timeline_are_of_marks_and_of_each_of_the_forces(held: Held, document: Document) -> None:
    source = SoftPlanRows(held.session)
    marks, low, top = source.rows(document, document.actors[0])
    assert [each.path[1] for each in (marks, low, top)] == [KEYFRAMES, FORCES, FORCES]
    held.session.select([Item("jelly")])
    source.choose("low")
    assert source.chosen == "low"
    for row, name in ((low, "remove_nodal_forces"), (marks, "remove_soft_keyframes")):
        removal = source.removal(row)
        assert removal is not None
        assert removal.name == name
        assert removal.apply(document) != document


def test_a_body_with_forces_alone_may_be_planned() -> None:
    assert "put forces" in plan_text(soft_cube(), ())
    lone = NodalForces(id="all", name="All", points=Blob(np.arange(8, dtype=np.int32)))
    assert "forces must do" in plan_text(soft_cube(forces=(lone,)), (SoftKeyframe(id="k", time=1, position=(0, 0, 0)),))
