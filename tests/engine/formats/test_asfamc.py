"""ASF and AMC: bones, axes, limits and units mean what the definition says; unsound files are refused by line."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob, Figure, Layer, Samples
from engine.formats import asfamc, bvh
from engine.formats.conventions import CMU_UNIT
from engine.formats.format import Contents, Options
from engine.maths.arrays import Array
from engine.runtime.errors import UnreadableFile, UnwritableFile
from tests.engine.figures import random_figure
from tests.engine.formats.test_bvh import moving
from tests.engine.formats.worlds import figure_in, points, poses, transforms, values
from tests.engine.shared_data import shared

CLIPS = ("cmu_01_01_forward_jumps", "cmu_charleston1", "cmu_lambada")

ASF = """# made by hand
:version 1.10
:name ARM
:units
  mass 2.0
  length 0.45
  angle deg
:documentation
  an arm, and a begin or an end
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name upper
    direction 1 0 0
    length 10
    axis 0 0 30 XYZ
    bodymass 1.5
    cofmass 4
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 inf)
           (-inf 70.0)
  end
  begin
    id 2
    name lower
    direction 0 -1 0
    length 5
    axis 90 0 0 XYZ
    dof rz
  end
:hierarchy
  begin
    root upper
    upper lower
  end
"""

AMC = """#!OML:ASF arm.asf
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 10 20 30
upper 40 50 60
lower 70
2
root 4 5 6 0 0 0
upper 0 0 0
lower 90
"""


def read(folder: Path, amc: str = AMC, asf: str = ASF, options: Options | None = None) -> Contents:
    (folder / "arm.asf").write_text(asf)
    (folder / "arm.amc").write_text(amc)
    return asfamc.read_motion(folder / "arm.amc", options or Options())


def about(axis: str, degrees: float) -> Array:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array(
        {
            "x": [[1, 0, 0], [0, c, -s], [0, s, c]],
            "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
            "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
        }[axis]
    )


def test_a_small_pair_of_files_means_what_the_definition_says(tmp_path: Path) -> None:
    contents = read(tmp_path)
    found = points(contents, 0)
    root = about("z", 30) @ about("y", 20) @ about("x", 10)
    first, second = about("z", 30), about("x", 90)
    upper = root @ first @ about("z", 60) @ about("y", 50) @ about("x", 40) @ first.T
    lower = upper @ second @ about("z", 70) @ second.T
    start = np.array((1.0, 2.0, 3.0))
    elbow = start + upper @ (10, 0, 0)
    for name, point in (("root", start), ("upper", start), ("lower", elbow), ("lower.end", elbow + lower @ (0, -5, 0))):
        np.testing.assert_allclose(found[name] / CMU_UNIT, point, rtol=0, atol=1e-12)
    assert contents.rate is None
    assert contents.layers[0].samples is not None
    assert contents.layers[0].samples.rate == (120, 1)
    assert any("120 frames a second" in note for note in contents.notes)


def test_limits_and_masses_are_read_in_their_units(tmp_path: Path) -> None:
    figure = figure_in(read(tmp_path))
    limits = {dof.id: (dof.lower, dof.upper) for dof in figure.dofs}
    assert limits["upper.rx"] == pytest.approx((math.radians(-160), math.radians(20)))
    assert limits["upper.ry"] == (math.radians(-70), None)
    assert limits["upper.rz"] == (None, math.radians(70))
    assert limits["lower.rz"] == (None, None)
    body = figure.joints[1].body
    assert body is not None
    assert body.mass == 3.0
    assert math.hypot(*body.centre) == pytest.approx(4 * CMU_UNIT)
    xx, yy, zz, *_ = body.inertia
    assert xx + yy + zz == pytest.approx(2 * 3.0 * (10 * CMU_UNIT) ** 2 / 12)


def test_radians_give_the_same_as_degrees(tmp_path: Path) -> None:
    expected = values(read(tmp_path))
    rows = []
    for line in AMC.splitlines():
        name, *numbers = line.split()
        if name in ("root", "upper", "lower"):
            turns = [repr(math.radians(float(each))) for each in numbers[-3:]]
            line = " ".join((name, *numbers[:-3], *turns))
        rows.append(line.replace("DEGREES", "RADIANS"))
    np.testing.assert_allclose(values(read(tmp_path, "\n".join(rows) + "\n")), expected, atol=1e-15)
    asf = ASF.replace("angle deg", "angle rad").replace("0 0 30", f"0 0 {math.radians(30)!r}")
    asf = asf.replace("90 0 0 XYZ", f"{math.radians(90)!r} 0 0 XYZ").replace("limits", "limits (-1 1) (-1 1) (-1 1)\n#")
    asf = "\n".join(line for line in asf.splitlines() if not line.strip().startswith("(-"))
    there = figure_in(read(tmp_path, AMC, asf))
    for ours, theirs in zip(there.joints, figure_in(read(tmp_path)).joints, strict=True):
        np.testing.assert_allclose(ours.rest, theirs.rest, atol=1e-15)
    assert there.joints[1].dofs[0].upper == 1.0
    unstated = "\n".join(rows).replace(":RADIANS\n", "") + "\n"
    np.testing.assert_allclose(values(read(tmp_path, unstated, asf)), expected, atol=1e-15)


@pytest.mark.parametrize(("length", "unit"), [("0.45", 0.0254 / 0.45), ("1.0", 0.0254), ("2.54", 0.01)])
def test_the_length_unit_scales_everything(tmp_path: Path, length: str, unit: float) -> None:
    contents = read(tmp_path, asf=ASF.replace("length 0.45", f"length {length}"))
    np.testing.assert_allclose(points(contents, 1)["lower"] / unit, (14, 5, 6), atol=1e-12)
    forced = read(tmp_path, asf=ASF.replace("length 0.45", f"length {length}"), options=Options(unit=0.5))
    np.testing.assert_allclose(points(forced, 1)["lower"], (7, 2.5, 3), atol=1e-12)


def test_the_order_of_the_dofs_is_the_order_of_the_turns(tmp_path: Path) -> None:
    asf = ASF.replace("dof rx ry rz", "dof rz rx ry").replace("order TX TY TZ RX RY RZ", "order RZ TX RX TZ RY TY")
    contents = read(tmp_path, AMC.replace("root 1 2 3 10 20 30", "root 30 1 10 3 20 2"), asf)
    worlds = transforms(figure_in(contents), poses(contents)[0])
    root = about("y", 20) @ about("x", 10) @ about("z", 30)
    np.testing.assert_allclose(worlds[0, :, :3], root, atol=1e-15)
    np.testing.assert_allclose(worlds[0, :, 3] / CMU_UNIT, (1, 2, 3), atol=1e-12)
    upper = root @ about("z", 30) @ about("y", 60) @ about("x", 50) @ about("z", 40)
    np.testing.assert_allclose(worlds[1, :, :3], upper, atol=1e-15)


@pytest.mark.parametrize("order", ["XYZ", "ZYX", "YXZ"])
def test_the_axis_has_its_own_order(tmp_path: Path, order: str) -> None:
    figure = figure_in(read(tmp_path, asf=ASF.replace("axis 0 0 30 XYZ", f"axis 10 20 30 {order}")))
    expected = np.eye(3)
    for letter in order.lower():
        expected = about(letter, {"x": 10, "y": 20, "z": 30}[letter]) @ expected
    rest = transforms(figure, np.zeros(len(figure.coordinates)))
    np.testing.assert_allclose(rest[1, :, :3], expected, atol=1e-15)


def test_the_roots_place_moves_the_whole_and_is_said(tmp_path: Path) -> None:
    asf = ASF.replace("position 0 0 0", "position 1 0 0").replace("orientation 0 0 0", "orientation 0 90 0")
    contents, plain = read(tmp_path, asf=asf), read(tmp_path)
    for name, point in points(plain, 0).items():
        expected = about("y", 90) @ point + (CMU_UNIT, 0, 0)
        np.testing.assert_allclose(points(contents, 0)[name], expected, atol=1e-14)
    assert any("place the whole" in note for note in contents.notes)


def test_bones_that_move_keep_their_ways(tmp_path: Path) -> None:
    asf = ASF.replace("dof rz", "dof rz tx l")
    contents = read(tmp_path, AMC.replace("lower 70", "lower 0 2 9").replace("lower 90", "lower 0 0 0"), asf)
    plain = read(tmp_path, AMC.replace("lower 70", "lower 0"))
    turn = transforms(figure_in(plain), poses(plain)[0])[2, :, :3]
    away = (points(contents, 0)["lower"] - points(plain, 0)["lower"]) / CMU_UNIT
    np.testing.assert_allclose(away, turn @ (2, 0, 0), atol=1e-12)
    assert any("stretches" in note for note in contents.notes)


def test_z_up_turns_the_whole(tmp_path: Path) -> None:
    plain, turned = read(tmp_path), read(tmp_path, options=Options(up="z"))
    for name, point in points(plain, 0).items():
        np.testing.assert_allclose(points(turned, 0)[name], (point[0], point[2], -point[1]), atol=1e-14)
    assert values(plain).tolist() == values(turned).tolist()


def test_rates_come_from_the_options_or_the_file(tmp_path: Path) -> None:
    stated = AMC.replace(":DEGREES", ":SAMPLES-PER-SECOND 59.94005994\n:DEGREES")
    assert read(tmp_path, stated).rate == (60000, 1001)
    contents = read(tmp_path, stated, options=Options(rate=(25, 1)))
    assert contents.layers[0].samples is not None
    assert contents.layers[0].samples.rate == (25, 1)


@pytest.mark.parametrize(
    "angles",
    [(170, 175, 180, 185, -170), (-170, -175, -180, -185, 170), (90, 80, 70, 60, 50), (50, 60, 70, 80, 90)],
)
def test_skipped_frames_are_filled_along_the_short_way_and_said(tmp_path: Path, angles: tuple[int, ...]) -> None:
    amc = AMC.replace("\n2\n", "\n5\n").replace("lower 90", f"lower {angles[-1]}")
    contents = read(tmp_path, amc.replace("lower 70", f"lower {angles[0]}"))
    index = figure_in(contents).coordinate_index
    np.testing.assert_allclose(np.degrees(values(contents)[:, index["lower.rz"]]), angles, atol=1e-9)
    np.testing.assert_allclose(values(contents)[:, index["root.tx"]] / CMU_UNIT, (1, 1.75, 2.5, 3.25, 4), atol=1e-12)
    assert any("3 frames filled" in note for note in contents.notes)


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_tabs_capitals_comments_and_order_change_nothing(tmp_path: Path, end: str) -> None:
    expected = read(tmp_path)
    odd = AMC.replace("upper 40 50 60\nlower 70", "LOWER 7e1 # here\n\n# there\nupper\t40. +50 60").removesuffix("\n")
    found = read(tmp_path, odd.replace("\n", end), ASF.replace(" ", "\t").replace("\n", end))
    assert values(found).tolist() == values(expected).tolist()
    assert figure_in(found) == figure_in(expected)


def test_bones_without_motion_stay_at_rest(tmp_path: Path) -> None:
    amc = AMC.replace(":FULLY-SPECIFIED\n", "").replace("lower 70\n", "").replace("lower 90\n", "")
    contents = read(tmp_path, amc)
    assert contents.layers[0].samples is not None
    assert "lower.rz" not in contents.layers[0].samples.coordinates
    assert any("lower" in note and "at rest" in note for note in contents.notes)


def test_bones_outside_the_hierarchy_are_left_out_and_said(tmp_path: Path) -> None:
    stray = "  begin\n name stray\n direction 0 0 2\n length 1\n end\n:hierarchy"
    contents = read(tmp_path, asf=ASF.replace(":hierarchy", stray))
    assert len(figure_in(contents).joints) == 3
    assert any("stray" in note and "left out" in note for note in contents.notes)
    assert any("stray" in note and "norm 2" in note for note in contents.notes)


def test_a_chain_of_three_thousand_bones_is_read(tmp_path: Path) -> None:
    bones = "".join(f"begin\nname b{each}\ndirection 0 1 0\nlength 1\ndof rx\nend\n" for each in range(3000))
    tree = "root b0\n" + "".join(f"b{each - 1} b{each}\n" for each in range(1, 3000))
    head = ASF[: ASF.index(":bonedata")]
    path = tmp_path / "long.asf"
    path.write_text(f"{head}:bonedata\n{bones}:hierarchy\nbegin\n{tree}end\n")
    contents = asfamc.read_figure(path, Options())
    assert len(figure_in(contents).joints) == 3001
    asfamc.write_skeleton(tmp_path / "again.asf", contents, Options())
    back = asfamc.read_figure(tmp_path / "again.asf", Options())
    assert figure_in(back).joints == figure_in(contents).joints


def folder_of(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).write_text(ASF)
    (folder / "arm_01_wave.amc").write_text(AMC)
    return folder / "arm_01_wave.amc"


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("arm_01_wave.asf", "arm.asf"), "arm_01_wave.asf"),
        (("other.asf",), "other.asf"),
        (("ARM_01_WAVE.ASF", "x.asf"), "ARM_01_WAVE.ASF"),
        (("arm.asf", "arm_01.asf", "leg.asf"), "arm_01.asf"),
    ],
)
def test_the_skeleton_is_found_beside_its_motion(tmp_path: Path, names: tuple[str, ...], found: str) -> None:
    path = folder_of(tmp_path, *names)
    assert asfamc.skeleton_beside(path).name == found
    assert len(figure_in(asfamc.read_motion(path, Options())).joints) == 3


def test_a_skeleton_that_is_not_clear_must_be_given(tmp_path: Path) -> None:
    path = folder_of(tmp_path)
    with pytest.raises(UnreadableFile, match=r"no \.asf file beside it"):
        asfamc.read_motion(path, Options())
    folder_of(tmp_path, "leg.asf", "tail.asf")
    with pytest.raises(UnreadableFile, match=r"2 \.asf files beside it, none of them of its name"):
        asfamc.read_motion(path, Options())
    assert asfamc.read_motion(path, Options(figure=tmp_path / "leg.asf")).layers


BAD_ASF = [
    ("", "empty file"),
    ("version", "line 1: 'version' at the beginning"),
    (ASF[: ASF.index(":root")], "no section :root"),
    (ASF[: ASF.index(":hierarchy")], "no section :hierarchy"),
    (ASF.removesuffix("  end\n"), "line 40: a hierarchy without end"),
    (ASF.replace("  begin\n    root", "    root"), "a hierarchy without begin"),
    (ASF.replace("root upper", "root uper"), "line 39: the hierarchy names 'uper'"),
    (ASF.replace("    root upper\n", ""), "line 39: upper does not hang on the root"),
    (ASF.replace("root upper", "lower upper"), "line 39: lower does not hang on the root: a cycle"),
    (ASF.replace("upper lower\n", "upper lower\n lower root\n"), "line 41: the root hangs on a bone"),
    (ASF.replace("root upper", "root upper lower"), "line 40: lower has a second parent"),
    (ASF.replace("name lower", "name Upper"), "line 31: a second bone Upper"),
    (ASF.replace("name lower", "name root"), "line 31: a second bone root"),
    (ASF.replace("dof rz", "dof rw"), "line 35: bone lower has the channel 'rw'.*Known channels"),
    (ASF.replace("dof rz", "dof rz rz"), "line 35: bone lower has the channel rz twice"),
    (ASF.replace("TZ RX", "TZ QX"), "line 11: the root has the channel 'QX'"),
    (ASF.replace("axis 90 0 0 XYZ", "axis 90 0 XYZ"), "line 34: the axis of bone lower is 'XYZ'"),
    (ASF.replace("axis 90 0 0 XYZ", "axis 90 0 0 XXZ"), "line 34: the axis of bone lower has the order 'XXZ'"),
    (ASF.replace("length 5", "length nan"), "line 33: length of bone lower is 'nan'"),
    (ASF.replace("length 5", "length"), "line 29: a bone without length"),
    (ASF.replace("length 5", "length 5 5"), "line 33: length of bone lower has 2 values"),
    (ASF.replace("direction 0 -1 0", "direction 0-1 0"), "line 32: the direction of bone lower has 2 numbers"),
    (ASF.replace("direction 0 -1 0", "direction 0 0 0"), "line 32: the direction of bone lower is zero"),
    (ASF.replace("(-70.0 inf)", "(-70.0)"), "line 25: 5 limits of bone upper with 3 dofs"),
    (ASF.replace("(-160.0 20.0)", "(160.0 20.0)"), "line 25: a limit of bone upper runs from 160 to 20"),
    (ASF.replace("bodymass 1.5", "bodymass -1"), "line 22: the mass of bone upper is -1"),
    (ASF.replace("angle deg", "angle grad"), "line 7: the unit of angles is 'grad'"),
    (ASF.replace("length 0.45", "length 0"), "line 6: the unit of length is '0'"),
    (ASF.replace("  end\n  begin\n    id 2", "    id 2"), "line 28: a second id of a bone"),
    (ASF.replace(":hierarchy", "begin\n:hierarchy"), "line 37: a bone without end"),
    (ASF.replace("axis XYZ", "axis XYZ\n:root"), "line 13: a second section :root"),
    (ASF.replace("an arm", "an\x00arm"), "line 9: binary"),
]


@pytest.mark.parametrize(("text", "message"), BAD_ASF, ids=[message[:40] for _, message in BAD_ASF])
def test_unsound_skeletons_are_refused_by_name_and_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message) as caught:
        read(tmp_path, asf=text)
    assert caught.value.path == tmp_path / "arm.asf"


BAD_AMC = [
    ("", "empty file"),
    (":DEGREES\n", "line 1: no frames"),
    ("root 1 2 3 4 5 6\n", "line 1: 'root 1 2 3 4 5 6' before the first frame"),
    (AMC.replace("lower 70\n", ""), "line 4: a frame without lower"),
    (AMC.replace("lower 90\n", ""), "line 8: a frame without lower. The file seems cut off"),
    (AMC.replace("lower 90\n", "3\n"), "line 8: a frame without lower. Name the same bones"),
    (AMC.replace("lower 90", "lower"), "line 11: 0 numbers for lower, which has 1 channel"),
    (AMC.replace("upper 0 0 0", "upper 0 0"), "line 10: 2 numbers for upper, which has 3 channels"),
    (AMC.replace("upper 0 0 0", "upper 0 0-0 0"), "line 10: upper's number 2 is '0-0'"),
    (AMC.replace("upper 0 0 0", "upper 0 0 0 0"), "line 10: 4 numbers for upper"),
    (AMC.replace("upper 0 0 0", "upper 0 nan 0"), "line 10: upper's number 2 is 'nan'"),
    (AMC.replace("upper 0 0 0", "upper 0 1e99 0"), "line 10: upper's number 2 is '1e99'"),
    (AMC.replace("upper 0 0 0", "uper 0 0 0"), "line 10: 'uper', which is no bone"),
    (AMC.replace("lower 90", "upper 1 2 3"), "line 11: upper twice in the frame of line 8"),
    (AMC.replace("\n2\n", "\n1\n"), "line 8: frame 1 after frame 1"),
    (AMC.replace("\n2\n", "\n99999999999\n"), "2 frames, numbered 1 to 99999999999"),
    (AMC.replace("\n2\n", "\n" + "9" * 5000 + "\n"), "line 8: the frame number '999"),
    (AMC.replace(":DEGREES", ":SAMPLES-PER-SECOND 0"), "line 3: '0' samples in a second"),
    (AMC.replace("root 4", "root\x004"), "line 9: binary"),
]


@pytest.mark.parametrize(("text", "message"), BAD_AMC, ids=[message[:40] for _, message in BAD_AMC])
def test_unsound_motions_are_refused_by_name_and_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message) as caught:
        read(tmp_path, text)
    assert caught.value.path == tmp_path / "arm.amc"


def test_wherever_a_skeleton_is_cut_it_is_refused(tmp_path: Path) -> None:
    for length in range(len(ASF) - 1):
        with pytest.raises(UnreadableFile):
            read(tmp_path, asf=ASF[:length])


def test_wherever_a_motion_is_cut_it_is_refused_or_its_loss_cannot_be_seen(tmp_path: Path) -> None:
    whole = values(read(tmp_path))
    for length in range(len(AMC) - 2):
        try:
            contents = read(tmp_path, AMC[:length])
        except UnreadableFile:
            continue
        assert AMC.index("lower 70") + 6 < length <= AMC.index("\n2\n") + 1 or length >= AMC.index("lower 90") + 7
        assert values(contents)[0, :-1].tolist() == whole[0, :-1].tolist()


def again(folder: Path, contents: Contents, options: Options | None = None) -> Contents:
    """Written and read."""
    folder = folder / "again"
    folder.mkdir()
    asfamc.write_motion(folder / "clip.amc", contents, options or Options())
    return asfamc.read_motion(folder / "clip.amc", options or Options())


@pytest.mark.parametrize("clip", CLIPS)
def test_of_real_clips_nothing_is_lost(clip: str) -> None:
    assert asfamc.MOTION.omits is not None
    assert asfamc.MOTION.omits(asfamc.read_motion(shared("mocap", "asfamc", f"{clip}.amc"), Options())) == ()


def ends_of(contents: Contents, frame: int) -> dict[str, Array]:
    """The far end of every bone, in the file's unit: that of a child, or of its handle."""
    found = points(contents, frame)
    ends = {"root": found["root"]}
    for joint in figure_in(contents).joints:
        if joint.parent is not None and joint.parent != "root":
            ends[joint.parent] = found[joint.id]
    ends |= {handle.joint: found[handle.id] for handle in figure_in(contents).handles}
    return {name: point / CMU_UNIT for name, point in ends.items()}


def test_positions_agree_with_other_programs() -> None:
    contents = asfamc.read_motion(shared("mocap", "asfamc", "cmu_01_01_forward_jumps.amc"), Options())
    lines = shared("mocap", "expected_fk", "cmu_01_01_asfamc.csv").read_text().splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    for frame in sorted({int(row["frame"]) for row in rows}):
        ends = ends_of(contents, frame)
        for row in rows:
            if int(row["frame"]) == frame:
                expected = [float(row[each]) for each in "xyz"]
                np.testing.assert_allclose(ends[row["bone"]], expected, rtol=0, atol=1e-4)
    assert len(rows) > 100


def test_the_same_take_as_bvh_and_as_amc_has_the_same_places() -> None:
    take = "cmu_01_01_forward_jumps"
    contents = asfamc.read_motion(shared("mocap", "asfamc", f"{take}.amc"), Options())
    other = bvh.read(shared("mocap", "bvh", f"{take}.bvh"), Options(unit=CMU_UNIT))
    lines = shared("mocap", "expected_fk", "cmu_01_01_asf_to_bvh_joint_map.csv").read_text().splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert len(rows) >= 10
    for frame in (0, 500, 2000):
        ends, there = ends_of(contents, frame), points(other, frame + 1)
        for row in rows:
            place = there[row["bvh_joint"]] / CMU_UNIT
            np.testing.assert_allclose(ends[row["asf_bone"]], place, rtol=0, atol=1e-4)


@pytest.mark.parametrize("seed", range(6))
def test_any_figure_is_written_so_that_every_place_is_kept(tmp_path: Path, seed: int) -> None:
    contents = moving(random_figure(seed, ball_root=seed % 2 == 1), seed)
    back = again(tmp_path, contents)
    figure = figure_in(contents)
    for frame in range(5):
        worlds, there = transforms(figure, poses(contents)[frame]), points(back, frame)
        for index, joint in enumerate(figure.joints):
            name = "root" if joint.parent is None else joint.name.replace(" ", "_")
            np.testing.assert_allclose(there[name], worlds[index, :, 3], rtol=0, atol=1e-9)


def test_several_roots_hang_on_one(tmp_path: Path) -> None:
    one, two = random_figure(1, 3), random_figure(2, 3)
    renamed = {joint.id: f"other_{joint.id}" for joint in two.joints}
    others = tuple(
        replace(
            joint,
            id=renamed[joint.id],
            name=renamed[joint.id],
            parent=None if joint.parent is None else renamed[joint.parent],
            dofs=tuple(replace(dof, id=f"other_{dof.id}") for dof in joint.dofs),
        )
        for joint in two.joints
    )
    contents = moving(Figure(name="Two", joints=one.joints + others), 0)
    back = again(tmp_path, contents)
    worlds, there = transforms(figure_in(contents), poses(contents)[2]), points(back, 2)
    for index, joint in enumerate(figure_in(contents).joints):
        np.testing.assert_allclose(there[joint.name.replace(" ", "_")], worlds[index, :, 3], rtol=0, atol=1e-9)
    assert any("further bones" in lost for lost in asfamc.skeleton_omits(contents))


def test_limits_go_to_and_fro_also_about_turned_axes(tmp_path: Path) -> None:
    figure = figure_in(read(tmp_path))
    dofs = tuple(
        replace(dof, axis=(0.0, 0.0, -1.0), lower=-1.0, upper=None) if dof.id == "lower.rz" else dof
        for dof in figure.joints[2].dofs
    )
    changed = replace(figure, joints=(*figure.joints[:2], replace(figure.joints[2], dofs=dofs)))
    asfamc.write_skeleton(tmp_path / "again.asf", Contents(figure=changed), Options())
    back = figure_in(asfamc.read_figure(tmp_path / "again.asf", Options()))
    for found, expected in zip(back.dofs[:-1], figure.dofs[:-1], strict=True):
        assert found.lower == pytest.approx(expected.lower)
        assert found.upper == pytest.approx(expected.upper)
    assert back.dofs[-1].lower is None
    assert back.dofs[-1].upper == pytest.approx(1.0)
    assert back.joints[1].body is not None
    assert back.joints[1].body.mass == 3.0


def test_writing_never_replaces_another_skeleton(tmp_path: Path) -> None:
    contents = read(tmp_path)
    other = tmp_path / "clip.asf"
    other.write_text(ASF.replace("length 5", "length 6"))
    with pytest.raises(UnwritableFile, match=r"clip\.asf beside it holds another skeleton"):
        asfamc.write_motion(tmp_path / "clip.amc", contents, Options())
    assert not (tmp_path / "clip.amc").exists()
    assert "length 6" in other.read_text()
    other.unlink()
    asfamc.write_motion(tmp_path / "clip.amc", contents, Options())
    before = other.stat().st_mtime_ns
    asfamc.write_motion(tmp_path / "clip.amc", contents, Options())
    assert other.stat().st_mtime_ns == before


def test_a_skeleton_without_motion_is_written_with_one_frame_at_rest(tmp_path: Path) -> None:
    figure = figure_in(read(tmp_path))
    back = again(tmp_path, Contents(figure=figure))
    assert values(back).tolist() == [[0.0] * len(figure.coordinates)]
    with pytest.raises(UnwritableFile, match="no figure"):
        asfamc.write_skeleton(tmp_path / "none.asf", Contents(), Options())


def test_what_is_lost_is_listed_before_it_is_written(tmp_path: Path) -> None:
    contents = moving(random_figure(1), 1)
    lost = " ".join(asfamc.motion_omits(contents))
    for word in ("shapes", "axes and limits", "spaces in names", "further bones"):
        assert word in lost
    assert any("motion" in each for each in asfamc.skeleton_omits(contents))
    late = Samples(coordinates=("a",), values=Blob([[0.0]]), rate=(30, 1), start=5, after="cycle")
    layers = (Layer(id="a", samples=late), Layer(id="b"))
    listed = " ".join(asfamc.motion_omits(Contents(figure=contents.figure, layers=layers)))
    for word in ("layers", "goes on", "begins"):
        assert word in listed
