"""The dock of secondary motion: how a figure's body follows its keys."""

from app.features.feature import Dock, Feature
from app.features.secondary.panel import SecondaryPanel

FEATURE = Feature(
    name="secondary",
    docks=(Dock("secondary", SecondaryPanel.title, "right", SecondaryPanel),),
)
