"""What may move for locks, stage by stage."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Box, Lock, prop
from engine.formats.figure_toml import load_figure
from engine.locks.stages import stages_of, steady_of

HUMAN = load_figure("human")
SLIDES = frozenset(("pelvis.move_x", "pelvis.move_y", "pelvis.move_z"))
TURNS = frozenset(("pelvis.turn", "pelvis.tilt", "pelvis.roll"))


def at(joint: str) -> tuple[Lock, str]:
    return Lock(id=joint, name=joint, joint=joint), joint


def dofs(*joints: str) -> frozenset[str]:
    return frozenset(dof.id for joint in joints for dof in HUMAN.joint(joint).dofs)


LEG = dofs("hip_left", "knee_left", "ankle_left")
ARM = dofs("collar_left", "shoulder_left", "elbow_left", "forearm_left", "wrist_left")
SPINE = dofs("lower_spine", "middle_spine", "upper_spine")


def test_the_limb_comes_first_then_the_slides_of_the_root_and_last_its_turns() -> None:
    assert stages_of(HUMAN, [at("ankle_left")], frozenset()) == (LEG, LEG | SLIDES, LEG | SLIDES | TURNS)


def test_a_hand_asks_the_spine_before_the_root() -> None:
    found = stages_of(HUMAN, [at("wrist_left"), at("ankle_left")], frozenset())
    assert found[:3] == (ARM | LEG, ARM | LEG | SPINE, ARM | LEG | SPINE | SLIDES)
    assert len(found) == 4


def test_joints_that_a_lock_names_move_alone_and_at_once() -> None:
    lock, joint = at("ankle_left")
    named = replace(lock, joints=("knee_left", "ankle_left"))
    assert stages_of(HUMAN, [(named, joint)], frozenset()) == (dofs("knee_left", "ankle_left"),)
    rooted = replace(lock, joints=("knee_left", "pelvis"))
    knee = dofs("knee_left")
    assert stages_of(HUMAN, [(rooted, joint)], frozenset()) == (knee, knee | SLIDES, knee | SLIDES | TURNS)


def test_a_centre_of_mass_is_led_level_from_the_first_and_by_all_joints_before_the_root_rises() -> None:
    balance = Lock(id="b", name="b", joint="pelvis", held="balance"), "pelvis"
    whole = frozenset(dof.id for dof in HUMAN.dofs)
    level = SLIDES - {"pelvis.move_y"}
    found = stages_of(HUMAN, [at("ankle_left"), balance], frozenset())
    assert found == (LEG | level, whole - TURNS - {"pelvis.move_y"}, whole - TURNS, whole)


def test_what_raises_a_root_is_told_in_the_world_not_in_a_root_that_rests_turned() -> None:
    root = HUMAN.joints[0]
    lying = replace(root, rest=(0.5**0.5, 0.5**0.5, 0.0, 0.0))  # its own y leads forwards, its z down
    figure = replace(HUMAN, joints=(lying, *HUMAN.joints[1:]))
    balance = Lock(id="b", name="b", joint="pelvis", held="balance"), "pelvis"
    assert stages_of(figure, [balance], frozenset())[0] == {"pelvis.move_x", "pelvis.move_y"}


def test_what_a_far_lock_leads_nowhere_near_by_itself_is_the_spine_and_legs_whose_feet_may_not_turn() -> None:
    turned, free = at("ankle_left"), at("ankle_right")
    turned = replace(turned[0], axes=("i", "j")), turned[1]
    free = replace(free[0], axes=()), free[1]
    assert steady_of(HUMAN, [turned, free]) == LEG
    assert steady_of(HUMAN, [at("wrist_left")]) == SPINE
    assert not steady_of(HUMAN, [(replace(turned[0], joints=("knee_left",)), "ankle_left")])


def test_what_a_figure_hangs_by_never_moves() -> None:
    fixed = frozenset(HUMAN.above("upper_spine"))
    assert stages_of(HUMAN, [at("wrist_left")], fixed) == (ARM,)


def test_a_prop_moves_and_turns_at_once() -> None:
    box = prop("Box", (Box(half=(0.1, 0.1, 0.1)),))
    assert stages_of(box, [at("body")], frozenset()) == (frozenset(dof.id for dof in box.dofs),)
