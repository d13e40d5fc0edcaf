"""Light: the lights of the scene, its background and floor, and the colours of actors."""

from app.features.feature import Actions, Dock, Feature
from app.features.light import actions
from app.features.light.panel import LightPanel
from app.features.light.state import LightState

FEATURE = Feature(
    name="light",
    docks=(Dock("light", LightPanel.title, "right", LightPanel, "sun"),),
    actions=(Actions(actions.ACTIONS, actions.LightCommands, 208),),
    states=(LightState,),
)
