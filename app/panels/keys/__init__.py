"""Keys: breakdowns, ranges of time, and captures cleaned up; each shown before it is kept."""

from app.panels.keys.panel import KeysPanel

__all__ = ["KeysPanel"]
