"""The tools of the mouse over one viewport: made with it, in the order in which they are asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.session import Session
from app.tools import (
    KINDS,
    FigureTool,
    HandleMarks,
    LockDragging,
    ManipulatorTool,
    PosingTool,
    Toolbox,
    TrailTool,
    WaitingMessage,
)
from app.tools.figure_movable import find_frame

if TYPE_CHECKING:
    from app.scene import Viewport


def make_tools(
    session: Session, viewport: Viewport, tell: Callable[[str], object]
) -> tuple[Toolbox, PosingTool, ManipulatorTool]:
    """The toolbox, and the tools of posing and of arrows and rings in it; `tell` is given what the mouse would do."""
    posing, locks = PosingTool(session, viewport), LockDragging(session, viewport)
    building, trails = FigureTool(session, viewport), TrailTool(session, viewport)
    manipulators = ManipulatorTool(session, viewport)
    for tool in (posing, locks, building, trails, manipulators):
        tool.told.connect(tell)
    HandleMarks(session, viewport, building)
    posing.waiting_changed.connect(WaitingMessage(session, viewport).show_drag)
    toolbox = Toolbox(posing, viewport, always=(building, locks, trails))
    viewport.typist = manipulators
    manipulators.finders.insert(0, find_frame)
    for name in KINDS:
        toolbox.add(name, manipulators)
    toolbox.changed.connect(manipulators.take)
    return toolbox, posing, manipulators
