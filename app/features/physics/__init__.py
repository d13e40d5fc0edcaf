"""Physics: figures and props that fall, roll and collide."""

from app.features.feature import Actions, Dock, Feature
from app.features.physics.actions import ACTIONS, PhysicsCommands
from app.features.physics.panel import PhysicsPanel
from app.features.physics.state import PhysicsState

FEATURE = Feature(
    name="physics",
    docks=(Dock("physics", PhysicsPanel.title, "right", PhysicsPanel),),
    actions=(Actions(ACTIONS, PhysicsCommands),),
    states=(PhysicsState,),
)
