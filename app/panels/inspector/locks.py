"""LockFields: what one lock holds, how much it counts, when, and where to."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QToolButton, QWidget

from app.panels.inspector.fields import TURN_NAMES, Fields, show_turns, turn_slider
from app.session import Session
from app.session.hand import Hand
from app.style.turns import quaternion_of
from app.style.units import LENGTH, TIME, Unit
from app.style.value_slider import ValueSlider
from engine.document import Actor, Lock
from engine.document.extent import play_extent
from engine.document.lock import AXES, Axis
from engine.document.motion import TICKS_PER_SECOND
from engine.edits import Edit, edit

SHARE = Unit(suffix=" %", words="percent", scale=100.0, decimals=0, step=5.0, coarse=25.0)
IMPORTANCE = Unit(suffix="", words="", scale=1.0, decimals=2, step=0.1, coarse=1.0)
ENDS = (("Start", "start"), ("End", "end"), ("Ease in", "ease_in"), ("Ease out", "ease_out"))
HOLDS = {
    "point": "Held",
    "plane": "Held in a plane",
    "turn": "Direction held",
    "centre": "Centre of mass held",
    "balance": "Balance held",
}


class LockFields(Fields):
    """The numbers of one lock."""

    def __init__(self, session: Session, actor: Actor, lock: Lock) -> None:
        super().__init__(session, actor.id)
        self._lock = lock.id
        self._timed = lock.span is not None
        self.axes: dict[Axis, QToolButton] = {}
        if not lock.of_mass:
            self._column.addWidget(self._axes_row())
        self._add_number("Weight", SHARE, (0.0, 1.0), "By how much it counts; eased with its span")
        tip = "Who gives way how far where locks contradict each other"
        self._add_number("Importance", IMPORTANCE, (0.01, None), tip)
        self._column.addWidget(self._when_row())
        for name, field in ENDS if self._timed else ():
            self._add_end(name, field)
        self._place_at = len(self.sliders)
        if not lock.of_mass:
            self._add_place(actor, lock)
        self.show_actor(actor)

    def show_actor(self, actor: Actor) -> None:
        lock = self._find(actor)
        if lock is None or (lock.span is not None) != self._timed:
            return
        for axis, button in self.axes.items():
            button.setChecked(axis in lock.axes)
        self.when.setCurrentIndex(int(self._timed))
        numbers = [lock.weight, lock.importance]
        if lock.span is not None:
            numbers += [getattr(lock.span, field) / TICKS_PER_SECOND for _, field in ENDS]
        if not lock.of_mass:
            numbers += lock.position
        for hand, number in zip(self._hands, numbers, strict=False):
            hand.show(number)
        if not lock.of_mass:
            show_turns(self.sliders[self._place_at + 3 :], self._hands[self._place_at + 3 :], lock.rotation)

    def _axes_row(self) -> QWidget:
        """A switch for each axis of the body that keeps its direction."""
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 2, 0, 2)
        line.setSpacing(4)
        line.addWidget(QLabel("Holds the axes"))
        line.addStretch(1)
        for axis in AXES:
            button = QToolButton()
            button.setText(axis)
            button.setCheckable(True)
            button.setAccessibleName(f"Hold axis {axis}")
            button.setToolTip("Two axes hold all of the orientation, one leaves the turn about it free")
            button.clicked.connect(self._set_axes)
            self.axes[axis] = button
            line.addWidget(button)
        return row

    def _when_row(self) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 2, 0, 2)
        self.when = QComboBox()
        self.when.setAccessibleName("When the lock holds")
        self.when.addItems(["Always", "For a time"])
        self.when.activated.connect(self._set_when)
        line.addWidget(QLabel("Holds"))
        line.addWidget(self.when, 1)
        return row

    def _add_number(self, name: str, unit: Unit, limits: tuple[float | None, float | None], tip: str) -> None:
        slider = ValueSlider(name, unit=unit)
        slider.setAccessibleName(f"Lock, {name}")
        slider.set_limits(*limits)
        slider.set_rest(1.0)
        slider.setToolTip(tip)

        def change(value: float) -> Edit:
            return self._edit("set_lock_weight", **{name.lower(): value})

        self._add(slider, Hand(self._session, slider, label=f"{name} of lock", make_edit=change))

    def _add_end(self, name: str, field: str) -> None:
        slider = ValueSlider(name, unit=TIME)
        slider.setAccessibleName(f"Lock, {name}")
        if field.startswith("ease"):
            slider.set_limits(0.0, None)
        self._add(slider, Hand(self._session, slider, label="Span of lock", make_edit=partial(self._moved, field)))

    def _add_place(self, actor: Actor, lock: Lock) -> None:
        where = "the world" if lock.target is None else f"the frame of {self._session.shown.actor(lock.target).name}"
        sliders = [ValueSlider(f"Position {name}", unit=LENGTH) for name in ("X", "Y", "Z")]
        sliders += [turn_slider(name) for name in TURN_NAMES]

        def place(number: int, _: float) -> Edit:
            x, y, z, heading, pitch, roll = (slider.value for slider in sliders)
            if number < 3:
                return self._edit("set_lock_target", position=(x, y, z))
            return self._edit("set_lock_target", rotation=quaternion_of((heading, pitch, roll)))

        for number, slider in enumerate(sliders):
            slider.setToolTip(f"Where it is held, in {where}")
            hand = Hand(self._session, slider, label=f"Move lock {lock.name}", make_edit=partial(place, number))
            self._add(slider, hand)

    def _moved(self, field: str, seconds: float) -> Edit:
        """The span with one end or ease changed; the others give way where they must."""
        lock = self._find(self._session.document.actor(self._actor))
        assert lock is not None
        assert lock.span is not None, "shown only for a span"
        ends = {name: getattr(lock.span, name) for _, name in ENDS} | {field: round(seconds * TICKS_PER_SECOND)}
        if field == "start":
            ends["start"] = min(ends["start"], ends["end"] - 1)
        ends["end"] = max(ends["end"], ends["start"] + 1)
        length = ends["end"] - ends["start"]
        other = "ease_out" if field == "ease_in" else "ease_in"
        mine = field if field.startswith("ease") else "ease_out"
        ends[mine] = min(ends[mine], length)
        ends[other] = min(ends[other], length - ends[mine])
        return self._edit("set_lock_span", **ends)

    def _set_axes(self) -> None:
        chosen = tuple(axis for axis, button in self.axes.items() if button.isChecked())
        self._session.do(self._edit("set_lock_axes", axes=chosen))
        self.show_actor(self._session.document.actor(self._actor))  # what was refused goes back

    def _set_when(self, choice: int) -> None:
        start, end = play_extent(self._session.document)
        ease = (end - start) // 10
        ends = {"start": start, "end": end, "ease_in": ease, "ease_out": ease} if choice else {}
        self._session.do(self._edit("set_lock_span", **ends))

    def _edit(self, name: str, **arguments: object) -> Edit:
        return edit(name, actor=self._actor, lock=self._lock, **arguments)

    def _find(self, actor: Actor) -> Lock | None:
        return next((each for each in actor.locks if each.id == self._lock), None)
