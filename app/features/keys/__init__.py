"""Keys: breakdowns, ranges of time, and captures cleaned up; each shown before it is kept."""

from app.features.feature import Dock, Feature
from app.features.keys.panel import KeysPanel

FEATURE = Feature(
    name="keys",
    docks=(Dock("keys", KeysPanel.title, "right", KeysPanel),),
)
