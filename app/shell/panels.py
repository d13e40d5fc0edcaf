"""Which panels there are, and where each stands at first."""

from __future__ import annotations

from collections.abc import Sequence

from app.panels import (
    FigurePanel,
    HistoryPanel,
    InspectorPanel,
    KeysPanel,
    LayersPanel,
    LogPanel,
    MethodPanel,
    OutlinerPanel,
    PlotPanel,
    PosesPanel,
    SequencesPanel,
)
from app.session import Session
from app.shell.docks import Place
from app.timeline.axis import TimeAxis
from app.timeline.graph.panel import CurvesPanel
from app.timeline.panel import TimelinePanel


def make_panels(session: Session) -> Sequence[Place]:
    """All panels of one session; those of keys over time share one axis."""
    axis = TimeAxis(session.document.rate, session)
    return (
        Place("outliner", OutlinerPanel.title, "left", OutlinerPanel(session)),
        Place("poses", PosesPanel.title, "left", PosesPanel(session)),
        Place("sequences", SequencesPanel.title, "left", SequencesPanel(session)),
        Place("inspector", InspectorPanel.title, "right", InspectorPanel(session)),
        Place("figure", FigurePanel.title, "right", FigurePanel(session)),
        Place("keys", KeysPanel.title, "right", KeysPanel(session)),
        Place("method", MethodPanel.title, "right", MethodPanel(session)),
        Place("log", LogPanel.title, "bottom", LogPanel(session)),
        Place("timeline", TimelinePanel.title, "bottom", TimelinePanel(session, axis)),
        Place("curves", CurvesPanel.title, "bottom", CurvesPanel(session, axis)),
        Place("plot", PlotPanel.title, "bottom", PlotPanel(session, axis)),
        Place("layers", LayersPanel.title, "bottom", LayersPanel(session)),
        Place("history", HistoryPanel.title, "bottom", HistoryPanel(session)),
    )
