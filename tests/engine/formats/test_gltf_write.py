"""glTF written: the same places when read back, and files that Khronos' validator passes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob, Dof, Figure, Handle, Joint, Layer, Samples
from engine.document.figure import DofKind
from engine.formats import gltf
from engine.formats.format import Contents, FileMesh, Options
from engine.formats.gltf_write import omits, write
from tests.engine.formats.gltf_scenes import pose_at, rest_pose, skinned, worlds
from tests.engine.formats.gltf_validator import assert_valid

DEGREES, METRES = 1e-4, 1e-6
S = 0.5**0.5
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0), "s": (0.6, 0.0, 0.8)}


def dof(id: str, kind: DofKind, axis: str) -> Dof:
    return Dof(id=id, name=id, kind=kind, axis=AXES[axis])


def arm(roots: int = 1) -> Figure:
    """A ball root that slides, a skew hinge with a rest orientation, a fixed joint, a sliding joint."""
    joints = [Joint(id="root", name="The root", offset=(0.0, 1.0, 0.0), dofs=(
        dof("x", "slide", "x"), dof("y", "slide", "y"), dof("z", "slide", "z"), Dof(id="ball", name="ball", kind="ball")
    ))]  # fmt: skip
    joints.append(
        Joint(
            id="a", name="a", parent="root", offset=(0.0, 0.3, 0.1), rest=(S, 0, S, 0), dofs=(dof("a1", "hinge", "s"),)
        )
    )
    joints.append(Joint(id="b", name="b", parent="a", offset=(0.2, 0.0, 0.0)))
    joints.append(Joint(id="c", name="c", parent="b", dofs=(dof("c1", "hinge", "y"), dof("c2", "slide", "s"))))
    joints += [Joint(id=f"more{each}", name="more", dofs=(dof(f"m{each}", "hinge", "z"),)) for each in range(1, roots)]
    return Figure(
        name="arm", joints=tuple(joints), handles=(Handle(id="tip", name="tip", joint="c", point=(0, 0.1, 0)),)
    )


def moving(figure: Figure, count: int = 50, rate: tuple[int, int] = (30000, 1001)) -> Layer:
    values = 0.8 * np.sin(np.linspace(0, 7, count)[:, None] + np.arange(len(figure.coordinates)))
    ball = [place for place, name in enumerate(figure.coordinates) if name.startswith("ball.")]
    values[:, ball] /= np.linalg.norm(values[:, ball], axis=1, keepdims=True)
    return Layer(id="m", name="swing", samples=Samples(coordinates=figure.coordinates, values=Blob(values), rate=rate))


def sleeve(figure: Figure, joints: tuple[str, ...] = ("root", "a", "c")) -> FileMesh:
    """Random triangles that hang on some joints, up to six of them at once."""
    random = np.random.default_rng(5)
    weights = random.random((30, len(joints)))
    weights[:10, 0] *= len(joints) == 1
    world = worlds(figure, rest_pose(figure))
    return FileMesh(
        name="sleeve",
        positions=random.normal(size=(30, 3)),
        triangles=np.arange(30, dtype=np.int32).reshape(10, 3),
        normals=np.tile((0.0, 0.0, 1.0), (30, 1)),
        joints=joints,
        weights=weights / weights.sum(axis=1, keepdims=True),
        bind=np.stack([np.linalg.inv(world[each])[:3] for each in joints]),
    )


def to_and_fro(path: Path, contents: Contents, options: Options | None = None) -> Contents:
    write(path, contents, options or Options())
    return gltf.read(path, options or Options())


def assert_same(before: Contents, after: Contents, times: list[float]) -> None:
    """Joints and skins stand in the same places."""
    assert before.figure is not None
    assert after.figure is not None
    assert len(before.figure.joints) == len(after.figure.joints)
    partner = {ours.id: theirs.id for ours, theirs in zip(before.figure.joints, after.figure.joints, strict=True)}
    for seconds in times:
        ours = worlds(before.figure, pose_at(before, seconds))
        theirs = worlds(after.figure, pose_at(after, seconds))
        for id, world in ours.items():
            other = theirs[partner[id]]
            assert np.abs(world[:3, 3] - other[:3, 3]).max() < METRES
            angle = np.degrees(np.linalg.norm(world[:3, :3] - other[:3, :3]) / 2**0.5)
            assert angle < DEGREES
        for surface, again in zip(before.surfaces, after.surfaces, strict=True):
            assert np.abs(skinned(surface, ours) - skinned(again, theirs)).max() < 5 * METRES


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
@pytest.mark.parametrize("options", [Options(), Options(unit=0.01, up="z")])
def test_figures_skins_and_motion_go_to_and_fro(tmp_path: Path, suffix: str, options: Options) -> None:
    figure = arm()
    contents = Contents(figure=figure, layers=(moving(figure),), surfaces=(sleeve(figure), sleeve(figure, ("b",))))
    back = to_and_fro(tmp_path / f"a{suffix}", contents, options)
    assert back.rate == (30000, 1001)
    assert back.figure is not None
    assert [each.name for each in back.figure.joints] == [each.name for each in figure.joints]
    assert back.figure.handles[0].name == "tip"
    np.testing.assert_allclose(back.figure.handles[0].point, (0, 0.1, 0), atol=METRES)
    assert_same(contents, back, [each * 1001 / 30000 for each in range(0, 50, 7)])


def test_six_joints_on_a_vertex_take_two_sets_of_weights(tmp_path: Path) -> None:
    figure = arm(roots=3)
    surface = sleeve(figure, tuple(joint.id for joint in figure.joints))
    back = to_and_fro(tmp_path / "a.glb", Contents(figure=figure, surfaces=(surface,)))
    assert back.surfaces[0].weights is not None
    assert surface.weights is not None
    np.testing.assert_allclose(back.surfaces[0].weights, surface.weights, rtol=1e-6, atol=1e-6)


def test_a_figure_at_rest_is_written_without_motion(tmp_path: Path) -> None:
    back = to_and_fro(tmp_path / "a.gltf", Contents(figure=arm()))
    assert back.layers == ()
    assert back.figure is not None
    assert back.figure.joints[1].rest == pytest.approx((S, 0, S, 0), abs=1e-15)


def test_what_is_lost_is_said_before_it_is_written() -> None:
    figure = arm()
    assert any("degrees of freedom" in each for each in omits(Contents(figure=figure)))
    assert omits(Contents(surfaces=(sleeve(figure),))) == ("how surfaces hang on joints, without the figure",)


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
@pytest.mark.parametrize("what", ["rest", "motion", "skins", "mesh", "roots"])
def test_written_files_pass_the_validator(tmp_path: Path, suffix: str, what: str) -> None:
    figure, path = arm(3 if what == "roots" else 1), tmp_path / f"a{suffix}"
    skins = (sleeve(figure), sleeve(figure, tuple(each.id for each in figure.joints)))
    write(
        path,
        {
            "rest": Contents(figure=figure),
            "motion": Contents(figure=figure, layers=(moving(figure),)),
            "skins": Contents(figure=figure, layers=(moving(figure),), surfaces=skins),
            "mesh": Contents(surfaces=skins),
            "roots": Contents(figure=figure, surfaces=skins),
        }[what],
        Options(),
    )
    assert_valid(path)
