"""InspectorPanel: the numbers of what is chosen, live."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.features.feature import Features
from app.features.inspecting import InspectorPage
from app.features.inspector.page import Page
from app.session import EngineState, LogEntry, Selection, Session
from app.style.grounds import make_panel
from app.style.hint import paint_hint
from engine.document import Document

EMPTY = "Click a body part, or choose one in the outliner, to see and set its angles."


class InspectorPanel(QWidget):
    """The fields of the chosen joint, or of the chosen actor folded by joint."""

    title = "Inspector"
    help_text = """
<p>The numbers of what is selected: the joints of a figure in degrees, where a prop stands, what a pin holds.</p>
<p>Drag a slider to change a value, with Ctrl for a tenth of the way and with Shift in whole steps. To type one, click
the number or press Enter. The ends of a slider are the joint's limits. A double click puts a value back.</p>
<p>Where the layer that is posed has keys, a change sets a key at the present time.</p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session = session
        self._unfolded = {"placement"}
        self._makers = (*(each for feature in session.of(Features).all for each in feature.pages), Page.of)
        self.page: InspectorPage | None = None
        self.waiting = QLabel(wordWrap=True)
        self.waiting.setProperty("quiet", True)
        self.waiting.setContentsMargins(14, 2, 14, 8)
        self.area = _Area()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.waiting)
        column.addWidget(self.area, 1)
        session.selection_changed.connect(self._follow_selection)
        session.document_changed.connect(lambda old, new: self._follow(new))
        session.preview_changed.connect(self._follow)
        session.references.chosen_changed.connect(lambda: self._follow(session.shown))
        session.engine_changed.connect(self._follow_engine)
        session.logged.connect(self._settle, Qt.ConnectionType.QueuedConnection)
        self._follow_engine(session.engine_state)
        self._follow(session.shown)

    def sizeHint(self) -> QSize:
        return QSize(300, 480)

    def _follow_selection(self, selection: Selection) -> None:
        self._follow(self._session.shown)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow(self._session.shown)

    def _follow(self, document: Document) -> None:
        """Show what is chosen; while nobody sees the panel, nothing is made for it."""
        if not self.isVisible():
            return
        found = (make(self._session, document, self._unfolded, self.page) for make in self._makers)
        page = next((each for each in found if each is not None), None)
        if page is not self.page:
            self._put(page)

    def _put(self, page: InspectorPage | None) -> None:
        old = self.page
        if old is not None:
            old.hide()  # a gesture that is open in it ends here
            self.area.takeWidget()
            self.area.verticalScrollBar().setRange(0, 0)  # Qt leaves the bar of what was taken away
            old.deleteLater()
        self.page = page
        if page is not None:
            page.setEnabled(self._session.engine_state.ready)
            self.area.setWidget(page)
        self.area.viewport().update()

    def _follow_engine(self, state: EngineState) -> None:
        self.waiting.setText(f"{state.text}. Joints can be turned when it is done.")
        self.waiting.setVisible(not state.ready)
        if self.page is not None:
            self.page.setEnabled(state.ready)

    def _settle(self, entry: LogEntry) -> None:
        if entry.kind == "error" and self.page is not None:
            self.page.settle()


class _Area(QScrollArea):
    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.widget() is None:
            paint_hint(self, EMPTY, "sliders-horizontal")
