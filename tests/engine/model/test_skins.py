"""The skin of the human: closed, bound, stored, and where the figure is in every pose."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree

from engine.document import Actor, Blob, Document, Figure, Layer, Skin, decode_document, encode_document, validate
from engine.document.part_reader import decode
from engine.document.parts import encode
from engine.document.shipped import load_skin
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure, load_skinned_figure
from engine.formats.skin_npz import read
from engine.runtime.errors import InvalidDocument, UnreadableFile


def skinned_human() -> Figure:
    return replace(load_figure("human"), skins=(load_skin("human"),))


def scene(**degrees: float) -> Document:
    values = tuple((name.replace("__", "."), math.radians(value)) for name, value in degrees.items())
    layer = Layer(id="pose", values=values)
    return Document(actors=(Actor(id="one", name="One", figure=skinned_human(), layers=(layer,)),))


def test_the_surface_is_closed_and_one_piece() -> None:
    skin = load_skin("human")
    triangles, count = skin.triangles.array, len(skin.positions.array)
    assert 10_000 <= count <= 20_000
    edges = np.sort(np.concatenate((triangles[:, :2], triangles[:, 1:], triangles[:, ::2])), axis=1)
    found, times = np.unique(edges, axis=0, return_counts=True)
    assert (times % 2 == 0).all(), "no edge is open"
    assert (times == 2).mean() > 0.999
    assert count - len(found) + len(triangles) == 2, "a sphere's Euler number: no handles between fingers"
    a, b, c = (skin.positions.array[triangles[:, each]].astype(float) for each in range(3))
    volume = np.einsum("fa,fa->f", a, np.cross(b, c)).sum() / 6.0
    assert 0.045 < volume < 0.085, "a person's litres, facing outwards"


def test_it_stands_on_the_floor_and_is_as_tall_as_the_figure() -> None:
    (surface,) = Evaluator().snapshot(scene()).skins
    low, high = surface.positions.min(axis=0), surface.positions.max(axis=0)
    assert abs(low[1]) < 0.02
    assert abs(high[1] - 1.75) < 0.03
    assert np.abs(np.linalg.norm(surface.normals, axis=1) - 1.0).max() < 1e-5


@pytest.mark.parametrize(
    ("joint", "pose"),
    [
        ("wrist_left", {"elbow_left__flexion": 120.0}),
        ("wrist_right", {"shoulder_right__abduction": 120.0}),
        ("ankle_left", {"knee_left__flexion": 110.0, "hip_left__flexion": 90.0}),
    ],
)
def test_a_bent_limb_keeps_its_volume_and_carries_its_end(joint: str, pose: dict[str, float]) -> None:
    evaluator = Evaluator()
    still, posed = scene(), scene(**pose)
    place = posed.actors[0].figure.joint_index[joint] if posed.actors[0].figure else 0
    skin = load_skin("human")
    mine = (skin.influences.array[:, 0] == skin.joints.index(joint)) & (skin.weights.array[:, 0] > 0.9)
    local = []
    volumes = []
    for document in (still, posed):
        world = evaluator.joint_transforms(document, "one")[place]
        (surface,) = evaluator.snapshot(document).skins
        points = surface.positions.astype(float)
        local.append((points[mine] - world[:, 3]) @ world[:, :3])
        a, b, c = (points[surface.triangles[:, each]] for each in range(3))
        volumes.append(np.einsum("fa,fa->f", a, np.cross(b, c)).sum() / 6.0)
    assert mine.sum() > 9
    assert np.abs(local[0] - local[1]).max() < 0.01
    assert abs(volumes[1] / volumes[0] - 1.0) < 0.04


def test_two_actors_of_one_skin_stand_apart_and_share_their_topology() -> None:
    one = scene().actors[0]
    figure = one.figure
    assert figure is not None
    slide = next(dof.id for dof in figure.dofs if dof.kind == "slide")
    layers = (Layer(id="pose", values=((slide, 2.0),)),)
    document = Document(actors=(one, replace(one, id="two", layers=layers)))
    first, second = Evaluator().snapshot(document).skins
    assert first.topology == second.topology
    assert np.abs(second.positions - first.positions - np.array([2.0, 0.0, 0.0])).max() < 1e-5


def test_a_skin_is_kept_in_a_document_and_in_an_edit() -> None:
    document = scene()
    validate(document)
    encoded = encode_document(document)
    again = decode_document(document.digest, encoded.texts, lambda digest: encoded.blobs[digest].data)
    assert again.digest == document.digest
    skin = load_skin("human")
    back = decode(encode(skin))
    assert isinstance(back, Skin)
    assert back.digest == skin.digest


def test_unsound_skins_are_refused(tmp_path: Path) -> None:
    skin = load_skin("human")
    with pytest.raises(InvalidDocument):
        replace(skin, weights=Blob(skin.weights.array * np.float32(0.9)))
    with pytest.raises(InvalidDocument):
        replace(skin, influences=Blob(skin.influences.array + np.int32(100)))
    with pytest.raises(InvalidDocument):
        replace(skin, bind=Blob(2.0 * skin.bind.array))
    figure = skinned_human()
    strange = replace(skin, joints=("nowhere", *skin.joints[1:]))
    with pytest.raises(InvalidDocument):
        validate(Document(actors=(Actor(id="a", name="A", figure=replace(figure, skins=(strange,))),)))
    for content in (b"", b"PK\x03\x04 and no more", b"\x93NUMPY"):
        path = tmp_path / "bad.skin.npz"
        path.write_bytes(content)
        with pytest.raises(UnreadableFile):
            read(path)


def test_the_skin_over_the_skeleton_is_closed_and_has_bones_inside_as_it_bends() -> None:
    skin, figure = load_skin("anatomy"), load_skinned_figure("anatomy")
    assert set(skin.joints) == set(figure.joint_index)
    triangles = skin.triangles.array
    edges = np.sort(np.concatenate((triangles[:, :2], triangles[:, 1:], triangles[:, ::2])), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] % 2 == 0).all()
    # Where arms hang beside the ribs, skins of both lie in each other, and the nearest place is of either.
    bones = ("skull", "lumbar3", "hip_bone_left", "femur_left", "tibia_left", "talus_left", "ulna_left", "sternum")
    for flexion in (0.0, 0.9):
        values = (("tibia_left.flexion", flexion), ("ulna_left.flexion", flexion), ("femur_left.flexion", flexion))
        actor = Actor(id="one", name="One", figure=figure, layers=(Layer(id="pose", values=values),))
        snapshot = Evaluator().snapshot(Document(actors=(actor,)))
        (surface,), (bodies,) = snapshot.skins, snapshot.bodies
        tree = cKDTree(surface.positions)
        for bone in bones:
            place = bodies.parts.index(bone)
            frame = bodies.transforms[place]
            points = bodies.mesh.positions[bodies.mesh.body == place][::10] @ frame[:, :3].T + frame[:, 3]
            _, near = tree.query(points)
            out = np.einsum("ij,ij->i", points - surface.positions[near], surface.normals[near])
            assert np.quantile(out, 0.9) < 0.005, f"{bone} at {flexion}"
