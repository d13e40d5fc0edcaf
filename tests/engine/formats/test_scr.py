"""Welman's skeleton text: his own example, what the source leaves open, and refusals with their lines."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from engine.document import Body, Dof, Figure, Joint
from engine.formats.format import Contents, Options
from engine.formats.scr import read
from engine.formats.scr_write import omits, write
from engine.maths.quaternions import AXES
from engine.runtime.errors import UnreadableFile

# The hierarchy of figure 6.1, curly quotes and minus sign as printed.
STICKMAN = """\
# Example .scr file for a stick figure.
define skeleton “stickman”
  joint “pelvis”
  group “Upper body”
    joint “torso”
    group “Right Arm” joint “right arm” joint “right hand” end group
    group “Left arm” joint “left arm” joint “left hand” end group
    joint “head”  # “head” is a child of “torso”
  end group
  group “Right leg” joint “right leg” joint “right foot” end group
  group “Left leg” joint “left leg” joint “left foot” end group
end skeleton
"""
LEG = """\
define joint "right leg"
  object "r_lleg.pol" offset 0 −0.32 0
  hinge x 0 170
  mass 1 orientation 0 0 0 mirror "left leg"
end joint
"""
OTHERS = "".join(
    f'define joint "{name}" offset 0 0.1 0 hinge y -10 10 end joint\n'
    for name in ("pelvis", "torso", "right arm", "right hand", "left arm", "left hand", "head", "right foot")
) + "".join(f'define joint "{name}" end joint\n' for name in ("left leg", "left foot"))
WHOLE = STICKMAN + LEG + OTHERS


def contents(folder: Path, text: str, options: Options | None = None) -> Contents:
    path = folder / "stick.scr"
    path.write_bytes(text.encode())
    return read(path, options or Options())


def figure(folder: Path, text: str, options: Options | None = None) -> Figure:
    found = contents(folder, text, options).figure
    assert found is not None
    return found


def test_the_sources_example_is_read(tmp_path: Path) -> None:
    found = figure(tmp_path, WHOLE)
    assert found.name == "stickman"
    assert {joint.id: joint.parent for joint in found.joints} == {
        "pelvis": None,
        "torso": "pelvis",
        "right_arm": "torso",
        "right_hand": "right_arm",
        "left_arm": "torso",
        "left_hand": "left_arm",
        "head": "torso",
        "right_leg": "pelvis",
        "right_foot": "right_leg",
        "left_leg": "pelvis",
        "left_foot": "left_leg",
    }
    leg = found.joint("right_leg")
    (hinge,) = leg.dofs
    assert (leg.name, leg.offset, leg.group, leg.side) == ("right leg", (0.0, -0.32, 0.0), "Right leg", "right")
    assert (hinge.axis, hinge.lower, hinge.upper) == ((1.0, 0.0, 0.0), 0.0, math.radians(170.0))
    assert leg.body is not None
    assert leg.body.mass == 1.0
    assert found.joint("head").group == "Upper body"


def test_one_joint_that_names_its_mirror_is_enough(tmp_path: Path) -> None:
    found = figure(tmp_path, WHOLE)
    assert found.joint("right_leg").mirror == "left_leg"
    assert found.joint("left_leg").mirror == "right_leg"


def test_the_root_may_move_and_others_may_not(tmp_path: Path) -> None:
    found = figure(tmp_path, WHOLE)
    assert [(dof.id, dof.kind) for dof in found.joints[0].dofs] == [
        ("pelvis.move_x", "slide"),
        ("pelvis.move_y", "slide"),
        ("pelvis.move_z", "slide"),
        ("pelvis.hinge", "hinge"),
    ]
    assert len(found.dofs) == 3 + 9


def test_compound_joints_share_a_location(tmp_path: Path) -> None:
    text = """define skeleton "s" joint "a" joint "ball x" joint "ball y" end skeleton
    define joint "a" end joint
    define joint "ball x" offset 0 1 0 hinge x end joint
    define joint "ball y" hinge 0 1 1 -30 30 prismatic -z 0 0.5 end joint"""
    found = figure(tmp_path, text)
    assert found.joint("ball_y").offset == (0.0, 0.0, 0.0)
    first, second = found.joint("ball_y").dofs
    assert first.axis == pytest.approx((0.0, math.sqrt(0.5), math.sqrt(0.5)))
    assert (second.id, second.kind, second.axis) == ("ball_y.slide2", "slide", (0.0, 0.0, -1.0))
    assert (second.lower, second.upper) == (0.0, 0.5)
    assert found.joint("ball_x").dofs[0].lower is None


def test_orientation_turns_about_x_then_y_then_z(tmp_path: Path) -> None:
    found = figure(tmp_path, WHOLE.replace("orientation 0 0 0", "orientation 90 90 0"))
    assert found.joint("right_leg").rest == pytest.approx((0.5, 0.5, 0.5, 0.5))


def test_units_and_upward_axis_are_asked_for(tmp_path: Path) -> None:
    text = WHOLE.replace("hinge x 0 170", "slide x 0 17")
    found = figure(tmp_path, text, Options(unit=0.01, up="z"))
    assert found.joint("right_leg").offset == pytest.approx((0.0, -0.0032, 0.0))
    assert found.joint("right_leg").dofs[0].upper == pytest.approx(0.17)
    assert found.joints[0].offset == pytest.approx((0.0, 0.0, -0.001))


@pytest.mark.parametrize("ending", ["\r\n", "\r", " "])
def test_line_ends_mean_nothing(tmp_path: Path, ending: str) -> None:
    text = "\n".join(line.split("#")[0] for line in WHOLE.splitlines())
    assert figure(tmp_path, text.replace("\n", ending)) == figure(tmp_path, WHOLE)


def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    text = WHOLE + 'define joint "tail" mirror "head" end joint\n'
    notes = contents(tmp_path, text.replace('define joint "head"', 'define joint "head" mirror "torso"')).notes
    assert any("r_lleg.pol" in note for note in notes)
    assert any("stand in no skeleton: tail" in note for note in notes)
    odd = contents(tmp_path, WHOLE.replace('mirror "left leg"', 'mirror "nobody"')).notes
    assert any("make no pair, left out: right leg of nobody" in note for note in odd)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("define skeleton", "skeleton", 2, "Write 'define'"),
        ("end skeleton", "end group", 12, "Write: end skeleton"),
        ("end skeleton\n", "", 12, "the word 'define'"),
        ("joint “torso”", "joint torso", 5, "double quotes"),
        ("joint “torso”", "joint “pelvis”", 5, "a second time"),
        ("joint “torso”", "joint “torso", 5, "not closed"),
        ("joint “torso”", "joint “neck”", 5, "without a definition"),
        ("hinge x 0 170", "hinge w 0 170", 15, "is 'w'"),
        ("hinge x 0 170", "hinge x 170 0", 15, "lower limit first"),
        ("hinge x 0 170", "hinge x 0 nan", 15, "finite"),
        ("hinge x 0 170", "hinge 0 0 0 0 170", 13, "not zero"),
        ("hinge x 0 170", "henge x 0 170", 15, "In a joint stand object, offset, hinge"),
        ("mass 1", "mass -1", 13, "0 and above"),
        ("mass 1", "mass heavy", 16, "heavy"),
        ('define joint "pelvis"', 'define joint "right leg"', 18, "The first is on line 13"),
    ],
)
def test_refusals_name_the_line(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    assert old in WHOLE
    with pytest.raises(UnreadableFile, match=message) as caught:
        contents(tmp_path, WHOLE.replace(old, new, 1))
    assert caught.value.line == line


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.62])
def test_a_file_cut_off_is_refused(tmp_path: Path, share: float) -> None:
    with pytest.raises(UnreadableFile):
        contents(tmp_path, WHOLE[: int(share * len(WHOLE))])


def test_a_chain_of_thousands_is_read(tmp_path: Path) -> None:
    names = [f"j{number}" for number in range(3000)]
    text = "".join(f'group "g" joint "{name}" ' for name in names) + "end group " * 3000
    joints = "".join(f'define joint "{name}" offset 0 0.01 0 end joint\n' for name in names)
    found = figure(tmp_path, f'define skeleton "s" {text} end skeleton\n{joints}')
    assert found.joints[-1].parent == "j2998"


def test_the_sources_example_is_written_and_read_again(tmp_path: Path) -> None:
    found = figure(tmp_path, WHOLE)
    write(tmp_path / "again.scr", Contents(figure=found), Options())
    assert read(tmp_path / "again.scr", Options()).figure == found
    assert omits(Contents(figure=found)) == ()


def test_branches_without_groups_balls_and_several_roots_are_written_and_said(tmp_path: Path) -> None:
    joints = (
        Joint(id="one", name='the "one"', dofs=(Dof(id="one.ball", name="Ball", kind="ball"),), group="Limbs"),
        Joint(id="left", name="left hand", parent="one", offset=(0.1, 0.2, 0.3), group="Limbs", side="left"),
        Joint(id="right", name="right hand", parent="one", rest=(0.5, 0.5, 0.5, 0.5), body=Body(mass=2.0)),
        Joint(id="two", name="two", dofs=(Dof(id="two.turn", name="Turn", axis=(0.6, 0.8, 0.0), lower=-0.5),)),
    )
    contents = Contents(figure=Figure(name="Pair", joints=joints))
    write(tmp_path / "pair.scr", contents, Options(unit=0.01))
    back = figure(tmp_path, (tmp_path / "pair.scr").read_text(), Options(unit=0.01))
    assert [(each.name, each.parent) for each in back.joints] == [
        ("base", None), ("the 'one'", "base"), ("left hand", "the_'one'"), ("right hand", "the_'one'"), ("two", "base"),
    ]  # fmt: skip
    assert back.joint("left_hand").offset == pytest.approx((0.1, 0.2, 0.3))
    assert back.joint("right_hand").rest == pytest.approx((0.5, 0.5, 0.5, 0.5))
    assert [dof.axis for dof in back.joint("the_'one'").dofs] == list(AXES)
    said = "; ".join(omits(contents))
    assert all(each in said for each in ("several roots", "ball joints", "one side alone: two.turn", "sides", "groups"))
