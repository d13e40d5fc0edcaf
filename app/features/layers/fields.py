"""LayerFields: when the layer that is worked on counts, which joints it touches, and what becomes of it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.features.span_fields import SpanFields
from app.session import Session
from app.session.layering import Layering
from app.style.elided_label import ElidedLabel
from app.style.icon_button import IconButton
from engine.document import Actor, Layer, Span
from engine.document.extent import layer_extent, play_extent
from engine.edits import Edit, edit


class LayerFields(QWidget):
    """The fields of one layer."""

    def __init__(self, session: Session, layering: Layering, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._layering = session, layering
        self.title = ElidedLabel()
        self.when = QComboBox()
        self.when.setAccessibleName("When the layer counts")
        for text, timed in (("always", False), ("for a time", True)):
            self.when.addItem(text, timed)
        self.when.activated.connect(lambda _: self._set_when(bool(self.when.currentData())))
        self.ends = SpanFields(
            session,
            "Layer",
            self._span,
            partial(self._edit, "set_layer_span"),
            entry=lambda _: "Set layer span",
            rows=(("start", "end"), ("ease_in", "ease_out")),
        )
        self.touches = ElidedLabel(colour="text_quiet")
        self.only = IconButton("bone", "Mask to the selected joints")
        self.all = IconButton("eraser", "Remove mask")
        self.merge = QPushButton("Merge down")
        self.merge.setToolTip("It and the next layer below that counts become one, which shows the same at every frame")
        self.keys = QPushButton("Convert samples to keys")
        self.keys.setToolTip("Few keys in the place of its samples, within half a degree and a millimetre of them")
        self.only.clicked.connect(layering.mask_selected)
        self.all.clicked.connect(lambda: layering.do("set_layer_mask", mask=None))
        self.merge.clicked.connect(layering.merge_down)
        self.keys.clicked.connect(layering.make_keys)
        self._arrange()

    def show_layer(self, actor: Actor | None, layer: Layer | None) -> None:
        """Show a layer as it is now; nothing without one."""
        self.setVisible(layer is not None)
        if actor is None or layer is None:
            return
        self.title.set_text(layer.name)
        span = layer.span
        self.when.setCurrentIndex(int(span is not None))
        self.ends.show_span(span)
        self.touches.set_text(mask_text(actor, layer))
        self.all.setEnabled(layer.mask is not None)
        self.follow_selection()

    def follow_selection(self) -> None:
        """Enable what can be done now."""
        layering = self._layering
        layer = layering.layer
        self.only.setEnabled(bool(layering.selected_joints))
        self.merge.setEnabled(layer is not None and not layer.mute and layering.below is not None)
        self.keys.setEnabled(layer is not None and layer.samples is not None)

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 2, 10, 6)
        column.setSpacing(3)
        column.addWidget(self.title)
        column.addLayout(_line("Counts", self.when))
        column.addWidget(self.ends)
        column.addLayout(_line("Touches", self.touches, self.only, self.all))
        buttons = QHBoxLayout()
        buttons.setSpacing(4)
        for button in (self.merge, self.keys):
            buttons.addWidget(button, 1)
        column.addLayout(buttons)
        column.addStretch(1)
        for button in (self.merge, self.keys):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def _set_when(self, timed: bool) -> None:
        layer = self._layering.layer
        if layer is None or timed == (layer.span is not None):
            return
        start, end = layer_extent(layer) or play_extent(self._session.document)
        if end <= start:
            start, end = play_extent(self._session.document)
        if timed:
            self._layering.do("set_layer_span", start=start, end=end)
        else:
            self._layering.do("set_layer_span")
        now = self._layering.layer
        self.when.setCurrentIndex(int(now is not None and now.span is not None))  # it may have been refused

    def _span(self) -> Span | None:
        layer = self._layering.layer
        return None if layer is None else layer.span

    def _edit(self, name: str, **arguments: object) -> Edit:
        owner, layer = self._layering.owner, self._layering.layer
        assert owner is not None, "shown only for one"
        assert layer is not None, "shown only for one"
        return edit(name, actor=owner.id, layer=layer.id, **arguments)


def mask_text(actor: Actor, layer: Layer) -> str:
    """Name the joints that a layer may touch."""
    if layer.mask is None:
        return "all joints"
    allowed = set(layer.mask)
    names = [
        joint.name
        for joint in actor.figure.joints
        if joint.dofs and any(allowed.issuperset(dof.coordinates) for dof in joint.dofs)
    ]
    return ", ".join(names) if 0 < len(names) <= 2 else f"{len(names) or 'no'} joints"


def _line(label: str, *widgets: QWidget) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setSpacing(4)
    line.addWidget(QLabel(label))
    for widget in widgets:
        line.addWidget(widget, int(not isinstance(widget, IconButton)))
    return line
