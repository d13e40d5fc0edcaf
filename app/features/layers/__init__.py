"""The Layers panel: the layers of a figure in their order, and what the one that is worked on counts for."""

from app.features.feature import Actions, Dock, Feature
from app.features.layers.actions import ACTIONS, LayersCommands
from app.features.layers.panel import LayersPanel

FEATURE = Feature(
    name="layers",
    docks=(Dock("layers", LayersPanel.title, "bottom", LayersPanel, "layers"),),
    actions=(Actions(ACTIONS, LayersCommands, 160),),
)
