"""The outliner: the tree of actors and joints."""

from app.panels.outliner.panel import OutlinerPanel

__all__ = ["OutlinerPanel"]
