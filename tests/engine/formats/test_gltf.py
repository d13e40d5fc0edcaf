"""glTF read: figures, skins, motion; and what is refused."""

from __future__ import annotations

import csv
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.document.validation import validate_figure
from engine.formats import gltf
from engine.formats.format import Contents, Options
from engine.runtime.errors import UnreadableFile
from tests.drawn import HealthCheck, given, settings, st
from tests.engine.formats.gltf_scenes import Builder, pose_at, rest_pose, skinned, worlds
from tests.engine.shared_data import shared

S = 0.5**0.5


def read(path: Path, **options: Any) -> Contents:
    return gltf.read(path, Options(**options))


def skinned_pair() -> Builder:
    """A triangle on two joints below a node that is scaled, moved and turned, and is no joint itself."""
    made = Builder()
    binds = np.tile(np.eye(4), (2, 1, 1))
    binds[1, :3, 3] = (0, -1, 0)
    joints = made.add([(0, 0, 0, 0), (0, 1, 0, 0), (1, 0, 0, 0)], "u1")
    weights = made.add([(255, 0, 0, 0), (51, 204, 0, 0), (255, 0, 0, 0)], "u1", normalised=True)
    inverse = made.add(binds.transpose(0, 2, 1).reshape(2, 16))
    made.json |= {
        "nodes": [
            {"name": "holder", "translation": [1, 2, 3], "rotation": [S, 0, 0, S], "scale": [2, 2, 2], "children": [1]},
            {"name": "hip", "children": [2], "translation": [0.5, 0, 0]},
            {"name": "knee", "translation": [0, 1, 0], "rotation": [0, 0, S, S], "children": [4]},
            {"name": "body", "mesh": 0, "skin": 0},
            {"name": "toe", "translation": [0, 0.25, 0]},
        ],
        "meshes": [{"primitives": [made.triangle(JOINTS_0=joints, WEIGHTS_0=weights)]}],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": inverse}],
        "scenes": [{"nodes": [0, 3]}, {"nodes": []}],
    }
    return made


def matrix(translation: Any = (0, 0, 0), rotation: Any = (0, 0, 0, 1), scale: float = 1.0) -> Any:
    x, y, z, w = rotation
    found = np.eye(4)
    found[:3, :3] = scale * np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    found[:3, 3] = translation
    return found


def test_skinned_vertices_agree_with_those_computed_elsewhere() -> None:
    contents = read(shared("gltf", "simple_skin", "simple_skin.gltf"))
    assert contents.figure is not None
    rows = list(csv.reader(shared("gltf", "expected", "simple_skin_vertices.csv").read_text().splitlines()[2:]))
    assert len({row[0] for row in rows}) > 3
    for seconds in {row[0] for row in rows}:
        expected = np.array([[float(each) for each in row[4:]] for row in rows if row[0] == seconds])
        world = worlds(contents.figure, pose_at(contents, float(seconds)))
        assert np.abs(skinned(contents.surfaces[0], world) - expected).max() < 1e-6


def test_every_shared_file_reads() -> None:
    files = [each for each in sorted(shared("gltf").rglob("*.gl*")) if each.is_file()]
    assert len(files) >= 7
    for path in files:
        contents = read(path)
        assert contents.surfaces
        assert all(np.isfinite(each.positions).all() for each in contents.surfaces)


@pytest.mark.parametrize("suffix", [".gltf", ".glb"])
def test_nodes_that_are_no_joints_are_folded_in(tmp_path: Path, suffix: str) -> None:
    contents = read(skinned_pair().save(tmp_path / f"a{suffix}"))
    figure = contents.figure
    assert figure is not None
    validate_figure(figure)
    assert [each.name for each in figure.joints] == ["hip", "knee"]
    holder = matrix((1, 2, 3), (S, 0, 0, S), 2.0)
    hip = holder @ matrix((0.5, 0, 0))
    knee = hip @ matrix((0, 1, 0), (0, 0, S, S))
    world = worlds(figure, rest_pose(figure))
    for id, expected in (("hip", hip), ("knee", knee)):
        assert np.abs(world[id][:3, 3] - expected[:3, 3]).max() < 1e-12
        assert np.abs(2.0 * world[id][:3, :3] - expected[:3, :3]).max() < 1e-12
    assert figure.handles[0].name == "toe"
    toe = world["knee"] @ np.array([*figure.handles[0].point, 1.0])
    assert np.abs(toe - knee @ (0, 0.25, 0, 1)).max() < 1e-12
    assert any("scene 0 of 2" in note for note in contents.notes)


@pytest.mark.parametrize("bend", [0.0, 0.9])
def test_skins_follow_the_specification_below_scaled_nodes(tmp_path: Path, bend: float) -> None:
    made = skinned_pair()
    turned = [np.sin(bend / 2), 0, 0, np.cos(bend / 2)]
    made.animate(1, "rotation", [0.0], [turned])
    contents = read(made.save(tmp_path / "a.gltf"))
    assert contents.figure is not None
    holder = matrix((1, 2, 3), (S, 0, 0, S), 2.0)
    hip = holder @ matrix((0.5, 0, 0), turned)
    knee = hip @ matrix((0, 1, 0), (0, 0, S, S))
    points = np.array([(0, 0, 0, 1), (1, 0, 0, 1), (0, 1, 0, 1)], float)
    knee_bind = matrix((0, -1, 0))
    expected = (hip @ points.T).T
    expected[1] = 0.2 * expected[1] + 0.8 * (knee @ knee_bind @ points[1])
    found = skinned(contents.surfaces[0], worlds(contents.figure, pose_at(contents, 0.0)))
    assert np.abs(found - expected[:, :3]).max() < 1e-6


def test_a_mesh_below_a_joint_hangs_on_it_and_one_elsewhere_does_not(tmp_path: Path) -> None:
    made = Builder()
    made.json["meshes"] = [{"primitives": [made.triangle()]}]
    made.json["nodes"] = [{"children": [1]}, {"mesh": 0, "translation": [0, 1, 0]}, {"mesh": 0}]
    made.animate(0, "rotation", [0.0, 1.0], [(0, 0, 0, 1), (0, 0, 1, 0)])
    contents = read(made.save(tmp_path / "a.glb"))
    hung, free = contents.surfaces
    assert hung.joints == ("node_0",)
    assert free.weights is None
    assert contents.figure is not None
    moved = skinned(hung, worlds(contents.figure, pose_at(contents, 1.0)))
    assert np.abs(moved - [(0, -1, 0), (-1, -1, 0), (0, -2, 0)]).max() < 1e-6


def test_a_clip_at_a_steady_rate_becomes_samples(tmp_path: Path) -> None:
    made = skinned_pair()
    times = np.arange(240) / 120
    angles = 3.0 * np.sin(times)
    made.animate(1, "rotation", times, np.stack((0 * times, np.sin(angles / 2), 0 * times, np.cos(angles / 2)), 1))
    made.animate(1, "translation", times[[0, -1]], [(0.5, 0, 0), (0.5, 0, 2.39)])
    contents = read(made.save(tmp_path / "a.glb"))
    assert contents.rate == (120, 1)
    samples = contents.layers[0].samples
    assert samples is not None
    assert samples.frame_count == 240
    frame = dict(zip(samples.coordinates, samples.values.array[60], strict=True))
    assert frame["hip.tz"] == pytest.approx(2.0 * 0.6, abs=1e-6)
    assert contents.figure is not None
    turn = worlds(contents.figure, pose_at(contents, 0.5))["hip"]
    expected = matrix(rotation=(S, 0, 0, S)) @ matrix(rotation=(0, np.sin(angles[60] / 2), 0, np.cos(angles[60] / 2)))
    assert np.abs(turn[:3, :3] - expected[:3, :3]).max() < 1e-6


def test_steps_and_splines_keep_their_shape(tmp_path: Path) -> None:
    made = skinned_pair()
    spline = [(0, 0, 0), (0, 0, 0), (4, 0, 0), (0, 0, 0), (1, 0, 0), (0, 0, 0)]
    made.animate(1, "translation", [0.0, 1.0], spline, "CUBICSPLINE")
    made.animate(2, "rotation", [0.0, 1.0], [(0, 0, S, S), (0, 0, 0, 1)], "STEP")
    contents = read(made.save(tmp_path / "a.glb"))
    assert contents.figure is not None
    index = contents.figure.coordinate_index
    quarter = pose_at(contents, 0.25)
    hermite = 4 * (0.25**3 - 2 * 0.25**2 + 0.25) + (3 * 0.25**2 - 2 * 0.25**3)
    assert quarter[index["hip.tx"]] == pytest.approx(2.0 * (hermite - 0.5), abs=1e-6)
    assert quarter[index["knee.rz"]] == pytest.approx(0.0, abs=1e-6)
    assert pose_at(contents, 0.99)[index["knee.rz"]] == pytest.approx(0.0, abs=1e-6)
    assert pose_at(contents, 1.0)[index["knee.rz"]] == pytest.approx(-np.pi / 2, abs=1e-6)


def test_splines_of_rotations_are_normalised_as_the_specification_says(tmp_path: Path) -> None:
    made = skinned_pair()
    flat, second = (0.0, 0.0, 0.0, 0.0), (0, np.sin(1.0), 0, np.cos(1.0))
    values = [flat, (0, 0, 0, 1), (0, 0.5, 0, 0), flat, second, flat]
    made.animate(1, "rotation", [0.0, 1.0], values, "CUBICSPLINE")
    contents = read(made.save(tmp_path / "a.glb"))
    u = 0.5
    q = np.array(values[2]) * (u**3 - 2 * u**2 + u) + np.array((0, 0, 0, 1)) * (2 * u**3 - 3 * u**2 + 1)
    q = q + np.array(second) * (3 * u**2 - 2 * u**3)
    expected = 2.0 * np.arctan2(q[1], q[3])
    assert contents.figure is not None
    found = pose_at(contents, u)[contents.figure.coordinate_index["hip.ry"]]
    assert found == pytest.approx(expected, abs=1e-6)


def test_sparse_accessors_replace_single_values(tmp_path: Path) -> None:
    made = Builder()
    made.json["nodes"], made.json["meshes"] = [{"mesh": 0}], [{"primitives": [made.triangle()]}]
    places, values = made.add([2], "u2"), made.add([(0, 7, 0)])
    made.json["accessors"][0]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": places, "componentType": 5123},
        "values": {"bufferView": values},
    }
    assert read(made.save(tmp_path / "a.glb")).surfaces[0].positions[2].tolist() == [0.0, 7.0, 0.0]


def test_uneven_scale_is_said_and_the_mesh_stays_in_place(tmp_path: Path) -> None:
    made = skinned_pair()
    made.json["nodes"][0]["scale"] = [1, 2, 3]
    contents = read(made.save(tmp_path / "a.glb"))
    assert any("uneven" in note for note in contents.notes)
    assert contents.figure is not None
    holder = matrix((1, 2, 3), (S, 0, 0, S)) @ np.diag((1, 2, 3, 1))
    found = skinned(contents.surfaces[0], worlds(contents.figure, rest_pose(contents.figure)))
    assert np.abs(found[0] - (holder @ (0.5, 0, 0, 1))[:3]).max() < 1e-9


def test_files_beside_it_are_read_and_others_are_not(tmp_path: Path) -> None:
    made = skinned_pair()
    folder = tmp_path / "inner"
    folder.mkdir()
    for name in ("inner/beside it.bin", "outside.bin"):
        (tmp_path / name).write_bytes(made.data)
    (folder / "link.bin").symlink_to(tmp_path / "outside.bin")
    for uri, sound in [
        ("beside%20it.bin", True),
        ("../outside.bin", False),
        ("%2e%2e/outside.bin", False),
        (str(tmp_path / "outside.bin"), False),
        ("file:///etc/hostname", False),
        ("https://example.org/a.bin", False),
        ("..\\outside.bin", False),
        ("link.bin", False),
        ("missing.bin", False),
    ]:
        text = json.dumps(made.json | {"buffers": [{"byteLength": len(made.data), "uri": uri}]})
        (folder / "a.gltf").write_text(text)
        if sound:
            assert read(folder / "a.gltf").surfaces
        else:
            with pytest.raises(UnreadableFile, match=r"buffers\[0\]\.uri"):
                read(folder / "a.gltf")


def _set(place: str, value: Any) -> Any:
    def change(made: Builder) -> None:
        *way, last = [int(each) if each.isdigit() else each for each in place.split(".")]
        item: Any = made.json
        for each in way:
            item = item[each]
        item[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (_set("asset", {"version": "1.0"}), "asset.version"),
        (_set("extensionsRequired", ["KHR_draco_mesh_compression"]), "KHR_draco"),
        (_set("nodes.2.children", [0]), "its own ancestor"),
        (_set("nodes.2.children", [1]), "two parents"),
        (_set("nodes.2.children", [99]), r"nodes\[2\].children\[0\]"),
        (_set("nodes.1.translation", [0, float("nan"), 0]), "NaN"),
        (_set("nodes.1.translation", [0, 1]), r"nodes\[1\].translation: 2 numbers"),
        (_set("nodes.1.rotation", [0, 0, 0, 0]), "norm 0"),
        (_set("nodes.3.mesh", 5), r"nodes\[3\].mesh: 5 of 1"),
        (_set("skins.0.joints", []), "no joint"),
        (_set("accessors.0.count", 2**31), r"accessors\[0\]"),
        (_set("accessors.0.count", 10**30), r"accessors\[0\].count"),
        (_set("accessors.0", {"componentType": 5126, "count": 10**9, "type": "VEC4"}), r"accessors\[0\]"),
        (_set("accessors.0.bufferView", 77), r"accessors\[0\].bufferView"),
        (_set("accessors.0.componentType", 1), "componentType"),
        (_set("bufferViews.0.byteLength", 10**6), r"bufferViews\[0\]"),
        (_set("bufferViews.0.byteStride", 1), "byteStride"),
        (_set("scene", 3), "scene: 3 of 2"),
        (_set("nodes", {"0": {}}), "nodes: an object"),
        (_set("meshes.0.primitives.0.attributes", {}), "no POSITION"),
    ],
)
def test_unsound_files_are_refused_with_their_json_path(tmp_path: Path, change: Any, found: str) -> None:
    made = skinned_pair()
    change(made)
    for suffix in (".gltf", ".glb"):
        with pytest.raises(UnreadableFile, match=found) as caught:
            read(made.save(tmp_path / f"a{suffix}"))
        assert caught.value.path.stem == "a"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\x89PNG",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"asset":{"version":"2.0"},"nodes":[' + b"{}," * 3_000_000 + b"{}]}",
        b'{"asset":{"version":"2.0"}}',
        b'{"asset":{"version":"2.0"},"nodes":[{"name":1}]}',
        b'{"asset":{"version":"2.0"},"scene":' + b"9" * 10_000 + b"}",
        b"glTF" + struct.pack("<II", 2, 1000),
        b"glTF" + struct.pack("<IIII", 2, 28, 2**31, 0x4E4F534A) + b"{}      ",
        b"glTF" + struct.pack("<IIII", 1, 28, 8, 0x4E4F534A) + b"{}      ",
    ],
    ids=range(14),
)
def test_what_is_no_gltf_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.glb"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile):
        read(path)


def test_scales_that_multiply_beyond_all_bounds_are_refused(tmp_path: Path) -> None:
    made = Builder()
    made.json["nodes"] = [{"scale": [1e9, 1e9, 1e9], "children": [each + 1]} for each in range(99)] + [{}]
    made.json["skins"] = [{"joints": [99]}]
    with pytest.raises(UnreadableFile, match=r"nodes\[1\]: a node far too large"):
        read(made.save(tmp_path / "a.gltf"))


@pytest.mark.parametrize("scale", [[0, 0, 0], [1, 0, 1], [1e-200, 1e-200, 1e-200]])
def test_what_is_scaled_to_nothing_is_left_out_and_said(tmp_path: Path, scale: list[float]) -> None:
    made = skinned_pair()
    made.json["nodes"].append({"name": "hidden", "mesh": 0, "scale": scale})
    made.json["scenes"][0]["nodes"].append(5)
    made.json["skins"][0]["inverseBindMatrices"] = made.add(np.zeros((2, 16)))
    contents = read(made.save(tmp_path / "a.gltf"))
    assert contents.figure is not None
    assert sum("scaled to nothing" in note for note in contents.notes) >= 1
    assert all(np.isfinite(each.positions).all() for each in contents.surfaces)


def test_a_chain_of_3000_joints_reads(tmp_path: Path) -> None:
    made = Builder()
    made.json["nodes"] = [{"translation": [0, 0.1, 0], "children": [each + 1]} for each in range(2999)]
    made.json["nodes"].append({"translation": [0, 0.1, 0]})
    made.json["skins"] = [{"joints": list(range(3000))}]
    figure = read(made.save(tmp_path / "a.gltf")).figure
    assert figure is not None
    assert len(figure.joints) == 3000


def _fuzz(folder: Path, examples: int) -> None:
    made = skinned_pair()
    made.animate(1, "rotation", [0.0, 1.0], [(0, 0, 0, 1), (0, 0, 1, 0)])
    seeds = [made.text(), made.binary()]
    pieces = st.binary(max_size=6) | st.sampled_from([b"-1", b"1e999", b"null", b"[]", b"{}", b"99999999999", b"5125"])

    @settings(
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example],
    )
    @given(data=st.data())
    def attempt(data: st.DataObject) -> None:
        content = bytearray(data.draw(st.sampled_from(seeds)))
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(0, len(content)))
            content[at : at + data.draw(st.integers(0, 6))] = data.draw(pieces)
        path = folder / "fuzz.glb"
        path.write_bytes(bytes(content))
        try:
            contents = read(path)
        except UnreadableFile:
            return
        if contents.figure is not None:
            validate_figure(contents.figure)
        assert all(np.isfinite(each.positions).all() for each in contents.surfaces)

    attempt()


def test_damaged_files_are_read_or_refused(tmp_path: Path) -> None:
    _fuzz(tmp_path, 150)


@pytest.mark.deep
def test_many_damaged_files_are_read_or_refused(tmp_path: Path) -> None:
    _fuzz(tmp_path, 5000)
