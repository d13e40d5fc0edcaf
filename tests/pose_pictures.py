"""`python -m tests.pose_pictures`: writes the poses that come with Sinew and their pictures into resources/poses.

Angles are in degrees, within the human's limits; "@" stands for both sides. Feet that are meant to stand are flat where
tilt - hip + knee - ankle is zero; the height of the pelvis follows from the lowest joint of the feet.
"""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from pathlib import Path

from app.features.poses.view import SIZE, photograph
from app.session import Item
from engine.document import Actor, Document, Layer
from engine.document.pose import Pose, place_of, pose_of, rest_of
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from tests.stage import Stage, stage

FOLDER = Path(__file__).resolve().parents[1] / "resources" / "poses"
AZIMUTH, ELEVATION = 0.45, 0.12  # [rad]
POSES: dict[str, dict[str, float]] = {
    "Stand": {"shoulder_@.abduction": -4, "shoulder_@.rotation": 8, "elbow_@.flexion": 6},
    "T": {"shoulder_@.abduction": 80, "elbow_@.flexion": -10},
    "Star": {
        "shoulder_@.abduction": 118, "collar_@.elevation": 14, "elbow_@.flexion": -8, "hip_@.abduction": 26,
        "ankle_@.inversion": 26,
    },
    "Sit": {
        "hip_@.flexion": 88, "knee_@.flexion": 88, "hip_@.abduction": 8, "shoulder_@.flexion": 22,
        "elbow_@.flexion": 52, "forearm_@.pronation": 55, "lower_spine.flexion": 6, "neck.flexion": 4,
    },
    "Squat": {
        "pelvis.tilt": 24, "hip_@.flexion": 112, "knee_@.flexion": 108, "ankle_@.dorsiflexion": 20,
        "hip_@.abduction": 12, "lower_spine.flexion": 12, "middle_spine.flexion": 6, "neck.flexion": -14,
        "head.flexion": -12, "shoulder_@.flexion": 126, "elbow_@.flexion": 4, "shoulder_@.abduction": 8,
    },
    "Reach": {
        "shoulder_right.flexion": 158, "shoulder_right.abduction": 44, "collar_right.elevation": 28,
        "elbow_right.flexion": -4, "lower_spine.side_bend": 6, "middle_spine.side_bend": 6,
        "neck.flexion": -16, "head.flexion": -12, "shoulder_left.abduction": 14, "elbow_left.flexion": 22,
        "ankle_@.dorsiflexion": -26, "toes_@.flexion": -26,
    },
    "Wave": {
        "shoulder_right.abduction": 84, "shoulder_right.rotation": -84, "elbow_right.flexion": 78,
        "forearm_right.pronation": 20, "collar_right.elevation": 12, "head.side_bend": -5, "neck.side_bend": -3,
        "shoulder_left.abduction": -3, "elbow_left.flexion": 10,
    },
}  # fmt: skip


def shipped(name: str) -> Pose:
    """One of them, the pelvis as high as the feet ask for."""
    figure = load_figure("human")
    values = dict(rest_of(figure))
    for coordinate, degrees in POSES[name].items():
        for side in ("left", "right") if "@" in coordinate else ("",):
            each = coordinate.replace("@", side)
            values[each] = figure.coordinate_dof[each].clamp(math.radians(degrees))
            if values[each] != math.radians(degrees):
                raise ValueError(f"{name}: {each} of {degrees} degrees is beyond its limit")
    values["pelvis.move_y"] = _lowest({}) - _lowest(values)
    kept = {each: value for each, value in values.items() if each not in place_of(figure)}
    return pose_of(figure, kept, name=name)


def _lowest(values: dict[str, float]) -> float:
    """Height of the lowest joint of the feet [m]."""
    figure = load_figure("human")
    actor = Actor(id="human", name="Human", figure=figure, layers=(Layer(id="pose", values=tuple(values.items())),))
    worlds = Evaluator().joint_transforms(Document(actors=(actor,)), "human")
    joints = [figure.joint_index[f"{part}_{side}"] for part in ("ankle", "toes") for side in ("left", "right")]
    return min(float(worlds[each][1, 3]) for each in joints)


def main() -> int:
    """Write all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with stage(anti_aliasing="on") as opened:
        for name in POSES:
            pose = shipped(name)
            (FOLDER / f"{name}.pose.toml").write_text(pose.to_toml(), encoding="utf-8")
            _show(opened, pose)
            photograph(opened.view, opened.session, opened.session.document.actors[0].id, FOLDER / f"{name}.png")
            print(FOLDER / f"{name}.pose.toml", SIZE)
    return 0


def _show(opened: Stage, pose: Pose) -> None:
    session, actor = opened.session, opened.session.document.actors[0]
    session.select([Item(actor.id)])
    values, _ = pose.fit(actor.figure)
    session.do(edit("set_pose", actor=actor.id, layer=actor.layers[0].id, values=values))
    view = opened.view.active
    opened.view.set_camera(view, replace(opened.view.cameras[view], azimuth=AZIMUTH, elevation=ELEVATION))
    opened.settle()


if __name__ == "__main__":
    sys.exit(main())
