"""How strong all muscles of the skeleton are together, about a joint, beside what people reach.

The ranges are estimated: what healthy men reach on dynamometers, wide; no paper's numbers are ascribed to them, and no
shared file of the references has any.
"""

from __future__ import annotations

from engine.experiments.anatomy import Pose, summed_torque
from engine.experiments.result import Claim, Table

# What; about which coordinate, and which way; in which pose [degrees]; from and to [N m].
STRENGTHS: tuple[tuple[str, str, float, Pose, float, float], ...] = (
    ("knee extension", "tibia_left.flexion", -1, {"tibia.flexion": 60, "femur.flexion": 80}, 150, 320),
    ("knee flexion", "tibia_left.flexion", 1, {"tibia.flexion": 45, "femur.flexion": 80}, 70, 180),
    ("hip extension", "femur_left.flexion", -1, {"femur.flexion": 45, "tibia.flexion": 30}, 150, 350),
    ("hip flexion", "femur_left.flexion", 1, {"femur.flexion": 10}, 90, 230),
    ("hip abduction", "femur_left.abduction", 1, {}, 80, 220),
    ("hip adduction", "femur_left.abduction", -1, {}, 90, 260),
    ("plantarflexion", "talus_left.dorsiflexion", -1, {}, 100, 260),
    ("dorsiflexion", "talus_left.dorsiflexion", 1, {}, 30, 70),
    ("elbow flexion", "ulna_left.flexion", 1, {"ulna.flexion": 90, "radius.pronation": -70}, 45, 100),
    ("elbow extension", "ulna_left.flexion", -1, {"ulna.flexion": 90}, 30, 75),
    ("wrist flexion", "hand_left.flexion", 1, {"ulna.flexion": 90}, 8, 30),
    ("wrist extension", "hand_left.flexion", -1, {"ulna.flexion": 90}, 5, 20),
    ("shoulder abduction", "humerus_left.abduction", 1, {"humerus.abduction": 30}, 35, 90),
    ("shoulder adduction", "humerus_left.abduction", -1, {"humerus.abduction": 45}, 50, 130),
    ("shoulder flexion", "humerus_left.flexion", 1, {"humerus.flexion": 30}, 40, 110),
    ("shoulder extension", "humerus_left.flexion", -1, {"humerus.flexion": 45}, 50, 130),
    ("shoulder internal rotation", "humerus_left.rotation", 1, {}, 30, 80),
    ("shoulder external rotation", "humerus_left.rotation", -1, {}, 12, 50),
    ("trunk extension", "lumbar4.flexion", -1, {}, 150, 400),
    ("trunk flexion", "lumbar4.flexion", 1, {}, 90, 250),
    ("trunk bending", "lumbar3.side_bend", 1, {}, 90, 300),
    ("trunk rotation", "lumbar1.rotation", 1, {}, 50, 150),
)


def strength_rows() -> tuple[tuple[str, float, float, float], ...]:
    """Measure all of them: what, ours, from, to [N m]."""
    return tuple(
        (what, summed_torque(pose, coordinate, sign), least, most)
        for what, coordinate, sign, pose, least, most in STRENGTHS
    )


def strengths() -> tuple[Table, Claim]:
    """Lay them out as a table, with what is said of them."""
    rows = strength_rows()
    within = [what for what, ours, least, most in rows if least < ours < most]
    return (
        Table(name="strengths", columns=("torque", "ours_Nm", "least_Nm", "most_Nm"), rows=rows),
        Claim(
            source="all muscles of a joint together are as strong as healthy men on dynamometers (ranges estimated)",
            ours=f"{len(within)} of {len(rows)} within the range",
            agrees=len(within) == len(rows),
        ),
    )
