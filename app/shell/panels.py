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
from app.shell.docks import DockPlace
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


def make_panels(session: Session, keymap: Callable[[], str]) -> Sequence[DockPlace]:
    """All panels of one session; those of keys over time share one axis. `keymap` says whose mouse turns a view."""
    axis = TimeAxis(session.document.rate, session)
    return (
        DockPlace("outliner", OutlinerPanel.title, "left", OutlinerPanel(session)),
        DockPlace("poses", PosesPanel.title, "left", PosesPanel(session)),
        DockPlace("sequences", SequencesPanel.title, "left", SequencesPanel(session)),
        DockPlace("inspector", InspectorPanel.title, "right", InspectorPanel(session)),
        DockPlace("figure", FigurePanel.title, "right", FigurePanel(session)),
        DockPlace("keys", KeysPanel.title, "right", KeysPanel(session)),
        DockPlace("limits", LimitsPanel.title, "right", LimitsPanel(session, partial(region_view, keymap))),
        DockPlace("method", MethodPanel.title, "right", MethodPanel(session)),
        DockPlace("secondary", SecondaryPanel.title, "right", SecondaryPanel(session)),
        DockPlace("log", LogPanel.title, "bottom", LogPanel(session)),
        DockPlace("timeline", TimelinePanel.title, "bottom", TimelinePanel(session, axis)),
        DockPlace("curves", CurvesPanel.title, "bottom", CurvesPanel(session, axis)),
        DockPlace("plot", PlotPanel.title, "bottom", PlotPanel(session, axis)),
        DockPlace("layers", LayersPanel.title, "bottom", LayersPanel(session)),
        DockPlace("history", HistoryPanel.title, "bottom", HistoryPanel(session)),
    )
