"""The method panel: how figures are posed by their handles, and what came of it."""

from app.features.feature import Actions, Dock, Feature
from app.features.method.actions import ACTIONS, DraggingCommands
from app.features.method.panel import MethodPanel

FEATURE = Feature(
    name="method",
    docks=(Dock("method", MethodPanel.title, "right", MethodPanel, "move-3d"),),
    actions=(Actions(ACTIONS, DraggingCommands, 80),),
)
