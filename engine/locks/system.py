"""Locks as a system: pins that count over spans of time, kept above the layers, and again where others move what they
hold."""

from engine.systems import Kernels, System

_EDITS = "engine.locks.edits"

SYSTEM = System(
    name="locks",
    uses="engine.locks.uses:uses_locks",
    edits=(
        (_EDITS, "add_lock", "Lock {joint}"),
        (_EDITS, "plant_locks", "Lock contacts"),
        (_EDITS, "remove_lock", "Remove lock {lock}"),
        (_EDITS, "rename_lock", "Rename lock {lock}"),
        (_EDITS, "mute_lock", "Mute lock {lock}"),
        (_EDITS, "set_lock_target", "Move lock {lock}"),
        (_EDITS, "key_lock", "Key lock {lock}"),
        (_EDITS, "unkey_lock", "Remove keys of lock {lock}"),
        (_EDITS, "set_lock_weight", "Set weight of lock {lock}"),
        (_EDITS, "set_lock_span", "Set span of lock {lock}"),
        (_EDITS, "set_lock_axes", "Set what lock {lock} holds"),
        (_EDITS, "set_lock_joints", "Set joints of lock {lock}"),
        (_EDITS, "move_lock_to", "Hold lock {lock} elsewhere"),
        (_EDITS, "set_lock_solver", "Set what keeps locks"),
        (_EDITS, "set_lock_iterations", "Set iterations of locks"),
        (_EDITS, "set_comfort", "Set comfort of {actor}"),
        (_EDITS, "set_natural", "Set natural posing of {actor}"),
        (_EDITS, "bake_locks", "Bake locks of {actor}"),
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
