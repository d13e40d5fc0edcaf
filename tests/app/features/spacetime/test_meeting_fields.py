"""Meetings in the dock: points that shall be at a distance from each other."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.meetings import NEAR, WHATS, MeetingFields
from app.features.spacetime.plan_words import meeting_tip
from app.features.spacetime.words import meeting_text
from app.session import Item
from engine.document import Document
from engine.spacetime.parts import SpacetimeMeeting
from tests.app.session.held import Held
from tests.engine.spacetime.meeting_actors import balls, strike


@pytest.fixture
def document() -> Document:
    return balls(strike(blow=False))


def test_a_distance_is_just_so_far_at_least_or_at_most(held: Held, qtbot: QtBot) -> None:
    session, current = held.session, held.session.of(CurrentSpacetime)
    session.select([Item("light")])
    current.choose("strike")
    fields = MeetingFields(session)
    qtbot.addWidget(fields)

    def choose(what: str) -> SpacetimeMeeting:
        fields.what.activated.emit(WHATS.index(what))  # type: ignore[arg-type]
        return shown()

    def shown() -> SpacetimeMeeting:
        fields.show_plan()
        found = current.meeting
        assert found is not None
        return found

    far = choose("distance")
    assert (far.quantity, far.offset, far.least, far.most) == ("distance", None, NEAR, NEAR)
    assert fields.how.isHidden()
    assert fields.blow.isHidden()
    assert "Their distance is 10.0 cm." in meeting_tip(session.document, far, "", "at frame 24")
    assert "at a distance" in meeting_text(current, far)
    fields.low.click()
    assert (shown().least, shown().most) == (None, NEAR)
    session.do(fields._edit("most", 0.0))  # type: ignore[arg-type]
    most = shown().most
    assert most is not None, "a slider at its end leaves a distance"
    assert most > 0.0
    fields.low.click()
    fields.high.click()
    assert "at least" in meeting_tip(session.document, shown(), "", "at frame 24")
    near = choose("point")
    assert (near.offset, near.least, near.most) == ((0.0, 0.0, 0.0), None, None)
