"""The inspector: the numbers of what is chosen."""

from app.panels.inspector.panel import InspectorPanel

__all__ = ["InspectorPanel"]
