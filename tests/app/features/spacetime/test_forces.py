"""Forces and blows of one's own in the dock, and where a drag of an arrow leads them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.forces import ForceFields
from app.features.spacetime.plan_words import force_tip, push_text
from app.features.spacetime.planning import add_stage, remove_chosen
from app.features.spacetime.pushing import HARD, KICK, act_on, add_push
from app.features.spacetime.view.force_dragging import aimed
from app.session import Item
from engine.document import Document
from engine.spacetime.parts import Spacetime, SpacetimeForce
from engine.spacetime.queries.drawn_plan import ForceMark
from tests.app.session.held import Held
from tests.leaping_lamp import leaping_lamp, nod


@pytest.fixture
def document(tmp_path: Path) -> Document:
    return Document(actors=(leaping_lamp(tmp_path).with_part(nod()),))


def plan_of(held: Held) -> Spacetime:
    found = held.session.document.actor("lamp").part(Spacetime)
    assert found is not None
    return found


def test_a_force_is_put_on_the_selected_joint_changed_and_taken_away(held: Held) -> None:
    session, current = held.session, held.session.of(CurrentSpacetime)
    add_push(session, blow=False)
    assert plan_of(held).forces == (), "no joint is selected"
    session.select([Item("lamp", "head")])
    add_push(session, blow=False)
    add_push(session, blow=True)
    force, blow = plan_of(held).forces
    assert (force.joint, force.blow, force.stages, force.least, force.most) == ("head", False, (), HARD, HARD)
    assert (blow.blow, blow.stages, blow.most) == (True, ("stage",), KICK)
    assert current.force == blow, "the new one is chosen"
    remove_chosen(session)
    assert plan_of(held).forces == (force,)
    session.undo()
    assert plan_of(held).forces == (force, blow)


def test_its_fields_set_size_bounds_direction_and_stages(held: Held, qtbot: QtBot) -> None:
    session, current = held.session, held.session.of(CurrentSpacetime)
    session.select([Item("lamp", "head")])
    add_push(session, blow=False)
    add_stage(session)
    (force,) = plan_of(held).forces
    current.choose(force.id)
    fields = ForceFields(session)
    qtbot.addWidget(fields)
    fields.show_plan()
    assert fields.fixed.isChecked()
    fields.fixed.click()
    (force,) = plan_of(held).forces
    assert (force.least, force.most) == (0.0, HARD)
    fields.show_plan()
    fields.low.click()
    fields.high.click()
    assert push_text(plan_of(held).forces[0]) == "as large as it takes"
    fields.way.setCurrentIndex(2)
    fields.way.activated.emit(2)
    assert plan_of(held).forces[0].direction == (0.0, 0.0, 1.0)
    first, second = (each.id for each in plan_of(held).stages)
    act_on(session, plan_of(held).forces[0], first, on=False)
    assert plan_of(held).forces[0].stages == (second,)
    act_on(session, plan_of(held).forces[0], second, on=False)
    assert plan_of(held).forces[0].stages == (second,), "one stage stays"
    act_on(session, plan_of(held).forces[0], first, on=True)
    assert plan_of(held).forces[0].stages == (), "all of them"
    assert "Head" in force_tip(session.document.actor("lamp"), plan_of(held), force)


def test_an_arrow_turns_its_force_and_makes_one_of_a_given_size_larger() -> None:
    force = SpacetimeForce(id="wind", name="Wind", joint="head", least=5.0, most=5.0)
    mark = ForceMark(force=force, time=0, place=(1.0, 1.0, 0.0), tip=(1.0, 1.2, 0.0))
    found = aimed(mark, (1.4, 1.0, 0.0))
    assert found is not None
    assert found.direction == pytest.approx((1.0, 0.0, 0.0))
    assert (found.least, found.most) == pytest.approx((10.0, 10.0))
    free = replace(mark, force=replace(force, least=None))
    found = aimed(free, (1.4, 1.0, 0.0))
    assert found is not None
    assert (found.least, found.most) == (None, 5.0)
    assert aimed(mark, mark.place) is None, "it would point nowhere"
