"""The log: what was done, said and refused, each action with its line of Python."""

from app.panels.log.panel import LogPanel

__all__ = ["LogPanel"]
