"""Sections of a pin, folded under plain names: its line or plane, how much it counts, what moves for it and when."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPushButton

from app.features.locks.fields import TurnFields
from app.features.locks.part import IMPORTANCE, LockPart, choice
from app.features.locks.words import keyed_of, where_of
from app.features.span_fields import SpanFields
from app.session import Session
from app.session.hand import Hand
from app.style.icon_button import IconButton
from app.style.units import COUNT, SHARE
from app.style.value_slider import ValueSlider
from engine.document import Actor, Document, Figure, Lock, Span
from engine.document.chains import chain
from engine.document.extent import play_extent
from engine.document.lock import PLACE_TRACKS, TURN_TRACKS
from engine.document.values import Vector3, new_id
from engine.edits import Edit, edit
from engine.locks.commands.lock_here import BakeLocks
from engine.locks.commands.move_lock import Keyed, KeyLock, TieLock
from engine.locks.commands.satisfy import Satisfy

PLANES: tuple[tuple[str, Vector3], ...] = (
    ("level", (0.0, 1.0, 0.0)),
    ("upright, facing X", (1.0, 0.0, 0.0)),
    ("upright, facing Z", (0.0, 0.0, 1.0)),
)
_TRACKS: dict[Keyed, tuple[str, ...]] = {"place": PLACE_TRACKS, "turn": TURN_TRACKS, "weight": ("weight",)}
_NAMES: dict[Keyed, str] = {"place": "Place", "turn": "Orientation", "weight": "Weight"}


LINES: tuple[tuple[str, Vector3], ...] = (
    ("upright", (0.0, 1.0, 0.0)),
    ("along X", (1.0, 0.0, 0.0)),
    ("along Z", (0.0, 0.0, 1.0)),
)


class DirectionFields(LockPart):
    """The fields of the direction that a plane faces, or in which a line runs."""

    def __init__(self, session: Session, actor: Actor, lock: Lock) -> None:
        super().__init__(session, actor, lock)
        kind, says = (lock.held, "runs" if lock.held == "line" else "faces")
        self.way = choice(f"Which way the {kind} {says}", (*_ways(lock), ("otherwise", None)))
        self.way.activated.connect(self._set_way)
        self._add_row(kind.capitalize(), self.way)
        for number, name in enumerate("XYZ"):
            slider = ValueSlider(f"{'Direction' if kind == 'line' else 'Normal'} {name}", unit=IMPORTANCE)
            slider.set_limits(-1.0, 1.0)
            slider.set_rest(PLANES[0][1][number])
            slider.setToolTip(f"The direction in which the {kind} {says}; its length does not matter")
            self._add(slider, Hand(session, slider, label=f"Tilt {kind} of pin {lock.name}", make_edit=self._tilted))
        self.show_actor(actor)

    def _show(self, actor: Actor, lock: Lock) -> None:
        found = [number for number, (_, way) in enumerate(_ways(lock)) if way == lock.normal]
        self.way.setCurrentIndex(found[0] if found else len(_ways(lock)))
        for hand, value in zip(self._hands, lock.normal, strict=True):
            hand.show(value)

    def _set_way(self, _: int) -> None:
        normal = self.way.currentData()
        if normal is not None:
            self._do("set_lock_target", normal=tuple(normal))

    def _tilted(self, _: float) -> Edit:
        x, y, z = (slider.value for slider in self.sliders)
        return self._edit("set_lock_target", normal=(x, y, z))


class CountFields(LockPart):
    """The fields of a pin's weight, and of who gives way where pins contradict each other."""

    def __init__(self, session: Session, actor: Actor, lock: Lock) -> None:
        super().__init__(session, actor, lock)
        tip = "By how much it counts: at 0 % the pose is as without it; times the ease of its time"
        self._add_number("Weight", SHARE, (0.0, 1.0), tip, edit="set_lock_weight", field="weight")
        tip = "Who gives way how far where pins contradict each other: twice as much is missed half as far"
        for label, field, rest in (
            ("Importance", "importance", 1.0),
            ("Importance of directions", "turn_importance", 0.1),
        ):
            limits = (0.01, None)
            self._add_number(label, IMPORTANCE, limits, tip, edit="set_lock_weight", field=field, rest=rest)
        self.sliders[2].setVisible(bool(lock.axes))
        self.show_actor(actor)

    def _show(self, actor: Actor, lock: Lock) -> None:
        self.sliders[2].setVisible(bool(lock.axes))
        for hand, value in zip(self._hands, (lock.weight, lock.importance, lock.turn_importance), strict=True):
            hand.show(value)


class LockJointFields(LockPart):
    """The fields of the joints that may move to keep the pin."""

    def __init__(self, session: Session, actor: Actor, lock: Lock) -> None:
        super().__init__(session, actor, lock)
        limb = limb_of(actor.figure, lock.joint)
        self.which = choice("Joints that may move", (("all of the figure", None), ("its limb", limb), ("chosen", ())))
        self.which.activated.connect(self._set_which)
        self._add_row("Moves", self.which, tip="Joints that may move to meet this pin")
        self.list = _Checklist()
        self.list.setAccessibleName("Joints that move for the pin")
        self.list.setUniformItemSizes(True)
        self.list.setFixedHeight(168)
        self.list.setSpacing(1)
        for joint in actor.figure.joints:
            item = QListWidgetItem(joint.name)
            item.setData(Qt.ItemDataRole.UserRole, joint.id)
            self.list.addItem(item)
        self.list.itemChanged.connect(lambda _: self._set_chosen())
        self._column.addWidget(self.list)
        self.show_actor(actor)

    def _show(self, actor: Actor, lock: Lock) -> None:
        limb = limb_of(actor.figure, lock.joint)
        self.which.setCurrentIndex(0 if lock.joints is None else 1 if lock.joints == limb else 2)
        self.list.blockSignals(True)
        for item in map(self.list.item, range(self.list.count())):
            moves = lock.joints is None or item.data(Qt.ItemDataRole.UserRole) in lock.joints
            item.setCheckState(Qt.CheckState.Checked if moves else Qt.CheckState.Unchecked)
        self.list.blockSignals(False)

    def _set_which(self, number: int) -> None:
        if number < 2:
            joints = self.which.currentData()
            self._do("set_lock_joints", joints=None if joints is None else tuple(joints))
        else:
            self._set_chosen()

    def _set_chosen(self) -> None:
        items = map(self.list.item, range(self.list.count()))
        chosen = [item for item in items if item.checkState() == Qt.CheckState.Checked]
        self._do("set_lock_joints", joints=tuple(item.data(Qt.ItemDataRole.UserRole) for item in chosen))


class _Checklist(QListWidget):
    """A click or Enter ticks a row."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and item is not None:
            ticked = item.checkState() == Qt.CheckState.Checked
            item.setCheckState(Qt.CheckState.Unchecked if ticked else Qt.CheckState.Checked)
        else:
            super().keyPressEvent(event)


class TargetFields(LockPart):
    """The fields of what the pin holds on to."""

    def __init__(self, session: Session, actor: Actor, lock: Lock) -> None:
        super().__init__(session, actor, lock)
        actors = [(each.name, each.id) for each in session.shown.actors]
        self.target = choice("What the part is pinned to", (("the world", None), *actors))
        self.joint = choice("Part that it is pinned to", ())
        self.target.activated.connect(lambda _: self._tie(self.target.currentData(), None))
        self.joint.activated.connect(lambda _: self._tie(self.target.currentData(), self.joint.currentData()))
        self._add_row("Pinned to", self.target)
        self._parts = self._add_row("at", self.joint)
        self.both = choice("Who gives way", ((f"{actor.name} alone", False), ("both", True)))
        self.both.activated.connect(lambda _: self._share(bool(self.both.currentData())))
        self._sharing = self._add_row("Gives way", self.both)
        self.show_actor(actor)

    def _show(self, actor: Actor, lock: Lock) -> None:
        self.target.setCurrentIndex(self.target.findData(lock.target))
        self._parts.setVisible(lock.target is not None)
        self._sharing.setVisible(lock.target not in (None, actor.id))
        self.both.setCurrentIndex(int(lock.shared))
        if lock.target is None:
            return
        joints = self._session.shown.actor(lock.target).figure.joints
        if [self.joint.itemData(row) for row in range(self.joint.count())] != [each.id for each in joints]:
            self.joint.clear()
            for each in joints:
                self.joint.addItem(each.name, each.id)
        self.joint.setCurrentIndex(self.joint.findData(lock.target_joint))

    def _tie(self, target: str | None, joint: str | None) -> None:
        """Hold on there, as it stands now; at the first part that is not the one that is held, if none is named."""
        lock = self.lock
        if target is not None and joint is None and lock is not None:
            joints = self._session.document.actor(target).figure.joints
            joint = next((each.id for each in joints if (target, each.id) != (self._actor, lock.joint)), lock.joint)
        time = self._session.playhead
        command = TieLock(actor=self._actor, lock=self._lock, target=target, target_joint=joint, time=time)
        self._session.work_out(command)

    def _share(self, shared: bool) -> None:
        lock = self.lock
        if lock is not None:
            place = {"position": lock.position, "rotation": lock.rotation}
            frame = {"target": lock.target, "target_joint": lock.target_joint}
            self._do("move_lock_to", **frame, **place, shared=shared)


class WhenFields(LockPart):
    """The fields of the time during which the pin holds."""

    def __init__(self, session: Session, actor: Actor, lock: Lock) -> None:
        super().__init__(session, actor, lock)
        self.when = choice("When the pin counts", (("always", False), ("for a time", True)))
        self.when.activated.connect(self._set_when)
        self._add_row("Counts", self.when)
        self.ends = SpanFields(
            session, "Pin", self._span, partial(self._edit, "set_lock_span"), entry=lambda _: "Span of pin"
        )
        self._column.addWidget(self.ends)
        self.show_actor(actor)

    def _show(self, actor: Actor, lock: Lock) -> None:
        self.when.setCurrentIndex(int(lock.span is not None))
        self.ends.show_span(lock.span)

    def _set_when(self, choice: int) -> None:
        start, end = play_extent(self._session.document)
        ease = (end - start) // 10
        ends = {"start": start, "end": end, "ease_in": ease, "ease_out": ease} if choice else {}
        self._do("set_lock_span", **ends)

    def _span(self) -> Span | None:
        lock = self.lock
        return None if lock is None else lock.span


class KeyFields(LockPart):
    """Keys in place of the numbers of the pin, set and taken away at the playhead."""

    def __init__(self, session: Session, actor: Actor, lock: Lock) -> None:
        super().__init__(session, actor, lock)
        self.keys: dict[Keyed, tuple[IconButton, IconButton, IconButton]] = {}
        for what in (*keyed_of(lock), "weight"):
            self._add_keys(what)
        session.playhead_moved.connect(self.settle)  # not by a lambda, which would outlive the fields
        self.show_actor(actor)

    def _add_keys(self, what: Keyed) -> None:
        name = _NAMES[what].lower()
        here = IconButton("plus", f"Key the {name} here")
        gone = IconButton("minus", f"Remove the key of the {name} here")
        none = IconButton("trash-2", f"Remove all keys of the {name}")
        here.clicked.connect(lambda: self._key(what))
        gone.clicked.connect(lambda: self._do("unkey_lock", names=_TRACKS[what], time=self._session.playhead))
        none.clicked.connect(lambda: self._do("unkey_lock", names=_TRACKS[what]))
        self.keys[what] = (here, gone, none)
        self._add_row(_NAMES[what], *self.keys[what])

    def _show(self, actor: Actor, lock: Lock) -> None:
        for what, (_, gone, none) in self.keys.items():
            times = {key.time for name in _TRACKS[what] if name in lock.track_of for key in lock.track_of[name].keys}
            gone.setEnabled(self._session.playhead in times)
            none.setEnabled(bool(times))

    def _key(self, what: Keyed) -> None:
        time = self._session.playhead
        self._session.work_out(KeyLock(actor=self._actor, lock=self._lock, time=time, what=(what,)))


class TogetherFields(LockPart):
    """The fields that all pins of a figure, and of the scene, have in common."""

    def __init__(self, session: Session, actor: Actor, lock: Lock) -> None:
        super().__init__(session, actor, lock)
        tip = "How far joints that pins move go to the middle of their limits before the pins are met"
        slider = ValueSlider("Comfort", unit=SHARE)
        slider.set_limits(0.0, 1.0)
        slider.setToolTip(tip)
        comfort = partial(edit, "set_comfort", actor=actor.id)
        make = lambda value: comfort(comfort=value)  # noqa: E731
        self._add(slider, Hand(session, slider, label=f"Comfort of {actor.name}", make_edit=make))
        self.solver = choice("Method by which the pins of the scene are met", ())
        self.solver.activated.connect(lambda _: session.do(edit("set_lock_solver", solver=self.solver.currentData())))
        self._add_row("Solver", self.solver, tip="The method by which all pins of the scene are met")
        self._add_iterations()
        self.satisfy = QPushButton("Satisfy pins")
        self.satisfy.setToolTip("Solve until the pins are met as well as can be, and make that pose the figure's own")
        self.satisfy.clicked.connect(self._satisfy)
        self.bake = QPushButton("Bake pins")
        self.bake.setToolTip(f"Make the motion that the pins give {actor.name} its own, while it plays; they go")
        self.bake.clicked.connect(self._bake)
        for button in (self.satisfy, self.bake):
            self._column.addWidget(button)
        session.reaching.changed.connect(self.settle)
        self.show_actor(actor)

    def _add_iterations(self) -> None:
        slider = ValueSlider("Iterations a picture", unit=COUNT)
        slider.set_limits(1.0, 1000.0)
        slider.set_rest(100.0)
        slider.setToolTip("How long the pins are led towards where they are to be before each picture")
        label = "Iterations of pins"
        self._add(slider, Hand(self._session, slider, label=label, make_edit=self._iterated))

    def _iterated(self, value: float) -> Edit:
        return edit("set_lock_iterations", iterations=round(value))

    def _show(self, actor: Actor, lock: Lock) -> None:
        shown = self._session.shown
        self._hands[0].show(actor.comfort)
        self._hands[1].show(float(shown.lock_iterations))
        known = {card.name: card.label for card in self._session.reaching.cards}
        names = {shown.lock_solver: shown.lock_solver.capitalize(), **known, "multipliers": "Multipliers"}
        if [self.solver.itemData(row) for row in range(self.solver.count())] != list(names):
            self.solver.clear()
            for name, text in names.items():
                self.solver.addItem(text, name)
        self.solver.setCurrentIndex(self.solver.findData(shown.lock_solver))

    def _satisfy(self) -> None:
        posing, time = self._session.posing, self._session.playhead
        self._session.work_out(Satisfy(actor=self._actor, time=time, auto_key=posing.auto_key))

    def _bake(self) -> None:
        start, end = play_extent(self._session.document)
        self._session.work_out(BakeLocks(id=new_id("layer"), actor=self._actor, start=start, end=end))


def sections_of(lock: Lock) -> tuple[tuple[str, str, type[LockPart]], ...]:
    """Return the groups that a pin has: key, title, and what makes the fields."""
    found: list[tuple[str, str, type[LockPart]]] = []
    if lock.axes:
        found.append(("lock turn", "Orientation", TurnFields))
    if lock.held in ("line", "plane"):
        found.append((f"lock {lock.held}", lock.held.capitalize(), DirectionFields))
    found.append(("lock counts", "How much it counts", CountFields))
    found.append(("lock joints", "What moves for it", LockJointFields))
    if not lock.of_mass:
        found.append(("lock target", "Pinned to", TargetFields))
    found += [("lock when", "When", WhenFields), ("lock keys", "Keys", KeyFields)]
    found.append(("lock together", "All pins of the figure", TogetherFields))
    return tuple(found)


def summary_of(document: Document, actor: Actor, lock: Lock, key: str) -> str:
    """Return the text of a group while it is folded."""
    count = sum(len(track.keys) for track in lock.tracks)
    texts: dict[str, Callable[[], str]] = {
        f"lock {lock.held}": lambda: next((name for name, way in _ways(lock) if way == lock.normal), "tilted"),
        "lock counts": lambda: SHARE.text(lock.weight),
        "lock joints": lambda: "all" if lock.joints is None else f"{len(lock.joints)} joints",
        "lock target": lambda: where_of(document, lock),
        "lock when": lambda: "always" if lock.span is None else "for a time",
        "lock keys": lambda: "none" if not count else str(count),
        "lock together": lambda: f"{len(actor.locks)}",
    }
    return texts[key]() if key in texts else ""


def _ways(lock: Lock) -> tuple[tuple[str, Vector3], ...]:
    return LINES if lock.held == "line" else PLANES


def limb_of(figure: Figure, joint: str) -> tuple[str, ...]:
    """Return the joints of the limb that ends with a joint, up to the nearest branch, in the figure's order."""
    dofs = chain(figure, joint, "branch")
    return tuple(each.id for each in figure.joints if any(dof.id in dofs for dof in each.dofs))
