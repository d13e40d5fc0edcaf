"""Secondary motion: how a figure's body follows its keys, and the targets that it is to meet."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.features.feature import Actions, Dock, Feature
from app.features.secondary import actions, showing_actions, target_actions
from app.features.secondary.current_secondary import CurrentSecondary
from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.panel import SecondaryPanel
from app.features.secondary.target_rows import TargetRows
from app.features.secondary.touching import Touching

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport


def _begin(window: Window) -> None:
    current_targets = window.session.of(CurrentTargets)
    current_targets.hand_changed.connect(window.refresh_actions)
    window.add_words(lambda actor, keyed: current_targets.words_of(actor, keyed=keyed))


def _show(window: Window) -> None:
    current, current_targets = window.session.of(CurrentSecondary), window.session.of(CurrentTargets)
    window.session.want_ghosts(window.switch("show_keyed"))
    current.paths.want(window.switch("show_paths"))
    current_targets.marks.want(window.switch("show_targets"))
    current_targets.lead_by_hand(window.switch("lead_by_hand"))


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.secondary.target_lead import TargetLead
    from app.features.secondary.view.path_lines import PathLines
    from app.features.secondary.view.seen_sizes import seen_sizes
    from app.features.secondary.view.target_dragging import TargetDragging

    session = window.session
    PathLines(session, viewport)
    session.of(CurrentSecondary).measure = partial(seen_sizes, viewport, session)
    window.add_tool(TargetDragging(session, viewport))
    window.lead_by(TargetLead(session))


FEATURE = Feature(
    name="secondary",
    docks=(Dock("secondary", SecondaryPanel.title, "right", SecondaryPanel, "wind"),),
    actions=(
        Actions(actions.ACTIONS, actions.SecondaryCommands, 60),
        Actions(target_actions.ACTIONS, target_actions.TargetsCommands, 70),
        Actions(showing_actions.ACTIONS, showing_actions.ShowingSecondaryCommands, 203),
    ),
    states=(CurrentSecondary, Touching, CurrentTargets),
    begin=_begin,
    rows=(TargetRows,),
    draw=_draw,
    show=_show,
)
