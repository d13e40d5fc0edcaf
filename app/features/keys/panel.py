"""KeysPanel: keys between keys, ranges of time, and captures cleaned up."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.features.keys.breakdowns import Breakdowns
from app.features.keys.cleaning import Cleaning
from app.features.keys.marker_cards import FittingCard, ScalingCard
from app.features.keys.planting import Planting
from app.features.keys.ranges import Ranges
from app.features.keys.retargeting import RetargetingCard
from app.session import Session
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.scrolled import fill_scrolled
from app.style.section import FoldedSection


class KeysPanel(Following):
    """Groups of what can be done with the keys of what is selected, and with captures."""

    title = "Keys"
    help_text = """
<p>Work on the keys of the selected joints, or of the figure where it is selected whole.</p>
<p><b>Breakdown</b> sets keys at the playhead between the keys before and after it: drag a slider, beyond 0 or 100 % to
overshoot. {keys.breakdown} does it halfway at once.</p>
<p><b>Range</b> stretches, slides, reverses, mirrors or loops what happens between two frames, or fills it anew where a
capture has a gap. It is shown before it is kept: look at any time, play it, then Apply; Esc takes it away.</p>
<p><b>Clean up</b> takes spikes out of captures, smooths them, and puts few keys in the place of many; it says how many
there are and how far the motion is off at its worst.</p>
<p><b>Contacts</b> pins the selected joints, both ankles for a start, while they stand still near their lowest place,
so that feet do not slide.</p>
<p><b>Retarget</b> puts the motion of one figure, such as a capture that was imported, onto another whose joints have
other names and lengths. The table says which joint follows which, as their names tell; change it where they do not, and
keep it in a file. Feet that stand in the capture stand, and sink nowhere. {keys.retarget_file} does it in one go.</p>
<p><b>Fit to markers</b> moves a figure so that its end-effectors follow captured markers of their names (TRC, C3D),
each as much as its weight says, within all joint limits; the table says how far each is off. <b>Scale to markers</b>
makes its bodies as large as those of the person who wore them: do that first.</p>
<p>A breakdown at s between the keys a and b, a motion smoothed below a cut-off f<sub>c</sub> (Butterworth, forwards and
backwards, so that nothing lags), keys in the place of frames, and a figure among markers m of weights w:</p>
<p class="equation">q = a + s (b − a), &nbsp;&nbsp; |H(f)| = 1 / (1 + (√2 − 1) (f / f<sub>c</sub>)⁴),
&nbsp;&nbsp; max |q<sub>few</sub> − q| ≤ ε,
&nbsp;&nbsp; min<sub>q</sub> Σ w |p(q) − m|²</p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session = session
        self.breakdowns, self.ranges = Breakdowns(session), Ranges(session)
        self.cleaning: Cleaning | None = None
        self.planting: Planting | None = None
        self.retargeting: RetargetingCard | None = None
        self.fitting: FittingCard | None = None
        self.scaling: ScalingCard | None = None
        self.sections = (
            FoldedSection("Breakdown", lambda: self.breakdowns),
            FoldedSection("Range", lambda: self.ranges),
            FoldedSection("Clean up", self._build_cleaning),
            FoldedSection("Contacts", self._build_planting),
            FoldedSection("Retarget", self._build_retargeting),
            FoldedSection("Fit to markers", self._build_fitting),
            FoldedSection("Scale to markers", self._build_scaling),
        )
        ground = QWidget()
        make_panel(ground)
        column = QVBoxLayout(ground)
        column.setContentsMargins(12, 6, 12, 12)
        column.setSpacing(2)
        for section in self.sections:
            section.setAccessibleName(section.header.accessibleName())
            column.addWidget(section)
        column.addStretch(1)
        for section in self.sections[:2]:
            section.header.set_unfolded(True)
        self._area = fill_scrolled(self, ground)
        self._opened: FoldedSection | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._bring_up)
        session.document_changed.connect(lambda old, new: self.follow())
        session.selection_changed.connect(lambda selection: self.follow())
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(300, 480)

    def refresh(self) -> None:
        """Say of what."""
        self.breakdowns.refresh()
        self.ranges.refresh()
        for group in (self.cleaning, self.planting, self.retargeting, self.fitting, self.scaling):
            if group is not None:
                group.refresh()

    def turn_to(self, title: str) -> None:
        """Unfold a group and put the keyboard there."""
        section = next(each for each in self.sections if each.accessibleName() == title)
        section.header.set_unfolded(True)
        section.header.setFocus()
        self._opened = section
        self._soon.start()

    def _bring_up(self) -> None:
        """Scroll the section that was opened last to the top, once it is laid out: all of it is to be seen."""
        if self._opened is not None:
            self._area.verticalScrollBar().setValue(self._opened.y())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc takes away what is shown and not kept."""
        groups = (self.ranges, self.cleaning, self.planting, self.retargeting, self.fitting, self.scaling)
        escape = event.key() == Qt.Key.Key_Escape
        if not (escape and any(group is not None and group.drop() for group in groups)):
            super().keyPressEvent(event)

    def _build_cleaning(self) -> QWidget:
        self.cleaning = Cleaning(self._session)
        self.cleaning.refresh()
        return self.cleaning

    def _build_planting(self) -> QWidget:
        self.planting = Planting(self._session)
        self.planting.refresh()
        return self.planting

    def _build_retargeting(self) -> QWidget:
        self.retargeting = RetargetingCard(self._session)
        return self.retargeting

    def _build_fitting(self) -> QWidget:
        self.fitting = FittingCard(self._session)
        return self.fitting

    def _build_scaling(self) -> QWidget:
        self.scaling = ScalingCard(self._session)
        return self.scaling
