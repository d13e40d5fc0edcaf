"""Sequences: motions kept as flipbooks, put on figures by a double click or by dragging them there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Actions, Dock, Feature
from app.features.sequences.actions import ACTIONS, SequencesCommands
from app.features.sequences.library import SequenceLibrary
from app.features.sequences.menu import SequenceMenu
from app.features.sequences.panel import SequencesPanel
from app.features.sequences.view.drops import SequenceDrops

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport


def _begin(window: Window) -> None:
    library = window.session.of(SequenceLibrary)
    SequenceMenu(window.submenu("Animate", "Sequences", before="sequence.keep"), library)
    drops = SequenceDrops(window, window.session, lambda: window.viewport)
    for dock in window.docks.values():
        drops.watch(dock)
    window.wait_for(lambda: library.keeping, library.keeping_ended)


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.sequences.view.flipbooks import Flipbooks

    window.session.of(SequenceLibrary).photograph = Flipbooks(window.session, viewport).draw


FEATURE = Feature(
    name="sequences",
    docks=(Dock("sequences", SequencesPanel.title, "left", SequencesPanel, "clapperboard"),),
    actions=(Actions(ACTIONS, SequencesCommands, 170),),
    states=(SequenceLibrary,),
    begin=_begin,
    draw=_draw,
)
