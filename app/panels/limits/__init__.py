"""The Joint limits panel: which poses a figure allows, seen and sculpted in Euler space."""

from app.panels.limits.panel import LimitsPanel

__all__ = ["LimitsPanel"]
