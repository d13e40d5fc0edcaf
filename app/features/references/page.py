"""ReferencePage: the fields of a picture or a video that hangs in the views."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QPushButton

from app.features.inspecting import InspectorPage
from app.session import Session
from app.session.hand import Hand
from app.style.page_header import Header
from app.style.units import LENGTH, TIME, Unit
from app.style.value_slider import ValueSlider
from engine.document import Document, Reference
from engine.document.motion import TICKS_PER_SECOND
from engine.document.references import FACINGS, Facing
from engine.edits import Edit, edit

SHARE = Unit(suffix=" %", words="percent", scale=100.0, decimals=0, step=1.0, coarse=5.0, names={"%": 1.0})


class ReferencePage(InspectorPage):
    """In which views it hangs, where, how large, and how much of it is seen."""

    def __init__(self, session: Session, reference: Reference, unfolded: set[str]) -> None:
        super().__init__(session, unfolded)
        self.reference = reference
        self._column.setContentsMargins(12, 6, 12, 12)
        self._column.setSpacing(4)
        self.header = Header(
            "image" if reference.video is None else "film", reference.name, _about(reference), reset_tip=""
        )
        self._column.addWidget(self.header)
        self.facing = self._add_facing()
        unit = SHARE if reference.facing in ("perspective", "camera") else LENGTH
        self.opacity = self._add_slider("Opacity", SHARE, 0.0, 1.0, lambda value: {"opacity": value})
        self.size_slider = self._add_slider("Height", unit, 0.001, None, lambda value: {"size": value})
        self.to_right = self._add_slider("To the right", unit, None, None, self._right)
        self.up = self._add_slider("Up", unit, None, None, self._up)
        self.depth_slider = self._add_slider("Behind the camera", LENGTH, 0.01, None, lambda value: {"depth": value})
        self.depth_slider.setToolTip("How far in front of its camera it stands: as large as before, seen from there")
        self.depth_slider.setVisible(reference.facing == "camera")
        self.start = self._add_slider("Begins at", TIME, None, None, self._start)
        self.start.setToolTip("The time at which the video's first picture is seen")
        self.start.setVisible(reference.video is not None)
        self.in_front = self._add_switch("In front of the bodies", "in_front")
        self.shown = self._add_switch("Visible", "visible")
        self.look = QPushButton("Look from its camera")
        self.look.clicked.connect(session.references.look_from_camera)
        self.look.setVisible(reference.facing == "camera")
        remove = QPushButton("Remove picture" if reference.video is None else "Remove video")
        remove.clicked.connect(lambda: session.do(edit("remove_reference", reference=self.reference.id)))
        self._column.addSpacing(6)
        self._column.addWidget(self.look)
        self._column.addWidget(remove)
        self._column.addStretch(1)
        self.show_reference(reference)

    @classmethod
    def of(
        cls, session: Session, document: Document, unfolded: set[str], shown: InspectorPage | None
    ) -> InspectorPage | None:
        """Give the page of the chosen reference, where no actor is; see `PageMaker`."""
        reference = session.references.find(session.references.chosen, document)
        if reference is None or session.selection:
            return None
        if not isinstance(shown, ReferencePage) or not shown.is_like(reference):
            return cls(session, reference, unfolded)
        shown.show_reference(reference)
        return shown

    def is_like(self, reference: Reference) -> bool:
        """True if the same fields show another state of it."""
        now = self.reference
        return all(getattr(now, name) == getattr(reference, name) for name in ("id", "name", "facing"))

    def show_reference(self, reference: Reference) -> None:
        """Show the values as they are now."""
        self.reference = reference
        self.facing.setCurrentIndex(FACINGS.index(reference.facing))
        right, up = reference.centre
        start = reference.video.start / TICKS_PER_SECOND if reference.video is not None else 0.0
        values = (reference.opacity, reference.size, right, up, reference.depth, start)
        for (_, hand), value in zip(self._hands, values, strict=True):
            hand.show(value)
        self.in_front.setChecked(reference.in_front)
        self.shown.setChecked(reference.visible)

    def settle(self) -> None:
        """After trouble: show what the document holds."""
        for _, hand in self._hands:
            hand.settle()

    def _add_facing(self) -> QComboBox:
        self._hands: list[tuple[ValueSlider, Hand]] = []
        box = QComboBox()
        box.setAccessibleName("Hangs in")
        box.addItems(["Behind this camera" if each == "camera" else f"{each.capitalize()} view" for each in FACINGS])
        box.setToolTip(
            "The view that it hangs in, or the world: where the camera of the view with perspective sees it now"
        )
        box.activated.connect(lambda place: self._face(FACINGS[place]))
        row = QHBoxLayout()
        row.addWidget(QLabel("Hangs in"))
        row.addWidget(box, 1)
        self._column.addLayout(row)
        return box

    def _add_slider(
        self,
        name: str,
        unit: Unit,
        lower: float | None,
        upper: float | None,
        changes: Callable[[float], dict[str, object]],
    ) -> ValueSlider:
        slider = ValueSlider(name, unit=unit)
        slider.set_limits(lower, upper)
        slider.setToolTip(f"{name} of the picture" + (" in shares of the view's height" if unit is SHARE else ""))
        label = f"{self.reference.name}: {name}"
        hand = Hand(self._session, slider, label=label, make_edit=lambda value: self._edit(**changes(value)))
        self._hands.append((slider, hand))
        self._column.addWidget(slider)
        return slider

    def _add_switch(self, text: str, name: str) -> QCheckBox:
        switch = QCheckBox(text)
        switch.clicked.connect(lambda on: self._do(**{name: on}))
        self._column.addWidget(switch)
        return switch

    def _right(self, value: float) -> dict[str, object]:
        return {"centre": (value, self.reference.centre[1])}

    def _up(self, value: float) -> dict[str, object]:
        return {"centre": (self.reference.centre[0], value)}

    def _start(self, value: float) -> dict[str, object]:
        video = self.reference.video
        return {"video": replace(video, start=round(value * TICKS_PER_SECOND)) if video is not None else None}

    def _face(self, facing: Facing) -> None:
        self._do(**dict(self._session.references.changes_to_face(self.reference, facing)))

    def _do(self, **changes: object) -> None:
        self._session.do(self._edit(**changes))

    def _edit(self, **changes: object) -> Edit:
        return edit("set_reference", reference=self.reference.id, changes=tuple(changes.items()))


def _about(reference: Reference) -> tuple[str, ...]:
    """Quiet lines below its name."""
    size, video = f"{reference.width} x {reference.height} pixels", reference.video
    if video is None:
        return size, "A picture to pose after"
    rate = video.rate[0] / video.rate[1]
    return f"{size}, {rate:.4g} pictures in a second", f"{video.count / rate:.1f} s of {Path(video.path).name}"
