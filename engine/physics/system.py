"""Physics as a system: the last stage of the stack, with a clock."""

from engine.systems import Kernels, System

_EDITS, _CURVES = "engine.physics.edits", "engine.physics.torque_edits"

SYSTEM = System(
    name="physics",
    uses="engine.physics.uses:uses_physics",
    parts=(
        "engine.physics.parts:Physics",
        "engine.physics.parts:PhysicsWorld",
        "engine.physics.parts:TorqueCurves",
    ),
    edits=(
        (_EDITS, "set_physics", "Set physics of {actor}"),
        (_EDITS, "remove_physics", "Remove physics of {actor}"),
        (_EDITS, "set_physics_world", "Set physics of the scene"),
        (_EDITS, "bake_physics", "Bake physics of {actor}"),
        (_CURVES, "put_torque_curves", "Drive {actor} by torque curves"),
        (_CURVES, "remove_torque_curves", "Remove torque curves of {actor}"),
        (_CURVES, "set_torque_curves", "Set torque curves of {actor}"),
        (_CURVES, "span_torque_curves", "Set the span of torque curves of {actor}"),
        (_CURVES, "set_torque_keys", "Key torques of {actor}"),
    ),
    follows="engine.physics.follows:PhysicsFollows",
    stage="engine.physics.stage:PhysicsStage",
    order=100,
    changes="engine.physics.changes:PhysicsChanges",
    kernels=Kernels(
        name="dynamics",
        purpose="dynamics",
        functions=("engine.dynamics.warm:warm",),
        seconds={
            "compute_mass_matrix": 2.3,
            "compute_inverse_dynamics": 0.9,
            "compute_forward_dynamics": 1.0,
            "compute_momenta": 0.3,
            "integrate_coordinates": 0.2,
            "nudge_coordinates": 0.1,
            "read_rates": 0.1,
            "compute_difference": 0.2,
            "measure_gap": 0.6,
            "advance": 16.4,
            "ball_roots": 1.1,
            "invert_groups": 4.8,
        },
    ),
)
