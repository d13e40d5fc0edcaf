"""Studies: a scene done many times with other numbers, in the background, and its table as a chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Actions, Dock, Feature
from app.features.study import actions
from app.features.study.panel import StudyPanel
from app.features.study.running import StudyRun

if TYPE_CHECKING:
    from app.features.window import Window


def _begin(window: Window) -> None:
    study = window.session.of(StudyRun)
    study.cluster = window.preferred("cluster", str)
    study.cluster_changed.connect(lambda: window.keep(cluster=study.cluster))


def _show(window: Window) -> None:
    window.session.of(StudyRun).set_cluster(window.preferred("cluster", str))


FEATURE = Feature(
    name="study",
    docks=(Dock("study", StudyPanel.title, "bottom", StudyPanel, "chart-line"),),
    actions=(Actions(actions.ACTIONS, actions.StudyCommands, 12),),
    states=(StudyRun,),
    begin=_begin,
    show=_show,
)
