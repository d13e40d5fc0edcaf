"""Water in files: its surface in each frame, with triangles of its own, as other libraries read it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sinew
from engine.document import Box, Document, Span
from engine.document.motion import frame_time
from engine.evaluate.evaluator import Evaluator
from engine.formats import obj
from engine.formats.format import Options
from engine.long.export import export, left_out, writer_of
from engine.maths.arrays import Array, IntArray
from engine.water import bakes
from engine.water.making import tank_actor
from engine.water.parts import WaterTank
from tests.engine.formats.usd_reader import UsdFile
from tests.water_examples import thing

FRAMES = 6
CHOSEN = ("tank", "block")
TINY = WaterTank(size=(0.5, 0.5, 0.5), resolution=10.0, begins="dam", level=0.1, block_length=0.2, block_height=0.35)


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Document:
    """A small dam that breaks on a block."""
    monkeypatch.setattr(bakes, "folder_of_bakes", lambda: None)
    block = thing("block", "Block", Box(half=(0.08, 0.1, 0.08)), (0.1, 0.1, 0.0))
    play = Span(start=0, end=frame_time(FRAMES - 1, (30, 1)))
    return Document(actors=(tank_actor("tank", "Tank", TINY), block), play=play)


def seen(document: Document, frame: int) -> tuple[Array, IntArray]:
    (surface,) = Evaluator().snapshot(document, frame_time(frame, (30, 1))).liquids
    places, _, triangles = surface.closed
    return places.astype(np.float64), triangles


def test_an_obj_sequence_holds_the_surface_of_each_frame(tmp_path: Path, document: Document) -> None:
    export(tmp_path / "dam.objseq", document, CHOSEN, Options())
    files = sorted((tmp_path / "dam.objseq").iterdir())
    assert len(files) == FRAMES
    counts = set()
    for frame in (0, FRAMES - 1):
        surfaces = {each.name: each for each in obj.read(files[frame], Options()).surfaces}
        assert set(surfaces) == {"Tank", "Block"}
        places, triangles = seen(document, frame)
        assert surfaces["Tank"].positions == pytest.approx(places, abs=1e-6)
        counts.add(len(triangles))
    assert len(counts) == 2, "triangles are others in each frame"


def test_a_usd_scene_holds_points_and_triangles_over_time(tmp_path: Path, document: Document) -> None:
    export(tmp_path / "dam.usda", document, CHOSEN, Options())
    found = UsdFile(tmp_path / "dam.usda")
    assert set(found.prims("Mesh")) == {"/Scene/Tank/surface", "/Scene/Block/Mesh"}
    mesh = found.geom.Mesh(found.prims("Mesh")["/Scene/Tank/surface"])
    for frame in (0, FRAMES - 1):
        places, triangles = seen(document, frame)
        assert found.points("/Scene/Tank/surface", frame) == pytest.approx(places, abs=1e-6)
        assert list(mesh.GetFaceVertexIndicesAttr().Get(frame)) == triangles.ravel().tolist()
        assert len(mesh.GetFaceVertexCountsAttr().Get(frame)) == len(triangles)


@pytest.mark.parametrize("name", ["dam.obj", "dam.glb"])
def test_what_holds_one_surface_alone_has_the_first_and_says_so(tmp_path: Path, document: Document, name: str) -> None:
    path = tmp_path / name
    export(path, document, ("tank",), Options())
    read = sinew.load(path)
    assert len(read.actors) == 1
    (said,) = [each for each in left_out(writer_of(path), document, ("tank",)) if "other" in each]
    assert "USD text and OBJ sequences hold all of it: Tank" in said
    lost = left_out(writer_of(Path("dam.objseq")), document, CHOSEN)
    assert not any("without a mesh" in each or "triangles are others" in each for each in lost)


def test_the_library_has_the_surface_that_is_seen(document: Document) -> None:
    places, triangles = sinew.surface(document, 0.0, actor="tank")
    assert triangles.max() == len(places) - 1
    document = replace(document, actors=(tank_actor("tank", "Tank", replace(TINY, shown="raw")), document.actors[1]))
    cut, _ = sinew.surface(document, 0.0, actor="tank")
    assert len(cut) != len(places), "the block stands in it"
