"""Secondary motion as a system: bodies that follow their locked motion over a window, above the locks."""

from engine.systems import Kernels, System

_EDITS = "engine.kinodynamics.edits"

SYSTEM = System(
    name="secondary",
    uses="engine.kinodynamics.uses:uses_secondary",
    edits=(
        (_EDITS, "set_secondary", "Set secondary motion of {actor}"),
        (_EDITS, "remove_secondary", "Remove secondary motion of {actor}"),
        (_EDITS, "set_gains", "Set gains of {actor}"),
        (_EDITS, "clear_gains", "Reset gains of {actor}"),
        (_EDITS, "apply_preset", "Make {actor} {preset}"),
        (_EDITS, "bake_secondary", "Bake secondary motion of {actor}"),
    ),
    follows="engine.kinodynamics.follows:SecondaryFollows",
    stage="engine.kinodynamics.secondary:Secondaries",
    order=20,
    changes="engine.kinodynamics.changed:SecondaryChanges",
    kernels=Kernels(
        name="secondary",
        purpose="secondary motion",
        functions=("engine.kinodynamics.warm:warm",),
        seconds={"follow": 6.4, "follow_windows": 1.0},
    ),
)
