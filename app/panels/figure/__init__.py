"""The figure editor: what a joint is made of."""

from app.panels.figure.panel import FigurePanel

__all__ = ["FigurePanel"]
