"""ShapeMenu: what is done with a shape beside its weight: its name, how its keys go on, whether it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget, QWidgetAction

from app.style.name_field import NameField
from engine.shapes.parts import BlendShape

if TYPE_CHECKING:
    from app.features.shapes.current_surface import CurrentSurface

GOES_ON = (("hold", "Extrapolation: hold"), ("linear", "Extrapolation: linear"), ("cycle", "Extrapolation: cycle"))


class ShapeMenu(QMenu):
    """The menu of one shape; it goes when it closes."""

    def __init__(self, current: CurrentSurface, shape: BlendShape, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._current, self._shape = current, shape
        self.name = NameField(f"Name of {shape.name}", self._rename)
        self.name.show_name(shape.name)
        holder = QWidgetAction(self)
        holder.setDefaultWidget(self.name)
        self.addAction(holder)
        self.addSeparator()
        if shape.track is not None:
            for kind, label in GOES_ON:
                action = self.addAction(label)
                action.setCheckable(True)
                action.setChecked(shape.track.after == kind)
                action.triggered.connect(lambda _, kind=kind: self._do("extend_shape", after=kind))
            self.addSeparator()
        mute = self.addAction("Leave it out")
        mute.setCheckable(True)
        mute.setChecked(shape.mute)
        mute.triggered.connect(lambda on: self._do("set_blend_shape", mute=on))
        self.addAction("Remove its keys").triggered.connect(lambda: self._do("remove_shape_keys"))
        self.addAction("Remove shape").triggered.connect(lambda: self._do("remove_blend_shape"))

    def _rename(self, name: str) -> None:
        self._do("rename_blend_shape", name=name)
        self.close()

    def _do(self, edit: str, **arguments: object) -> None:
        self._current.do(edit, shape=self._shape.id, **arguments)
