"""The plot: quantities of what is selected against time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Dock, Feature
from app.features.plot.panel import PlotPanel
from app.features.plot.plotting import Plotting
from app.timeline.axis import shared_axis

if TYPE_CHECKING:
    from app.features.window import Window
    from app.session import Session


def _panel(session: Session) -> PlotPanel:
    return PlotPanel(session, session.of(shared_axis))


def _begin(window: Window) -> None:
    plotting = window.session.of(Plotting)
    plotting.choose(window.preferred("plotted", tuple))
    plotting.chosen_changed.connect(lambda: window.keep(plotted=plotting.chosen))


FEATURE = Feature(
    name="plot",
    docks=(Dock("plot", PlotPanel.title, "bottom", _panel, "chart-line"),),
    states=(Plotting,),
    begin=_begin,
)
