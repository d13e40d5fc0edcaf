"""The outliner: the tree of actors and joints."""

from app.features.feature import Actions, Dock, Feature
from app.features.outliner.actions import ACTIONS, AddCommands
from app.features.outliner.panel import OutlinerPanel
from app.features.outliner.skeletons import Skeletons

FEATURE = Feature(
    name="outliner",
    docks=(Dock("outliner", OutlinerPanel.title, "left", OutlinerPanel, "list-tree"),),
    actions=(Actions(ACTIONS, AddCommands, 40),),
    states=(Skeletons,),
)
