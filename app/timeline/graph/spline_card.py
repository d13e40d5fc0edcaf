"""SplineCard: tension, continuity and bias of the chosen keys, over the graph that shows what they do."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from app.session import Session
from app.session.hand import Hand
from app.style.fonts import scaled
from app.style.units import Unit
from app.style.value_slider import ValueSlider
from app.timeline.graph.commands import SPLINE_LABEL, GraphCommands
from engine.edits import Edit

NUMBER = Unit(suffix="", words="", scale=1.0, decimals=2, step=0.05, coarse=0.25)
WIDTH = 260
SLIDERS = (
    ("Tension", "1 is tight: the curve stops at its keys; 0 is Catmull and Rom's spline; below 0 it swings wide"),
    ("Continuity", "0 is smooth; below it keys become corners that hang through, above it corners that bulge out"),
    ("Bias", "Below 0 the curve swings before its keys, above 0 it overshoots after them"),
)


class SplineCard(QFrame):
    """Three sliders; each drag is one entry of the history."""

    def __init__(self, session: Session, commands: GraphCommands, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._commands = commands
        self.sliders: dict[str, ValueSlider] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(3)
        about = QLabel("Spline tangents of the chosen keys (Kochanek and Bartels)", wordWrap=True)
        about.setProperty("quiet", True)
        column.addWidget(about)
        for name, tip in SLIDERS:
            slider = self.sliders[name] = ValueSlider(name, unit=NUMBER)
            slider.set_limits(-1.0, 1.0)
            slider.set_rest(0.0)
            slider.set_value(0.0)
            slider.setToolTip(tip)
            Hand(session, slider, label=SPLINE_LABEL, make_edit=self._bent)
            column.addWidget(slider)
        self.setFixedWidth(scaled(WIDTH))

    def open_below(self, button: QWidget) -> None:
        """Show it below a button, or above it where the screen ends."""
        self.adjustSize()
        place = button.mapToGlobal(QPoint(0, button.height() + 4))
        screen = button.screen().availableGeometry()
        if place.y() + self.height() > screen.bottom():
            place = button.mapToGlobal(QPoint(0, -self.height() - 4))
        self.move(min(place.x(), screen.right() - self.width()), place.y())
        self.show()
        self.sliders["Tension"].setFocus()

    def _bent(self, _: float) -> Edit:
        tension, continuity, bias = (self.sliders[name].value for name, _ in SLIDERS)
        return self._commands.splined(tension=tension, continuity=continuity, bias=bias)
