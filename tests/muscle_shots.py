"""The picture of muscles in the dock Muscle activation, for `tests.shots`."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from app.features.muscles.arm_chart import ArmChart
from app.features.muscles.current_muscles import CurrentMuscles
from app.session import Item
from engine.document.motion import TICKS_PER_SECOND as SECOND
from tests.stage import Stage


def muscles(open_stage: Stage) -> None:
    """The curl against the triceps, the biceps chosen."""
    session, window, view = open_stage.session, open_stage.window, open_stage.view
    before = session.document
    session.exchange.open_example("curl")
    open_stage.until(lambda: session.document is not before)
    window.workspaces.go_to("animate")
    window.show_panel("activation")
    window.resizeDocks([window.docks["activation"]], [230], Qt.Orientation.Vertical)
    session.set_playhead(round(4.2 * SECOND))
    open_stage.settle()
    bounds = view.bounds()
    assert bounds is not None
    camera = replace(view.cameras[view.active], azimuth=1.05, elevation=0.1)
    view.set_camera(view.active, camera.frame(bounds, view.size_of(view.active)))
    session.select([Item("arm", "girdle", "biceps_long")])
    current = session.of(CurrentMuscles)
    open_stage.until(lambda: current.told is not None and current.told.time == session.playhead)
    open_stage.until(lambda: current.arm is not None and current.arm.dof == "elbow.flexion")
    chart = window.findChild(ArmChart)
    assert chart is not None
    open_stage.until(lambda: bool(chart.grab()) and chart.is_drawn)
    open_stage.settle()
