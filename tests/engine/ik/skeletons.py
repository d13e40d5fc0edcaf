"""Skeletons of captures and game engines as their programs name them: one child below the other, limb by limb."""

from __future__ import annotations

from engine.document import Figure, Joint

LIMBS = (
    ("left leg", 0.1, ((0.0, 0.0), (0.0, -0.45), (0.0, -0.45), (0.0, -0.05))),
    ("right leg", -0.1, ((0.0, 0.0), (0.0, -0.45), (0.0, -0.45), (0.0, -0.05))),
    ("left arm", 0.05, ((0.0, 0.0), (0.15, 0.0), (0.3, 0.0), (0.25, 0.0))),
    ("right arm", -0.05, ((0.0, 0.0), (-0.15, 0.0), (-0.3, 0.0), (-0.25, 0.0))),
)
# Root and what is above the hips; spine; neck and head; thigh, knee, ankle, toes; collar, upper arm, elbow, wrist.
NAMES: dict[str, tuple[str, str, str, str, str]] = {
    "Mixamo": (
        "mixamorig:Hips", "mixamorig:Spine mixamorig:Spine1", "mixamorig:Neck mixamorig:Head",
        "mixamorig:LeftUpLeg mixamorig:LeftLeg mixamorig:LeftFoot mixamorig:LeftToeBase",
        "mixamorig:LeftShoulder mixamorig:LeftArm mixamorig:LeftForeArm mixamorig:LeftHand",
    ),
    "Rokoko": (
        "Hips", "Spine Spine1", "Neck Head", "LeftThigh LeftShin LeftFoot LeftToe",
        "LeftShoulder LeftArm LeftForeArm LeftHand",
    ),
    "Unreal": (
        "root pelvis", "spine_01 spine_02", "neck_01 head", "thigh_l calf_l foot_l ball_l",
        "clavicle_l upperarm_l lowerarm_l hand_l",
    ),
    "MakeHuman": (
        "root", "spine05 spine04", "neck01 head", "upperleg01.L lowerleg01.L foot.L toe1-1.L",
        "clavicle.L upperarm01.L lowerarm01.L wrist.L",
    ),
    "Biped": (
        "Bip01 Bip01_Pelvis", "Bip01_Spine Bip01_Spine1", "Bip01_Neck Bip01_Head",
        "Bip01_L_Thigh Bip01_L_Calf Bip01_L_Foot Bip01_L_Toe0",
        "Bip01_L_Clavicle Bip01_L_UpperArm Bip01_L_Forearm Bip01_L_Hand",
    ),
    "daz": (
        "hip", "abdomen chest", "neck head", "lThigh lShin lFoot lToe", "lCollar lShldr lForeArm lHand",
    ),
    "cgspeed": (
        "Hips", "LowerBack Spine", "Neck1 Head", "LeftUpLeg LeftLeg LeftFoot LeftToeBase",
        "LeftShoulder LeftArm LeftForeArm LeftHand",
    ),
    "Acclaim": (
        "root", "lowerback upperback", "lowerneck head", "lfemur ltibia lfoot ltoes",
        "lclavicle lhumerus lradius lwrist",
    ),
}  # fmt: skip


def named(program: str) -> Figure:
    """The skeleton of a program, 1.8 m tall, whose joints are all free to stand as they do."""
    base, spine, upper, leg, arm = (each.split() for each in NAMES[program])
    joints: list[Joint] = []
    for number, id in enumerate((*base, *spine, *upper)):
        above = joints[-1].id if joints else None
        joints.append(Joint(id=id, name=id, parent=above, offset=(0.0, 0.95 if number == 0 else 0.12, 0.0)))
    for limb, side, steps in LIMBS:
        names = leg if limb.endswith("leg") else arm
        above = base[-1] if limb.endswith("leg") else spine[-1]
        for number, (id, (x, y)) in enumerate(zip(names, steps, strict=True)):
            id = id if limb.startswith("left") else _right(id)
            z = 0.12 if limb.endswith("leg") and number == 3 else 0.0
            joints.append(Joint(id=id, name=id, parent=above, offset=(side if number == 0 else x, y, z)))
            above = id
    return Figure(name=program, joints=tuple(joints))


def _right(id: str) -> str:
    for left, right in (("Left", "Right"), ("_L_", "_R_"), (".L", ".R"), ("_l", "_r")):
        if left in id:
            return id.replace(left, right)
    return "r" + id[1:]
