"""Every figure and motion that ships, written as glTF and USD: sound by those formats' validators, and in its place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.formats import usda
from engine.formats.figure_toml import figure_names, load_figure
from engine.formats.format import Contents, Options
from engine.formats.frames import frames_of
from engine.formats.gltf_write import write as write_gltf
from engine.formats.motion_toml import load_motion, motion_names
from engine.maths.arrays import Array
from engine.model.batch import solve_transforms
from engine.model.compile import compile_model
from tests.engine.formats.gltf_validator import assert_valid
from tests.engine.formats.scenes import staged
from tests.engine.formats.usd_reader import UsdFile
from tests.engine.formats.worlds import figure_in

RATE = (30, 1)
SHIPPED = (*figure_names(), *motion_names())
every_file = pytest.mark.parametrize("name", SHIPPED)


def shipped(name: str) -> Contents:
    return load_motion(name) if name in motion_names() else Contents(figure=load_figure(name))


@every_file
def test_gltf_passes_khronos_validator(name: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}{suffix}" for suffix in (".glb", ".gltf")]
    for path in paths:
        write_gltf(path, shipped(name), Options(rate=RATE))
    assert_valid(*paths)


@every_file
def test_usd_passes_its_validators(name: str, tmp_path: Path) -> None:
    usd = pytest.importorskip("pxr.Usd", reason="usd-core is not installed")
    validation = pytest.importorskip("pxr.UsdValidation")
    path = tmp_path / f"{name}.usda"
    usda.write(path, staged(shipped(name)), Options(rate=RATE))
    context = validation.ValidationContext(validation.ValidationRegistry().GetOrLoadAllValidators())
    assert [error.GetMessage() for error in context.Validate(usd.Stage.Open(str(path)))] == []


@every_file
def test_usd_stands_as_it_stood(name: str, tmp_path: Path) -> None:
    contents, path = shipped(name), tmp_path / f"{name}.usda"
    usda.write(path, staged(contents), Options(rate=RATE))
    file = UsdFile(path)
    for frame, worlds in enumerate(places(contents)):
        found = file.joints("/Scene/Figure", frame)
        np.testing.assert_allclose(found[:, :, 3], worlds[:, 9:], rtol=0, atol=1e-6)
        np.testing.assert_allclose(found[:, :, :3].reshape(-1, 9), worlds[:, :9], rtol=0, atol=2e-6)


def places(contents: Contents) -> Array:
    """Rotation and position of each joint in every frame, or at rest, shape [frames, joints, 12]."""
    figure = figure_in(contents)
    model = compile_model(figure)
    if not contents.layers:
        return solve_transforms(model, model.rest[None])
    return solve_transforms(model, frames_of(Path("-"), figure, contents, Options(rate=RATE)).q)
