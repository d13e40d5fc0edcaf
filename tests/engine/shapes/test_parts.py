"""Parts of blend shapes: what is refused by name, edits, time taken out, the face that ships, the example, files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.document import Blob, Document, Key, Track
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.measure.measuring import values_at
from engine.measure.quantities import Quantity, parts_of
from engine.queries.examples import example
from engine.runtime.errors import EngineError, InvalidArguments, InvalidDocument, UnknownPart, UnreadableFile
from engine.shapes.commands.take_pose import KeyShapes, SuggestShapeWindow, TakeShapePose
from engine.shapes.controls import control_points
from engine.shapes.faces import load_face
from engine.shapes.importing import read_blend_shapes
from engine.shapes.parts import BlendShape, BlendShapes, ShapeMotion, ShapeTarget
from tests.engine.shapes.surfaces import FRAME, a_shape, a_surface, ball, ball_actor, swinging


def test_bad_parts_are_refused_by_name() -> None:
    points, faces = ball()
    positions, triangles = Blob(points.astype(np.float32)), Blob(faces)
    two = ShapeTarget(id="a", name="One", time=0), ShapeTarget(id="b", name="Two", time=0)
    bad: list[tuple[type[EngineError], str, object]] = [
        (InvalidDocument, "triangles", lambda: BlendShapes(positions=positions, triangles=Blob(faces + 60))),
        (InvalidDocument, "vertices", lambda: BlendShapes(positions=Blob(points), triangles=triangles)),
        (InvalidDocument, "ids of shapes", lambda: a_surface(a_shape("smile"), a_shape("smile"))),
        (InvalidDocument, "times of targets", lambda: a_surface(targets=two)),
        (InvalidDocument, "rising", lambda: a_surface(_shape(np.array([3, 2])))),
        (InvalidDocument, "vertices of Bad", lambda: a_surface(_shape(np.array([3, 900])))),
        (InvalidDocument, "weight of Smile", lambda: a_shape("smile", weight=9.0)),
        (InvalidDocument, "range of Smile", lambda: a_shape("smile", least=1.0, most=0.5)),
        (InvalidDocument, "track of Smile", lambda: a_shape("smile", track=Track(coordinate="x", keys=(Key(0, 0.0),)))),
        (InvalidDocument, "shapes of T", lambda: a_surface(targets=(_target(weights=(("no", 1.0),)),))),
        (InvalidArguments, "Tension", lambda: ShapeMotion(tension=0.0)),
        (InvalidArguments, "Velocity", lambda: _target(velocity="fast")),
        (InvalidDocument, "ease", lambda: _target(before=0)),
        (InvalidDocument, "window", lambda: ShapeMotion(step=352800, window=5 * 705_600_000)),
    ]
    for error, words, make in bad:
        with pytest.raises(error, match=words):
            make()  # type: ignore[operator]


def _shape(vertices: np.ndarray) -> BlendShape:
    offsets = Blob(np.zeros((len(vertices), 3), dtype=np.float32))
    return BlendShape(id="bad", name="Bad", vertices=Blob(vertices.astype(np.int32)), offsets=offsets)


def _target(**given: object) -> ShapeTarget:
    return ShapeTarget(id="t", name="T", time=0, **given)  # type: ignore[arg-type]


def test_edits_of_what_is_not_there_are_refused_by_name() -> None:
    document = Document(actors=(ball_actor(),))
    with pytest.raises(UnknownPart, match="shape"):
        edit("set_blend_shape", actor="ball", shape="frown", weight=1.0).apply(document)
    with pytest.raises(UnknownPart, match="target"):
        edit("remove_shape_target", actor="ball", target="no").apply(document)
    with pytest.raises(InvalidDocument, match="one with blend shapes"):
        edit("set_shape_motion", actor="human", on=True).apply(example("standing").build())


def test_a_removed_shape_leaves_targets() -> None:
    document = swinging(_target(pose="given", weights=(("smile", 1.0), ("brow", 0.5))))
    surface = edit("remove_blend_shape", actor="ball", shape="smile").apply(document).actor("ball").part(BlendShapes)
    assert surface is not None
    assert surface.targets[0].weights == (("brow", 0.5),)


def test_keys_and_targets_go_with_their_time() -> None:
    document = swinging(ShapeTarget(id="t", name="T", time=9 * FRAME), ShapeTarget(id="u", name="U", time=20 * FRAME))
    longer = edit("insert_everywhere", actors=("ball",), time=10 * FRAME, length=5 * FRAME).apply(document)
    surface = longer.actor("ball").part(BlendShapes)
    assert surface is not None
    assert [each.time // FRAME for each in surface.targets] == [9, 25]
    assert surface.shapes[0].track is not None
    assert surface.shapes[0].track.keys[-1].time == 21 * FRAME
    shorter = edit("delete_everywhere", actors=("ball",), start=15 * FRAME, end=22 * FRAME).apply(document)
    left = shorter.actor("ball").part(BlendShapes)
    assert left is not None
    assert [each.id for each in left.targets] == ["t"]


def test_control_points_are_the_same_again_and_bind_every_vertex() -> None:
    surface = a_surface(motion=ShapeMotion(points=20, clusters=3))
    found = control_points(surface)
    assert len(set(found.vertices.tolist())) == 20
    assert found.weights.sum(axis=1) == pytest.approx(1.0)
    assert (found.weights >= 0.0).all()
    moved = np.arange(60.0).reshape(20, 3)
    assert np.abs(found.carried(moved)[found.vertices] - moved).max() < 1e-12
    assert sorted(set(found.members.tolist())) == list(range(20))
    assert found.masses.sum() == pytest.approx(1.0)


def test_pieces_apart_follow_points_of_their_own() -> None:
    points, faces = ball()
    aside = points + np.array((0.2, 0.0, 0.0))
    both, triangles = np.concatenate((points, aside)), np.concatenate((faces, faces + len(points)))
    surface = BlendShapes(
        positions=Blob(both.astype(np.float32)),
        triangles=Blob(triangles.astype(np.int32)),
        motion=ShapeMotion(points=12),
    )
    found = control_points(surface)
    own = found.vertices < len(points)
    used = found.weights > 0.0
    assert not (used & own[found.bound])[len(points) :].any()
    assert not (used & ~own[found.bound])[: len(points)].any()


def test_the_face_that_ships_is_closed_and_its_arrays_are_in_no_file(tmp_path: Path) -> None:
    face = load_face()
    faces = face.triangles.array
    edges = np.concatenate((faces[:, :2], faces[:, 1:], faces[:, ::-2])).tolist()
    pairs = {tuple(each) for each in edges}
    assert len(pairs) == len(edges), "no edge is gone along twice the same way"
    assert all((b, a) in pairs for a, b in pairs)
    assert {each.id for each in face.shapes} >= {"smile", "frown", "jaw_open", "brows_up", "blink_left", "puff"}
    path, document = tmp_path / "face.sinew", example("face").build()
    sinew.write(path, document)
    assert path.stat().st_size < 150_000
    assert sinew.read(path) == document


def test_measures_tell_the_lag_and_the_weights() -> None:
    document, evaluator = swinging(), Evaluator()
    owner = document.actor("ball")
    assert parts_of("shape_weight", owner) == {"smile": "Smile", "brow": "Brow"}
    wanted = [Quantity(actor="ball", kind="surface_lag"), Quantity(actor="ball", kind="shape_weight", part="brow")]
    found, _ = values_at(evaluator, document, "ball", wanted, [5 * FRAME, 8 * FRAME])
    assert (found[0] > 1e-3).all()
    assert found[1] == pytest.approx([0.3, 0.3])


def test_commands_take_poses_key_and_suggest_windows() -> None:
    document, evaluator = swinging(ShapeTarget(id="t", name="T", time=5 * FRAME)), Evaluator()
    taken = TakeShapePose(actor="ball", target="t", place=True).work_out(evaluator, document).apply(document)
    surface = taken.actor("ball").part(BlendShapes)
    assert surface is not None
    target = surface.targets[0]
    assert (target.pose, target.place) == ("given", "given")
    assert dict(target.weights)["brow"] == 0.3
    assert 0.05 < target.position[0] < 0.2
    keyed_too = KeyShapes(actor="ball", time=5 * FRAME).work_out(evaluator, document).apply(document)
    after = keyed_too.actor("ball").part(BlendShapes)
    assert after is not None
    assert after.shapes[1].track is not None
    assert after.shapes[1].track.keys == (Key(5 * FRAME, 0.3),)
    seconds = SuggestShapeWindow(actor="ball").seconds(evaluator, document)
    assert 0.2 < seconds < 3.0
    found = SuggestShapeWindow(actor="ball").work_out(evaluator, document).apply(document)
    window = found.actor("ball").part(BlendShapes)
    assert window is not None
    assert abs(window.motion.window / 705_600_000 - seconds) < 0.05


def test_shapes_are_read_from_obj_files(tmp_path: Path) -> None:
    points, faces = ball()
    smile = points + np.where(np.arange(len(points))[:, None] == 5, 0.02, 0.0)
    for name, places in (("base", points), ("smile", smile), ("short", points[:-1])):
        rows = [f"v {x} {y} {z}" for x, y, z in places.tolist()]
        rows += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces.tolist()] if name == "base" else []
        (tmp_path / f"{name}.obj").write_text("\n".join(rows) + "\n")
    found = read_blend_shapes([tmp_path / "base.obj", tmp_path / "smile.obj"])
    assert [each.name for each in found.shapes] == ["smile"]
    assert found.shapes[0].vertices.array.tolist() == [5]
    assert found.shapes[0].offsets.array == pytest.approx(0.02)
    assert found.colouring is None
    library, base = tmp_path / "face.mtl", (tmp_path / "base.obj").read_text()
    library.write_text("newmtl skin\nKd 1 0.5 0.25\n")
    (tmp_path / "painted.obj").write_text(f"mtllib face.mtl\nusemtl skin\n{base}")
    painted = read_blend_shapes([tmp_path / "painted.obj", tmp_path / "smile.obj"])
    assert painted.colouring is not None
    assert painted.colouring.materials[0].name == "skin"
    assert painted.triangles.digest == found.triangles.digest
    with pytest.raises(UnreadableFile, match=r"vertices, and base\.obj has"):
        read_blend_shapes([tmp_path / "base.obj", tmp_path / "short.obj"])
    with pytest.raises(UnreadableFile, match="needs faces"):
        read_blend_shapes([tmp_path / "smile.obj"])
    (tmp_path / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")
    with pytest.raises(UnreadableFile, match=r"flat\.obj: the triangles of a surface"):
        read_blend_shapes([tmp_path / "flat.obj"])
    with pytest.raises(UnreadableFile, match="2 files"):
        read_blend_shapes([tmp_path / "base.obj", tmp_path / "a.glb"])


def test_shapes_are_read_from_morph_targets(tmp_path: Path) -> None:
    points, faces = ball()
    moved = np.zeros_like(points)
    moved[7] = (0.0, 0.01, 0.0)
    data = points.astype("<f4").tobytes() + moved.astype("<f4").tobytes() + faces.astype("<u2").tobytes()
    count, size = len(points), 12 * len(points)
    views = [(0, size), (size, size), (2 * size, faces.size * 2)]
    text: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "translation": [0.0, 1.0, 0.0]}],
        "meshes": [{
            "primitives": [{"attributes": {"POSITION": 0}, "indices": 2, "targets": [{"POSITION": 1}]}],
            "extras": {"targetNames": ["Grin"]}, "weights": [0.25],
        }],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5126, "count": count, "type": "VEC3"},
            {"bufferView": 2, "componentType": 5123, "count": faces.size, "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteOffset": start, "byteLength": length} for start, length in views],
        "buffers": [{"uri": "ball.bin", "byteLength": len(data)}],
    }  # fmt: skip
    (tmp_path / "ball.bin").write_bytes(data)
    path = tmp_path / "ball.gltf"
    path.write_text(json.dumps(text))
    found = read_blend_shapes([path])
    assert [(each.name, each.weight) for each in found.shapes] == [("Grin", 0.25)]
    assert found.shapes[0].vertices.array.tolist() == [7]
    assert found.positions.array[:, 1].mean() == pytest.approx(1.0, abs=1e-6)
    assert found.colouring is None
    painted = {
        "materials": [{"name": "lips", "pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}],
        "meshes": [{"primitives": [{**text["meshes"][0]["primitives"][0], "material": 0}]}],
        "nodes": [{"mesh": 0, "scale": [-1.0, 1.0, 1.0]}],
    }  # fmt: skip
    (tmp_path / "painted.gltf").write_text(json.dumps(text | painted))
    mirrored = read_blend_shapes([tmp_path / "painted.gltf"])
    assert mirrored.colouring is not None
    assert mirrored.colouring.materials[0].name == "lips"
    assert mirrored.triangles.array.tolist() == found.triangles.array[:, ::-1].tolist()
    document = Document(actors=(ball_actor("face", mirrored),))
    assert Evaluator().snapshot(document, 0).skins[0].colouring == mirrored.colouring
    (tmp_path / "plain.gltf").write_text(
        json.dumps(text | {"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]})
    )
    with pytest.raises(UnreadableFile, match="no morph target"):
        read_blend_shapes([tmp_path / "plain.gltf"])
