"""Cameras as a system: pinned to what moves, above all else that moves joints."""

from engine.systems import System

_EDITS = "engine.cameras.edits"
_PARTS = "engine.cameras.parts"

SYSTEM = System(
    name="cameras",
    uses="engine.cameras.uses:uses_cameras",
    parts=(f"{_PARTS}:FilmCamera", f"{_PARTS}:CameraAim", f"{_PARTS}:CameraFollow", f"{_PARTS}:CameraFocus"),
    edits=(
        (_EDITS, "set_camera", "Set camera {actor}"),
        (_EDITS, "aim_camera", "Aim {actor}"),
        (_EDITS, "unpin_camera", "Unpin {actor}"),
        (_EDITS, "follow_with_camera", "Follow with {actor}"),
        (_EDITS, "set_camera_focus", "Set focus of {actor}"),
        (_EDITS, "focus_camera", "Focus {actor}"),
        (_EDITS, "unfocus_camera", "See all sharply with {actor}"),
    ),
    stage="engine.cameras.stage:CamerasStage",
    order=130,
    follows="engine.cameras.follows:CamerasFollow",
    filmed="engine.cameras.files:camera_of",
    films="engine.cameras.files:actor_of",
    changes="engine.cameras.changes:CamerasChange",
)
