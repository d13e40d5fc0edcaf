"""The joint limit that a session shows: it follows selection and document while somebody watches, and brushes it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.features.limits.current_limit import PICTURE, STANDING, CurrentLimit
from app.session.selection import Item
from engine.document import Document
from engine.document.limit import BoxRange, Grid, Limit
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.queries.limit_pictures import LimitPicture
from tests.app.session.conftest import small_document
from tests.app.session.held import Held, deliver

UPPER, LOWER = Item("arm", "upper"), Item("arm", "lower")


def limit(joint: str) -> Limit:
    grid = Grid(counts=(16,), lower=(-1.5,), spacing=(0.2,), periodic=(False,))
    content = BoxRange(lower=(-1.0,), upper=(1.0,))
    return Limit(id=joint, name=joint.title(), dofs=(f"{joint}.turn",), range=content, grid=grid)


@pytest.fixture
def document() -> Document:
    """The arm with a limit for each joint."""
    found = small_document()
    arm = found.actor("arm")
    return found.with_actor(replace(arm, figure=replace(arm.figure, limits=(limit("upper"), limit("lower")))))


@pytest.fixture
def watched(held: Held) -> Held:
    held.session.engine.evaluator = Evaluator()
    held.session.of(CurrentLimit).watch(True)
    return held


def shown(held: Held) -> LimitPicture:
    assert held.worker.waiting(PICTURE) >= 1
    held.worker.answer(PICTURE, newest=True)
    picture = held.session.of(CurrentLimit).picture
    assert picture is not None
    return picture


def seen(current: CurrentLimit) -> str:
    assert current.limit is not None
    return current.limit.id


def test_nothing_is_asked_for_until_somebody_watches(held: Held) -> None:
    held.session.engine.evaluator = Evaluator()
    held.session.select([LOWER])
    assert held.worker.waiting(PICTURE) == 0
    held.session.of(CurrentLimit).watch(True)
    assert shown(held).limit.id == "lower"
    held.session.of(CurrentLimit).watch(False)
    assert held.session.of(CurrentLimit).picture is None


def test_the_limit_of_the_joint_that_is_selected_is_seen_and_a_chosen_one_selects_its_joint(watched: Held) -> None:
    session = watched.session
    session.select([UPPER])
    assert seen(session.of(CurrentLimit)) == "upper"
    session.of(CurrentLimit).choose("lower")
    assert seen(session.of(CurrentLimit)) == "lower"
    assert session.selection.active == LOWER


def test_the_same_picture_is_not_asked_for_twice(watched: Held) -> None:
    session = watched.session
    session.select([UPPER])
    shown(watched)
    session.do(edit("rename_actor", actor="box", name="Crate"))
    session.set_playhead(7)
    assert watched.worker.waiting(PICTURE) == 0


def test_a_stroke_is_a_preview_until_it_is_let_go_and_then_one_edit(watched: Held) -> None:
    session, current = watched.session, watched.session.of(CurrentLimit)
    session.select([UPPER])
    before = shown(watched)
    current.set_brush(kind="pull", radius=0.5, mirror=0)
    current.draw_stroke([(1.0,)])
    current.draw_stroke([(1.0,), (1.2,)])
    preview = shown(watched)
    assert [stroke.points for stroke in preview.wanted.strokes] == [((1.0,), (1.2,)), ((-1.0,), (-1.2,))]
    assert preview.positions.max() > before.positions.max()
    assert session.document.actor("arm").figure.limit("upper").strokes == ()
    count = session.history.position
    current.end_stroke()
    assert session.history.position == count + 1
    assert len(session.document.actor("arm").figure.limit("upper").strokes) == 2
    session.undo()
    assert session.document.actor("arm").figure.limit("upper") == limit("upper")


def test_a_stroke_that_is_dropped_leaves_nothing(watched: Held) -> None:
    session, current = watched.session, watched.session.of(CurrentLimit)
    session.select([UPPER])
    current.set_brush(kind="push")
    current.draw_stroke([(1.0,)])
    current.end_stroke(keep=False)
    assert not current.brushing
    assert session.history.position == 0
    assert current.wanted is not None
    assert current.wanted.strokes == ()


def test_a_stroke_belongs_to_the_limit_that_it_began_on(watched: Held) -> None:
    session, current = watched.session, watched.session.of(CurrentLimit)
    session.select([UPPER])
    current.set_brush(kind="push")
    current.draw_stroke([(1.0,)])
    session.select([LOWER])
    current.draw_stroke([(1.0,), (1.2,)])
    assert not current.brushing
    current.end_stroke()
    assert session.history.position == 0
    current.draw_stroke([(1.0,)])
    assert current.brushing


def test_a_stroke_is_dropped_where_nobody_looks_any_more(watched: Held) -> None:
    session, current = watched.session, watched.session.of(CurrentLimit)
    session.select([UPPER])
    current.set_brush(kind="push")
    current.draw_stroke([(1.0,)])
    current.watch(False)
    current.end_stroke()
    assert session.history.position == 0


def test_a_limit_that_cannot_be_worked_out_is_told_once_and_not_asked_for_again(watched: Held) -> None:
    session, current = watched.session, watched.session.of(CurrentLimit)
    session.select([UPPER])
    told = len(session.log)
    request = next(each for each in watched.worker.requests if each.key == PICTURE)
    watched.worker.requests.clear()
    watched.worker.fail(request, ValueError("it crosses itself"))
    deliver()
    assert "it crosses itself" in current.problem
    session.do(edit("rename_actor", actor="box", name="Crate"))
    session.set_playhead(7)
    assert watched.worker.waiting(PICTURE) + watched.worker.waiting(STANDING) == 0
    assert sum("it crosses itself" in each.text for each in list(session.log)[told:]) == 1
    session.do(edit("set_limit_margin", actor="arm", limit="upper", margin=0.1))
    watched.worker.answer("preview")
    assert shown(watched).limit.margin == 0.1
    assert current.problem == ""


def test_a_picture_is_news_of_its_own_so_that_menus_need_not_look_again(watched: Held) -> None:
    current = watched.session.of(CurrentLimit)
    watched.session.select([UPPER])
    heard: list[str] = []
    current.changed.connect(lambda: heard.append("limit"))
    current.picture_changed.connect(lambda: heard.append("picture"))
    shown(watched)
    assert set(heard) == {"picture"}


def test_who_begins_to_look_is_told_anew_though_the_views_had_asked_already(watched: Held) -> None:
    current = watched.session.of(CurrentLimit)
    current.watch(False)
    current.show_on_body(True)
    watched.session.select([UPPER])
    shown(watched)
    watched.worker.requests.clear()
    current.watch(True)
    assert watched.worker.waiting(PICTURE) == 1, "and how the pose stands to it with that"
