"""Videos and pictures: what is asked before one is exported, what waits, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Actions, Feature
from app.features.films.actions import ACTIONS, FilmsCommands
from app.features.films.films import Films

if TYPE_CHECKING:
    from app.features.window import Window

HELP = """
<p>{file.export_film} asks what is to become a video or pictures, and shows a frame as it will be. A view is drawn at
any size, however large it is on screen. What is folded away is for later: a camera that goes round, the rate, how
smooth it is, what is behind the bodies, trails, onion skins, and words and numbers.</p>
<p>It is drawn while you go on working, of the scene as it was when you asked. The status line tells how far it is; a
click there lists what waits, and cancels it. Nothing is left of a video that is cancelled.</p>
<p>{file.export_picture} writes what the active view shows at the playhead as one picture.</p>
"""


def _begin(window: Window) -> None:
    window.of(Films)


FEATURE = Feature(
    name="films",
    actions=(Actions(ACTIONS, FilmsCommands, 3),),
    begin=_begin,
    help=(("films", "Videos and pictures", HELP),),
)
