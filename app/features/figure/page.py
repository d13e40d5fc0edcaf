"""JointPage: everything that one joint is made of, in sections, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.features.figure.body import BodyNumbers
from app.features.figure.drivers import DriverNumbers
from app.features.figure.ends import EndNumbers
from app.features.figure.freedom import FreedomNumbers
from app.features.figure.numbers import Numbers, box
from app.features.figure.place import PlaceNumbers
from app.session import Item, Session
from app.session.building import new_child, other_branch, split_bone
from app.style.icon_button import IconButton
from app.style.name_field import NameField
from app.style.section import FoldedSection
from engine.document import Actor, Figure, Joint
from engine.document.figure import Side
from engine.document.freedoms import KINDS, kind_of
from engine.document.values import new_id
from engine.edits import Edit, edit

SIDES: tuple[Side, ...] = ("left", "middle", "right")
NOTHING_ABOVE = "Nothing: it is the root"
ITSELF = "Itself"


class JointPage(QWidget):
    """One joint of one figure."""

    def __init__(self, session: Session, actor: Actor, joint: Joint, unfolded: set[str]) -> None:
        """`unfolded` remembers, from page to page, which sections stand open."""
        super().__init__()
        self._session, self.actor, self.joint, self._unfolded = session, actor.id, joint.id, unfolded
        self._shown = (actor.figure, joint)
        self.form = form_of(actor, joint)
        self.numbers: dict[str, Numbers] = {}
        self.sections: dict[str, FoldedSection] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 6, 12, 12)
        self._column.setSpacing(2)
        self._head = Numbers(session, actor.id, joint.id)
        self.name = NameField("Name of the joint", self._rename)
        self.parent_joint, self.side, self.partner = box("Parent"), box("Side"), box("Mirror partner")
        self.group = NameField("Group", self._set_group, may_be_blank=True)
        self._add_head(actor.figure, joint)
        self._add("freedom", "Freedom", lambda: FreedomNumbers(session, actor.id, self._shown[1]))
        self._add("drivers", "Drivers", lambda: DriverNumbers(session, actor.id, *self._shown))
        self._add("place", "Place in its parent", lambda: PlaceNumbers(session, actor.id, self._shown[1]))
        self._add("body", "Body", lambda: BodyNumbers(session, actor.id, self._shown[1]))
        self._add("ends", "End-effectors", lambda: EndNumbers(session, actor.id, *self._shown))
        self._column.addStretch(1)
        self.setEnabled(not actor.frozen)
        self.show_figure(actor.figure)

    def show_figure(self, figure: Figure) -> None:
        """Show the joint as it is now."""
        joint = figure.joint(self.joint)
        self._shown = (figure, joint)
        self.name.show_name(joint.name)
        self.side.setCurrentIndex(SIDES.index(joint.side))
        self.partner.setCurrentIndex(max(self.partner.findData(joint.mirror), 0))
        self.group.show_name(joint.group)
        for numbers in self.numbers.values():
            numbers.show_joint(figure, joint)
        kind = kind_of(joint.dofs)
        self.sections["freedom"].header.set_summary(next((text for each, text, _ in KINDS if each == kind), "own list"))
        driven = sum(bool(dof.driven) for dof in joint.dofs)
        self.sections["drivers"].header.set_summary(f"{driven} driven" if driven else "none")
        count = sum(each.joint == joint.id for each in figure.handles)
        self.sections["ends"].header.set_summary(str(count) if count else "none")
        shapes = len(joint.shapes)
        self.sections["body"].header.set_summary(f"{shapes} shape{'' if shapes == 1 else 's'}")

    def settle(self) -> None:
        """After trouble: show what the document holds."""
        for numbers in self.numbers.values():
            numbers.settle()

    def _add_head(self, figure: Figure, joint: Joint) -> None:
        self._head.add_row("Name", self.name)
        free = set(figure.joint_index) - {joint.id, *figure.below(joint.id)}
        if joint.parent is None:
            self.parent_joint.addItem(NOTHING_ABOVE)
            self.parent_joint.setEnabled(False)
        for each in figure.joints if joint.parent is not None else ():
            if each.id in free:
                self.parent_joint.addItem(each.name, each.id)
        self.parent_joint.setCurrentIndex(max(self.parent_joint.findData(joint.parent), 0))
        self.parent_joint.setToolTip("What it hangs on; at rest everything stays where it is")
        self.parent_joint.activated.connect(self._hang)
        self._head.add_row("Parent", self.parent_joint)
        self.side.addItems([side.capitalize() for side in SIDES])
        self.side.activated.connect(lambda at: self._head.do("set_side", joint=joint.id, side=SIDES[at]))
        self._head.add_row("Side", self.side)
        self.partner.addItem(ITSELF)
        for each in figure.joints:
            if each.id != joint.id:
                self.partner.addItem(each.name, each.id)
        self.partner.setToolTip("The joint that takes its values where a pose is mirrored")
        self.partner.activated.connect(self._set_partner)
        self._head.add_row("Mirror", self.partner)
        self.group.setToolTip("A name for people, such as “Left arm”: the timeline puts joints of one group together")
        self._head.add_row("Group", self.group)
        self._head.column.addWidget(self._buttons(joint))
        self._column.addWidget(self._head)

    def _buttons(self, joint: Joint) -> QWidget:
        """Make the row of buttons."""
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 4, 0, 2)
        line.setSpacing(2)
        root = joint.parent is None
        buttons: tuple[tuple[str, str, str, Callable[[], None], bool], ...] = (
            ("add", "plus", "Add a bone at the end of this one", partial(self._make, new_child), True),
            ("split", "slash", "Cut this bone in two", partial(self._make, split_bone), True),
            (
                "mirror",
                "flip-horizontal-2",
                "Make the other side of it and of all below",
                partial(self._make, other_branch),
                not root and joint.mirror is None,
            ),
            ("root", "chevron-up", "Make it the root; nothing moves", self._make_root, not root),
            ("remove", "trash-2", "Delete it; what hangs on it hangs on its parent", self._remove, True),
        )
        self.buttons: dict[str, IconButton] = {}
        for name, picture, tip, do, can in buttons:
            self.buttons[name] = IconButton(picture, tip, size=17)
            self.buttons[name].setEnabled(can)
            self.buttons[name].clicked.connect(do)
            line.addWidget(self.buttons[name])
        line.addStretch(1)
        return row

    def _add(self, key: str, title: str, build: Callable[[], Numbers]) -> None:
        section = FoldedSection(title, partial(self._build, key, build))
        self.sections[key] = section
        self._column.addWidget(section)
        section.header.set_unfolded(key in self._unfolded)
        section.unfolded.connect(lambda open: (self._unfolded.add if open else self._unfolded.discard)(key))

    def _build(self, key: str, build: Callable[[], Numbers]) -> QWidget:
        numbers = self.numbers[key] = build()
        numbers.show_joint(*self._shown)
        return numbers

    def _rename(self, name: str) -> None:
        self._session.do(edit("rename_joint", actor=self.actor, joint=self.joint, name=name))

    def _set_group(self, group: str) -> None:
        self._head.do("set_group", joint=self.joint, group=group)

    def _set_partner(self, _: int) -> None:
        self._head.do("set_mirror", joint=self.joint, mirror=self.partner.currentData())

    def _hang(self, _: int) -> None:
        parent = self.parent_joint.currentData()
        self._head.do("reparent_joint", joint=self.joint, parent=cast(str, parent))

    def _make(self, build: Callable[[str, Figure, str], tuple[Edit, str]]) -> None:
        change, made = build(self.actor, self._head.owner.figure, self.joint)
        self._session.do(change, choose=Item(self.actor, made))

    def _make_root(self) -> None:
        self._head.do("reroot_figure", joint=self.joint, layer=new_id("layer"))

    def _remove(self) -> None:
        above = self._head.now.parent
        change = edit("remove_joint", actor=self.actor, joint=self.joint)
        self._session.do(change, choose=None if above is None else Item(self.actor, above))


def form_of(actor: Actor, joint: Joint) -> tuple[object, ...]:
    """Return the key of a page's fields: they are made anew where it changes."""
    names = tuple((each.id, each.name, each.parent) for each in actor.figure.joints)
    drivers = DriverNumbers.form(actor.figure, joint)
    parts = (FreedomNumbers.form(joint), drivers, BodyNumbers.form(joint), EndNumbers.form(actor.figure, joint))
    return (actor.id, actor.frozen, joint.id, joint.mirror, names, *parts)
