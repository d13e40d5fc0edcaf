"""The soft body that a session means, what is done with it, and what the engine tells of it while somebody watches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.features.soft.current_soft import REPORT, CurrentSoft, is_moving
from app.features.soft.shown import ShownSoft
from app.features.soft.words import about, pace_text, said_text, size_text
from app.session import Item
from engine.document import Actor, Blob, Box, Document, Span, prop
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.soft.making import soft_box
from engine.soft.parts import SoftBody
from engine.soft.pulls import SoftPull
from engine.soft.queries.report import SoftReport
from engine.soft.uses import soft_body
from tests.app.session.held import Held
from tests.engine.soft.bodies import soft_actor

SECOND = 705_600_000


@pytest.fixture
def document() -> Document:
    """A crate and a jelly."""
    crate = Actor(id="crate", name="Crate", figure=prop("Crate", (Box(half=(0.1, 0.1, 0.1)),)))
    return Document(actors=(crate, soft_actor()), play=Span(start=0, end=2 * SECOND))


def body_of(held: Held) -> SoftBody:
    found = soft_body(held.session.document.actor("jelly"))
    assert found is not None
    return found


def test_the_only_one_is_meant_while_nothing_is_selected_and_else_the_selected_one(held: Held) -> None:
    current = held.session.of(CurrentSoft)
    meant = list[str | None]()
    for items in ((), (Item("crate"),), (Item("jelly"), Item("crate"))):
        held.session.select(items)
        meant.append(None if current.owner is None else current.owner.id)
    assert meant == ["jelly", None, "jelly"]
    assert current.any
    assert current.other == Item("crate", "body")


def test_fields_become_edits_of_it_and_of_the_scene(held: Held) -> None:
    current, session = held.session.of(CurrentSoft), held.session
    for change in (
        current.edit_body("young", 5e4),
        current.edit_body("heading", (0.0, 0.0, 1.0)),
        current.edit_world("iterations", 5),
    ):
        assert change is not None
        session.do(change)
    assert (body_of(held).young, body_of(held).heading, current.world.iterations) == (5e4, (0.0, 0.0, 1.0), 5)
    session.set_playhead(SECOND)
    current.begin_here()
    assert body_of(held).start == SECOND
    assert not is_moving(body_of(held), SECOND - 1)
    assert is_moving(body_of(held), SECOND)


def test_pulls_are_forgotten_and_even_stiffness_comes_back_in_one_entry_each(held: Held) -> None:
    session, current = held.session, held.session.of(CurrentSoft)
    pull = SoftPull(id="hand", point=(0.05, 0.1, 0.05), times=(0,), places=((0.0, 1.0, 0.0),), end=SECOND)
    factors = Blob(np.full(1, 2.0))
    session.do(edit("put_soft_pull", actor="jelly", pull=pull))
    session.do(edit("set_soft_factors", actor="jelly", factors=factors))
    current.remove_pulls()
    current.stiffen()
    assert (body_of(held).pulls, body_of(held).factors) == ((), None)
    session.undo()
    assert body_of(held).factors == factors
    session.undo()
    assert body_of(held).pulls == (pull,)


def test_the_engine_is_asked_only_while_somebody_watches_and_tells_of_the_body(held: Held) -> None:
    current, session = held.session.of(CurrentSoft), held.session
    session.engine.evaluator = Evaluator()
    session.do(edit("put_soft_body", actor="jelly", body=soft_box((0.1, 0.1, 0.1), (1, 1, 1))))
    assert held.worker.waiting(REPORT) == 0
    current.watch(True)
    held.worker.answer(REPORT, newest=True)
    report = current.report
    assert report is not None
    assert (report.points, report.cells, report.shape) == (8, 5, "tetrahedra")
    assert report.mass == pytest.approx(1.0)
    assert report.takes is None, "nothing was stepped for it"
    session.select([Item("crate")])
    assert current.report is None


def test_sentences_say_how_it_moves_how_large_it_is_and_whether_time_keeps_up() -> None:
    actor = soft_actor()
    body = soft_body(actor)
    assert body is not None
    assert "Add > Soft body" in about(None, None, any_soft=False)
    assert "Select" in about(None, None, any_soft=True)
    assert "0.50 s" in about(actor, replace(body, start=SECOND // 2), any_soft=True)
    assert "frozen" in about(replace(actor, frozen=True), body, any_soft=True)
    report = SoftReport(
        actor="jelly", points=8, cells=1, shape="hexahedra", mass=1.25, step=1 / 60, takes=None, said=()
    )
    assert size_text(body, report) == "1 hexahedron, 8 points, 1.25 kg"
    assert pace_text(report) == ""
    assert pace_text(replace(report, takes=0.002)) == "A step of 16.7 ms takes 2 ms."
    assert pace_text(replace(report, takes=1 / 30)) == (
        "A step of 16.7 ms takes 33.3 ms: slower than real time, 50 % of it."
    )
    assert said_text(replace(report, said=("it stopped", "Held."))) == "It stopped.\nHeld."


def test_what_a_drag_does_is_said_of_soft_bodies_alone(held: Held) -> None:
    current = held.session.of(CurrentSoft)
    assert current.words_of("crate", keyed=False) == ""
    assert "pull" in current.words_of("jelly", keyed=False)
    change = current.edit_body("start", SECOND)
    assert change is not None
    held.session.do(change)
    assert "pull" not in current.words_of("jelly", keyed=False)


def test_colour_and_inside_are_asked_of_the_preferences_and_told_once(held: Held) -> None:
    shown, asked, changes = held.session.of(ShownSoft), list[dict[str, bool]](), list[int]()
    shown.asked.connect(asked.append)
    shown.changed.connect(lambda: changes.append(1))
    shown.choose("stress")
    shown.open_up(True)
    assert asked == [
        {"colour_strain": False, "colour_stress": True, "colour_contraction": False},
        {"see_inside": True},
    ]
    for _ in range(2):
        shown.show("stress", see_inside=True)
    assert (shown.colour, shown.see_inside, len(changes)) == ("stress", True, 1)
