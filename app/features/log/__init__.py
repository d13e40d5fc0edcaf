"""The log: what was done, said and refused, each action with its line of Python."""

from app.features.feature import Dock, Feature
from app.features.log.panel import LogPanel

FEATURE = Feature(
    name="log",
    docks=(Dock("log", LogPanel.title, "bottom", LogPanel, "scroll-text"),),
)
