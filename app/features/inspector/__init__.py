"""The inspector: the numbers of what is chosen."""

from app.features.feature import Dock, Feature
from app.features.inspector.panel import InspectorPanel

FEATURE = Feature(
    name="inspector",
    docks=(Dock("inspector", InspectorPanel.title, "right", InspectorPanel, "sliders-horizontal"),),
)
