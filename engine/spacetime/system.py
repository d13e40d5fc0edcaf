"""Planned motions as a system: problems of figures, and what they come to. It draws nothing, and moves nothing until
what was found is kept as a layer."""

from engine.systems import Kernels, System

_EDITS = "engine.spacetime.edits"
_PARTS = "engine.spacetime.parts"

SYSTEM = System(
    name="spacetime",
    uses="engine.spacetime.uses:uses_spacetime",
    upon=("physics",),
    parts=(
        f"{_PARTS}:Spacetime",
        f"{_PARTS}:SpacetimeStage",
        f"{_PARTS}:SpacetimeCurve",
        f"{_PARTS}:SpacetimeContact",
        f"{_PARTS}:SpacetimeMuscle",
        f"{_PARTS}:SpacetimeForce",
        f"{_PARTS}:SpacetimeConstraint",
        f"{_PARTS}:SpacetimeCalm",
        f"{_PARTS}:SpacetimeMeeting",
    ),
    edits=(
        (_EDITS, "put_spacetime", "Plan a motion of {actor}"),
        (_EDITS, "remove_spacetime", "Remove the planned motion of {actor}"),
        (_EDITS, "set_spacetime", "Set the planned motion of {actor}"),
        (_EDITS, "set_spacetime_plane", "Set the plane of the motion of {actor}"),
        (_EDITS, "put_spacetime_stage", "Put a stage of {actor}"),
        (_EDITS, "set_spacetime_stage", "Set a stage of {actor}"),
        (_EDITS, "set_spacetime_length", "Set the length of a stage of {actor}"),
        (_EDITS, "move_spacetime_border", "Move the end of a stage of {actor}"),
        (_EDITS, "remove_spacetime_stage", "Remove a stage of {actor}"),
        (_EDITS, "put_spacetime_muscles", "Put muscles of {actor}"),
        (_EDITS, "remove_spacetime_muscles", "Remove muscles of {actor}"),
        (_EDITS, "put_spacetime_force", "Put a force on {actor}"),
        (_EDITS, "remove_spacetime_force", "Remove a force on {actor}"),
        (_EDITS, "put_spacetime_constraint", "Constrain {actor}"),
        (_EDITS, "set_spacetime_constraint", "Set a constraint of {actor}"),
        (_EDITS, "set_spacetime_bounds", "Set the bounds of a constraint of {actor}"),
        (_EDITS, "move_spacetime_constraint", "Move a constraint of {actor}"),
        (_EDITS, "remove_spacetime_constraint", "Remove a constraint of {actor}"),
        (_EDITS, "put_spacetime_meeting", "Let {actor} meet another"),
        (_EDITS, "remove_spacetime_meeting", "Remove a meeting of {actor}"),
        (_EDITS, "set_spacetime_calm", "Set calm points of {actor}"),
        (_EDITS, "keep_spacetime", "Keep the motion found for {actor}"),
    ),
    follows="engine.spacetime.follows:SpacetimeFollows",
    kernels=Kernels(
        name="spacetime",
        purpose="planned motions",
        functions=("engine.spacetime.warm:warm",),
        on_request=True,
        seconds={
            "search": 17.1,
            "contacts": 0.1,
            "rank": 0.6,
            "computed_torques": 14.1,
            "playback": 0.6,
            "space": 28.0,
        },
    ),
)
