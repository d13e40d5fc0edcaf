"""CameraPage: the fields of a camera: its lens, its film, its focus, and what it is pinned to."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QCheckBox, QLabel

from app.features.inspecting import InspectorPage
from app.session import Session
from app.session.gesture import EditOrCommand
from app.session.hand import Hand
from app.style.page_header import Header
from app.style.units import LENGTH, Unit
from app.style.value_slider import ValueSlider
from engine.cameras.parts import LEAST_FOCAL, MOST_FOCAL, CameraFocus, FilmCamera, film_camera
from engine.cameras.queries.making import FOCAL, REST_FOCAL
from engine.commands.poses import PutPose
from engine.document import Actor, Document
from engine.edits import edit

MILLIMETRES = Unit(
    suffix=" mm", words="millimetres", scale=1000.0, decimals=1, step=1.0, coarse=5.0, names={"mm": 0.001, "cm": 0.01}
)
F_NUMBER = Unit(suffix="", words="f-number", scale=1.0, decimals=1, step=0.1, coarse=1.0, logarithmic=True)
METRES = Unit(
    suffix=" m", words="metres", scale=1.0, decimals=2, step=0.05, coarse=0.5,
    names={"m": 1.0, "cm": 0.01, "mm": 0.001}, logarithmic=True,
)  # fmt: skip


class CameraPage(InspectorPage):
    """The inspector of a camera that is selected as a whole."""

    def __init__(self, session: Session, actor: Actor, unfolded: set[str]) -> None:
        super().__init__(session, unfolded)
        self.actor = actor
        self._column.setContentsMargins(12, 6, 12, 12)
        self._column.setSpacing(4)
        about = ("Its body moves it, its sensor zooms",)
        self._column.addWidget(Header("camera", actor.name, about, reset_tip=""))
        self._hands: list[Hand] = []
        self.focal = self._add("Focal length", MILLIMETRES, LEAST_FOCAL, MOST_FOCAL, self._zoomed)
        self.film = self._add("Sensor width", MILLIMETRES, 0.001, 1.0, lambda value: self._set(film_width=value))
        self.near = self._add("Near clip", LENGTH, 0.001, 100.0, lambda value: self._set(near=value))
        self.blurs = QCheckBox("Depth of field")
        self.blurs.setToolTip(
            "See sharply at one distance alone, as the lens does, or where it looks; views show it once they rest"
        )
        self.blurs.clicked.connect(self._blur)
        self._column.addWidget(self.blurs)
        self.f_number = self._add("f-number", F_NUMBER, 0.5, 64.0, lambda value: self._focus(f_number=value))
        self.f_number.setToolTip("Length of the lens by the width of its opening: the lower, the less is sharp")
        self.distance = self._add("Focus distance", METRES, 0.05, 1000.0, lambda value: self._focus(distance=value))
        self.distance.setToolTip("Where it sees sharply, before the lens; what is set here holds on to no part")
        self.sharp = QLabel()
        self.sharp.setWordWrap(True)
        self._column.addWidget(self.sharp)
        self.pins = QLabel()
        self.pins.setWordWrap(True)
        self._column.addWidget(self.pins)
        self._column.addStretch(1)
        session.snapshot_ready.connect(self._take_picture)
        self.show_camera(actor, session.document)

    @classmethod
    def of(
        cls, session: Session, document: Document, unfolded: set[str], shown: InspectorPage | None
    ) -> InspectorPage | None:
        """Give the page of a camera that alone is selected, as a whole; see `PageMaker`."""
        items = session.selection.items
        if len(items) != 1 or items[0].part is not None or items[0].actor not in document.actor_index:
            return None
        actor = document.actor(items[0].actor)
        if film_camera(actor) is None or FOCAL not in actor.figure.coordinate_index:
            return None
        if not isinstance(shown, CameraPage) or (shown.actor.id, shown.actor.name) != (actor.id, actor.name):
            return cls(session, actor, unfolded)
        shown.show_camera(actor, document)
        return shown

    def show_camera(self, actor: Actor, document: Document) -> None:
        """Show the values as they are now."""
        self.actor, part = actor, film_camera(actor) or FilmCamera()
        focus = part.focus or CameraFocus()
        distance = focus.distance if focus.on is None else self._distance or focus.distance
        lens = REST_FOCAL + self._session.posing.seen(actor.id).get(FOCAL, 0.0)
        values = (lens, part.film_width, part.near, focus.f_number, distance)
        for hand, value in zip(self._hands, values, strict=True):
            hand.show(value)
        self._show_focus(part.focus, document)
        lines = []
        for pin, words in ((part.aim, "Looks at"), (part.follow, "Follows")):
            if pin is not None and pin.actor in document.actor_index:
                target = document.actor(pin.actor)
                lines.append(f"{words} {target.figure.joint(pin.joint).name.lower()} of {target.name}.")
        how = "Not pinned. To pin it, Shift + click a part as well and choose Animate > Camera."
        self.pins.setText(" ".join(lines) or how)

    def _show_focus(self, focus: CameraFocus | None, document: Document) -> None:
        self.blurs.setChecked(focus is not None)
        for slider in (self.f_number, self.distance):
            slider.setVisible(focus is not None)
        on = None if focus is None else focus.on
        self.sharp.setVisible(on is not None and on.actor in document.actor_index)
        if on is not None and on.actor in document.actor_index:
            target = document.actor(on.actor)
            self.sharp.setText(f"Focused on {target.figure.joint(on.joint).name.lower()} of {target.name}.")

    @property
    def _distance(self) -> float:
        """Where it is focused in the picture that is shown [m]."""
        shown = () if self._session.snapshot is None else self._session.snapshot.cameras
        return next((each.focus for each in shown if each.owner == self.actor.id), 0.0)

    def settle(self) -> None:
        """After trouble: show what the document holds."""
        for hand in self._hands:
            hand.settle()

    def _take_picture(self, snapshot: object) -> None:
        if self.actor.id in self._session.document.actor_index:
            self.show_camera(self._session.document.actor(self.actor.id), self._session.document)

    def _add(
        self, name: str, unit: Unit, least: float, most: float, change: Callable[[float], EditOrCommand]
    ) -> ValueSlider:
        slider = ValueSlider(name, unit=unit)
        slider.set_limits(least, most)
        label = f"{self.actor.name}: {name.lower()}"
        self._hands.append(Hand(self._session, slider, label=label, make_edit=change))
        self._column.addWidget(slider)
        return slider

    def _zoomed(self, value: float) -> EditOrCommand:
        title, values = f"Set lens of {self.actor.name}", ((FOCAL, value - REST_FOCAL),)
        command = PutPose(actor=self.actor.id, time=self._session.playhead, title=title, values=values)
        return self._session.posing.as_chosen(command)

    def _blur(self, on: bool) -> None:
        part = film_camera(self.actor)
        if not on:
            self._session.do(edit("unfocus_camera", actor=self.actor.id))
        elif part is not None and part.aim is not None:
            self._session.do(edit("focus_camera", actor=self.actor.id, on=part.aim))
        else:
            self._session.do(edit("set_camera_focus", actor=self.actor.id))

    def _focus(self, **changes: float) -> EditOrCommand:
        return edit("set_camera_focus", actor=self.actor.id, **changes)

    def _set(self, **changes: float) -> EditOrCommand:
        return edit("set_camera", actor=self.actor.id, **changes)
