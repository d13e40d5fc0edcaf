"""Writing FBX: read back by ufbx, through the reader, and by Assimp where its package is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob, Dof, Figure, Joint, Layer, Samples
from engine.formats import fbx
from engine.formats.format import Contents, FileMesh, Options
from engine.formats.skins import with_skins
from engine.maths.arrays import Array
from engine.maths.quaternions import AXES
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.motion.motion import compile_motion
from engine.runtime.errors import UnwritableFile

RATE = (25, 1)


def arm() -> Contents:
    """Two joints with odd rest orientations, one that slides, a skin on both, and four frames of motion."""
    half = float(np.sqrt(0.5))
    turns = [tuple(Dof(id=f"{id}.{n}", name=n, axis=axis) for n, axis in zip("xyz", AXES, strict=True)) for id in "ab"]
    slides = tuple(Dof(id=f"a.t{n}", name=n, kind="slide", axis=axis) for n, axis in zip("xyz", AXES, strict=True))
    a = Joint(id="a", name="Upper arm", offset=(0.1, 1.2, 0.0), rest=(half, 0.0, half, 0.0), dofs=(*slides, *turns[0]))
    b = Joint(id="b", name="Elbow", parent="a", offset=(0.0, -0.3, 0.02), rest=(0.5, 0.5, -0.5, 0.5), dofs=turns[1])
    figure = Figure(name="Arm", joints=(a, b))
    values = np.random.default_rng(3).uniform(-1.5, 1.5, (4, len(figure.coordinates)))
    samples = Samples(coordinates=figure.coordinates, values=Blob(values), rate=RATE)
    worlds = _worlds(figure, np.zeros((1, len(figure.coordinates))))[0]
    bind = np.array([np.linalg.inv(np.vstack((each, (0.0, 0.0, 0.0, 1.0))))[:3] for each in worlds])
    positions = np.array([(0.1, 1.2, 0.0), (0.15, 1.0, 0.0), (0.1, 0.9, 0.1), (0.0, 0.8, 0.0)])
    skin = FileMesh(
        name="Sleeve", positions=positions, triangles=np.array([(0, 1, 2), (1, 3, 2)], np.int32), joints=("a", "b"),
        weights=np.array([(1.0, 0.0), (0.5, 0.5), (0.25, 0.75), (0.0, 1.0)]), bind=bind,
    )  # fmt: skip
    return Contents(figure=figure, layers=(Layer(id="m", name="Swing", samples=samples),), surfaces=(skin,))


def _worlds(figure: Figure, poses: Array) -> Array:
    model = compile_model(figure)
    state, found = model.new_state(), []
    for pose in np.ascontiguousarray(poses):
        compute_forward_kinematics(model.ints, model.floats, pose, state)
        rows = model.transforms(state)
        found.append(np.concatenate((rows[:, :9].reshape(-1, 3, 3), rows[:, 9:, None]), axis=2))
    return np.array(found)


def test_figure_skin_and_motion_come_back(tmp_path: Path) -> None:
    pytest.importorskip("ufbx")
    given, path = arm(), tmp_path / "arm.fbx"
    assert fbx.FORMAT.write is not None
    fbx.FORMAT.write(path, given, Options())
    found = fbx.read(path, Options())
    assert found.figure is not None
    assert given.figure is not None
    assert [joint.name for joint in found.figure.joints] == ["Upper arm", "Elbow"]
    for ours, theirs in zip(given.figure.joints, found.figure.joints, strict=True):
        np.testing.assert_allclose(theirs.offset, ours.offset, atol=1e-9)
        np.testing.assert_allclose(rotation_matrix(theirs.rest), rotation_matrix(ours.rest), atol=1e-9)
    assert found.rate == RATE
    times = [frame * 705_600_000 // 25 for frame in range(4)]
    places = [
        _worlds(each.figure, compile_motion(each.figure, each.layers).at(times)[:, 0])
        for each in (given, found)
        if each.figure is not None
    ]
    np.testing.assert_allclose(places[1], places[0], atol=2e-6)
    (skin,), (back,) = given.surfaces, found.surfaces
    np.testing.assert_allclose(back.positions, skin.positions, atol=1e-7)
    np.testing.assert_array_equal(back.triangles, skin.triangles)
    assert back.weights is not None
    assert skin.weights is not None
    np.testing.assert_allclose(back.weights, skin.weights, atol=1e-6)
    assert back.bind is not None
    assert skin.bind is not None
    np.testing.assert_allclose(back.bind, skin.bind, atol=1e-6)


def test_the_same_content_gives_the_same_bytes(tmp_path: Path) -> None:
    assert fbx.FORMAT.write is not None
    for name in ("a", "b"):
        fbx.FORMAT.write(tmp_path / f"{name}.fbx", arm(), Options())
    assert (tmp_path / "a.fbx").read_bytes() == (tmp_path / "b.fbx").read_bytes()
    with pytest.raises(UnwritableFile, match="nothing to write"):
        fbx.FORMAT.write(tmp_path / "c.fbx", Contents(), Options())


def test_a_figure_with_its_skin_is_read_by_assimp(tmp_path: Path) -> None:
    assimp = pytest.importorskip("assimp_py", reason="the package assimp-py is not here; install it to check")
    given, path = arm(), tmp_path / "arm.fbx"
    assert given.figure is not None
    dressed = Contents(figure=with_skins(given.figure, given.surfaces), layers=given.layers)
    assert fbx.FORMAT.write is not None
    fbx.FORMAT.write(path, replace(dressed, surfaces=()), Options())
    scene = assimp.import_file(str(path), 0)
    (mesh,) = scene.meshes
    points = np.array(mesh.vertices).reshape(-1, 3)
    wanted = given.surfaces[0].positions[given.surfaces[0].triangles.ravel()] * 100.0
    np.testing.assert_allclose(np.unique(points.round(3), axis=0), np.unique(wanted.round(3), axis=0), atol=2e-3)
    place = _placed(scene.root_node, np.eye(4))["Elbow"]
    rest = _worlds(given.figure, np.zeros((1, len(given.figure.coordinates))))[0]
    np.testing.assert_allclose(place[:3, :3], rest[1, :, :3], atol=1e-5)
    np.testing.assert_allclose(place[:3, 3], 100.0 * rest[1, :, 3], atol=1e-3)


def _placed(node: object, above: Array) -> dict[str, Array]:
    """World transforms of the nodes that Assimp made, by name."""
    world = above @ np.array(node.transformation)  # type: ignore[attr-defined]
    found = {node.name: world}  # type: ignore[attr-defined]
    for child in node.children:  # type: ignore[attr-defined]
        found |= _placed(child, world)
    return found
