"""The outliner: the tree of actors and joints."""

from app.features.feature import Dock, Feature
from app.features.outliner.panel import OutlinerPanel

FEATURE = Feature(
    name="outliner",
    docks=(Dock("outliner", OutlinerPanel.title, "left", OutlinerPanel),),
)
