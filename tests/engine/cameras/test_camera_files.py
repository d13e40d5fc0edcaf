"""Cameras of glTF files: read as actors, standing, moving and hung on what moves; written as they are seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pygltflib
import pytest

from engine.cameras.parts import CameraAim, FilmCamera, angle_of
from engine.cameras.queries.making import FOCAL, camera_actor
from engine.commands.bring_in import bring_in
from engine.document import Actor, Box, Document, Key, Layer, Placement, Track, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.formats.format import Options
from engine.long.export import export, left_out, writer_of
from engine.model import CameraView
from engine.runtime.errors import UnreadableFile
from tests.engine.formats.gltf_scenes import Builder
from tests.engine.formats.gltf_validator import assert_valid
from tests.engine.shared_data import shared

LENS = {"type": "perspective", "perspective": {"yfov": 0.7, "znear": 0.01, "aspectRatio": 1.5}}


def view(document: Document, time: int = 0) -> CameraView:
    return Evaluator().snapshot(document, time, skins=False).cameras[0]


def filmed(**keys: float) -> Document:
    """A camera that is keyed along X, and its lens as `zoom` says, aimed at a box."""
    camera = camera_actor("cam", "Cam", position=(1.0, 2.0, 5.0), focal=0.05)
    ends = {"body.move_x": (1.0, 3.0), **({FOCAL: (0.0, keys["zoom"])} if keys else {})}
    tracks = tuple(Track(coordinate=id, keys=(Key(0, a), Key(SECOND, b))) for id, (a, b) in ends.items())
    box = Actor(
        id="box", name="Box", figure=prop("Box", (Box(half=(0.1, 0.1, 0.1)),)),
        placement=Placement(position=(0.0, 1.0, 0.0)),
    )  # fmt: skip
    moving = replace(camera, layers=(*camera.layers, Layer(id="keys", name="Keys", tracks=tracks)))
    return Document(actors=(box, moving.with_part(FilmCamera(aim=CameraAim(actor="box", joint="body")))))


def test_a_camera_comes_back_as_it_was_seen(tmp_path: Path) -> None:
    document, path = filmed(), tmp_path / "cam.glb"
    assert left_out(writer_of(path), document, ("cam",)) == ()
    export(path, document, ("cam",), Options(rate=(24, 1)))
    brought = bring_in(path)
    assert brought.actor is not None
    assert (brought.actor.name, brought.rate, brought.notes, brought.props) == ("Cam", (24, 1), (), ())
    for time in (0, SECOND // 4, SECOND):
        old, new = view(document, time), view(Document(actors=(brought.actor,)), time)
        assert np.abs(old.frame - new.frame).max() < 1e-6, "single precision"
        assert angle_of(new.film_width, new.focal) == pytest.approx(angle_of(old.film_width, old.focal))
    file = pygltflib.GLTF2().load(str(path))
    assert file is not None
    assert (len(file.nodes), file.nodes[0].camera, file.cameras[0].type) == (1, 0, "perspective")
    lens = file.cameras[0].perspective
    wide = 2.0 * np.arctan(lens.aspectRatio * np.tan(0.5 * lens.yfov))
    assert wide == pytest.approx(angle_of(0.036, view(document).focal))
    assert_valid(path)


def test_a_keyed_lens_is_written_as_it_is_first_and_said(tmp_path: Path) -> None:
    document, path = filmed(zoom=0.1), tmp_path / "zoom.glb"
    assert left_out(writer_of(path), document, ("cam",)) == ("keys of the lens, written as it is at the start",)
    export(path, document, ("cam",), Options(rate=(4, 1)))
    brought = bring_in(path)
    assert brought.actor is not None
    assert view(Document(actors=(brought.actor,)), SECOND).focal == pytest.approx(view(document).focal)


def test_a_camera_goes_along_with_what_it_hangs_on(tmp_path: Path) -> None:
    made, half = Builder(), float(np.sqrt(0.5))
    made.json["nodes"] = [{"name": "crane", "children": [1]}, {"name": "eye", "camera": 0, "translation": [0, 0, 2]}]
    made.json |= {"scenes": [{"nodes": [0]}], "cameras": [LENS]}
    made.animate(0, "rotation", [0.0, 1.0], [(0, 0, 0, 1), (0, half, 0, half)])
    brought = bring_in(made.save(tmp_path / "crane.glb"))
    camera = brought.props[0]
    assert np.allclose(view(Document(actors=(camera,))).frame[:, 3], (0.0, 0.0, 2.0), atol=1e-6)
    assert np.allclose(view(Document(actors=(camera,)), SECOND).frame[:, 3], (2.0, 0.0, 0.0), atol=1e-6)
    assert view(Document(actors=(camera,))).near == pytest.approx(0.01)


def test_a_real_scene_has_its_square_and_its_camera() -> None:
    brought = bring_in(shared("gltf", "cameras", "Cameras.gltf"))
    assert brought.actor is not None
    seen = view(Document(actors=(brought.props[-1],)))
    assert np.allclose(seen.frame, np.column_stack((np.eye(3), (0.5, 0.5, 3.0))))
    assert angle_of(seen.film_width, seen.focal) == pytest.approx(0.7)
    assert any("orthographic" in note for note in brought.notes)


@pytest.mark.parametrize(
    ("lens", "words"), [({"yfov": 4.0}, "yfov"), ({"yfov": 0.7, "aspectRatio": 0.0}, "aspectRatio")]
)
def test_a_lens_that_sees_nothing_is_refused(tmp_path: Path, lens: dict[str, float], words: str) -> None:
    made = Builder()
    made.json |= {"nodes": [{"camera": 0}], "scenes": [{"nodes": [0]}]}
    made.json["cameras"] = [{"type": "perspective", "perspective": lens}]
    with pytest.raises(UnreadableFile, match=words):
        bring_in(made.save(tmp_path / "bad.gltf"))
