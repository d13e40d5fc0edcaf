"""The Plot panel: quantities of what is selected against time."""

from app.features.feature import Dock, Feature
from app.features.plot.panel import PlotPanel
from app.timeline.axis import shared_axis

FEATURE = Feature(
    name="plot",
    docks=(Dock("plot", PlotPanel.title, "bottom", lambda session: PlotPanel(session, session.of(shared_axis))),),
)
