"""Pins as a system: they count over spans of time, kept above the layers, and again where others move what they
hold."""

from engine.systems import Kernels, System

_EDITS = "engine.locks.edits"

SYSTEM = System(
    name="locks",
    uses="engine.locks.uses:uses_locks",
    edits=(
        (_EDITS, "add_lock", "Pin {joint}"),
        (_EDITS, "plant_locks", "Pin contacts"),
        (_EDITS, "remove_lock", "Remove pin {lock}"),
        (_EDITS, "rename_lock", "Rename pin {lock}"),
        (_EDITS, "mute_lock", "Mute pin {lock}"),
        (_EDITS, "set_lock_target", "Move pin {lock}"),
        (_EDITS, "key_lock", "Key pin {lock}"),
        (_EDITS, "unkey_lock", "Remove keys of pin {lock}"),
        (_EDITS, "set_lock_weight", "Set weight of pin {lock}"),
        (_EDITS, "set_lock_span", "Set span of pin {lock}"),
        (_EDITS, "set_lock_axes", "Set what pin {lock} holds"),
        (_EDITS, "set_lock_joints", "Set joints of pin {lock}"),
        (_EDITS, "move_lock_to", "Move pin {lock}"),
        (_EDITS, "set_lock_solver", "Set the solver of pins"),
        (_EDITS, "set_lock_iterations", "Set iterations of pins"),
        (_EDITS, "set_comfort", "Set comfort of {actor}"),
        (_EDITS, "set_natural", "Set natural posing of {actor}"),
        (_EDITS, "set_floor", "Set the floor of {actor}"),
        (_EDITS, "bake_locks", "Bake pins of {actor}"),
    ),
    follows="engine.locks.follows:LockFollows",
    stage="engine.locks.keeping:LockStage",
    order=10,
    again=30,
    changes="engine.locks.changed:LockChanges",
    kernels=Kernels(
        name="locks",
        purpose="locks",
        examples=(
            ("held", "standing", None),
            ("drags with locks", "standing", "hand_right"),
            ("leaning", "quadruped", "front_foot_left"),
        ),
        seconds={"held": 0.3, "drags with locks": 0.1, "leaning": 1.0},
        before="motion",
    ),
)
