"""FigurePanel: the figure editor's numbers. It shows the joint that was selected last."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.features.figure.page import JointPage, form_of
from app.session import EngineState, LogEntry, Session
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.hint import paint_hint
from engine.document import Actor, Document

EMPTY = "Click a body part to see what its joint is made of. Add > Empty figure begins one from nothing."
BEGIN, END = "Edit figure", "Done: show the pose"


class FigurePanel(Following):
    """The panel of the chosen joint: its parts, as fields."""

    title = "Figure"
    help_text = (
        "<p>What a figure is made of, joint by joint. <b>Edit figure</b> (Shift+E) shows it at rest, so that joints "
        "and end-effectors can be dragged in the views; the same again shows the pose.</p>"
        "<p>Add a bone (Shift+B), split it, make its other side, hang it on another joint (select both, then Ctrl+P), "
        "or delete it (Shift+Del). <b>Freedom</b> says how the joint moves and how far, and its damping and its spring "
        "in physics, &tau; = k (q₀ &minus; q), as of a disc; <b>Drivers</b> which "
        "of its values follow those of other joints, as a kneecap follows its knee; <b>Place</b> where it stands in "
        "its parent; <b>Body</b> what it looks like and weighs; <b>End-effectors</b> by which places it is "
        "dragged.</p><p>Every number can be dragged or typed, and undone. File > Save figure as… keeps the figure for "
        "other scenes.</p>"
        "<p>Where a joint's frame is: in its parent's, moved by its offset d, turned at rest by R, then by its own "
        "degrees of freedom in their order.</p>"
        "<p class='equation'>T<sub>joint</sub> = T<sub>parent</sub> · d · R · A₁(q₁) A₂(q₂) A₃(q₃)</p>"
    )

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session = session
        self._unfolded = {"freedom", "place", "body"}
        self.page: JointPage | None = None
        self.edit = QPushButton(BEGIN)
        self.edit.setCheckable(True)
        self.edit.setToolTip("Show the figure at rest and drag its joints (Shift+E)")
        self.edit.clicked.connect(self._toggle)
        self.area = _JointArea()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(4)
        head = QVBoxLayout()
        head.setContentsMargins(12, 0, 12, 0)
        head.addWidget(self.edit)
        column.addLayout(head)
        column.addWidget(self.area, 1)
        session.selection_changed.connect(lambda _: self.follow())
        session.document_changed.connect(lambda old, new: self.follow())
        session.preview_changed.connect(lambda _: self.follow())
        session.editing_changed.connect(lambda _: self.follow())
        session.engine_changed.connect(self._follow_engine)
        session.logged.connect(self._settle, Qt.ConnectionType.QueuedConnection)
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(300, 480)

    def refresh(self) -> None:
        """Show the joint that was selected last."""
        document = self._session.shown
        found = _chosen(document, self._session)
        editing = self._session.editing is not None
        self.edit.setChecked(editing)
        self.edit.setText(END if editing else BEGIN)
        self.edit.setEnabled(editing or found is not None)
        if found is None:
            self._put(None)
            return
        actor, joint = found
        if self.page is None or self.page.form != form_of(actor, actor.figure.joint(joint)):
            self._put(JointPage(self._session, actor, actor.figure.joint(joint), self._unfolded))
        elif self.page is not None:
            self.page.show_figure(actor.figure)

    def _put(self, page: JointPage | None) -> None:
        old = self.page
        if old is None and page is None:
            return
        place = self.area.verticalScrollBar().value()
        same = old is not None and page is not None and old.joint == page.joint
        if old is not None:
            old.hide()  # a gesture that is open in it ends here
            self.area.takeWidget()
            self.area.verticalScrollBar().setRange(0, 0)  # Qt leaves the bar of what was taken away
            old.deleteLater()
        self.page = page
        if page is not None:
            self.area.setWidget(page)
            page.adjustSize()
            if same:
                self.area.verticalScrollBar().setValue(place)
        self._follow_engine(self._session.engine_state)
        self.area.viewport().update()

    def _follow_engine(self, state: EngineState) -> None:
        document = self._session.document
        if self.page is not None and self.page.actor in document.actor_index:  # else the page goes with its actor
            self.page.setEnabled(state.ready and not document.actor(self.page.actor).frozen)

    def _settle(self, entry: LogEntry) -> None:
        if entry.kind == "error" and self.page is not None:
            self.page.settle()

    def _toggle(self) -> None:
        found = _chosen(self._session.document, self._session)
        self._session.edit_figure(None if self._session.editing is not None or found is None else found[0].id)


def _chosen(document: Document, session: Session) -> tuple[Actor, str] | None:
    """Return the joint that was selected last; the root of an actor that was selected as a whole."""
    active = session.selection.active
    if active is None or active.actor not in document.actor_index:
        return None
    actor = document.actor(active.actor)
    joint = actor.figure.joints[0].id if active.part is None else active.part
    return (actor, joint) if joint in actor.figure.joint_index else None


class _JointArea(QScrollArea):
    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.widget() is None:
            paint_hint(self, EMPTY, "bone")
