"""Blend shapes as a system: above all that moves joints, without a clock."""

from engine.systems import Kernels, Measured, System

_EDITS = "engine.shapes.edits"
_PARTS = "engine.shapes.parts"

SYSTEM = System(
    name="shapes",
    uses="engine.shapes.uses:uses_shapes",
    parts=(
        f"{_PARTS}:BlendShapes",
        f"{_PARTS}:BlendShape",
        f"{_PARTS}:ShapeMotion",
        f"{_PARTS}:ShapeTarget",
    ),
    edits=(
        (_EDITS, "add_shaped_actor", "Add {actor}"),
        (_EDITS, "put_blend_shapes", "Give {actor} blend shapes"),
        (_EDITS, "remove_blend_shapes", "Remove blend shapes of {actor}"),
        (_EDITS, "add_blend_shape", "Add shape to {actor}"),
        (_EDITS, "remove_blend_shape", "Remove shape of {actor}"),
        (_EDITS, "rename_blend_shape", "Rename shape of {actor}"),
        (_EDITS, "set_blend_shape", "Set shape of {actor}"),
        (_EDITS, "set_shape_keys", "Key shape of {actor}"),
        (_EDITS, "key_shapes", "Key shapes of {actor}"),
        (_EDITS, "move_shape_keys", "Move keys of shape of {actor}"),
        (_EDITS, "remove_shape_keys", "Remove keys of shape of {actor}"),
        (_EDITS, "extend_shape", "Set extrapolation of shape of {actor}"),
        (_EDITS, "set_shape_motion", "Set secondary motion of the surface of {actor}"),
        (_EDITS, "add_shape_target", "Add target to the surface of {actor}"),
        (_EDITS, "remove_shape_target", "Remove target of the surface of {actor}"),
        (_EDITS, "set_shape_target", "Set target of the surface of {actor}"),
    ),
    stage="engine.shapes.stage:ShapesStage",
    order=120,
    surfaced="engine.shapes.uses:has_shapes",
    follows="engine.shapes.follows:ShapesFollows",
    changes="engine.shapes.changes:ShapesChanges",
    kernels=Kernels(
        name="shapes",
        purpose="blend shapes",
        functions=("engine.shapes.warm:warm",),
        seconds={"follow_shape": 1.8},
    ),
    measured=(
        Measured(
            name="surface_lag",
            label="Surface beside its keys",
            unit="m",
            note="How far the vertex that is farthest off is from where it is keyed, |x - k|.",
        ),
        Measured(
            name="shape_weight",
            label="Weight of a shape",
            unit="1",
            note="The keyed weight, with what targets add to it.",
        ),
    ),
    measurable="engine.shapes.measures:measurable",
    measure="engine.shapes.measures:measure",
)
