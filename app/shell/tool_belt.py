"""The tools of the mouse over one viewport: made with it, in the order in which they are asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.session import Session
from app.tools import KINDS, HandleMarkers, ManipulatorTool, PosingTool, Toolbox, TrailTool, WaitingMessage
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene import Viewport


@dataclass(frozen=True)
class ToolBelt:
    """The toolbox, what stands in it, and the marks that are taken."""

    toolbox: Toolbox
    posing: PosingTool
    manipulators: ManipulatorTool
    marks: HandleMarkers


def make_tools(session: Session, viewport: Viewport, tell: Callable[[str], object]) -> ToolBelt:
    """Make the tools that are of no feature; `tell` is given what the mouse would do."""
    posing, trails = PosingTool(session, viewport), TrailTool(session, viewport)
    manipulators = ManipulatorTool(session, viewport)
    for tool in (posing, trails, manipulators):
        tool.status_changed.connect(tell)
    marks = HandleMarkers(session, viewport)
    posing.waiting_changed.connect(WaitingMessage(session, viewport).show_drag)
    toolbox = Toolbox(posing, viewport, always=(trails,))
    viewport.typist = manipulators
    for name in KINDS:
        toolbox.add(name, manipulators)
    toolbox.changed.connect(manipulators.take)
    return ToolBelt(toolbox, posing, manipulators, marks)
