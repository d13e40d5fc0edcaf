"""EndNumbers: the end-effectors on a joint's body."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QPushButton

from app.features.figure.numbers import XYZ, Numbers
from app.session import Session
from app.session.building import new_handle
from app.style.icon_button import IconButton
from app.style.name_field import NameField
from engine.document import Figure, Handle, Joint
from engine.edits import Edit, edit


class EndNumbers(Numbers):
    """Named places that can be dragged."""

    def __init__(self, session: Session, actor: str, figure: Figure, joint: Joint) -> None:
        super().__init__(session, actor, joint.id)
        self.names: dict[str, NameField] = {}
        self._figure = figure
        for handle in figure.handles:
            if handle.joint == joint.id:
                self._add(handle)
        self.new = QPushButton("Add end-effector")
        self.new.setToolTip("A place at the end of the bone by which the figure can be dragged")
        self.new.clicked.connect(self._add_new)
        self.column.addWidget(self.new)

    @staticmethod
    def form(figure: Figure, joint: Joint) -> tuple[object, ...]:
        """Return the key of the fields: they are made anew where it changes."""
        return tuple(each.id for each in figure.handles if each.joint == joint.id)

    def show_joint(self, figure: Figure, joint: Joint) -> None:
        self._figure = figure
        for each in figure.handles:
            if each.id in self.names:
                self.names[each.id].show_name(each.name)
        super().show_joint(figure, joint)

    def _add(self, handle: Handle) -> None:
        name = NameField("Name of the end-effector", partial(self._rename, handle.id))
        gone = IconButton("trash-2", f"Remove {handle.name}")
        gone.clicked.connect(lambda: self.do("remove_handle", handle=handle.id))
        self.names[handle.id] = name
        self.add_row("Name", name, gone)
        for place, way in enumerate(XYZ):
            self.add_number(
                way,
                partial(self._read, handle.id, place),
                partial(self._moved, handle.id, place),
                spoken=f"{handle.name}, {way}",
                tip="In the joint's own frame",
                label=f"Move {handle.name}",
            )

    def _add_new(self) -> None:
        self._session.do(new_handle(self.actor, self.owner.figure, self.joint))

    def _rename(self, handle: str, name: str) -> None:
        self._session.do(edit("rename_handle", actor=self.actor, handle=handle, name=name))

    def _read(self, handle: str, place: int, _: Joint) -> float:
        return next((each.point[place] for each in self._figure.handles if each.id == handle), 0.0)

    def _moved(self, handle: str, place: int, value: float) -> Edit:
        point = next(each.point for each in self.owner.figure.handles if each.id == handle)
        x, y, z = (value if at == place else each for at, each in enumerate(point))
        return edit("move_handle", actor=self.actor, handle=handle, point=(x, y, z), stretch=True)
