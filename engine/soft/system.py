"""Soft bodies as a system: above physics, whose bodies they touch, with a clock of their own."""

from engine.systems import System

_EDITS = "engine.soft.edits"
_PARTS = "engine.soft.parts"

SYSTEM = System(
    name="soft",
    uses="engine.soft.uses:uses_soft",
    upon=("physics",),
    parts=(
        f"{_PARTS}:SoftBody",
        f"{_PARTS}:ActivationSpline",
        f"{_PARTS}:SoftAttachment",
        "engine.soft.pulls:SoftPull",
        f"{_PARTS}:SoftBake",
        f"{_PARTS}:SoftWorld",
    ),
    edits=(
        (_EDITS, "add_soft_body", "Add soft body {actor}"),
        (_EDITS, "put_soft_body", "Make {actor} soft"),
        (_EDITS, "remove_soft_body", "Remove soft body of {actor}"),
        (_EDITS, "set_soft_body", "Set soft body of {actor}"),
        (_EDITS, "set_soft_heading", "Set heading of {actor}"),
        (_EDITS, "set_soft_factors", "Set stiffness of the cells of {actor}"),
        (_EDITS, "add_activation_spline", "Add spline to {actor}"),
        (_EDITS, "remove_activation_spline", "Remove spline of {actor}"),
        (_EDITS, "rename_activation_spline", "Rename spline of {actor}"),
        (_EDITS, "set_activation_spline", "Set spline of {actor}"),
        (_EDITS, "set_activation_points", "Draw spline of {actor}"),
        (_EDITS, "move_activation_point", "Move point of spline of {actor}"),
        (_EDITS, "set_activation_region", "Set region of spline of {actor}"),
        (_EDITS, "set_activation", "Set activation of {actor}"),
        (_EDITS, "set_activation_keys", "Key activation of {actor}"),
        (_EDITS, "draw_activation", "Draw activation of {actor}"),
        (_EDITS, "move_activation_keys", "Move keys of activation of {actor}"),
        (_EDITS, "remove_activation_keys", "Remove keys of activation of {actor}"),
        (_EDITS, "extend_activation", "Set extrapolation of activation of {actor}"),
        (_EDITS, "attach_soft_body", "Attach {actor}"),
        (_EDITS, "detach_soft_body", "Detach {actor}"),
        (_EDITS, "set_soft_attachment", "Set attachment of {actor}"),
        (_EDITS, "move_soft_attachment", "Move attachment of {actor}"),
        (_EDITS, "put_soft_pull", "Pull {actor}"),
        (_EDITS, "remove_soft_pulls", "Remove pulls of {actor}"),
        (_EDITS, "set_soft_world", "Set soft bodies of the scene"),
        (_EDITS, "bake_soft_body", "Bake {actor}"),
        (_EDITS, "remove_soft_bake", "Remove bake of {actor}"),
    ),
    stage="engine.soft.stage:SoftStage",
    order=110,
    surfaced="engine.soft.uses:is_soft",
    follows="engine.soft.follows:SoftFollows",
    changes="engine.soft.changes:SoftChanges",
)
