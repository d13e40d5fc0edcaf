"""The Plot panel: quantities of what is selected against time."""

from app.panels.plot.panel import PlotPanel

__all__ = ["PlotPanel"]
