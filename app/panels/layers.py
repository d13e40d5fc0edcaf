"""LayersPanel: the layers of the chosen figure, the uppermost first: in or out, alone, how, how much, in what order."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.session import Session
from app.style.elided_label import ElidedLabel
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from engine.document import Actor, Document, Layer
from engine.document.values import new_id
from engine.edits import edit

MODES = (("replace", "Replace"), ("add", "Add"))
LEAVE_OUT, COUNT_AGAIN = "Leave out", "Let it count"
WEIGHTS = (1.0, 0.75, 0.5, 0.25, 0.0)


class LayersPanel(Following):
    """The list of one figure's layers."""

    title = "Layers"
    help_text = """
<p>The motion of a figure is a list of layers, worked through from the bottom up. Each replaces what is below it or adds
to it, by its weight.</p>
<p>The eye leaves a layer out, the headphones play it alone, the arrows move it. The layer that is chosen is the one
that sliders and drags change.</p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session = session
        self._layers: tuple[Layer, ...] = ()
        self.rows: list[LayerRow] = []
        self.name = ElidedLabel(colour="text_quiet")
        self.add = IconButton("plus", "Add a layer on top")
        self.add.clicked.connect(self._add)
        ground = QWidget()
        make_panel(ground)
        self._column = QVBoxLayout(ground)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(ground)
        head = QHBoxLayout()
        head.setContentsMargins(12, 2, 8, 2)
        head.addWidget(self.name, 1)
        head.addWidget(self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(area, 1)
        session.document_changed.connect(lambda old, new: self.follow())
        session.selection_changed.connect(lambda selection: self.follow())
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(260, 130)

    def _actor(self, document: Document) -> Actor | None:
        active = self._session.selection.active
        chosen = [actor for actor in document.actors if active is not None and actor.id == active.actor]
        return next(iter([*chosen, *document.actors]), None)

    def refresh(self) -> None:
        """Show the layers as they are now."""
        actor = self._actor(self._session.document)
        self.add.setEnabled(actor is not None)
        self.name.set_text("No figure" if actor is None else actor.name)
        layers = () if actor is None else actor.layers
        if layers is self._layers:
            return
        self._layers = layers
        while len(self.rows) > len(layers):
            row = self.rows.pop()
            row.hide()
            row.deleteLater()
        while len(self.rows) < len(layers):
            row = LayerRow()
            row.changed.connect(self._change)
            self._column.insertWidget(len(self.rows), row)
            self.rows.append(row)
        for row, place in zip(self.rows, reversed(range(len(layers))), strict=True):
            row.show_layer(layers[place], place, len(layers))

    def _change(self, layer: str, name: str, arguments: dict[str, object]) -> None:
        actor = self._actor(self._session.document)
        if actor is not None:
            self._session.do(edit(name, actor=actor.id, layer=layer, **arguments))

    def _add(self) -> None:
        actor = self._actor(self._session.document)
        if actor is not None:
            number = len(actor.layers) + 1
            self._session.do(edit("add_layer", actor=actor.id, layer=Layer(id=new_id("layer"), name=f"Layer {number}")))


class LayerRow(QWidget):
    """One layer: what can be set of it. Kept from document to document; only what differs is shown anew."""

    changed = Signal(str, str, dict)  # layer; name and arguments of the edit that a person wants

    def __init__(self) -> None:
        super().__init__()
        self.layer: Layer | None = None
        self._place, self._count = 0, 0
        self.shown = IconButton("eye", LEAVE_OUT)
        self.alone = IconButton("headphones", "Alone")
        self.alone.setCheckable(True)
        self.name = ElidedLabel()
        self.kind = QLabel()
        self.kind.setProperty("quiet", True)
        self.mode, self.weight = QComboBox(), QComboBox()
        self.mode.setToolTip("Take the place of what is below, or add to it")
        self.weight.setToolTip("How much it counts")
        for mode, text in MODES:
            self.mode.addItem(text, mode)
        self.up, self.down = IconButton("chevron-up", "Further up"), IconButton("chevron-down", "Further down")
        self.remove = IconButton("trash-2", "Remove")
        line = QHBoxLayout(self)
        line.setContentsMargins(8, 1, 8, 1)
        line.setSpacing(4)
        widgets = (
            self.shown,
            self.alone,
            self.name,
            self.kind,
            self.mode,
            self.weight,
            self.up,
            self.down,
            self.remove,
        )
        for widget in widgets:
            line.addWidget(widget, 1 if widget is self.name else 0)
        self._connect()

    def show_layer(self, layer: Layer, place: int, count: int) -> None:
        """Show a layer that stands at a place of the list, the lowest being 0."""
        if layer is self.layer and (place, count) == (self._place, self._count):
            return
        self.layer, self._place, self._count = layer, place, count
        self.shown.set_icon("eye-off" if layer.mute else "eye")
        self.shown.set_tip(COUNT_AGAIN if layer.mute else LEAVE_OUT)
        self.alone.setChecked(layer.solo)
        self.name.set_text(layer.name)
        self.name.set_colour("text_faint" if layer.mute else "text")
        self.kind.setText(_kind(layer))
        self.mode.setAccessibleName(f"How {layer.name} counts")
        self.mode.setCurrentIndex([mode for mode, _ in MODES].index(layer.mode))
        self.weight.setAccessibleName(f"How much {layer.name} counts")
        self._show_weight(layer.weight)
        self.up.setEnabled(place < count - 1)
        self.down.setEnabled(place > 0)

    def _show_weight(self, weight: float) -> None:
        choices = sorted({*WEIGHTS, weight}, reverse=True)
        if choices != [self.weight.itemData(place) for place in range(self.weight.count())]:
            self.weight.clear()
            for each in choices:
                self.weight.addItem(f"{each * 100:.0f} %", each)
        self.weight.setCurrentIndex(choices.index(weight))

    def _connect(self) -> None:
        self.shown.clicked.connect(lambda: self._ask("mute_layer", mute=self.shown.toolTip() == LEAVE_OUT))
        self.alone.clicked.connect(lambda: self._ask("solo_layer", solo=self.alone.isChecked()))
        self.mode.activated.connect(lambda place: self._ask("set_layer_mode", mode=self.mode.itemData(place)))
        self.weight.activated.connect(lambda place: self._ask("set_layer_weight", weight=self.weight.itemData(place)))
        self.up.clicked.connect(lambda: self._ask("move_layer", index=self._place + 1))
        self.down.clicked.connect(lambda: self._ask("move_layer", index=self._place - 1))
        self.remove.clicked.connect(lambda: self._ask("remove_layer"))

    def _ask(self, name: str, **arguments: object) -> None:
        if self.layer is not None:
            self.changed.emit(self.layer.id, name, arguments)


def _kind(layer: Layer) -> str:
    """What the layer holds, in a word."""
    if layer.samples is not None:
        return f"{layer.samples.frame_count} frames"
    if layer.tracks:
        count = sum(len(track.keys) for track in layer.tracks)
        return f"{count} key{'' if count == 1 else 's'}"
    return "pose"
