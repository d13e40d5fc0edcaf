"""LayersPanel: the layers of a figure, the uppermost first; beside them when and where the one worked on counts."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QMenu, QScrollArea, QVBoxLayout, QWidget

from app.features.layers.fields import LayerFields
from app.features.layers.row import LayerRow
from app.session import Session
from app.style.apply import current_theme
from app.style.elided_label import ElidedLabel
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from engine.document import Actor, Layer

BESIDE = 620  # [logical px] across from which on the fields stand beside the list
NARROW = 470  # below which rows leave out what can be done otherwise
FIELDS = 290  # [logical px] of the fields beside the list


class LayersPanel(Following):
    """The list of one figure's layers."""

    menu_asked = Signal(QMenu, str)  # to be filled with what can be done with a "layer"
    title = "Layers"
    help_text = """
<p>The motion of a figure is a list of layers, worked through from the bottom up. Each replaces what is below it or adds
to it, by its weight.</p>
<p>The key says where poses and keys go: to the uppermost layer that counts at the playhead, unless you click the key of
another. The eye mutes a layer, the headphones play it solo.</p>
<p>Click a layer to work on it, double-click or F2 renames it, drag it up or down, Del removes it; the right button
offers all else.</p>
<p>A layer may count <b>for a time</b>, eased in and out, and may touch <b>only the selected</b> joints. <b>Merge
down</b> makes one layer of it and the one below; <b>Convert samples to keys</b> turns samples into few keys of your
own.</p>
<p>Where a layer replaces, and where it adds, with its weight w, eased in and out (rotations along the
arc):</p>
<p class="equation">q ← (1 − w) q + w q<sub>layer</sub>, &nbsp;&nbsp; q ← q + w q<sub>layer</sub></p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self._layering = session, session.layering
        self.rows: list[LayerRow] = []
        self.name = ElidedLabel(colour="text_quiet")
        self.add = IconButton("plus", "Add a layer on top", action="layer.add")
        self.more = IconButton("ellipsis", "What can be done with the layer")
        self.add.clicked.connect(self._layering.add)
        self.more.clicked.connect(lambda: self._offer(self.more.mapToGlobal(self.more.rect().bottomLeft())))
        self.list = _LayerList()
        self.fields = LayerFields(session, self._layering)
        self._arrange()
        session.document_changed.connect(lambda old, new: self.follow())
        session.selection_changed.connect(lambda selection: self.follow())
        session.playhead_moved.connect(lambda time: self._follow_receiver())
        session.reaching.changed.connect(self._settle)
        self._layering.chosen.connect(self.follow)
        self._layering.rename_wished.connect(self._rename)
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(260, 150)

    def refresh(self) -> None:
        """Show the layers as they are now."""
        owner, current = self._layering.owner, self._layering.layer
        self.add.setEnabled(owner is not None)
        self.more.setEnabled(current is not None)
        self.name.set_text("No figure" if owner is None else owner.name)
        layers = () if owner is None else owner.layers
        self._make_rows(len(layers))
        for row, place in zip(self.rows, reversed(range(len(layers))), strict=True):
            self._show(row, owner, layers[place], place, current)
        self.fields.show_layer(owner, current)

    def _show(self, row: LayerRow, owner: Actor | None, layer: Layer, place: int, current: Layer | None) -> None:
        assert owner is not None, "it has layers"
        receives = owner.layer_for(self._session.playhead) is layer
        row.show_layer(owner, layer, place, current=layer is current, receives=receives)

    def _make_rows(self, count: int) -> None:
        while len(self.rows) > count:
            row = self.rows.pop()
            row.hide()
            row.deleteLater()
        while len(self.rows) < count:
            row = LayerRow(self._session)
            row.changed.connect(lambda layer, name, arguments: self._layering.do(name, layer=layer, **arguments))
            row.chosen.connect(self._layering.choose)
            row.received.connect(self._receive)
            row.renamed.connect(self._layering.rename)
            row.stepped.connect(self._step)
            row.removal_wanted.connect(self._remove)
            row.dragged.connect(self._drag)
            row.dropped.connect(self._drop)
            row.let_go.connect(lambda: self.list.mark(None))
            row.set_narrow(self._is_narrow)
            self.list.column.insertWidget(len(self.rows), row)
            self.rows.append(row)

    # Qt's events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= BESIDE
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._body.setDirection(way)
        self._side.setMinimumWidth(FIELDS if beside else 0)
        self._side.setMaximumWidth(FIELDS if beside else 16777215)
        self._side.setMaximumHeight(16777215 if beside else self.fields.sizeHint().height())
        for row in self.rows:
            row.set_narrow(self._is_narrow)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the layer below the pointer."""
        row = next((row for row in self.rows if _on_screen(row, event.globalPos())), None)
        if row is not None and row.layer is not None:
            self._layering.choose(row.layer.id)
            self._offer(event.globalPos())

    # Within

    @property
    def _is_narrow(self) -> bool:
        """True if the rows have little room, beside the fields where these stand there."""
        return self.width() - (FIELDS if self.width() >= BESIDE else 0) < NARROW

    def _arrange(self) -> None:
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(self.list)
        area.setMinimumHeight(40)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._side = QScrollArea()  # a low dock shows some of them
        self._side.setWidgetResizable(True)
        self._side.setWidget(self.fields)
        self._side.setMinimumHeight(1)  # less than Qt gives to a place that scrolls
        self._side.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        head = QHBoxLayout()
        head.setContentsMargins(12, 2, 8, 2)
        head.addWidget(self.name, 1)
        head.addWidget(self.add)
        head.addWidget(self.more)
        self._body = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._body.setSpacing(0)
        self._body.addWidget(area, 1)
        self._body.addWidget(self._side)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(self._body, 1)

    def _offer(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.menu_asked.emit(menu, "layer")
        menu.popup(at)

    def _rename(self) -> None:
        row = next((row for row in self.rows if row.layer is self._layering.layer), None)
        if row is not None:
            row.rename()

    def _remove(self, layer: str) -> None:
        self._layering.choose(layer)
        self._layering.remove()

    def _receive(self, layer: str) -> None:
        self._layering.receive(layer)
        self.follow()  # a click has turned the button already

    def _step(self, down: int) -> None:
        places = [place for place, row in enumerate(self.rows) if row.current]
        place = (places[0] if places else 0) + down
        if 0 <= place < len(self.rows) and self.rows[place].layer is not None:
            self._layering.choose(self.rows[place].layer.id)  # type: ignore[union-attr]
            self.rows[place].setFocus()

    def _follow_receiver(self) -> None:
        """Another time may have another layer that receives keys."""
        owner = self._layering.owner
        receiver = None if owner is None else owner.layer_for(self._session.playhead)
        if any(row.receives.isChecked() != (row.layer is receiver) for row in self.rows):
            self.follow()

    def _settle(self) -> None:
        for row in self.rows:
            row.hand.settle()
        self.fields.ends.settle()

    def _gap(self, y: int) -> int:
        """Return the number of the gap between rows that is nearest to a place on the screen; 0 is above all."""
        middles = [row.mapToGlobal(row.rect().center()).y() for row in self.rows]
        return sum(middle < y for middle in middles)

    def _drag(self, y: int) -> None:
        if not self.rows:
            return
        gap = self._gap(y)
        row = self.rows[min(gap, len(self.rows) - 1)]
        self.list.mark(row.geometry().top() if gap < len(self.rows) else row.geometry().bottom() + 1)

    def _drop(self, y: int) -> None:
        old = next((place for place, row in enumerate(self.rows) if row.current), None)
        layer = None if old is None else self.rows[old].layer
        if old is not None and layer is not None:
            gap = self._gap(y)
            new = gap - (gap > old)
            if new != old:
                self._layering.move(layer.id, len(self.rows) - 1 - new)


class _LayerList(QWidget):
    """The rows, and a line where a dragged one would come to stand."""

    def __init__(self) -> None:
        super().__init__()
        make_panel(self)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.column.addStretch(1)
        self._line = _Line(self)

    def mark(self, y: int | None) -> None:
        """Draw the line at a height, or none."""
        self._line.setVisible(y is not None)
        if y is not None:
            self._line.setGeometry(4, max(0, y - 1), self.width() - 8, 2)
            self._line.raise_()


class _Line(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(current_theme().accent))
        painter.end()


def _on_screen(widget: QWidget, at: QPoint) -> bool:
    return widget.rect().contains(widget.mapFromGlobal(at))
