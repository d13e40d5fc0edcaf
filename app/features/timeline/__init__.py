"""Time: the dope sheet and the graph of curves, which stand above each other along one axis."""

from __future__ import annotations

from app.features.feature import Actions, Dock, Feature, Features
from app.features.timeline import actions, curve_actions
from app.session import Session
from app.timeline.axis import shared_axis
from app.timeline.graph.panel import CurvesPanel
from app.timeline.panel import TimelinePanel


def _timeline(session: Session) -> TimelinePanel:
    sources = [make(session) for feature in session.of(Features).all for make in feature.rows]
    return TimelinePanel(session, session.of(shared_axis), sources)


def _curves(session: Session) -> CurvesPanel:
    return CurvesPanel(session, session.of(shared_axis))


FEATURE = Feature(
    name="timeline",
    docks=(
        Dock("timeline", TimelinePanel.title, "bottom", _timeline, "diamond"),
        Dock("curves", CurvesPanel.title, "bottom", _curves, "chart-spline"),
    ),
    actions=(
        Actions(actions.ACTIONS, actions.TimelineCommands, 130),
        Actions(curve_actions.ACTIONS, curve_actions.CurvesCommands, 140),
    ),
)
