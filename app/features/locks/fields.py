"""LockFields: what one pin holds and where: its name, its place, and how the part is turned."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit, QToolButton

from app.features.inspecting import TURN_NAMES, show_turns, turn_slider
from app.features.locks.part import LockPart, choice
from app.features.locks.words import where_of
from app.session import Session
from app.session.hand import Hand
from app.style.elided_label import ElidedLabel
from app.style.icon_button import IconButton
from app.style.mute_button import MuteButton
from app.style.turns import quaternion_of, twist_of, twisted
from app.style.units import ANGLE, LENGTH
from app.style.value_slider import ValueSlider
from engine.document import Actor, Lock
from engine.document.lock import AXES, Axis, Held
from engine.document.segment import middle_of_segment
from engine.document.values import Quaternion, Vector3
from engine.locks.commands.move_lock import MoveLock

if TYPE_CHECKING:
    from engine.model import LockMark, Snapshot

HOLDS: dict[Held, str] = {
    "point": "Pinned",
    "line": "Pinned on a line",
    "plane": "Pinned in a plane",
    "turn": "Direction pinned",
    "centre": "Centre of mass pinned",
    "balance": "Balance pinned",
}
_PART = (("at a place", "point"), ("on a line", "line"), ("in a plane", "plane"), ("no place", "turn"))
_MASS = (("where it is", "centre"), ("over the pinned parts", "balance"))


class LockPlace(LockPart):
    """Fields that show where a pin holds at the playhead, keys and all."""

    def __init__(self, session: Session, actor: Actor, lock: Lock) -> None:
        super().__init__(session, actor, lock)
        self._mark: LockMark | None = None
        if session.snapshot is not None:
            self._mark = self._mark_in(session.snapshot)
        session.snapshot_ready.connect(self._take_picture)

    def _take_picture(self, snapshot: Snapshot) -> None:
        self._mark = self._mark_in(snapshot)
        shown = self._session.shown
        if self._actor in shown.actor_index:
            self.show_actor(shown.actor(self._actor))

    def _mark_in(self, snapshot: Snapshot) -> LockMark | None:
        name = (self._actor, self._lock)
        return next((each for each in snapshot.locks if (each.owner, each.lock) == name), None)

    def _present(self, lock: Lock) -> tuple[Vector3, Quaternion]:
        """Position and rotation in the frame of the target; where they are keyed, those of the picture."""
        keyed = self._mark is not None and bool(lock.tracks)
        return (self._mark.position, self._mark.rotation) if keyed and self._mark else (lock.position, lock.rotation)

    def _moved(self, **given: object) -> MoveLock:
        return MoveLock(actor=self._actor, lock=self._lock, time=self._session.playhead, **given)  # type: ignore[arg-type]


class LockFields(LockPlace):
    """The fields of a pin that always are in sight."""

    def __init__(self, session: Session, actor: Actor, lock: Lock) -> None:
        super().__init__(session, actor, lock)
        self._axis = _long_axis(actor, lock)
        self.axes: dict[Axis, QToolButton] = {}
        self.state = ElidedLabel("", colour="text_quiet")
        self._column.addWidget(self.state)
        self._add_name()
        self.held = choice("How the part is pinned", _MASS if lock.of_mass else _PART)
        self.held.activated.connect(lambda _: self._set_held(self.held.currentData()))
        self._add_row("Centre of mass" if lock.of_mass else "Pinned", self.held)
        if not lock.of_mass:
            self._add_axes()
        self._add_place(actor, lock)
        self.twist = self._add_twist()
        self.show_actor(actor)

    def _add_name(self) -> None:
        self.name = QLineEdit()
        self.name.setAccessibleName("Name of the pin")
        self.name.editingFinished.connect(self._rename)
        self.mute = MuteButton("pin", action="lock.mute")
        self.mute.clicked.connect(self._toggle_mute)
        self.remove = IconButton("trash-2", "Unpin: remove this pin", action="lock.off")
        self.remove.clicked.connect(lambda: self._session.do(self._edit("remove_lock")))
        self._add_row("Name", self.name, self.mute, self.remove)

    def _add_axes(self) -> None:
        """Add a switch for each axis of the body that keeps its direction."""
        for axis in AXES:
            button = QToolButton()
            button.setText(axis)
            button.setCheckable(True)
            button.setAccessibleName(f"Pin axis {axis}")
            button.clicked.connect(self._set_axes)
            self.axes[axis] = button
        tip = "Axes of the body that keep their direction. Two hold all of it, one leaves the turn about it free."
        self._add_row("Directions pinned", *self.axes.values(), tip=tip)

    def _add_place(self, actor: Actor, lock: Lock) -> None:
        where = where_of(self._session.shown, lock)
        for number, name in enumerate("XYZ"):
            slider = ValueSlider(f"Position {name}", unit=LENGTH)
            slider.setToolTip(f"Where it is pinned, {'in' if lock.target is None else 'as seen from'} {where}")
            move = partial(self._placed, number)
            self._add(slider, Hand(self._session, slider, label=f"Move pin {lock.name}", make_edit=move))

    def _add_twist(self) -> ValueSlider:
        slider = ValueSlider("Twist", unit=ANGLE)
        slider.set_limits(-math.pi, math.pi)
        slider.setToolTip("How the pinned part is turned about its own long axis")
        self._add(slider, Hand(self._session, slider, label="Twist pin", make_edit=self._twisted))
        return slider

    def _show(self, actor: Actor, lock: Lock) -> None:
        position, rotation = self._present(lock)
        self.state.set_text(self._state(lock))
        self.state.set_colour("warning" if self._mark and not self._mark.kept and not lock.mute else "text_quiet")
        if not self.name.hasFocus():
            self.name.setText(lock.name)
        self.mute.show_muted(lock.mute)
        self.held.setCurrentIndex(self.held.findData(lock.held))
        for axis, button in self.axes.items():
            button.setChecked(axis in lock.axes)
        for number, (hand, value) in enumerate(zip(self._hands[:3], position, strict=True)):
            self.sliders[number].setVisible(_is_held_along(lock, number))
            hand.show(value)
        self.twist.setVisible(bool(lock.axes))
        self._hands[3].show(twist_of(rotation, self._axis))

    def _state(self, lock: Lock) -> str:
        if lock.mute:
            return "Muted: it does not count"
        if self._mark is None:
            return "Does not count at this time"
        return "Met" if self._mark.kept else self._mark.text.capitalize()

    def _placed(self, number: int, value: float) -> MoveLock:
        x, y, z = (slider.value for slider in self.sliders[:3])
        return self._moved(position=(x, y, z))

    def _twisted(self, value: float) -> MoveLock:
        lock = self.lock
        assert lock is not None, "shown only for one"
        rotation = self._present(lock)[1]
        return self._moved(rotation=twisted(rotation, self._axis, value - twist_of(rotation, self._axis)))

    def _toggle_mute(self) -> None:
        if self.lock is not None:
            self._do("mute_lock", mute=not self.lock.mute)

    def _rename(self) -> None:
        name, lock = self.name.text().strip(), self.lock
        if lock is not None and name and name != lock.name:
            self._do("rename_lock", name=name)
        elif lock is not None:
            self.name.setText(lock.name)

    def _set_held(self, held: Held) -> None:
        if self.lock is not None:
            axes = self.lock.axes or (("i", "j") if held == "turn" else ())
            self._do("set_lock_axes", axes=axes, held=held)

    def _set_axes(self) -> None:
        self._do("set_lock_axes", axes=tuple(axis for axis, button in self.axes.items() if button.isChecked()))


class TurnFields(LockPlace):
    """The fields of the held part's orientation, as heading, pitch and roll."""

    def __init__(self, session: Session, actor: Actor, lock: Lock) -> None:
        super().__init__(session, actor, lock)
        where = where_of(session.shown, lock)
        for name in TURN_NAMES:
            slider = turn_slider(name)
            slider.setAccessibleName(f"Pin, {name}")
            slider.setToolTip(
                f"How the pinned part is turned, {'in' if lock.target is None else 'as seen from'} {where}"
            )
            self._add(slider, Hand(session, slider, label=f"Turn pin {lock.name}", make_edit=self._turned))
        self.show_actor(actor)

    def _show(self, actor: Actor, lock: Lock) -> None:
        show_turns(self.sliders, self._hands, self._present(lock)[1])

    def _turned(self, _: float) -> MoveLock:
        heading, pitch, roll = (slider.value for slider in self.sliders)
        return self._moved(rotation=quaternion_of((heading, pitch, roll)))


def _is_held_along(lock: Lock, axis: int) -> bool:
    """True if the number of a place along an axis changes what a pin holds."""
    if lock.held == "plane":
        return abs(lock.normal[axis]) > 1e-6
    if lock.held == "line":
        return any(abs(way) > 1e-6 for number, way in enumerate(lock.normal) if number != axis)
    return lock.held == "point" or (lock.held == "centre" and axis != 1)


def _long_axis(actor: Actor, lock: Lock) -> Vector3:
    """Return the direction of a segment's own axis in its frame; the second one where it has none."""
    x, y, z = middle_of_segment(actor.figure, lock.joint)
    length = math.hypot(x, y, z)
    return (x / length, y / length, z / length) if length > 1e-6 else (0.0, 1.0, 0.0)
