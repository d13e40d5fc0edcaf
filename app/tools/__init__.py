"""Tools: turn gestures of the mouse over the picture into commands of the session."""

from app.tools.figure_editing import FigureTool
from app.tools.handle_markers import HandleMarkers
from app.tools.lock_dragging import LockDragging
from app.tools.manipulators import KINDS, ManipulatorTool
from app.tools.posing import PosingTool
from app.tools.pulls import ManipulatorSettings
from app.tools.target_dragging import TargetDragging
from app.tools.toolbox import POSE, Toolbox
from app.tools.trail_tool import TrailTool
from app.tools.waiting import WaitingMessage

__all__ = [
    "KINDS",
    "POSE",
    "FigureTool",
    "HandleMarkers",
    "LockDragging",
    "ManipulatorTool",
    "PosingTool",
    "ManipulatorSettings",
    "TargetDragging",
    "Toolbox",
    "TrailTool",
    "WaitingMessage",
]
