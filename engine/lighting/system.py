"""Light as a system: parts of the scene and of actors that a picture is drawn with."""

from engine.systems import System

_EDITS = "engine.lighting.edits"
_PARTS = "engine.lighting.parts"

SYSTEM = System(
    name="lighting",
    uses="engine.lighting.uses:uses_lighting",
    parts=(f"{_PARTS}:Lighting", f"{_PARTS}:Finish"),
    edits=(
        (_EDITS, "set_lighting", "Set light"),
        (_EDITS, "remove_lighting", "Remove light"),
        (_EDITS, "set_finish", "Set colour of {actor}"),
    ),
    stage="engine.lighting.stage:LightingStage",
    order=140,
    changes="engine.lighting.changes:LightingChange",
)
