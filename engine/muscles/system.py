"""Muscles as a system: measured and drawn above all that moves joints; what physics simulates, they drive."""

from engine.systems import Kernels, Measured, System

_EDITS = "engine.muscles.edits"
_ACTIVATIONS = "engine.muscles.activation_edits"
_PARTS = "engine.muscles.parts"

SYSTEM = System(
    name="muscles",
    upon=("physics",),
    uses="engine.muscles.uses:uses_muscles",
    parts=(
        f"{_PARTS}:Muscles",
        f"{_PARTS}:Muscle",
        f"{_PARTS}:MuscleWrap",
        f"{_PARTS}:MuscleSet",
        f"{_PARTS}:PathPoint",
        f"{_PARTS}:PathWrap",
        f"{_PARTS}:PointCurve",
        f"{_PARTS}:MuscleActivations",
        f"{_PARTS}:MuscleActivation",
    ),
    edits=(
        (_EDITS, "put_muscles", "Give {actor} muscles"),
        (_EDITS, "remove_muscles", "Remove muscles of {actor}"),
        (_EDITS, "set_muscle_model", "Set how muscles of {actor} pull"),
        (_EDITS, "add_muscle", "Add muscle to {actor}"),
        (_EDITS, "remove_muscle", "Remove muscle of {actor}"),
        (_EDITS, "set_muscle", "Set muscle of {actor}"),
        (_EDITS, "add_path_point", "Add point to muscle of {actor}"),
        (_EDITS, "set_path_point", "Set point of muscle of {actor}"),
        (_EDITS, "remove_path_point", "Remove point of muscle of {actor}"),
        (_EDITS, "set_path_wraps", "Set wraps of muscle of {actor}"),
        (_EDITS, "add_muscle_wrap", "Add wrap to {actor}"),
        (_EDITS, "set_muscle_wrap", "Set wrap of {actor}"),
        (_EDITS, "remove_muscle_wrap", "Remove wrap of {actor}"),
        (_EDITS, "put_muscle_set", "Keep set of muscles of {actor}"),
        (_EDITS, "remove_muscle_set", "Remove set of muscles of {actor}"),
        (_ACTIVATIONS, "set_muscle_activation", "Set activation of muscle of {actor}"),
        (_ACTIVATIONS, "set_muscle_keys", "Key muscle of {actor}"),
        (_ACTIVATIONS, "draw_muscle_activation", "Draw activation of muscle of {actor}"),
        (_ACTIVATIONS, "key_muscles", "Key muscles of {actor}"),
        (_ACTIVATIONS, "put_muscle_activations", "Put activations of muscles of {actor}"),
        (_ACTIVATIONS, "move_muscle_keys", "Move keys of muscle of {actor}"),
        (_ACTIVATIONS, "remove_muscle_keys", "Remove keys of muscle of {actor}"),
        (_ACTIVATIONS, "extend_muscle_activation", "Set extrapolation of muscle of {actor}"),
    ),
    stage="engine.muscles.stage:MusclesStage",
    order=130,
    follows="engine.muscles.follows:MusclesFollows",
    changes="engine.muscles.changes:MusclesChanges",
    figure_tables="engine.muscles.tables:TABLES",
    osim="engine.muscles.osim:read_muscles",
    drives="engine.muscles.uses:drives_joints",
    kernels=Kernels(
        name="muscles",
        purpose="muscles",
        functions=("engine.muscles.warm:warm",),
        seconds={"measure_muscles": 8.0, "draw_muscles": 4.0},
    ),
    measured=(
        Measured(
            name="muscle_length",
            label="Length of a muscle",
            unit="m",
            note="Of its path with its tendon, around wraps.",
        ),
        Measured(
            name="muscle_force",
            label="Force of a muscle",
            unit="N",
            note="Along its tendon, by its length, how fast that changes, and its activation.",
        ),
        Measured(name="muscle_activation", label="Activation of a muscle", unit="1", note="As it is keyed, 0 to 1."),
    ),
    measurable="engine.muscles.measures:measurable",
    measure="engine.muscles.measures:measure",
)
