"""Panels: the docks around the picture. Each is a widget with a `title` that is given the session, and knows no other.

Lists and trees are virtual: no widget stands for a joint, an entry or a line.
"""

from app.panels.figure import FigurePanel
from app.panels.history import HistoryPanel
from app.panels.inspector import InspectorPanel
from app.panels.keys import KeysPanel
from app.panels.layers import LayersPanel
from app.panels.limits import LimitsPanel
from app.panels.log import LogPanel
from app.panels.method import MethodPanel
from app.panels.outliner import OutlinerPanel
from app.panels.plot import PlotPanel
from app.panels.poses import PosesPanel
from app.panels.secondary import SecondaryPanel
from app.panels.sequences import SequencesPanel

__all__ = [
    "FigurePanel",
    "HistoryPanel",
    "InspectorPanel",
    "KeysPanel",
    "LayersPanel",
    "LimitsPanel",
    "LogPanel",
    "MethodPanel",
    "OutlinerPanel",
    "PlotPanel",
    "PosesPanel",
    "SecondaryPanel",
    "SequencesPanel",
]
