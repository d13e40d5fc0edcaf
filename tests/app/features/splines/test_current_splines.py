"""CurrentSplines: which spline is meant, and splines drawn point by point."""

from __future__ import annotations

from app.features.splines.current_splines import CurrentSplines
from app.session import Item
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.soft.parts import ActivationSpline, SoftBody
from tests.app.session.held import Held

SPLINE = Item("worm", "body", "lower")


def current_of(held: Held) -> CurrentSplines:
    return held.session.of(CurrentSplines)


def splines(held: Held) -> tuple[ActivationSpline, ...]:
    body = held.session.document.actor("worm").part(SoftBody)
    assert body is not None
    return body.splines


def test_the_first_spline_is_meant_until_another_is_selected_which_is_remembered(held: Held) -> None:
    current = current_of(held)
    assert current.spline is splines(held)[0]
    held.session.select([SPLINE])
    assert current.spline is splines(held)[2]
    held.session.select([Item("worm")])
    assert current.spline is splines(held)[2]
    current.choose("worm", "middle")
    assert held.session.selection.items == (Item("worm", "body", "middle"),)


def test_a_selected_spline_that_goes_is_no_longer_selected(held: Held) -> None:
    held.session.select([SPLINE])
    current_of(held).do("remove_activation_spline")
    assert not held.session.selection
    assert [each.id for each in splines(held)] == ["upper", "middle"]


def test_a_draft_becomes_a_spline_once_it_has_two_points(held: Held) -> None:
    current = current_of(held)
    current.take("draw")
    current.add_point("worm", (0.0, 0.0, 0.0))
    current.finish()
    assert len(splines(held)) == 3
    assert "two points" in held.session.log[-1].text
    current.add_point("worm", (0.1, 0.0, 0.0))
    current.add_point("worm", (0.2, 0.0, 0.0))
    current.take_back()
    current.move_point(1, (0.15, 0.01, 0.0))
    current.finish()
    made = splines(held)[-1]
    assert made.points == ((0.0, 0.0, 0.0), (0.15, 0.01, 0.0))
    assert made.name == "Spline 1"
    assert current.spline is made
    assert current.draft is None
    assert current.hold == "draw"  # the next one may follow


def test_escape_drops_the_draft_first_and_then_the_tool(held: Held) -> None:
    current = current_of(held)
    current.take("draw")
    current.add_point("worm", (0.0, 0.0, 0.0))
    current.drop()
    assert (current.draft, current.hold) == (None, "draw")
    current.drop()
    assert current.hold == ""


def test_bodies_are_shown_at_rest_while_splines_are_drawn_and_time_puts_the_tool_away(held: Held) -> None:
    current, session = current_of(held), held.session
    session.set_playhead(SECOND)
    current.take("draw")
    assert session.playhead == 0
    current.take("")
    assert session.playhead == SECOND
    current.take("paint")
    assert session.playhead == 0
    session.set_playhead(SECOND // 2)
    assert current.hold == ""
    assert session.playhead == SECOND // 2


def test_delete_takes_a_chosen_point_and_of_two_the_spline(held: Held) -> None:
    current = current_of(held)
    held.session.select([SPLINE])
    for left in (3, 2):
        current.choose_point(1)
        current.remove()
        assert (current.point, len(splines(held)[2].points)) == (None, left)
    current.choose_point(0)
    current.remove()
    assert [each.id for each in splines(held)] == ["upper", "middle"]


def test_a_copy_has_a_name_and_an_id_of_its_own_and_is_chosen(held: Held) -> None:
    current = current_of(held)
    current.duplicate()
    made = splines(held)[-1]
    assert (made.points, made.track) == (splines(held)[0].points, splines(held)[0].track)
    assert made.id != "upper"
    assert made.name == "Upper 1"
    assert current.spline is made


def test_an_expression_that_cannot_be_read_is_refused_with_its_reason(held: Held) -> None:
    current = current_of(held)
    assert current.refusal("worm", "upper", "1 + 0.2*cos(t)") == ""
    assert "cso" in current.refusal("worm", "upper", "1 + cso(t)")


def test_the_brush_fits_the_body_until_a_person_chooses(held: Held) -> None:
    current = current_of(held)
    assert abs(current.brush_radius - 0.08) < 1e-9
    current.set_brush(radius=0.2)
    assert current.brush_radius == 0.2
