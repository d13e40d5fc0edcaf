"""BVH: every sound file is read and means what it says; unsound ones are refused by file and line."""

from __future__ import annotations

import csv
import math
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob, Dof, Figure, Handle, Joint, Layer, Samples
from engine.formats import bvh
from engine.formats.conventions import CMU_UNIT
from engine.formats.format import Contents, Options
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments, UnreadableFile, UnwritableFile
from tests.engine.figures import random_figure
from tests.engine.formats.worlds import figure_in, points, poses, transforms, values
from tests.engine.shared_data import shared

CLIPS = (
    "cmu_01_01_forward_jumps",
    "cmu_12_01_walk",
    "cmu_jumping_jacks_30fps",
    "fair1_jumping",
    "fair1_wave_hello",
    "rokoko_dance",
    "sinusoidal_chain",
)

ARM = """HIERARCHY
ROOT hip
{
  OFFSET 1 2 3
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT elbow
  {
    OFFSET 10 0 0
    CHANNELS 1 Zrotation
    End Site
    {
      OFFSET 0 5 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.0333333
1 2 3 0 0 0 0
4 5 6 90 0 0 -90
"""


def read(folder: Path, text: str | bytes, options: Options | None = None) -> Contents:
    path = folder / "clip.bvh"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return bvh.read(path, options or Options())


def again(folder: Path, contents: Contents, options: Options | None = None) -> Contents:
    """Written and read."""
    path = folder / "again.bvh"
    bvh.write(path, contents, options or Options())
    return bvh.read(path, options or Options())


def test_a_small_file_means_what_it_says(tmp_path: Path) -> None:
    contents = read(tmp_path, ARM)
    figure = figure_in(contents)
    assert [joint.id for joint in figure.joints] == ["hip", "elbow"]
    assert figure.coordinates == ("hip.tx", "hip.ty", "hip.tz", "hip.rz", "hip.rx", "hip.ry", "elbow.rz")
    assert contents.rate == (30, 1)
    assert (contents.layers[0].name, contents.layers[0].id) == ("clip", "motion")
    first, second = points(contents, 0), points(contents, 1)
    np.testing.assert_allclose(first["elbow.end"], (0.11, 0.07, 0.03), atol=1e-15)
    np.testing.assert_allclose(second["elbow"], (0.04, 0.15, 0.06), atol=1e-15)
    np.testing.assert_allclose(second["elbow.end"], (0.04, 0.20, 0.06), atol=1e-15)


def test_positions_take_the_place_of_the_offset_and_the_rest_pose_keeps_it(tmp_path: Path) -> None:
    contents = read(tmp_path, ARM.replace("\n1 2 3 ", "\n7 8 9 "))
    np.testing.assert_allclose(points(contents, 0)["hip"], (0.07, 0.08, 0.09), atol=1e-15)
    assert figure_in(contents).joints[0].offset == (0.01, 0.02, 0.03)


def test_a_partial_list_of_positions_keeps_the_rest_of_the_offset(tmp_path: Path) -> None:
    text = ARM.replace("CHANNELS 1 Zrotation", "CHANNELS 2 Zrotation Yposition")
    contents = read(tmp_path, text.replace("0 0 0 0\n", "0 0 0 0 4\n").replace("-90\n", "-90 4\n"))
    np.testing.assert_allclose(points(contents, 0)["elbow"], (0.11, 0.06, 0.03), atol=1e-15)
    assert figure_in(contents).joints[1].dofs[0].id == "elbow.ty"
    assert any("elbow" in note and "slides" in note for note in contents.notes)
    assert any("elbow" in note and "after rotations" in note for note in contents.notes)
    assert values(contents)[1, -2:].tolist() == pytest.approx([0.04, -math.pi / 2])


@pytest.mark.parametrize("unit", [1.0, 0.01, CMU_UNIT])
def test_the_unit_scales_lengths_and_no_angles(tmp_path: Path, unit: float) -> None:
    contents = read(tmp_path, ARM, Options(unit=unit))
    np.testing.assert_allclose(points(contents, 1)["elbow.end"], np.array((4, 20, 6)) * unit, atol=1e-12)


@pytest.mark.parametrize("unit", [0.0, -1.0, math.nan, math.inf])
def test_units_that_are_none_are_refused(tmp_path: Path, unit: float) -> None:
    with pytest.raises(InvalidArguments, match="metres per unit"):
        read(tmp_path, ARM, Options(unit=unit))


def test_z_up_turns_the_roots_and_keeps_every_number(tmp_path: Path) -> None:
    plain, turned = read(tmp_path, ARM), read(tmp_path, ARM, Options(up="z"))
    assert values(plain).tolist() == values(turned).tolist()
    for name, point in points(plain, 1).items():
        np.testing.assert_allclose(points(turned, 1)[name], (point[0], point[2], -point[1]), atol=1e-15)
    for name, point in points(plain, 1).items():
        sideways = points(read(tmp_path, ARM, Options(up="x")), 1)[name]
        np.testing.assert_allclose(sideways, (-point[1], point[0], point[2]), atol=1e-15)


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_what_is_written_for_an_upward_axis_reads_back_the_same(tmp_path: Path, up: str) -> None:
    options = Options(up=up)  # type: ignore[arg-type]
    contents = read(tmp_path, ARM, options)
    back = again(tmp_path, contents, options)
    assert back.figure == replace(figure_in(contents), name="again")
    assert (tmp_path / "again.bvh").read_text().split() == ARM.replace("0.0333333", repr(1 / 30)).split()


def test_sizes_that_no_person_has_are_said_with_a_better_unit(tmp_path: Path) -> None:
    assert any("check the unit" in note for note in read(tmp_path, ARM.replace("10 0 0", "8 0 0")).notes)
    notes = read(tmp_path, ARM.replace("OFFSET 10 0 0", "OFFSET 1 0 0").replace("0 5 0", "0 1.7 0")).notes
    assert any("1 m per unit (metres)" in note for note in notes)
    assert not any("per unit" in note for note in read(tmp_path, ARM.replace("10 0 0", "170 0 0")).notes)


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("space", ["\t", "  \t "])
def test_line_ends_and_tabs_change_nothing(tmp_path: Path, end: str, space: str) -> None:
    expected = read(tmp_path, ARM)
    found = read(tmp_path, ARM.replace(" ", space).replace("\n", end).encode())
    assert (found.figure, found.layers, found.rate) == (expected.figure, expected.layers, expected.rate)


@pytest.mark.parametrize(
    "text",
    [
        ARM.removesuffix("\n"),
        ARM + "\n\n  \n",
        ARM.replace("4 5 6", "4e0 .5E+1 6."),
        ARM.replace("\n{", " {").replace("\n  {", "{"),
        ARM.replace("End Site", "END SITE").replace("ROOT", "Root").replace("Zrotation", "ZROTATION"),
        ARM.replace("Frames: 2", "Frames:\t2").replace("Frame Time:", "Frame Time :"),
        ARM.replace("Frames: 2\nFrame Time: 0.0333333", "\nFrame Time: 0.0333333\n\nFrames: 2"),
    ],
)
def test_odd_but_sound_texts_give_the_same(tmp_path: Path, text: str) -> None:
    expected, found = read(tmp_path, ARM), read(tmp_path, text)
    assert (found.figure.digest if found.figure else None) == figure_in(expected).digest
    assert values(found).tolist() == values(expected).tolist()
    assert found.rate == expected.rate


def test_encodings_give_the_same_names(tmp_path: Path) -> None:
    text = ARM.replace("hip", "Hüfte")
    for data in (text.encode(), b"\xef\xbb\xbf" + text.encode(), text.encode("latin-1")):
        assert figure_in(read(tmp_path, data)).joints[0].id == "Hüfte"


def test_repeated_names_are_numbered_and_said(tmp_path: Path) -> None:
    contents = read(tmp_path, ARM.replace("elbow", "hip"))
    assert [joint.id for joint in figure_in(contents).joints] == ["hip", "hip_2"]
    assert any("hip" in note and "numbered" in note for note in contents.notes)


def test_several_roots_stand_side_by_side(tmp_path: Path) -> None:
    second = "ROOT other\n{\nOFFSET 0 0 7\nCHANNELS 1 Xrotation\n}\nMOTION"
    text = ARM.replace("MOTION", second).replace(" 0 0 0 0\n", " 0 0 0 0 45\n").replace("-90\n", "-90 45\n")
    contents = read(tmp_path, text)
    assert [joint.parent for joint in figure_in(contents).joints] == [None, "hip", None]
    np.testing.assert_allclose(points(contents, 0)["other"], (0.0, 0.0, 0.07), atol=1e-15)
    assert again(tmp_path, contents).layers[0].samples == contents.layers[0].samples


def test_joints_without_channels_or_end_sites_or_names_or_offsets_are_read(tmp_path: Path) -> None:
    text = "HIERARCHY\nROOT a\n{\nJOINT\n{\nCHANNELS 0\nJOINT b c\n{\nCHANNELS 1 Xrotation\n}\n}\n}\nMOTION\n"
    contents = read(tmp_path, text + "Frames: 1\nFrame Time: 0.01\n90\n")
    assert [joint.id for joint in figure_in(contents).joints] == ["a", "joint", "b c"]
    assert figure_in(contents).coordinates == ("b c.rx",)
    assert any("no OFFSET" in note for note in contents.notes)
    assert any("without a name on line 4" in note for note in contents.notes)


def test_a_figure_without_channels_or_frames_has_no_layer(tmp_path: Path) -> None:
    still = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nMOTION\nFrames: 3\nFrame Time: 0.01\n"
    assert read(tmp_path, still).layers == ()
    none = read(tmp_path, ARM[: ARM.index("1 2 3 0")].replace("Frames: 2", "Frames: 0"))
    assert none.layers == ()
    assert len(figure_in(none).joints) == 2


@pytest.mark.parametrize("order", ["XYX", "ZXZ", "YZX", "XXYZ"])
def test_any_order_and_number_of_rotations_is_kept(tmp_path: Path, order: str) -> None:
    channels = " ".join(f"{letter}rotation" for letter in order)
    text = ARM.replace("CHANNELS 1 Zrotation", f"CHANNELS {len(order)} {channels}")
    numbers = " ".join(str(10 * each) for each in range(1, len(order) + 1))
    text = text.replace("0 0 0 0\n", f"0 0 0 {numbers}\n").replace("-90\n", f"{numbers}\n")
    contents = read(tmp_path, text)
    turn = np.eye(3)
    for place, letter in enumerate(order, 1):
        i, j = {"X": (1, 2), "Y": (2, 0), "Z": (0, 1)}[letter]
        step, angle = np.eye(3), math.radians(10 * place)
        step[i, i] = step[j, j] = math.cos(angle)
        step[j, i], step[i, j] = math.sin(angle), -math.sin(angle)
        turn = turn @ step
    found = transforms(figure_in(contents), poses(contents)[0])[1, :, :3]
    np.testing.assert_allclose(found, turn, atol=1e-15)
    assert again(tmp_path, contents).layers[0].samples == contents.layers[0].samples


def test_chains_of_three_thousand_joints_go_both_ways(tmp_path: Path) -> None:
    count = 3000
    head = "".join(
        f"{'JOINT' if each else 'ROOT'} j{each}\n{{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n" for each in range(count)
    )
    text = f"HIERARCHY\n{head}{'}' * count}\nMOTION\nFrames: 1\nFrame Time: 0.01\n{'0.1 ' * count}\n"
    contents = read(tmp_path, text)
    assert len(figure_in(contents).joints) == count
    back = again(tmp_path, contents)
    assert back.layers[0].samples == contents.layers[0].samples
    assert figure_in(back).joints == figure_in(contents).joints
    assert (tmp_path / "again.bvh").stat().st_size < 2_000_000


@pytest.mark.parametrize(
    ("declared", "held"), [("1", "declares 1 frame and holds 2"), ("5", "declares 5 frames and holds 2")]
)
def test_a_wrong_number_of_frames_is_said_and_every_row_read(tmp_path: Path, declared: str, held: str) -> None:
    contents = read(tmp_path, ARM.replace("Frames: 2", f"Frames: {declared}"))
    assert len(values(contents)) == 2
    assert any(held in note for note in contents.notes)


def test_the_rate_may_be_given(tmp_path: Path) -> None:
    for text in (ARM, ARM.replace("0.0333333", "0")):
        assert read(tmp_path, text, Options(rate=(120, 1))).rate == (120, 1)


UNSOUND = [
    ("", "empty file"),
    ("BIERARCHY\n", "line 1: 'BIERARCHY' at the beginning"),
    ("HIERARCHY\n", "line 1: the file ends outside any joint"),
    ("HIERARCHY\nMOTION\n", "line 2: a hierarchy without joints"),
    (ARM.replace("}\nMOTION", "MOTION"), "line 15: MOTION inside hip, which began on line 2"),
    (ARM.replace("}\nMOTION", "}\n}\nMOTION"), "line 16: a } too many"),
    (ARM.replace("JOINT elbow", "ROOT elbow"), "line 6: ROOT 'elbow' inside hip"),
    (ARM.replace("ROOT hip", "JOINT hip"), "line 2: JOINT 'hip' outside any joint"),
    (ARM.replace("  JOINT elbow\n  {", "  JOINT elbow\n"), "line 8: 'OFFSET' where elbow begins"),
    (ARM.replace("      OFFSET 0 5 0", "JOINT x\n{\n}"), "line 12: JOINT inside an End Site"),
    (ARM.replace("OFFSET 10 0 0", "OFFSET 10 0"), "line 8: the OFFSET of elbow has 2 numbers"),
    (ARM.replace("OFFSET 10 0 0", "OFFSET 10 0 0 0"), "line 8: the OFFSET of elbow has 4 numbers"),
    (ARM.replace("OFFSET 10 0 0", "OFFSET 10 nan 0"), "line 8: the OFFSET of elbow is 'nan'"),
    (ARM.replace("OFFSET 10 0 0", "OFFSET 10 1.5-2.5 0"), "line 8: .*space between"),
    (ARM.replace("OFFSET 10 0 0", "OFFSET 1 0 0\nOFFSET 1 0 0"), "line 9: the OFFSET of elbow for the second time"),
    (ARM.replace("CHANNELS 1 Z", "CHANNELS 2 Z"), "line 9: CHANNELS of elbow declares '2' and lists 1"),
    (ARM.replace("CHANNELS 1 Z", "CHANNELS 99999999999 Z"), "line 9: CHANNELS of elbow declares"),
    (ARM.replace("CHANNELS 1 Z", "CHANNELS Z"), "line 9: CHANNELS of elbow declares 'Zrotation'"),
    (ARM.replace("CHANNELS 1 Z", "CHANNELS 1 W"), "line 9: elbow has the channel 'Wrotation'.*Known channels: Xpos"),
    (ARM.replace("Yposition", "Xposition"), "line 5: hip has Xposition twice"),
    (ARM.replace("End Site", "CHANNELS 1 Zrotation\nEnd Site"), "line 10: CHANNELS of elbow for the second time"),
    (ARM.replace("Frames: 2", "Frames: 99999999999"), "line 17: the number of frames is '99999999999', beyond"),
    (ARM.replace("Frames: 2", "Frames: -1"), "line 17: the number of frames is '-1'"),
    (ARM.replace("Frames: 2", "Frames: 1.5"), "line 17: the number of frames is '1.5'"),
    (ARM.replace("Frames: 2", "Frames: many"), "line 17: the number of frames is 'many'"),
    (ARM.replace("Frames: 2", "Frames:"), "line 17: the number of frames is ''"),
    (ARM.replace("Frames: 2\n", ""), "line 18: '1 2 3 0 0 0 0' in the head of the motion"),
    (ARM.replace("0.0333333", "0"), "line 18: the frame time is '0'"),
    (ARM.replace("0.0333333", "-1"), "line 18: the frame time is '-1'"),
    (ARM.replace("0.0333333", "1e-300"), "line 18: the frame time is '1e-300'"),
    (ARM.replace("4 5 6", "4 nan 6"), "line 20: number 2 is 'nan'.*finite"),
    (ARM.replace("4 5 6", "4 inf 6"), "line 20: number 2 is 'inf'"),
    (ARM.replace("4 5 6", "4 1e400 6"), "line 20: number 2 is '1e400'"),
    (ARM.replace("4 5 6", "4 1e13 6"), "line 20: number 2 is '1e13', too large"),
    (ARM.replace("4 5 6", "4 5.0-6.0"), "line 20: number 2 is '5.0-6.0'.*space between"),
    (ARM.replace("4 5 6", "4 5,5 6"), "line 20: number 2 is '5,5'.*not commas"),
    (ARM.replace("4 5 6", "4 5"), "line 20: 6 numbers where the channels want 7.*cut off"),
    (ARM.replace("1 2 3 0", "1 2 3"), "line 19: 6 numbers where the channels want 7"),
    (ARM.replace("4 5 6", "4 5 6 7"), "line 20: 8 numbers where the channels want 7"),
    (ARM.replace("4 5 6", "4\x005 6"), "line 20: binary"),
    (ARM.replace("4 5 6", "word"), "line 20: number 1 is 'word'"),
    (ARM.replace("Frames: 2", "Frames: 3").removesuffix("\n"), "line 20: the file breaks off after 2 frames of 3"),
]


@pytest.mark.parametrize(("text", "message"), UNSOUND, ids=[message[:40] for _, message in UNSOUND])
def test_unsound_files_are_refused_by_name_and_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message) as caught:
        read(tmp_path, text)
    assert caught.value.path == tmp_path / "clip.bvh"
    assert caught.value.remedy


def test_wherever_a_file_is_cut_it_is_refused_or_its_loss_cannot_be_seen(tmp_path: Path) -> None:
    whole = values(read(tmp_path, ARM))
    for length in range(len(ARM)):
        try:
            contents = read(tmp_path, ARM[:length])
        except UnreadableFile:
            continue
        last_row = ARM.rindex("4 5 6")
        assert length == last_row or length > len(ARM) - 4, ARM[:length]
        assert values(contents)[0].tolist() == whole[0].tolist()
        assert len(values(contents)) == 2 or any("holds 1" in note for note in contents.notes)


def test_binary_data_and_other_formats_are_refused_at_once(tmp_path: Path) -> None:
    for data in (bytes(range(256)) * 4096, b"\x89PNG\r\n\x1a\n" + bytes(1000), b"{" * 1_000_000, b"}" * 1_000_000):
        start = time.process_time()
        with pytest.raises(UnreadableFile):
            read(tmp_path, data)
        assert time.process_time() - start < 5.0


def test_more_joints_than_anything_has_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.formats.bvh_text.MOST_JOINTS", 1)
    with pytest.raises(UnreadableFile, match="line 6: more than 1 joints"):
        read(tmp_path, ARM)


@pytest.mark.parametrize("clip", CLIPS)
def test_real_clips_go_to_and_fro_in_another_unit_and_with_z_up(tmp_path: Path, clip: str) -> None:
    path = shared("mocap", "bvh", f"{clip}.bvh")
    options = Options(unit=CMU_UNIT, up="z")
    contents = bvh.read(path, options)
    bvh.write(tmp_path / path.name, contents, options)
    back = bvh.read(tmp_path / path.name, options)
    assert back.rate == contents.rate
    assert [joint.dofs for joint in figure_in(back).joints] == [joint.dofs for joint in figure_in(contents).joints]
    hinges = np.array([dof.kind == "hinge" for dof in figure_in(contents).dofs])
    away = np.abs(values(back) - values(contents))
    assert np.degrees(away[:, hinges]).max() <= 1e-6
    assert away[:, ~hinges].max() <= 1e-9
    before, after = points(contents, 7), points(back, 7)
    assert max(np.abs(before[name] - after[name]).max() for name in before) <= 1e-9


@pytest.mark.parametrize("clip", ["cmu_12_01_walk", "rokoko_dance"])
def test_positions_agree_with_other_programs(clip: str) -> None:
    contents = bvh.read(shared("mocap", "bvh", f"{clip}.bvh"), Options(unit=1.0))
    found: dict[int, dict[str, Array]] = {}
    turns: dict[int, Array] = {}
    figure = figure_in(contents)
    checked = 0
    for row in expected_rows(shared("mocap", "expected_fk", f"{clip}.csv")):
        frame = int(row["frame"])
        if frame not in found:
            found[frame], turns[frame] = points(contents, frame), transforms(figure, poses(contents)[frame])
        name = row["joint"].removesuffix("_End") + ".end" if row["joint"].endswith("_End") else row["joint"]
        expected = [float(row[each]) for each in "xyz"]
        np.testing.assert_allclose(found[frame][name], expected, rtol=0, atol=1e-4)
        checked += 1
        if name in figure.joint_index:
            w, x, y, z = (float(row[each]) for each in ("qw", "qx", "qy", "qz"))
            turn = turns[frame][figure.joint_index[name], :, :3]
            assert abs(np.trace(turn) - (4 * w * w - 1)) < 1e-5
            axis = (turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1])
            np.testing.assert_allclose(axis, 4 * w * np.array((x, y, z)), atol=1e-5)
    assert checked > 100


def expected_rows(path: Path) -> list[dict[str, str]]:
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


@pytest.mark.parametrize("seed", range(6))
def test_any_figure_is_written_so_that_every_place_is_kept(tmp_path: Path, seed: int) -> None:
    contents = moving(random_figure(seed, ball_root=seed % 2 == 1), seed)
    back = again(tmp_path, contents)
    figure = figure_in(contents)
    order = {joint.name.replace(" ", "_"): joint.id for joint in figure.joints}
    for frame in range(5):
        before, after = transforms(figure, poses(contents)[frame]), transforms(figure_in(back), poses(back)[frame])
        for index, joint in enumerate(figure_in(back).joints):
            expected = before[figure.joint_index[order[joint.id]]]
            np.testing.assert_allclose(after[index, :, 3], expected[:, 3], rtol=0, atol=1e-9)
            if joint.dofs:
                np.testing.assert_allclose(after[index, :, :3], expected[:, :3], rtol=0, atol=1e-9)
    omitted = " ".join(bvh.omits(contents))
    for word in ("shapes", "limits", "rest orientations", "spaces in names"):
        assert word in omitted


def moving(figure: Figure, seed: int) -> Contents:
    """Random samples for every coordinate; balls of norm 1."""
    q = np.random.default_rng(seed).normal(size=(5, len(figure.coordinates)))
    for dof in figure.dofs:
        if dof.kind == "ball":
            at = figure.coordinate_index[dof.coordinates[0]]
            q[:, at : at + 4] /= np.linalg.norm(q[:, at : at + 4], axis=1, keepdims=True)
    samples = Samples(coordinates=figure.coordinates, values=Blob(q), rate=(60, 1))
    return Contents(figure=figure, layers=(Layer(id="motion", samples=samples),))


def test_axes_along_minus_x_are_written_with_the_opposite_sign(tmp_path: Path) -> None:
    dof = Dof(id="a.turn", name="Turn", axis=(-1.0, 0.0, 0.0))
    figure = Figure(name="F", joints=(Joint(id="a", name="a", dofs=(dof,)),))
    samples = Samples(coordinates=("a.turn",), values=Blob([[0.5]]), rate=(30, 1))
    back = again(tmp_path, Contents(figure=figure, layers=(Layer(id="m", samples=samples),)))
    assert values(back).tolist() == pytest.approx(np.array([[-0.5]]), abs=1e-12)
    assert figure_in(back).dofs[0].axis == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("rate", [(30000, 1001), (24, 1), (25, 2), (1, 3)])
def test_the_rate_is_written_as_it_is(tmp_path: Path, rate: tuple[int, int]) -> None:
    figure = Figure(name="F", joints=(Joint(id="a", name="a", dofs=(Dof(id="a.turn", name="Turn"),)),))
    samples = Samples(coordinates=("a.turn",), values=Blob([[0.5], [0.6]]), rate=rate)
    back = again(tmp_path, Contents(figure=figure, layers=(Layer(id="m", samples=samples),)))
    assert back.rate == rate


def test_gimbal_lock_is_written_exactly(tmp_path: Path) -> None:
    turns = (Dof(id="a.y", name="y", axis=(0, 1, 0)), Dof(id="a.z", name="z", axis=(0, 0, 1)))
    figure = Figure(
        name="F", joints=(Joint(id="a", name="a", rest=(math.sqrt(0.5), math.sqrt(0.5), 0, 0), dofs=turns),)
    )
    q = np.array([[0.0, 0.0], [1e-9, 0.3], [1e-15, 1.0], [-1e-12, 2.0], [0.0, -3.0]])
    samples = Samples(coordinates=figure.coordinates, values=Blob(q), rate=(30, 1))
    contents = Contents(figure=figure, layers=(Layer(id="m", samples=samples),))
    back = again(tmp_path, contents)
    for frame, pose in enumerate(q):
        found = transforms(figure_in(back), poses(back)[frame])
        np.testing.assert_allclose(found, transforms(figure, pose), rtol=0, atol=1e-12)


def test_a_figure_alone_is_written_with_one_frame_of_its_rest_pose(tmp_path: Path) -> None:
    figure = figure_in(read(tmp_path, ARM))
    back = again(tmp_path, Contents(figure=figure))
    assert figure_in(back).joints == figure.joints
    assert values(back).tolist() == [[0.0] * 7]


def test_handles_go_to_and_fro(tmp_path: Path) -> None:
    contents = read(tmp_path, ARM)
    more = (*figure_in(contents).handles, Handle(id="hip.mark", name="Mark", joint="hip", point=(0.01, 0.0, 0.0)))
    contents = replace(contents, figure=replace(figure_in(contents), handles=more))
    handles = figure_in(again(tmp_path, contents)).handles
    assert sorted((each.joint, each.point) for each in handles) == sorted((each.joint, each.point) for each in more)
    assert "names of handles" in bvh.omits(contents)


def test_nothing_is_written_without_a_figure(tmp_path: Path) -> None:
    path = tmp_path / "none.bvh"
    with pytest.raises(UnwritableFile, match="no figure"):
        bvh.write(path, Contents(), Options())
    assert not path.exists()


@pytest.mark.slow
def test_five_minutes_of_thirty_one_joints_load_in_about_a_second(tmp_path: Path) -> None:
    """The number itself is printed by the benchmarks; here only that nothing grows faster than the file."""
    path = tmp_path / "long.bvh"
    text = shared("mocap", "bvh", "cmu_01_01_forward_jumps.bvh").read_text()
    head, rows = text[: text.index("Frames:")], text.splitlines()[187:]
    path.write_text(f"{head}Frames: 36000\nFrame Time: .0083333\n" + "\n".join((rows * 14)[:36000]) + "\n")
    start = time.process_time()
    assert len(values(bvh.read(path, Options()))) == 36000
    assert time.process_time() - start < 10.0
