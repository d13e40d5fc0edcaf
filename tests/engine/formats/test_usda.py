"""USD text: read back with Pixar's own library where it is installed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.formats import usda
from engine.formats.figure_toml import load_figure
from engine.formats.format import Contents, Options
from engine.formats.skin_npz import load_skin
from engine.formats.skins import skin_surface
from engine.runtime.errors import UnwritableFile
from tests.engine.formats.gltf_scenes import pose_at, rest_pose, skinned, worlds
from tests.engine.formats.test_gltf_write import arm, moving, sleeve


def opened(path: Path) -> Any:
    """The stage, by usd-core."""
    usd = pytest.importorskip("pxr.Usd", reason="usd-core is not installed")
    return usd.Stage.Open(str(path))


def everything() -> Contents:
    figure = arm(roots=2)
    return Contents(figure=figure, layers=(moving(figure),), surfaces=(sleeve(figure), sleeve(figure, ("b",))))


def test_the_text_says_unit_axis_and_rate(tmp_path: Path) -> None:
    usda.write(tmp_path / "a.usda", everything(), Options(unit=0.01, up="z", rate=(25, 1)))
    head = (tmp_path / "a.usda").read_text().split(")")[0].splitlines()
    assert head[0] == "#usda 1.0"
    for line in ("metersPerUnit = 0.01", 'upAxis = "Z"', "timeCodesPerSecond = 25.0", "startTimeCode = 0"):
        assert f"    {line}" in head


def test_usd_knows_no_x_up_and_nothing_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="y and z"):
        usda.write(tmp_path / "a.usda", everything(), Options(up="x"))
    with pytest.raises(UnwritableFile, match="nothing to write"):
        usda.write(tmp_path / "a.usda", Contents(), Options())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [Options(), Options(unit=0.01, up="z")])
def test_joints_and_skins_stand_where_they_stood(tmp_path: Path, options: Options) -> None:
    contents = everything()
    assert contents.figure is not None
    usda.write(tmp_path / "a.usda", contents, options)
    stage = opened(tmp_path / "a.usda")
    Usd, UsdGeom, UsdSkel = (pytest.importorskip(f"pxr.{each}") for each in ("Usd", "UsdGeom", "UsdSkel"))
    assert UsdGeom.GetStageMetersPerUnit(stage) == pytest.approx(options.unit or 1.0)
    root = UsdSkel.Root(stage.GetDefaultPrim())
    cache = UsdSkel.Cache()
    assert cache.Populate(root, Usd.PrimDefaultPredicate)
    skeleton = UsdSkel.Skeleton(stage.GetPrimAtPath("/Figure/Skeleton"))
    query = cache.GetSkelQuery(skeleton)
    assert query
    assert query.HasBindPose()
    axes = np.array([(1, 0, 0), (0, 0, 1), (0, -1, 0)]) if options.up == "z" else np.eye(3)
    for frame in (0, 20, 49):
        world = worlds(contents.figure, pose_at(contents, frame * 1001 / 30000))
        found = query.ComputeJointSkelTransforms(Usd.TimeCode(frame))
        for matrix, expected in zip(found, world.values(), strict=True):
            back = np.array(matrix).T
            assert np.abs(axes @ back[:3, 3] * (options.unit or 1.0) - expected[:3, 3]).max() < 1e-6
            assert np.abs(axes @ back[:3, :3] - expected[:3, :3]).max() < 2e-6
        for surface, name in zip(contents.surfaces, ("sleeve", "sleeve_2"), strict=True):
            mesh = UsdGeom.Mesh(stage.GetPrimAtPath(f"/Figure/{name}"))
            skin = cache.GetSkinningQuery(mesh.GetPrim())
            points = mesh.GetPointsAttr().Get()
            moved = skin.ComputeSkinnedPoints(query.ComputeSkinningTransforms(Usd.TimeCode(frame)), points, 0)
            assert moved
            places = np.array(points) @ axes.T * (options.unit or 1.0)
            assert np.abs(places - skinned(surface, world)).max() < 5e-6


def test_usd_finds_nothing_wrong(tmp_path: Path) -> None:
    figure = arm()
    for number, contents in enumerate(
        (everything(), Contents(figure=figure), Contents(surfaces=(sleeve(figure), sleeve(figure))))
    ):
        path = tmp_path / f"a{number}.usda"
        usda.write(path, contents, Options())
        stage = opened(path)
        assert stage.GetDefaultPrim().IsValid()
        kinds = [str(each.GetTypeName()) for each in stage.Traverse()]
        assert kinds.count("Mesh") == len(contents.surfaces)
        assert kinds.count("Skeleton") == (contents.figure is not None)
        UsdSkel = pytest.importorskip("pxr.UsdSkel")
        for prim in stage.Traverse():
            if prim.IsA(UsdSkel.Skeleton):
                joints = UsdSkel.Topology(UsdSkel.Skeleton(prim).GetJointsAttr().Get())
                assert joints.Validate()[0]


def usd_points(path: Path, name: str) -> np.ndarray:
    """The vertices of a mesh as USD's own skinning moves them at rest, metres and y up."""
    stage = opened(path)
    Usd, UsdGeom, UsdSkel = (pytest.importorskip(f"pxr.{each}") for each in ("Usd", "UsdGeom", "UsdSkel"))
    cache = UsdSkel.Cache()
    assert cache.Populate(UsdSkel.Root(stage.GetDefaultPrim()), Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(UsdSkel.Skeleton(stage.GetPrimAtPath("/Figure/Skeleton")))
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(f"/Figure/{name}"))
    points = mesh.GetPointsAttr().Get()
    moves = query.ComputeSkinningTransforms(Usd.TimeCode.Default())
    assert cache.GetSkinningQuery(mesh.GetPrim()).ComputeSkinnedPoints(moves, points, 0)
    unit = UsdGeom.GetStageMetersPerUnit(stage)
    axes = np.array([(1, 0, 0), (0, 0, 1), (0, -1, 0)]) if UsdGeom.GetStageUpAxis(stage) == "Z" else np.eye(3)
    return np.asarray(np.array(points) @ axes.T * unit)


@pytest.mark.parametrize("options", [Options(), Options(unit=0.01, up="z")])
def test_a_skin_bound_in_another_pose_than_rest_is_bound_so_in_usd(tmp_path: Path, options: Options) -> None:
    figure = replace(load_figure("human"), skins=(load_skin("human"),))
    usda.write(tmp_path / "a.usda", Contents(figure=figure), options)
    expected = skinned(skin_surface(figure.skins[0]), worlds(figure, rest_pose(figure)))
    assert np.abs(usd_points(tmp_path / "a.usda", "Human_skin") - expected).max() < 2e-6


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
    usda.write(tmp_path / "a.usda", Contents(figure=figure, surfaces=(first, second, third)), Options())
    world = worlds(figure, rest_pose(figure))
    for surface, name in ((first, "sleeve"), (second, "sleeve_2"), (third, "sleeve_3")):
        assert np.abs(usd_points(tmp_path / "a.usda", name) - skinned(surface, world)).max() < 2e-6, name


@pytest.mark.parametrize(("name", "plain"), [("Left Arm", "Left_Arm"), ("2nd", "_2nd"), ("", "joint"), ("é:a", "__a")])
def test_names_become_identifiers(name: str, plain: str) -> None:
    assert usda.identifier(name) == plain
