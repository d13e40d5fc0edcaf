"""Targets as a system: what secondary motion is to meet, and the corrections of keys that make it do so."""

from engine.systems import Kernels, System

_EDITS = "engine.targets.edits"

SYSTEM = System(
    name="targets",
    upon=("kinodynamics",),
    uses="engine.targets.uses:uses_targets",
    follows="engine.targets.follows:TargetFollows",
    edits=(
        (_EDITS, "add_targets", "Add targets"),
        (_EDITS, "set_targets", "Change targets"),
        (_EDITS, "move_targets", "Move targets"),
        (_EDITS, "place_target", "Place target"),
        (_EDITS, "place_targets", "Place targets"),
        (_EDITS, "remove_targets", "Remove targets"),
        (_EDITS, "mark_chosen", "Mark keys"),
        (_EDITS, "set_correction", "Correct motion of {actor}"),
    ),
    kernels=Kernels(name="targets", purpose="targets", functions=("engine.targets.warm:warm",), seconds={"solve": 3.7}),
)
