"""The Poses panel: a grid of pictures, applied by a double click and blended by dragging."""

from app.panels.poses.panel import PosesPanel

__all__ = ["PosesPanel"]
