"""The Layers panel: the layers of a figure in their order, and what the one that is worked on counts for."""

from app.panels.layers.panel import LayersPanel

__all__ = ["LayersPanel"]
