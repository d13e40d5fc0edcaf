"""The history panel: every change of the document, to go back to."""

from app.features.feature import Dock, Feature
from app.features.history.panel import HistoryPanel

FEATURE = Feature(
    name="history",
    docks=(Dock("history", HistoryPanel.title, "bottom", HistoryPanel, "history"),),
)
