"""The dock of secondary motion: how a figure's body follows its keys."""

from app.panels.secondary.panel import SecondaryPanel

__all__ = ["SecondaryPanel"]
