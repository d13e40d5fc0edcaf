"""Tools: what a gesture of the mouse means. They see the picture and tell the session."""

from app.tools.handle_marks import HandleMarks
from app.tools.manipulators import KINDS, ManipulatorTool
from app.tools.posing import PosingTool
from app.tools.pulls import ManipulatorSettings
from app.tools.toolbox import POSE, Toolbox
from app.tools.trail_tool import TrailTool
from app.tools.waiting import WaitingMessage

__all__ = [
    "KINDS",
    "POSE",
    "HandleMarks",
    "ManipulatorTool",
    "PosingTool",
    "ManipulatorSettings",
    "Toolbox",
    "TrailTool",
    "WaitingMessage",
]
