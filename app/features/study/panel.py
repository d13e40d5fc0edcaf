"""StudyPanel: the study that is open, how far it is, and its table as a chart."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QLabel,
    QLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.features.study.chart import StudyChart
from app.features.study.running import StudyRun
from app.session import Session
from app.style.elided_label import ElidedLabel
from app.style.following import Following
from app.style.fonts import scaled
from app.style.grounds import make_panel
from app.style.row import row_of
from engine.runtime.time_left import in_words

NONE = "No study"
HINT = (
    "A study does a scene many times with other numbers, and measures each. Open one: the help of this panel says what "
    "it is, and docs/sweeps.md how it is written."
)
SIDE = 250  # [px]
BESIDE = 560  # [px] from which on the chart stands beside the study, not below it
NARROWEST = 200  # [px]
WIDEST = 16_777_215  # [px] a widget without a limit, as Qt has it
EVERY = 100  # [ms] that rows are drawn, which come by the thousand where a table is gone on with


class StudyPanel(Following):
    """The dock."""

    title = "Study"
    action_asked = Signal(str)  # id of an action
    help_text = """
<p>A <b>study</b> does a scene many times, each time with other numbers, measures it, and writes one table: how far a
ball swings by the stiffness of its chain, how hard a punch hits by its timing.</p>
<p>It is a small text (TOML) that names the scene, edits of it as the log has them, which of their arguments vary and
how, and what is measured of each run, by the quantities of the Plot panel. File &gt; Open study runs it on all cores of
this machine; the table lies beside it as CSV, and each row can be opened as a document
(<i>sinew sweep STUDY --row 4 --save FILE</i>).</p>
<p>A run that is cancelled keeps its rows, and <b>Run</b> goes on from there. The chart has a result against a
parameter, with a line for each choice of the others. With the address of a Dask scheduler its workers do the runs.</p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._study = session.of(StudyRun)
        self.name = ElidedLabel()
        self.open, self.run, self.cancel = QPushButton("Open…"), QPushButton("Run"), QPushButton("Cancel")
        self.bar, self.left, self.said = QProgressBar(), QLabel(wordWrap=True), QLabel(wordWrap=True)
        self.across, self.up, self.cluster = QComboBox(), QComboBox(), QLineEdit(self._study.cluster)
        self.chart, self.hint = StudyChart(), QLabel(HINT, wordWrap=True)
        self.legend = QLabel(textFormat=Qt.TextFormat.RichText, wordWrap=True)
        self.legend.setProperty("quiet", True)
        self._arrange()
        self.open.clicked.connect(lambda: self.action_asked.emit("study.open"))
        self.run.clicked.connect(self._study.run)
        self.cancel.clicked.connect(self._study.cancel)
        self.across.currentIndexChanged.connect(lambda index: self._draw())
        self.up.currentIndexChanged.connect(lambda index: self._draw())
        self.cluster.editingFinished.connect(lambda: self._study.set_cluster(self.cluster.text()))
        self._study.cluster_changed.connect(lambda: self.cluster.setText(self._study.cluster))
        self._soon = QTimer(self, singleShot=True, interval=EVERY)
        self._soon.timeout.connect(self.follow)
        self._study.changed.connect(self._follow_soon)
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(640, 200)

    def minimumSizeHint(self) -> QSize:
        """Leave as little room as it can be laid out in, however it is laid out now."""
        return QSize(scaled(NARROWEST), 110)

    def refresh(self) -> None:
        """Show the study and what is known of it."""
        study = self._study
        self.name.set_text(NONE if study.path is None else study.path.name)
        self.run.setEnabled(study.path is not None)
        self.run.setVisible(not study.running)
        self.cancel.setVisible(study.running)
        self.open.setEnabled(not study.running)
        self.bar.setVisible(study.running)
        self.bar.setValue(round(1000 * study.share))
        left = study.left.left() if study.rows else None
        self.left.setText(f"Row {len(study.rows)} of {study.count}" if study.count else "")
        if study.is_whole:
            self.left.setText(f"{study.count} rows, kept as CSV beside it")
        elif left is not None and study.running:
            self.left.setText(f"{self.left.text()}, {in_words(left)}")
        self.said.setText(study.problem)
        self.said.setVisible(bool(study.problem))
        self.hint.setVisible(study.path is None)
        self.choices.setVisible(bool(study.parameters))
        self.chart.setVisible(bool(study.rows))
        for box, names in ((self.across, study.parameters), (self.up, study.results)):
            if names and names != tuple(box.itemText(row) for row in range(box.count())):
                box.blockSignals(True)
                box.clear()
                box.addItems(list(names))
                box.blockSignals(False)
            box.setEnabled(bool(names))
        self._draw()

    def _follow_soon(self) -> None:
        if not self._study.running:
            self._soon.stop()
            self.follow()
        elif not self._soon.isActive():
            self._soon.start()

    def _draw(self) -> None:
        study = self._study
        across, up = self.across.currentIndex(), self.up.currentIndex()
        rows = [study.rows[number] for number in sorted(study.rows)] if min(across, up) >= 0 else []
        self.chart.show_rows(rows, max(across, 0), max(up, 0))
        others = ", ".join(each for place, each in enumerate(study.parameters) if place != across)
        dots = (f'<span style="color:{colour}">●</span>&nbsp;{escape(name)}' for colour, name in self.chart.legend)
        shown = "&ensp; ".join(dots)
        self.legend.setText(f"{escape(others)}&ensp; {shown}" if shown else "")
        self.legend.setVisible(bool(shown))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay both parts side by side where there is room."""
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        wide = self.width() >= scaled(BESIDE)
        self._whole.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        self._side.setMaximumWidth(scaled(SIDE) if wide else WIDEST)
        self._side.setMinimumWidth(scaled(SIDE) if wide else 0)

    def _arrange(self) -> None:
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.said.setProperty("warned", True)
        self.bar.setAccessibleName("How far the study is")
        self.run.setToolTip("Work out the rows that are not in the table yet")
        self.cancel.setToolTip("End it; its rows are kept, and Run goes on from there")
        self.cluster.setPlaceholderText("on this machine")
        self.cluster.setToolTip("A Dask scheduler, such as tcp://10.0.0.5:8786, whose workers do the runs")
        self.cluster.setAccessibleName("Address of a cluster")
        for box, name in ((self.across, "Parameter"), (self.up, "Result")):
            box.setAccessibleName(name)
            box.setMinimumContentsLength(6)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.left.setProperty("quiet", True)
        self.hint.setProperty("faint", True)
        self._side = side = QWidget()
        make_panel(side)
        column = QVBoxLayout(side)
        column.setContentsMargins(12, 6, 8, 6)
        column.setSpacing(4)
        for widget in (self.name, row_of(self.open, self.run, self.cancel), self.bar, self.left, self.said):
            column.addWidget(widget)
        column.addStretch(1)
        column.addWidget(row_of(QLabel("Cluster"), self.cluster))
        right = QWidget()
        make_panel(right)
        beside = QVBoxLayout(right)
        beside.setContentsMargins(12, 6, 8, 4)
        beside.setSpacing(4)
        against = QLabel("against")
        against.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.choices = row_of(self.up, against, self.across, narrow=())
        for widget in (self.choices, self.legend, self.hint):
            beside.addWidget(widget)
        beside.addWidget(self.chart, 1)
        beside.addStretch(0)
        self._whole = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._whole.setContentsMargins(0, 0, 0, 0)
        self._whole.setSpacing(0)
        self._whole.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._whole.addWidget(side)
        self._whole.addWidget(right, 1)
        self._lay_out()
