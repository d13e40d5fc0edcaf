"""Keys: breakdowns, ranges of time, captures cleaned up and put onto other figures; each shown before it is kept."""

from app.features.feature import Actions, Dock, Feature
from app.features.keys.actions import ACTIONS, KeysCommands
from app.features.keys.panel import KeysPanel
from app.features.keys.retargeting import RetargetFiles
from app.features.window import Window


def _begin(window: Window) -> None:
    window.session.of(RetargetFiles).asking = window.asking


FEATURE = Feature(
    name="keys",
    docks=(Dock("keys", KeysPanel.title, "right", KeysPanel, "key-round"),),
    actions=(Actions(ACTIONS, KeysCommands, 150),),
    states=(RetargetFiles,),
    begin=_begin,
)
