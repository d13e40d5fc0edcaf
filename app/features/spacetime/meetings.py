"""MeetingFields: what the figure has to do with others, and when: a list, the fields of the chosen one, new ones."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QWidget

from app.features.form import EditForm
from app.features.listed import Row
from app.features.spacetime.choosing import choose_of
from app.features.spacetime.demanded import SPEED
from app.features.spacetime.listed_fields import (
    AXES,
    OWN_WAY,
    ListedFields,
    choices,
    way_of,
    with_bound,
    with_component,
    with_time,
)
from app.features.spacetime.meeting_plans import change_meeting, meet_here, others_meetings, put_meeting
from app.features.spacetime.planning import edit_of, remove_chosen
from app.features.spacetime.words import meeting_text
from app.session import Session
from app.style.icon_button import IconButton
from app.style.name_field import NameField
from app.style.row import row_of
from app.style.units import LENGTH
from engine.edits import Edit
from engine.runtime.options import About
from engine.spacetime.parts import MeetingQuantity, SpacetimeMeeting

WHATS: tuple[MeetingQuantity, ...] = ("point", "distance", "velocity", "time")
WHAT = ("In one place", "At a distance", "As fast as each other", "At one time")
HOW = ("At an offset", "Along X", "Along Y, in height", "Along Z", "Along its direction")
WAYS = ("x", "y", "z", "least", "most")
NEAR, NEAREST = 0.1, 0.001  # [m] of a distance at first, and at least
HARDEST = 5.0  # [N s] of a blow at first
WHEN: dict[str, tuple[About, Any]] = {
    "at": (About(label="At", unit="share", least=0.0, most=1.0, note="When, as a share of its stage"), 0.0),
    "until": (About(label="Until", unit="share", least=0.0, most=1.0, note="They meet all the while up to then"), 1.0),
}
NUMBERS: dict[str, tuple[About, Any]] = {
    **{
        name: (About(label=name.upper(), note=f"How far along {name.upper()} its point is from the other's"), 0.0)
        for name in "xyz"
    },
    "least": (
        About(label="At least", note="No less than this from the other's point; along the direction, if any"),
        0.0,
    ),
    "most": (
        About(label="At most", note="No more than this from the other's point; along the direction, if any"),
        0.0,
    ),
    "hardest": (
        About(label="Hardest", unit="N s", least=0.0, most=100.0, note="They push each other no harder than this"),
        HARDEST,
    ),
}


class MeetingFields(ListedFields):
    """The meetings of the problem that is worked on."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Meetings")
        self.meet, self.strike = QPushButton("These points meet"), QPushButton("Push each other")
        self._whose: dict[str, str] = {}  # meetings of other plans with the figure, and their actors
        self.list.ticked.connect(self._switch)
        self.name = NameField("Name of the meeting", lambda name: change_meeting(session, name=name))
        self.remove = IconButton("trash-2", "Remove the meeting")
        self.who = QLabel(wordWrap=True)
        self.who.setProperty("quiet", True)
        self.what = choices("What is the same", "What of the two points is the same", WHAT, self._set_what)
        tip = "The way from the other's point to its own, or how far along a direction at least or at most"
        self.how = choices("How far it is from the other", tip, HOW, self._set_how)
        self.form = EditForm(session, WHEN, self._edit_time, resets=False)
        self.ranged = QCheckBox("Over a range of time")
        self.numbers = {
            quantity: EditForm(
                session, NUMBERS, self._edit, units=dict.fromkeys(("x", "y", "z", "least", "most"), unit)
            )
            for quantity, unit in (("point", LENGTH), ("distance", LENGTH), ("velocity", SPEED))
        }
        self.low, self.high = QCheckBox("At least"), QCheckBox("At most")
        self.blow, self.limited = QCheckBox("They push each other"), QCheckBox("Gently")
        self._connect()
        self._arrange(
            (row_of(self.meet, self.strike),),
            (
                row_of(self.name, self.remove), self.who, self.what, self.form, self.ranged, self.how, self.low,
                self.high, self.blow, self.limited, *self.numbers.values(),
            ),
        )  # fmt: skip

    def show_plan(self) -> None:
        """Show whom it meets, and the chosen meeting."""
        current, part = self._current, self._current.part
        if part is None:
            return
        document = self._session.shown
        order = {each.id: at for at, each in enumerate(part.stages)}
        listed = sorted(part.meetings, key=lambda each: (order[each.stage], each.at))
        found = current.meeting
        rows: list[Row] = [(each.id, meeting_text(current, each), each.on) for each in listed]
        met_by = others_meetings(document, current.actor)
        self._whose = {meeting.id: other.id for other, meeting in met_by}
        rows += [(meeting.id, f"{meeting.name} · by {other.name}", None) for other, meeting in met_by]
        self.list.show_rows(rows, None if found is None else found.id)
        self.fields.setVisible(found is not None)
        if found is None:
            return
        self.name.show_name(found.name)
        actor, other = current.actor, document.actor(found.other)
        own = "" if actor is None else actor.figure.joint(found.joint).name
        self.who.setText(f"{own} with {other.figure.joint(found.other_joint).name} of {other.name}")
        self._show_fields(found)

    def _show_fields(self, found: SpacetimeMeeting) -> None:
        far, timed = found.quantity == "distance", found.quantity == "time"
        placed = found.offset is not None and not far
        self.what.setCurrentIndex(WHATS.index(found.quantity))
        self.what.setEnabled(not found.blow)
        self.how.setCurrentIndex(way_of(found.offset, found.direction))
        self.how.setVisible(not timed and not far)
        self.form.show_values({"at": found.at, "until": found.at if found.until is None else found.until})
        self.form.setVisible(not found.blow)
        self.form.set_row_visible("until", found.until is not None)
        self.ranged.setVisible(not found.blow and not timed)
        self.ranged.setChecked(found.until is not None)
        for box, bound in ((self.low, found.least), (self.high, found.most)):
            box.setVisible(not placed and not timed)
            box.setChecked(bound is not None)
        ends = found.at in (0.0, 1.0) and found.until is None and found.quantity == "point"
        self.blow.setVisible(ends)
        self.blow.setChecked(found.blow)
        self.limited.setVisible(found.blow)
        self.limited.setChecked(found.hardest is not None)
        for quantity, form in self.numbers.items():
            form.setVisible(quantity == found.quantity)
            for name in "xyz":
                form.set_row_visible(name, placed)
            form.set_row_visible("least", not placed and found.least is not None)
            form.set_row_visible("most", not placed and found.most is not None)
            form.set_row_visible("hardest", found.blow and found.hardest is not None)
            shown = {"least": found.least or 0.0, "most": found.most or 0.0, "hardest": found.hardest or 0.0}
            form.show_values({**shown, **dict(zip("xyz", found.offset or (0.0, 0.0, 0.0), strict=True))})

    def _pick(self, id: str) -> None:
        """Choose a meeting; one of another's plan makes that the one that is meant."""
        if id in self._whose:
            choose_of(self._session, self._whose[id], id)
        else:
            self._current.choose(id)

    def _switch(self, id: str, on: bool) -> None:
        part = self._current.part
        if part is not None:
            put_meeting(self._session, replace(part.meeting(id), on=on))

    def _edit_time(self, name: str, value: float) -> Edit | None:
        found = self._current.meeting
        if found is None:
            return None
        at, until = with_time(found.at, found.until, name, value)
        return edit_of(self._session, "put_spacetime_meeting", meeting=replace(found, at=at, until=until))

    def _edit(self, name: str, value: float) -> Edit | None:
        found = self._current.meeting
        if found is None:
            return None
        if name == "hardest":
            new = replace(found, hardest=value)
        elif name in "xyz":
            new = replace(found, offset=with_component(found.offset or (0.0, 0.0, 0.0), name, value))
        else:
            if found.quantity == "distance":
                value = max(value, NEAREST)
            new = replace(found, **with_bound((found.least, found.most), name, value))
        return edit_of(self._session, "put_spacetime_meeting", meeting=new)

    def _set_what(self, place: int) -> None:
        found, quantity = self._current.meeting, WHATS[place]
        if found is None or quantity == found.quantity:
            return
        given: dict[str, Any] = {"until": None} if quantity == "time" else {}
        if quantity == "distance":  # as far as said so far, or a little
            size = max(abs(found.most or found.least or 0.0), math.hypot(*(found.offset or (0.0, 0.0, 0.0)))) or NEAR
            given = {"offset": None, "least": size, "most": size}
        elif found.quantity == "distance":
            given |= {"offset": (0.0, 0.0, 0.0), "least": None, "most": None}
        change_meeting(self._session, quantity=quantity, **given)

    def _set_how(self, place: int) -> None:
        found = self._current.meeting
        if found is None or place == OWN_WAY:
            return
        if place == 0:
            x, y, z = ((found.least or found.most or 0.0) * each for each in found.direction)
            change_meeting(self._session, offset=found.offset or (x, y, z), least=None, most=None)
        else:
            size = 0.0 if found.offset is None else found.offset[place - 1]
            change_meeting(self._session, offset=None, direction=AXES[place - 1], least=size, most=None)

    def _set_bound(self, name: str, on: bool) -> None:
        found = self._current.meeting
        if found is not None:
            other = found.most if name == "least" else found.least
            usual = NEAR if found.quantity == "distance" else 0.0
            change_meeting(self._session, **{name: (other or usual) if on else None})

    def _connect(self) -> None:
        session = self._session
        tips: dict[QWidget, str] = {
            self.meet: "The selected points of two figures are in one place at the playhead: select a part of the "
            "other figure, then, with Shift, one of this",
            self.strike: "They meet at the playhead, where stages of both end, and push each other there, as a hand "
            "and a ball do",
            self.ranged: "They meet all the while, from one time of the stage to another: where its pieces meet",
            self.low: "Switch the bound on or off",
            self.high: "Switch the bound on or off",
            self.blow: "At the end of a stage of both: what one gets the other gives",
            self.limited: "They push each other no harder than this",
        }
        for widget, tip in tips.items():
            widget.setToolTip(tip)
        self.meet.clicked.connect(lambda: meet_here(session))
        self.strike.clicked.connect(lambda: meet_here(session, blow=True))
        self.remove.clicked.connect(lambda: remove_chosen(session))
        self.ranged.clicked.connect(lambda on: change_meeting(session, until=1.0 if on else None))
        self.low.clicked.connect(lambda on: self._set_bound("least", on))
        self.high.clicked.connect(lambda on: self._set_bound("most", on))
        self.blow.clicked.connect(lambda on: change_meeting(session, blow=on))
        self.limited.clicked.connect(lambda on: change_meeting(session, hardest=HARDEST if on else None))
