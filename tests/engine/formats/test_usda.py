"""USD text: what Pixar's own library reads back is what the evaluator sees."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.shipped import load_skin
from engine.evaluate.evaluator import Evaluator
from engine.formats import usda
from engine.formats.format import Contents, Options
from engine.formats.usda_text import identifier
from engine.long.scenes import scene_contents
from engine.runtime.errors import InvalidArguments, UnwritableFile
from tests.engine.formats.gltf_scenes import pose_at, rest_pose, skinned, worlds
from tests.engine.formats.scenes import FRAMES, crowd, seen, staged, vertices
from tests.engine.formats.test_gltf_write import arm, moving, sleeve
from tests.engine.formats.usd_reader import UsdFile

NEAR = 1e-5  # [m]
HUMAN, OTTO, BALL, BOX, EMPTY = (
    "/Scene/Anna_B_lling",
    "/Scene/_2____Otto",
    "/Scene/The__ball_",
    "/Scene/Box",
    "/Scene/Box_2",
)


def everything() -> Contents:
    figure = arm(roots=2)
    return Contents(figure=figure, layers=(moving(figure),), surfaces=(sleeve(figure), sleeve(figure, ("b",))))


def test_the_text_says_unit_axis_and_rate(tmp_path: Path) -> None:
    usda.write(tmp_path / "a.usda", staged(everything()), Options(unit=0.01, up="z", rate=(25, 1)))
    head = (tmp_path / "a.usda").read_text().split(")")[0].splitlines()
    assert head[0] == "#usda 1.0"
    for line in ("metersPerUnit = 0.01", 'upAxis = "Z"', "timeCodesPerSecond = 25.0", "startTimeCode = 0"):
        assert f"    {line}" in head


def test_usd_knows_no_x_up_and_nothing_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="y and z"):
        usda.write(tmp_path / "a.usda", staged(everything()), Options(up="x"))
    with pytest.raises(UnwritableFile, match="nothing to write"):
        usda.write(tmp_path / "a.usda", Contents(), Options())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [Options(), Options(unit=0.01, up="z")])
def test_joints_and_skins_stand_where_they_stood(tmp_path: Path, options: Options) -> None:
    contents = everything()
    assert contents.figure is not None
    usda.write(tmp_path / "a.usda", staged(contents), options)
    file = UsdFile(tmp_path / "a.usda")
    assert file.unit == pytest.approx(options.unit or 1.0)
    for frame in (0, 20, 49):
        world = worlds(contents.figure, pose_at(contents, frame * 1001 / 30000))
        for found, expected in zip(file.joints("/Scene/Figure", frame), world.values(), strict=True):
            assert np.abs(found[:, 3] - expected[:3, 3]).max() < 1e-6
            assert np.abs(found[:, :3] - expected[:3, :3]).max() < 2e-6
        for surface, name in zip(contents.surfaces, ("sleeve", "sleeve_2"), strict=True):
            moved = file.points(f"/Scene/Figure/{name}", frame)
            assert np.abs(moved - skinned(surface, world)).max() < 5e-6


@pytest.mark.parametrize("options", [Options(), Options(unit=0.01, up="z")])
def test_a_scene_is_seen_as_it_was_seen(tmp_path: Path, options: Options) -> None:
    document = crowd()
    chosen = [actor.id for actor in document.actors]
    usda.write(tmp_path / "a.usda", scene_contents(document, chosen), options)
    file = UsdFile(tmp_path / "a.usda")
    assert file.stage.GetStartTimeCode() == 0
    assert file.stage.GetEndTimeCode() == 24
    assert file.stage.GetTimeCodesPerSecond() == 24
    assert set(file.prims("SkelRoot")) == {HUMAN, OTTO}
    assert {BALL, BOX, EMPTY} < set(file.prims("Xform"))
    names = [file.stage.GetPrimAtPath(each).GetDisplayName() for each in (HUMAN, OTTO, BALL, BOX)]
    assert names == ["Anna Bölling", "2 ../Otto", 'The "ball"', ""]
    assert file.visible(HUMAN)
    assert not file.visible(EMPTY)
    human = next(path for path in file.prims("Mesh") if path.startswith(HUMAN))
    otto = next(path for path in file.prims("Mesh") if path.startswith(OTTO))
    evaluator = Evaluator()
    for frame in FRAMES:
        picture = seen(document, frame)
        for root, actor in ((HUMAN, "one"), (OTTO, "two")):
            worlds = evaluator.joint_transforms(document, actor, picture.time)
            found = file.joints(root, frame)
            assert np.abs(found[:, :, 3] - worlds[:, :, 3]).max() < NEAR
            assert np.abs(found[:, :, :3] - worlds[:, :, :3]).max() < NEAR
        for mesh, actor in ((human, "one"), (otto, "two"), (f"{BALL}/Mesh", "ball"), (f"{BOX}/Mesh", "box")):
            assert np.abs(file.points(mesh, frame) - vertices(picture, actor)).max() < NEAR, (mesh, frame)
    moved = [vertices(seen(document, frame), "ball").mean(axis=0) for frame in (0, 12)]
    assert np.abs(moved[1] - moved[0]).max() < 0.2, "the hand that holds it is locked"


def test_names_of_joints_are_kept_and_equal_ones_numbered_and_said(tmp_path: Path) -> None:
    figure = replace(arm(roots=3), name="arm")
    assert [each.name for each in figure.joints].count("more") == 2
    contents = staged(Contents(figure=figure))
    usda.write(tmp_path / "a.usda", contents, Options())
    file = UsdFile(tmp_path / "a.usda")
    (skeleton,) = file.prims("Skeleton").values()
    names = list(file.skel.Skeleton(skeleton).GetJointNamesAttr().Get())
    assert names == ["The root", "a", "b", "c", "more", "more_2"]
    assert "several joints have the same name and were numbered: more (of Figure)" in usda.omits(contents)
    assert not [each for each in usda.omits(scene_of(crowd())) if "same name" in each]


def test_between_frames_a_thing_that_turns_keeps_its_size(tmp_path: Path) -> None:
    document = crowd()
    usda.write(tmp_path / "a.usda", scene_contents(document, ["box"]), Options(rate=(2, 1)))
    file = UsdFile(tmp_path / "a.usda")
    first, between = (file.points(f"{BOX}/Mesh", frame) for frame in (0.0, 0.5))
    size, other = (np.linalg.norm(each - each.mean(axis=0), axis=1) for each in (first, between))
    np.testing.assert_allclose(size, other, atol=1e-6)
    assert np.abs(between - first).max() > 0.1


def test_a_range_and_a_rate_are_what_is_written(tmp_path: Path) -> None:
    document = crowd()
    options = Options(rate=(48, 1), start=SECOND // 4, end=SECOND // 2)
    usda.write(tmp_path / "a.usda", scene_contents(document, ["box"]), options)
    file = UsdFile(tmp_path / "a.usda")
    assert (file.stage.GetStartTimeCode(), file.stage.GetEndTimeCode()) == (12, 24)
    for frame in (12, 24):
        picture = seen(document, frame // 2)
        assert np.abs(file.points(f"{BOX}/Mesh", frame) - vertices(picture, "box")).max() < NEAR
    usda.write(tmp_path / "b.usda", scene_contents(document, ["box"]), Options(start=1000, end=1000))
    stage = UsdFile(tmp_path / "b.usda").stage
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, 0), "the frame that is nearest"
    with pytest.raises(InvalidArguments, match=r"the end of the range.*at or after its start, 1 s"):
        usda.write(tmp_path / "c.usda", scene_contents(document, ["box"]), Options(start=SECOND, end=0))


def test_what_does_not_move_has_no_frames(tmp_path: Path) -> None:
    figure = arm()
    usda.write(tmp_path / "a.usda", staged(Contents(figure=figure)), Options())
    assert "timeSamples" not in (tmp_path / "a.usda").read_text()
    found = UsdFile(tmp_path / "a.usda").joints("/Scene/Figure", 0)
    rest = worlds(figure, rest_pose(figure))
    assert np.abs(found - np.stack([each[:3] for each in rest.values()])).max() < 1e-6


def test_usd_finds_nothing_wrong(tmp_path: Path) -> None:
    for number, contents in enumerate((staged(everything()), staged(Contents(figure=arm())), scene_of(crowd()))):
        path = tmp_path / f"a{number}.usda"
        usda.write(path, contents, Options())
        file = UsdFile(path)
        assert file.stage.GetDefaultPrim().IsValid()
        for prim in file.prims("Skeleton").values():
            joints = file.skel.Topology(file.skel.Skeleton(prim).GetJointsAttr().Get())
            assert joints.Validate()[0]
        validation = pytest.importorskip("pxr.UsdValidation")
        context = validation.ValidationContext(validation.ValidationRegistry().GetOrLoadAllValidators())
        assert [error.GetMessage() for error in context.Validate(file.stage)] == []


def scene_of(document: Document) -> Contents:
    return scene_contents(document, [actor.id for actor in document.actors])


@pytest.mark.parametrize("options", [Options(), Options(unit=0.01, up="z")])
@pytest.mark.parametrize("blending", ["linear", "dual"])
def test_a_skin_bound_in_another_pose_than_rest_is_bound_so_in_usd(
    tmp_path: Path, options: Options, blending: Literal["linear", "dual"]
) -> None:
    skin = replace(load_skin("human"), blending=blending)
    document = crowd()
    walker = document.actor("two")
    document = document.with_actor(replace(walker, figure=replace(walker.figure, skins=(skin,))))
    usda.write(tmp_path / "a.usda", scene_contents(document, ["two"]), options)
    file = UsdFile(tmp_path / "a.usda")
    (mesh,) = file.prims("Mesh")
    for frame in FRAMES:
        assert np.abs(file.points(mesh, frame) - vertices(seen(document, frame), "two")).max() < NEAR


def test_skins_of_several_poses_stand_where_they_stood(tmp_path: Path) -> None:
    figure = arm()
    first, second, third = (sleeve(figure, tuple(each.id for each in figure.joints)) for _ in range(3))
    assert first.bind is not None
    assert second.bind is not None
    assert third.bind is not None
    first.bind[0, 2, 3] += 0.5  # a pose of its own
    shift = np.array([0.1, -0.2, 0.3])
    second = replace(second, positions=second.positions - shift)  # the same pose elsewhere
    assert second.bind is not None
    second.bind[:] = first.bind
    second.bind[:, :, 3] += first.bind[:, :, :3] @ shift
    contents = Contents(figure=figure, layers=(moving(figure),), surfaces=(first, second, third))
    usda.write(tmp_path / "a.usda", staged(contents), Options())
    file = UsdFile(tmp_path / "a.usda")
    for frame in (0, 30):
        world = worlds(figure, pose_at(contents, frame * 1001 / 30000))
        for surface, name in ((first, "sleeve"), (second, "sleeve_2"), (third, "sleeve_3")):
            assert np.abs(file.points(f"/Scene/Figure/{name}", frame) - skinned(surface, world)).max() < 5e-6, name


def test_what_is_listed_as_lost_is_not_there_and_what_is_not_listed_is(tmp_path: Path) -> None:
    contents = scene_of(crowd())
    lost = " / ".join(usda.omits(contents))
    for each in ("degrees of freedom", "limits", "sides, mirror partners", "keys and layers", "a skin covers them"):
        assert each in lost
    usda.write(tmp_path / "a.usda", contents, Options())
    text = (tmp_path / "a.usda").read_text()
    assert "limit" not in text
    assert "mirror" not in text
    assert len(UsdFile(tmp_path / "a.usda").prims("Mesh")) == 4, "one for each figure and prop that has shapes"


@pytest.mark.parametrize("share", [0.1, 0.4, 0.61])
def test_writing_in_slices_can_end_between_any_two_and_leaves_what_stood_there(tmp_path: Path, share: float) -> None:
    (tmp_path / "a.usda").write_text("before")
    steps = usda.gradually(tmp_path / "a.usda", scene_of(crowd()), Options(rate=(240, 1)))
    shares = [0.0]
    while shares[-1] < share:
        shares.append(next(steps))
    assert shares == sorted(shares)
    assert isinstance(steps, Generator)
    steps.close()
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.usda", "before")]


@pytest.mark.parametrize(("name", "plain"), [("Left Arm", "Left_Arm"), ("2nd", "_2nd"), ("", "joint"), ("é:a", "__a")])
def test_names_become_identifiers(name: str, plain: str) -> None:
    assert identifier(name) == plain


@pytest.mark.parametrize(
    "name", ['a" { } def "b', "back\\slash", "two\nlines", "\x00nil", "é 漢字", "/Scene/Box", "..", ""]
)
def test_any_name_of_an_actor_is_kept_and_breaks_nothing(tmp_path: Path, name: str) -> None:
    box = replace(crowd().actor("box"), name=name)
    usda.write(tmp_path / "a.usda", scene_of(Document(actors=(box,))), Options())
    file = UsdFile(tmp_path / "a.usda")
    assert [prim.GetTypeName() for prim in file.stage.Traverse()] == ["Xform", "Xform", "Mesh"]
    shown = file.stage.GetPrimAtPath("/Scene").GetChildren()[0]
    kept = "".join(letter if letter.isprintable() else " " for letter in name)
    assert (shown.GetDisplayName() or shown.GetName()) in (kept, identifier(name))
