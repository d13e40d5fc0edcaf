"""LayersPanel: the layers of the chosen figure, the uppermost first: in or out, alone, how, how much, in what order."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.session import Session
from app.style.elided_label import ElidedLabel
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from engine.document import Actor, Document, Layer
from engine.document.values import new_id
from engine.edits import edit

MODES = (("replace", "Replace"), ("add", "Add"))
WEIGHTS = (1.0, 0.75, 0.5, 0.25, 0.0)


class LayersPanel(QWidget):
    """The list of one figure's layers."""

    title = "Layers"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session = session
        self._shown: tuple[str, tuple[Layer, ...]] | None = None
        self.name = ElidedLabel(colour="text_quiet")
        self.add = IconButton("plus", "Add a layer on top")
        self.add.clicked.connect(self._add)
        self._rows = QWidget()
        make_panel(self._rows)
        self._column = QVBoxLayout(self._rows)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(self._rows)
        head = QHBoxLayout()
        head.setContentsMargins(12, 2, 8, 2)
        head.addWidget(self.name, 1)
        head.addWidget(self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(area, 1)
        session.document_changed.connect(lambda old, new: self._follow(new))
        session.selection_changed.connect(lambda selection: self._follow(session.document))
        self._follow(session.document)

    def sizeHint(self) -> QSize:
        return QSize(260, 130)

    def _actor(self, document: Document) -> Actor | None:
        active = self._session.selection.active
        chosen = [actor for actor in document.actors if active is not None and actor.id == active.actor]
        return next(iter([*chosen, *document.actors]), None)

    def _follow(self, document: Document) -> None:
        actor = self._actor(document)
        self.add.setEnabled(actor is not None)
        shown = None if actor is None else (actor.id, actor.layers)
        if shown == self._shown and actor is not None:
            return
        self._shown = shown
        self.name.set_text("No figure" if actor is None else actor.name)
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        if actor is not None:
            for layer in reversed(actor.layers):
                self._column.addWidget(self._row(actor, layer))
        self._column.addStretch(1)

    def _row(self, actor: Actor, layer: Layer) -> QWidget:
        row, place = QWidget(), actor.layers.index(layer)
        line = QHBoxLayout(row)
        line.setContentsMargins(8, 1, 8, 1)
        line.setSpacing(4)
        shown = IconButton("eye-off" if layer.mute else "eye", "Leave out" if not layer.mute else "Let it count")
        shown.clicked.connect(partial(self._change, actor, layer, "mute_layer", mute=not layer.mute))
        alone = IconButton("headphones", "Alone")
        alone.setCheckable(True)
        alone.setChecked(layer.solo)
        alone.clicked.connect(partial(self._change, actor, layer, "solo_layer", solo=not layer.solo))
        name = ElidedLabel(colour="text_faint" if layer.mute else "text")
        name.set_text(layer.name)
        up, down = IconButton("chevron-up", "Further up"), IconButton("chevron-down", "Further down")
        up.setEnabled(place < len(actor.layers) - 1)
        down.setEnabled(place > 0)
        up.clicked.connect(partial(self._change, actor, layer, "move_layer", index=place + 1))
        down.clicked.connect(partial(self._change, actor, layer, "move_layer", index=place - 1))
        remove = IconButton("trash-2", "Remove")
        remove.clicked.connect(partial(self._change, actor, layer, "remove_layer"))
        for widget in (shown, alone):
            line.addWidget(widget)
        line.addWidget(name, 1)
        line.addWidget(_kind(layer))
        line.addWidget(self._mode(actor, layer))
        line.addWidget(self._weight(actor, layer))
        for widget in (up, down, remove):
            line.addWidget(widget)
        return row

    def _mode(self, actor: Actor, layer: Layer) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(f"How {layer.name} counts")
        box.setToolTip("Take the place of what is below, or add to it")
        for mode, text in MODES:
            box.addItem(text, mode)
        box.setCurrentIndex([mode for mode, _ in MODES].index(layer.mode))
        box.activated.connect(lambda place: self._change(actor, layer, "set_layer_mode", mode=str(box.itemData(place))))
        return box

    def _weight(self, actor: Actor, layer: Layer) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(f"How much {layer.name} counts")
        box.setToolTip("How much it counts")
        for weight in sorted({*WEIGHTS, layer.weight}, reverse=True):
            box.addItem(f"{weight * 100:.0f} %", weight)
        box.setCurrentIndex(box.findData(layer.weight))
        box.activated.connect(
            lambda place: self._change(actor, layer, "set_layer_weight", weight=float(box.itemData(place)))
        )
        return box

    def _change(self, actor: Actor, layer: Layer, name: str, *_: object, **arguments: object) -> None:
        self._session.do(edit(name, actor=actor.id, layer=layer.id, **arguments))

    def _add(self) -> None:
        actor = self._actor(self._session.document)
        if actor is not None:
            number = len(actor.layers) + 1
            self._session.do(edit("add_layer", actor=actor.id, layer=Layer(id=new_id("layer"), name=f"Layer {number}")))


def _kind(layer: Layer) -> QLabel:
    """What the layer holds, in a word."""
    if layer.samples is not None:
        text = f"{layer.samples.frame_count} frames"
    elif layer.tracks:
        text = f"{sum(len(track.keys) for track in layer.tracks)} keys"
    else:
        text = "pose"
    label = QLabel(text)
    label.setProperty("quiet", True)
    return label
