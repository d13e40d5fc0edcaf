"""Retargeting: the motion of another figure of the scene, or of a file, on the one that is chosen; shown, then kept."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QLabel,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.features.keys.trial_card import TrialCard
from app.features.window import FileKind, FileQuestions
from app.session import Session
from app.session.gesture import EditOrCommand
from app.style.fonts import number_font
from app.style.row import row_of
from engine.commands.retarget import Pairs, Retargeted, RetargetMotion, moving, pairs_text, read_pairs, suggested
from engine.document import Actor
from engine.document.values import new_id
from engine.runtime.errors import EngineError

NO_SOURCE = "Import a capture, or add a figure that moves: then its motion can go onto another one."
NO_TARGET = "Add the figure that is to move, such as Add > Human."
NO_PAIRS = "No joint is known by its name: say in the table which follows which."
REST = "–"  # a joint that nothing leads
HEIGHT = 190  # [px] of the table
MAP = FileKind(name="map", title="Map of joints", endings={".joints": "Maps of joints"})


class RetargetFiles:
    """Asks for files of captures and of maps; `asking` is there once a window is."""

    asking: FileQuestions

    def __init__(self, session: Session) -> None:
        pass


class RetargetingCard(TrialCard):
    """The card that puts the motion of one figure onto another whose joints have other names."""

    hints = (NO_SOURCE, NO_TARGET, NO_PAIRS)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._files = session.of(RetargetFiles)
        self._seen: set[str] = {each.id for each in session.document.actors}
        self.source, self.target = QComboBox(), QComboBox()
        for box, name in ((self.source, "Motion of"), (self.target, "Onto")):
            box.setAccessibleName(name)
            box.activated.connect(lambda index: self._chosen())
        self.open_file = QPushButton("File…")
        self.open_file.setToolTip("Import a capture: BVH, ASF/AMC, FBX, glTF and others")
        self.open_file.clicked.connect(lambda: self._files.asking.choose_and_open())
        self.table = _JointTable()
        self.table.changed.connect(self._try_out)
        self.save, self.load, self.guess = QPushButton("Save…"), QPushButton("Load…"), QPushButton("By names")
        self.guess.setToolTip("Pair the joints as their names say")
        self.save.setToolTip("Keep this map of joints as a file")
        self.load.setToolTip("Take a map of joints from a file")
        self.save.clicked.connect(lambda: self._files.asking.place_of(MAP, self.source.currentText(), self.save_map))
        self.load.clicked.connect(lambda: self._files.asking.choose_of(MAP, self.load_map))
        self.guess.clicked.connect(self._guess)
        self.contacts = QCheckBox("Keep standing feet still")
        self.contacts.setToolTip("Feet and hands that stand still in the capture stay there, and sink nowhere")
        self.contacts.setChecked(True)
        self.contacts.clicked.connect(lambda on: self._try_out())
        self.look = QPushButton("Preview")
        self.look.clicked.connect(self._try_out)
        self.found = QLabel("–", wordWrap=True)
        self.found.setFont(number_font())
        self.found.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.found.setMinimumHeight(2 * self.found.fontMetrics().lineSpacing())  # so that buttons stay where they are
        self._known: tuple[object, object] = (None, None)  # figures whose joints the table shows
        files = row_of(self.guess, self.load, self.save)
        top = row_of(self.source, self.open_file, narrow=QPushButton)
        self._lay_out(named_row("Motion of", top), named_row("Onto", self.target), self.table, files, self.contacts,
                      self.look, self.found)  # fmt: skip
        self.refresh()

    def refresh(self) -> None:
        """Offer the figures that are there now."""
        actors = self._session.document.actors
        movers = [each for each in actors if not each.figure.is_prop and moving(each) is not None]
        bodies = [each for each in actors if not each.figure.is_prop]
        usual = next((each.id for each in movers if _recorded(each)), "")
        came = [each.id for each in movers if each.id not in self._seen and _recorded(each)]
        self._seen |= {each.id for each in actors}
        source = fill_box(self.source, movers, usual, came[-1] if came else None)
        others = [each for each in bodies if each.id != source]
        fill_box(self.target, others, next((each.id for each in others if not _recorded(each)), ""))
        self._show_joints()
        self.about.setText("")
        self.about.hide()
        self._follow()

    def aim(self, source: str | None, target: str | None) -> None:
        """Choose whose motion goes onto whom."""
        self.refresh()
        for box, id in ((self.source, source), (self.target, target)):
            if id is not None and box.findData(id) >= 0:
                box.setCurrentIndex(box.findData(id))
                self.refresh()

    def command(self) -> tuple[str, EditOrCommand] | str:
        """Return the history's label and the command, or the problem against it."""
        source, target = self.source.currentData(), self.target.currentData()
        if not source:
            return NO_SOURCE
        if not target:
            return NO_TARGET
        pairs = self.table.pairs
        if not pairs:
            return NO_PAIRS
        command = RetargetMotion(
            actor=target, source=source, id=new_id("layer"), pairs=pairs, keep_contacts=self.contacts.isChecked()
        )
        return command.label(self._session.document), command

    def save_map(self, path: Path) -> None:
        """Write the table to a file."""
        try:
            path.write_text(pairs_text(self.table.pairs), encoding="utf-8")
        except OSError as problem:
            self._session.note("error", f"The map was not written: {problem.strerror or problem}.")

    def load_map(self, path: Path) -> None:
        """Read the table from a file."""
        ends = self._ends()
        if ends is not None:
            try:
                self.table.show_pairs(*ends, read_pairs(path, ends[0].figure, ends[1].figure))
            except EngineError as problem:
                self._session.note("error", str(problem))
            else:
                self._try_out()

    def _chosen(self) -> None:
        self.refresh()
        if self.trial.open:
            self._try_out()

    def _guess(self) -> None:
        ends = self._ends()
        if ends is not None:
            self.table.show_pairs(*ends, suggested(ends[0].figure, ends[1].figure))
            self._follow()

    def _ends(self) -> tuple[Actor, Actor] | None:
        document, ids = self._session.document, (self.source.currentData(), self.target.currentData())
        if not all(each in document.actor_index for each in ids):
            return None
        return document.actor(ids[0]), document.actor(ids[1])

    def _show_joints(self) -> None:
        ends = self._ends()
        known = (None, None) if ends is None else (ends[0].figure, ends[1].figure)
        if known[0] is self._known[0] and known[1] is self._known[1]:
            return
        self._known = known
        if ends is None:
            self.table.setRowCount(0)
        else:
            self.table.show_pairs(*ends, suggested(ends[0].figure, ends[1].figure))

    def _show_state(self) -> None:
        super()._show_state()
        report = self.trial.report
        self.look.setEnabled(self.keeping.apply.isEnabled())
        for button in (self.save, self.load, self.guess):
            button.setEnabled(self.table.rowCount() > 0)
        if isinstance(report, Retargeted):
            slip = f"slide {1000.0 * report.slide:.1f} mm and sink {1000.0 * report.sink:.1f} mm at most"
            self.found.setText(f"{len(report.pairs)} joints, {report.contacts} contacts that {slip}")
        elif not self.trial.open:
            self.found.setText("–")


class _JointTable(QTableWidget):
    """Each joint of the figure, and the one of the capture that leads it."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__(0, 2)
        self.setAccessibleName("Joints")
        self.setHorizontalHeaderLabels(("Joint", "Follows"))
        self.verticalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.SelectedClicked
            | QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.setFixedHeight(HEIGHT)
        self._delegate = _Chooser(self)
        self.setItemDelegateForColumn(1, self._delegate)
        self._filling = False
        self.itemChanged.connect(lambda item: None if self._filling else self.changed.emit())

    @property
    def pairs(self) -> Pairs:
        """The pairs as they are shown, source before target."""
        found = []
        for row in range(self.rowCount()):
            joint, leader = self.item(row, 0), self.item(row, 1)
            if joint is not None and leader is not None and leader.text() != REST:
                found.append((leader.text(), joint.data(Qt.ItemDataRole.UserRole)))
        return tuple(found)

    def show_pairs(self, source: Actor, target: Actor, pairs: Pairs) -> None:
        """Show pairs: joints that are led first, in the order of the figure."""
        led = {b: a for a, b in pairs}
        joints = [each for each in target.figure.joints if each.dofs or each.id in led]
        joints.sort(key=lambda each: each.id not in led)
        self._delegate.names = (REST, *(each.id for each in source.figure.joints))
        self._filling = True
        self.setRowCount(len(joints))
        for row, joint in enumerate(joints):
            name = QTableWidgetItem(joint.name)
            name.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            name.setData(Qt.ItemDataRole.UserRole, joint.id)
            self.setItem(row, 0, name)
            self.setItem(row, 1, QTableWidgetItem(led.get(joint.id, REST)))
        self.resizeColumnToContents(0)
        self._filling = False


class _Chooser(QStyledItemDelegate):
    """Offers the joints of the capture."""

    names: tuple[str, ...] = ()

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        box = QComboBox(parent)
        box.addItems(self.names)
        box.activated.connect(lambda at: self._take(box))
        return box

    def _take(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        assert isinstance(editor, QComboBox), "made here"
        editor.setCurrentText(index.data())
        editor.showPopup()


def _recorded(actor: Actor) -> bool:
    """True if it moves as it was recorded, which is what a capture does."""
    return any(layer.samples is not None for layer in actor.layers)


def fill_box(box: QComboBox, actors: list[Actor], usual: str, chosen: str | None = None) -> str:
    """Offer actors; the id of the one that is then chosen: this one, the one that was, else the usual one."""
    kept = chosen or box.currentData()
    wanted = [(each.name, each.id) for each in actors]
    if [(box.itemText(at), box.itemData(at)) for at in range(box.count())] != wanted:
        box.clear()
        for name, id in wanted:
            box.addItem(name, id)
    ids = [id for _, id in wanted]
    found = kept if kept in ids else usual if usual in ids else ids[0] if ids else ""
    if found:
        box.setCurrentIndex(ids.index(found))
    return found


def named_row(text: str, widget: QWidget) -> QWidget:
    """A widget behind its name."""
    label = QLabel(text)
    label.setMinimumWidth(64)
    return row_of(label, widget)
