"""Soft bodies in files: what is seen of them over time, as other libraries read it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pygltflib
import pytest

from engine.document import Document, Span
from engine.document.motion import frame_time
from engine.evaluate.evaluator import Evaluator
from engine.formats import obj
from engine.formats.format import Options
from engine.long.export import export, left_out, writer_of
from engine.maths.arrays import Array
from engine.model.snapshot import SkinSurface
from tests.engine.figures import scene
from tests.engine.formats.usd_reader import UsdFile
from tests.engine.soft.test_simulation import COARSE, SECOND, jelly

FRAMES = 7
CHOSEN = ("jelly", "ball")


@pytest.fixture
def document() -> Document:
    """A cube that falls beside a box."""
    play = Span(start=0, end=frame_time(FRAMES - 1, (30, 1)))
    return Document(actors=(*scene().actors[3:], jelly(at=(1.0, 0.2, 0.0))), play=play, parts=(COARSE,))


def seen(document: Document, frame: int) -> Array:
    (surface,) = Evaluator().snapshot(document, frame_time(frame, (30, 1))).of(SkinSurface)
    return surface.positions.astype(np.float64)


def test_an_obj_sequence_holds_the_surface_of_each_frame(tmp_path: Path, document: Document) -> None:
    export(tmp_path / "fall.objseq", document, CHOSEN, Options())
    files = sorted((tmp_path / "fall.objseq").iterdir())
    assert len(files) == FRAMES
    for frame in (0, FRAMES - 1):
        surfaces = {each.name: each for each in obj.read(files[frame], Options()).surfaces}
        assert set(surfaces) == {"Jelly", "Box"}
        assert surfaces["Jelly"].positions == pytest.approx(seen(document, frame), abs=1e-6)


def test_a_usd_scene_holds_its_points_over_time(tmp_path: Path, document: Document) -> None:
    export(tmp_path / "fall.usda", document, CHOSEN, Options())
    found = UsdFile(tmp_path / "fall.usda")
    assert set(found.prims("Mesh")) == {"/Scene/Jelly/surface", "/Scene/Box/Mesh"}
    for frame in (0, 3, FRAMES - 1):
        assert found.points("/Scene/Jelly/surface", frame) == pytest.approx(seen(document, frame), abs=1e-6)


def test_a_gltf_file_holds_a_morph_target_for_each_frame(tmp_path: Path, document: Document) -> None:
    export(tmp_path / "fall.glb", document, ("jelly",), Options())
    file = pygltflib.GLTF2().load(str(tmp_path / "fall.glb"))
    assert file is not None
    blob = file.binary_blob()

    def array(number: int) -> Array:
        accessor = file.accessors[number]
        view = file.bufferViews[accessor.bufferView]
        width = {"SCALAR": 1, "VEC3": 3}[accessor.type]
        found = np.frombuffer(blob, dtype="<f4", count=accessor.count * width, offset=view.byteOffset)
        return found.reshape(accessor.count, width).astype(np.float64)

    (mesh,), (animation,) = file.meshes, file.animations
    (primitive,) = mesh.primitives
    assert len(primitive.targets) == FRAMES
    assert animation.channels[0].target.path == "weights"
    weights = array(animation.samplers[0].output).reshape(FRAMES, FRAMES)
    times = array(animation.samplers[0].input)[:, 0]
    assert times == pytest.approx([frame / 30 for frame in range(FRAMES)], abs=1e-6)
    base = array(primitive.attributes.POSITION)
    moves = np.array([array(each["POSITION"]) for each in primitive.targets])
    for frame in (0, FRAMES - 1):
        shown = base + np.einsum("t,tvx->vx", weights[frame], moves)
        assert shown == pytest.approx(seen(document, frame), abs=1e-5)


def test_a_mesh_file_holds_how_it_is_seen_first(tmp_path: Path, document: Document) -> None:
    later = Document(actors=document.actors, play=Span(start=SECOND // 10, end=SECOND), parts=document.parts)
    export(tmp_path / "cube.obj", later, ("jelly",), Options())
    (surface,) = obj.read(tmp_path / "cube.obj", Options()).surfaces
    assert surface.positions.min(axis=0) == pytest.approx(seen(later, 3).min(axis=0), abs=1e-6)
    assert not any("without a mesh" in each for each in left_out(writer_of(Path("a.objseq")), later, ("jelly",)))
