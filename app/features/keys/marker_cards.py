"""Cards of captured markers: a figure fitted to them, and scaled to the person who wore them; shown, then kept."""

from __future__ import annotations

import math
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.features.keys.retargeting import RetargetFiles, fill_box, named_row
from app.features.keys.trial_card import TrialCard
from app.features.window import FileKind
from app.session import Session
from app.session.gesture import EditOrCommand
from app.style.fonts import number_font
from app.style.row import row_of
from app.style.units import Unit
from engine.commands.fit_markers import (
    FitMarkers,
    FittedMarkers,
    ScaledToMarkers,
    ScaleToMarkers,
    marker_pairs,
    wearers,
)
from engine.document import Actor
from engine.document.capture import MarkerGaps
from engine.document.values import new_id

NO_CAPTURE = "Import captured markers: a .trc or .c3d file."
NO_WEARER = "Add the figure that wore them: an OpenSim model, or one whose end-effectors have the markers' names."
NO_NAMES = "No marker has the name of an end-effector of the figure: rename these in the Figure panel."
BAD_WEIGHT = "A weight is a number of 0 and above."
ERRORS = FileKind(name="errors", title="Save errors of markers", endings={".csv": "Tables of numbers"})
HEIGHT = 216  # [px] of the table
KILOGRAMS = Unit(suffix=" kg", words="kilograms", scale=1.0, decimals=1, step=0.5, coarse=5.0)
HEAVIEST = 400.0  # [kg]
MARKER, WEIGHT, ERROR = range(3)  # columns


class MarkerCard(TrialCard):
    """The common part: whose markers, and the figure that wore them."""

    hints = (NO_CAPTURE, NO_WEARER, NO_NAMES)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.source, self.target = QComboBox(), QComboBox()
        for box, name in ((self.source, "Markers of"), (self.target, "Figure")):
            box.setAccessibleName(name)
            box.activated.connect(lambda index: self._chosen())
        self.open_file = QPushButton("File…")
        self.open_file.setToolTip("Import captured markers (TRC, C3D) or an OpenSim model")
        self.open_file.clicked.connect(lambda: session.of(RetargetFiles).asking.choose_and_open())
        self.look = QPushButton("Preview")
        self.look.clicked.connect(self._try_out)
        self.found = QLabel("–", wordWrap=True)
        self.found.setFont(number_font())
        self.found.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.found.setMinimumHeight(3 * self.found.fontMetrics().lineSpacing())
        top = row_of(self.source, self.open_file, narrow=QPushButton)
        self.rows: tuple[QWidget, ...] = (named_row("Markers of", top), named_row("Figure", self.target))

    def refresh(self) -> None:
        """Offer the captures and figures that are there now."""
        document = self._session.document
        captures = [each for each in document.actors if each.part(MarkerGaps) is not None]
        fill_box(self.source, captures, captures[-1].id if captures else "")
        owners = list(wearers(document))
        fitting = [each.id for each in owners if self._pairs(each)]
        fill_box(self.target, owners, next(iter(fitting), ""))
        self.about.hide()
        self._show_pairs()
        self._follow()

    def aim(self, chosen: list[str]) -> None:
        """Choose among the actors that are selected."""
        for box in (self.source, self.target):
            at = next((box.findData(id) for id in chosen if box.findData(id) >= 0), -1)
            if at >= 0:
                box.setCurrentIndex(at)
        self.refresh()

    def _chosen(self) -> None:
        self.refresh()
        if self.trial.open:
            self._try_out()

    def _actor(self, box: QComboBox) -> Actor | None:
        document, id = self._session.document, box.currentData()
        return document.actor(id) if id in document.actor_index else None

    def _pairs(self, owner: Actor | None) -> tuple[tuple[str, str | None], ...]:
        """The markers that have a handle on a figure."""
        capture = self._actor(self.source)
        if capture is None or owner is None:
            return ()
        return tuple(pair for pair in marker_pairs(capture, owner) if pair[1] is not None)

    def _problem(self) -> str:
        """Say what stands against the change."""
        if self._actor(self.source) is None:
            return NO_CAPTURE
        if self._actor(self.target) is None:
            return NO_WEARER
        return "" if self._pairs(self._actor(self.target)) else NO_NAMES

    def _show_pairs(self) -> None:
        """Show who answers to whom."""

    def _show_state(self) -> None:
        super()._show_state()
        self.look.setEnabled(self.keeping.apply.isEnabled())


class FittingCard(MarkerCard):
    """The card that moves a figure so that its handles follow captured markers."""

    hints = (*MarkerCard.hints, BAD_WEIGHT)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.table = WeightTable()
        self.table.changed.connect(self._follow)
        self.keep_errors = QPushButton("Save errors…")
        self.keep_errors.setToolTip("How far each marker is from the figure in each frame, as CSV")
        self.keep_errors.clicked.connect(self._ask_where)
        self._lay_out(*self.rows, self.table, self.look, self.found, self.keep_errors)
        self.refresh()

    def command(self) -> tuple[str, EditOrCommand] | str:
        """Return the history's label and the command, or the problem against it."""
        problem, weights = self._problem(), self.table.weights
        if problem or weights is None:
            return problem or BAD_WEIGHT
        command = FitMarkers(
            actor=self.target.currentData(),
            source=self.source.currentData(),
            id=new_id("layer"),
            weights=tuple((name, weight) for name, weight in weights if weight != 1.0),
        )
        return command.label(self._session.document), command

    def save_errors(self, path: Path) -> None:
        """Write the errors of the motion that is shown."""
        report = self.trial.report
        if isinstance(report, FittedMarkers):
            try:
                path.write_text(report.fit.table(), encoding="utf-8")
            except OSError as problem:
                self._session.note("error", f"The errors were not written: {problem.strerror or problem}.")

    def _ask_where(self) -> None:
        self._session.of(RetargetFiles).asking.place_of(ERRORS, self.source.currentText(), self.save_errors)

    def _show_pairs(self) -> None:
        capture, owner = self._actor(self.source), self._actor(self.target)
        self.table.show_pairs(() if capture is None or owner is None else marker_pairs(capture, owner))

    def _keep(self) -> None:
        """Keep the motion, and say in the log how near it comes and who was left over."""
        report = self.trial.report
        super()._keep()
        if isinstance(report, FittedMarkers):
            first, *rest = report.fit.lines()
            self._session.note("note", first)
            for line in rest:
                if not line.startswith(" "):
                    self._session.note("note", line)

    def _show_state(self) -> None:
        super()._show_state()
        report = self.trial.report
        self.keep_errors.setEnabled(isinstance(report, FittedMarkers))
        if isinstance(report, FittedMarkers):
            fit = report.fit
            who, most, seconds = fit.worst
            self.table.show_errors(dict(zip(fit.match.labels, fit.marker_rms, strict=True)))
            frames = f"{len(fit.errors)} frames, {len(fit.match.labels)} markers"
            self.found.setText(
                f"{frames}: RMS {100.0 * fit.rms:.2f} cm, at most {100.0 * most:.2f} cm ({who} at {seconds:.2f} s)"
            )
            self.found.setToolTip("\n".join(fit.lines()))
        elif not self.trial.open:
            self.table.show_errors({})
            self.found.setText("–")
            self.found.setToolTip("")


class ScalingCard(MarkerCard):
    """The card that makes the bodies of a figure as large as those of the person who wore the markers."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.weighs = QCheckBox("Mass of the whole figure")
        self.weighs.setToolTip("Else masses grow with the cubes of the factors")
        self.weighs.clicked.connect(lambda on: self._follow())
        self.mass = self._slider("Mass", KILOGRAMS, (1.0, HEAVIEST), 70.0, "Of the person who wore the markers")
        self.place = QCheckBox("Put end-effectors where the markers were")
        self.place.setToolTip("On average over the capture, on the scaled bodies: for a trial of standing still")
        self.place.clicked.connect(lambda on: self._follow())
        self._lay_out(*self.rows, self.weighs, self.mass, self.place, self.look, self.found)
        self.refresh()

    def command(self) -> tuple[str, EditOrCommand] | str:
        """Return the history's label and the command, or the problem against it."""
        problem = self._problem()
        if problem:
            return problem
        command = ScaleToMarkers(
            actor=self.target.currentData(),
            source=self.source.currentData(),
            mass=self.mass.value if self.weighs.isChecked() else None,
            place=self.place.isChecked(),
        )
        return command.label(self._session.document), command

    def _show_state(self) -> None:
        super()._show_state()
        self.mass.setEnabled(self.weighs.isChecked())
        report, owner = self.trial.report, self._actor(self.target)
        if isinstance(report, ScaledToMarkers) and owner is not None:
            found = report.scaling
            factors = [factor for _, factor in found.factors]
            words = f"bodies by {min(factors):.3f} to {max(factors):.3f}, {found.mass:.1f} kg"
            if found.before is not None and found.after is not None:
                words += f"; RMS {100.0 * found.before:.2f} cm before, {100.0 * found.after:.2f} cm after"
            self.found.setText(words)
            self.found.setToolTip("\n".join(found.lines(owner.figure)))
        elif not self.trial.open:
            self.found.setText("–")
            self.found.setToolTip("")


class WeightTable(QTableWidget):
    """Each marker that has a handle, what it counts, and how far it is from it; those without one below."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__(0, 3)
        self.setAccessibleName("Weights of markers")
        self.setHorizontalHeaderLabels(("Marker", "Weight", "RMS"))
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setSectionResizeMode(MARKER, QHeaderView.ResizeMode.Stretch)
        for column in (WEIGHT, ERROR):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            self.setColumnWidth(column, self.fontMetrics().horizontalAdvance("  100.00 cm  "))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setFixedHeight(HEIGHT)
        self._shown: object = None
        self._filling = False
        self.itemChanged.connect(self._take)

    @property
    def weights(self) -> tuple[tuple[str, float], ...] | None:
        """The weights of markers; None where one is no number."""
        found = []
        for row in range(self.rowCount()):
            name, weight = self.item(row, MARKER), self.item(row, WEIGHT)
            if name is None or weight is None or not weight.flags() & Qt.ItemFlag.ItemIsEditable:
                continue
            value = _number(weight.text())
            if value is None:
                return None
            found.append((name.text(), value))
        return tuple(found)

    def show_pairs(self, pairs: tuple[tuple[str, str | None], ...]) -> None:
        """Show markers anew, those with a handle first."""
        if pairs == self._shown:
            return
        self._shown = pairs
        self._filling = True
        self.setRowCount(len(pairs))
        for row, (label, handle) in enumerate(sorted(pairs, key=lambda pair: pair[1] is None)):
            weight = QTableWidgetItem("1" if handle is not None else "–")
            tip = f"Follows {handle} of the figure" if handle is not None else "The figure has no end-effector so named"
            for column, item in enumerate((QTableWidgetItem(label), weight, QTableWidgetItem("–"))):
                if column != WEIGHT or handle is None:
                    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                if column != MARKER:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                item.setToolTip(tip)
                self.setItem(row, column, item)
        self._filling = False

    def show_errors(self, errors: dict[str, float]) -> None:
        """Show how far each marker is from its handle [m]."""
        self._filling = True
        for row in range(self.rowCount()):
            name, item = self.item(row, MARKER), self.item(row, ERROR)
            if name is not None and item is not None:
                error = errors.get(name.text(), math.nan)
                item.setText("–" if math.isnan(error) else f"{100.0 * error:.2f} cm")
        self._filling = False

    def _take(self, item: QTableWidgetItem) -> None:
        if not self._filling:
            self.changed.emit()


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0.0 <= value < math.inf else None
