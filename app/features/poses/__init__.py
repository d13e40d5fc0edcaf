"""The Poses panel: a grid of pictures, applied by a double click and blended by dragging."""

from app.features.feature import Dock, Feature
from app.features.poses.panel import PosesPanel

FEATURE = Feature(
    name="poses",
    docks=(Dock("poses", PosesPanel.title, "left", PosesPanel),),
)
