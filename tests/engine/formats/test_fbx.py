"""Reading FBX: closed forms of a small ASCII file, and what is odd in one."""

from __future__ import annotations

import random
import zlib
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from engine.commands.bring_in import bring_in
from engine.formats import fbx
from engine.formats.format import Contents, Options
from engine.runtime.child import ChildJob
from engine.runtime.errors import UnreadableFile
from engine.shapes.importing import read_blend_shapes
from tests.engine.formats.fbx_text import fbx_text
from tests.engine.shared_data import shared

pytest.importorskip("ufbx")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("fbx") / "leg.fbx"
    file.write_text(fbx_text())
    return file


@pytest.fixture(scope="module")
def contents(path: Path) -> Contents:
    return fbx.read(path, Options())


def test_joints_stand_where_pivots_and_pre_rotations_put_them(contents: Contents) -> None:
    figure = contents.figure
    assert figure is not None
    assert [(joint.id, joint.parent) for joint in figure.joints] == [("Hips", None), ("Knee", "Hips")]
    hips, knee = figure.joints
    np.testing.assert_allclose(hips.offset, (0.0, 0.9, 0.0), atol=1e-12)
    half = np.sqrt(0.5)
    np.testing.assert_allclose(hips.rest, (half, -half, 0.0, 0.0), atol=1e-12)  # z up becomes y up
    # With pivot p and pre-rotation P: t + p - P p, in the hips' axes.
    np.testing.assert_allclose(knee.offset, (-0.1, 0.0, -0.3), atol=1e-12)
    np.testing.assert_allclose(knee.rest, (half, 0.0, half, 0.0), atol=1e-12)


def test_the_take_becomes_samples_at_the_files_rate(contents: Contents) -> None:
    (layer,) = contents.layers
    assert layer.name == "Walk"
    assert layer.samples is not None
    assert layer.samples.rate == (30, 1) == contents.rate
    assert layer.samples.coordinates == ("Hips.tx", "Hips.ty", "Hips.tz")
    wanted = np.linspace(0.0, 1.0, 31)
    np.testing.assert_allclose(layer.samples.values.array[:, 0], wanted, atol=1e-6)


def test_skins_and_mirrored_meshes_stand_where_the_file_shows_them(contents: Contents) -> None:
    leg, mirrored = contents.surfaces
    assert leg.joints == ("Hips", "Knee")
    np.testing.assert_allclose(leg.positions, [(0, 0.9, 0), (0.1, 0.9, 0), (0, 0.5, 0), (0.1, 0.5, 0)], atol=1e-7)
    assert leg.weights is not None
    np.testing.assert_allclose(leg.weights, [(1, 0), (1, 0), (0, 1), (0, 1)])
    assert len(leg.triangles) == 2
    np.testing.assert_allclose(mirrored.positions, [(2, 0, 0), (1.9, 0, 0), (2, 0.2, 0)], atol=1e-7)
    a, b, c = mirrored.positions[mirrored.triangles[0]]
    assert np.cross(b - a, c - a)[2] > 0.0  # faces the way that it faced before it was mirrored, turned with it


def test_blend_shapes_become_shapes_of_a_surface(path: Path) -> None:
    surface = read_blend_shapes([path])
    (shape,) = surface.shapes
    assert (shape.name, shape.weight) == ("Wide", 0.25)
    np.testing.assert_allclose(shape.offsets.array, [(-0.3, 0.0, 0.0)], atol=1e-7)


def test_joints_without_parents_and_times_before_0_are_said(tmp_path: Path) -> None:
    file = tmp_path / "broken.fbx"
    file.write_text(fbx_text(keys=(-1, 1), broken=True))
    found = bring_in(file)
    assert found.actor is not None
    assert [joint.parent for joint in found.actor.figure.joints] == [None, None]
    assert "2 joints that hang on nothing: Hips, Knee" in found.notes
    assert "Walk begins before time 0 and was moved there" in found.notes


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"nothing of the kind", "no sound FBX"),
        (b"Kaydara FBX Binary  \x00\x1a\x00\xe8\x1c\x00\x00" + bytes(10), "no sound FBX"),
        (b"", "an empty file"),
    ],
)
def test_files_that_are_none_are_refused_in_words(data: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.fbx"
    file.write_bytes(data)
    with pytest.raises(UnreadableFile, match=said):
        fbx.read(file, Options())


def test_a_reader_that_crashes_or_hangs_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Crashing(ChildJob):
        def __init__(self, name: str, *arguments: object, **named: object) -> None:
            super().__init__("no such job", {}, on_message=lambda message: None)

    monkeypatch.setattr(fbx, "ChildJob", Crashing)
    with pytest.raises(UnreadableFile, match="ended its reader"):
        fbx.read(path, Options())
    monkeypatch.undo()
    monkeypatch.setattr(fbx, "LONGEST", 0.0)
    with pytest.raises(UnreadableFile, match="takes more than"):
        fbx.read(path, Options())


@pytest.mark.slow
def test_every_shared_file_is_read() -> None:
    counts = {"animation_with_skeleton": 16, "huesitos": 11, "cubes_with_mirroring_and_pivot": 1}
    for name, joints in counts.items():
        found = bring_in(shared("fbx", f"{name}.fbx"))
        assert found.actor is not None
        assert len(found.actor.figure.joints) == joints


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(40))
def test_damaged_files_are_read_or_refused(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    names = ("huesitos.fbx", "animation_with_skeleton.fbx", "boxWithCompressedCTypeArray.FBX", "")
    name = names[seed % len(names)]
    data = bytearray(shared("fbx", name).read_bytes() if name else fbx_text().encode())
    for _ in range(dice.randint(1, 20)):
        place = dice.randrange(len(data))
        if dice.random() < 0.2:
            del data[place : place + dice.randint(1, 50)]
        else:
            data[place] = dice.randrange(256)
    file = tmp_path / f"damaged{zlib.crc32(data):x}.fbx"
    file.write_bytes(bytes(data))
    with suppress(UnreadableFile):
        found = fbx.read(file, Options())
        assert found.figure is not None or found.surfaces
