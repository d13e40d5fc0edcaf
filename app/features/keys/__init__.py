"""Keys: breakdowns, ranges of time, and captures cleaned up; each shown before it is kept."""

from app.features.feature import Actions, Dock, Feature
from app.features.keys.actions import ACTIONS, KeysCommands
from app.features.keys.panel import KeysPanel

FEATURE = Feature(
    name="keys",
    docks=(Dock("keys", KeysPanel.title, "right", KeysPanel),),
    actions=(Actions(ACTIONS, KeysCommands, 150),),
)
