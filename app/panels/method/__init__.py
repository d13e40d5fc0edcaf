"""The method panel: how figures are posed by their handles, and what came of it."""

from app.panels.method.panel import MethodPanel

__all__ = ["MethodPanel"]
