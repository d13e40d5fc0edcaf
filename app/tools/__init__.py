"""Tools: turn gestures of the mouse over the picture into commands of the session."""

from app.tools.handle_markers import HandleMarkers
from app.tools.manipulators import KINDS, ManipulatorTool
from app.tools.posing import PosingTool
from app.tools.pulls import ManipulatorSettings
from app.tools.toolbox import POSE, Toolbox
from app.tools.trail_tool import TrailTool
from app.tools.waiting import WaitingMessage

__all__ = [
    "KINDS",
    "POSE",
    "HandleMarkers",
    "ManipulatorTool",
    "PosingTool",
    "ManipulatorSettings",
    "Toolbox",
    "TrailTool",
    "WaitingMessage",
]
