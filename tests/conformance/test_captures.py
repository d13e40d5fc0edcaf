"""Every captured clip of the shared data, through every format that holds motion, compared in every frame."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.formats import asfamc, bvh, csv_curves, gltf, npz_curves
from engine.formats.format import Contents, Format, Options
from engine.maths.arrays import Array
from engine.model.batch import solve_transforms
from engine.model.compile import compile_model
from tests.engine.formats.worlds import figure_in, poses, values
from tests.engine.shared_data import shared, shared_folder

CLIPS = (
    "asfamc/cmu_01_01_forward_jumps.amc",
    "asfamc/cmu_charleston1.amc",
    "asfamc/cmu_lambada.amc",
    "bvh/cmu_01_01_forward_jumps.bvh",
    "bvh/cmu_12_01_walk.bvh",
    "bvh/cmu_jumping_jacks_30fps.bvh",
    "bvh/fair1_jumping.bvh",
    "bvh/fair1_wave_hello.bvh",
    "bvh/rokoko_dance.bvh",
    "bvh/sinusoidal_chain.bvh",
)
TEXT = 1e-9, 1e-6  # [m] and [degrees] that a text format may be off by
SINGLE = 1e-6, 1e-4  # and one of single precision
every_clip = pytest.mark.parametrize("clip", CLIPS)


def read(clip: str) -> Contents:
    format = bvh.FORMAT if clip.endswith("bvh") else asfamc.MOTION
    assert format.read is not None
    return format.read(shared("mocap", *clip.split("/")), Options())


def again(format: Format, path: Path, contents: Contents) -> Contents:
    assert format.write is not None
    assert format.read is not None
    format.write(path, contents, Options())
    return format.read(path, Options())


def rate_of(contents: Contents) -> tuple[int, int]:
    samples = contents.layers[0].samples
    assert samples is not None
    return samples.rate


def places(contents: Contents) -> tuple[Array, Array]:
    """Rotations [frames, joints, 3, 3], and positions of joints and handles [frames, joints + handles, 3]."""
    figure = figure_in(contents)
    found = solve_transforms(compile_model(figure), poses(contents))
    turns, ways = found[:, :, :9].reshape(*found.shape[:2], 3, 3), found[:, :, 9:]
    carried = [figure.joint_index[handle.joint] for handle in figure.handles]
    points = np.array([handle.point for handle in figure.handles]).reshape(-1, 3)
    ends = np.einsum("fhij,hj->fhi", turns[:, carried], points) + ways[:, carried]
    return turns, np.concatenate((ways, ends), axis=1)


def assert_same(before: Contents, after: Contents, tolerance: tuple[float, float]) -> None:
    """Joints and handles stand where and as they stood in every frame."""
    metres, degrees = tolerance
    (ours, points), (theirs, others) = places(before), places(after)
    assert others.shape == points.shape
    assert np.abs(others - points).max() <= metres
    # Of a small angle a the difference of the two matrices has the norm a times the root of 2.
    angles = np.degrees(np.linalg.norm(theirs - ours, axis=(2, 3)) / 2.0**0.5)
    assert angles.max() <= degrees


def test_no_clip_is_left_out() -> None:
    shared("mocap")
    folder = shared_folder() / "data" / "mocap"
    found = {path.relative_to(folder).as_posix() for end in ("bvh", "amc") for path in folder.rglob(f"*.{end}")}
    assert found == set(CLIPS)


@every_clip
def test_clips_go_through_their_own_format(clip: str, tmp_path: Path) -> None:
    contents = read(clip)
    format = bvh.FORMAT if clip.endswith("bvh") else asfamc.MOTION
    back = again(format, tmp_path / f"clip{format.suffixes[0]}", contents)
    ours, theirs = figure_in(contents), figure_in(back)
    assert [joint.dofs for joint in theirs.joints] == [joint.dofs for joint in ours.joints]
    assert rate_of(back) == rate_of(contents)
    hinges = np.array([dof.kind == "hinge" for dof in ours.dofs])
    away = np.abs(values(back) - values(contents))
    assert away[:, ~hinges].max() <= TEXT[0]
    assert np.degrees(away[:, hinges]).max() <= TEXT[1]
    assert_same(contents, back, TEXT)


@every_clip
def test_clips_become_the_other_text_format_with_every_place_kept(clip: str, tmp_path: Path) -> None:
    contents = read(clip)
    format = asfamc.MOTION if clip.endswith("bvh") else bvh.FORMAT
    back = again(format, tmp_path / f"clip{format.suffixes[0]}", contents)
    (_, ours), (_, theirs) = places(contents), places(back)
    where = {id: place for place, id in enumerate(ids(back))}
    kept = [where["root" if place == 0 and "root" in where else id] for place, id in enumerate(ids(contents))]
    assert np.abs(theirs[:, kept] - ours).max() <= TEXT[0]


def ids(contents: Contents) -> list[str]:
    """Of joints and handles, in the order of `places`; ASF calls its root so and adds bones where one must fork."""
    figure = figure_in(contents)
    return [*(joint.id for joint in figure.joints), *(handle.id for handle in figure.handles)]


@every_clip
def test_clips_become_gltf(clip: str, tmp_path: Path) -> None:
    contents = read(clip)
    back = again(gltf.FORMAT, tmp_path / "clip.glb", contents)
    assert rate_of(back) == rate_of(contents)
    assert_same(contents, back, SINGLE)


@every_clip
@pytest.mark.parametrize("format", [csv_curves.FORMAT, npz_curves.FORMAT], ids=["csv", "npz"])
def test_clips_become_curves_with_every_digit(clip: str, format: Format, tmp_path: Path) -> None:
    contents = read(clip)
    back = again(format, tmp_path / f"clip{format.suffixes[0]}", contents)
    ours, theirs = contents.layers[0].samples, back.layers[0].samples
    assert ours is not None
    assert theirs is not None
    assert theirs.coordinates == ours.coordinates
    assert theirs.values.array.tobytes() == ours.values.array.tobytes()
