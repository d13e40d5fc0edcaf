"""Which panels there are, and where each stands at first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from app.panels import (
    FigurePanel,
    HistoryPanel,
    InspectorPanel,
    KeysPanel,
    LayersPanel,
    LimitsPanel,
    LogPanel,
    MethodPanel,
    OutlinerPanel,
    PlotPanel,
    PosesPanel,
    SecondaryPanel,
    SequencesPanel,
)
from app.session import Session
from app.shell.docks import Place
from app.timeline.axis import TimeAxis
from app.timeline.graph.panel import CurvesPanel
from app.timeline.panel import TimelinePanel

if TYPE_CHECKING:
    from app.scene.region_view import RegionView


def region_view(keymap: Callable[[], str]) -> RegionView | None:
    """A view of a region over three angles; None without OpenGL. Not before the first picture: it brings numpy."""
    from app.scene.navigation import MICE
    from app.scene.probe import find_graphics

    found = find_graphics()
    if isinstance(found, str):
        return None
    from app.scene.region_view import RegionView

    return RegionView(software=found.is_software, mouse=lambda: MICE[keymap()])


def make_panels(session: Session, keymap: Callable[[], str]) -> Sequence[Place]:
    """All panels of one session; those of keys over time share one axis. `keymap` says whose mouse turns a view."""
    axis = TimeAxis(session.document.rate, session)
    return (
        Place("outliner", OutlinerPanel.title, "left", OutlinerPanel(session)),
        Place("poses", PosesPanel.title, "left", PosesPanel(session)),
        Place("sequences", SequencesPanel.title, "left", SequencesPanel(session)),
        Place("inspector", InspectorPanel.title, "right", InspectorPanel(session)),
        Place("figure", FigurePanel.title, "right", FigurePanel(session)),
        Place("keys", KeysPanel.title, "right", KeysPanel(session)),
        Place("limits", LimitsPanel.title, "right", LimitsPanel(session, partial(region_view, keymap))),
        Place("method", MethodPanel.title, "right", MethodPanel(session)),
        Place("secondary", SecondaryPanel.title, "right", SecondaryPanel(session)),
        Place("log", LogPanel.title, "bottom", LogPanel(session)),
        Place("timeline", TimelinePanel.title, "bottom", TimelinePanel(session, axis)),
        Place("curves", CurvesPanel.title, "bottom", CurvesPanel(session, axis)),
        Place("plot", PlotPanel.title, "bottom", PlotPanel(session, axis)),
        Place("layers", LayersPanel.title, "bottom", LayersPanel(session)),
        Place("history", HistoryPanel.title, "bottom", HistoryPanel(session)),
    )
