"""Skinning kernels against plain numpy, a published file's own numbers, and closed forms."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from engine.maths.arrays import Array, IntArray
from engine.model.compile import ROW
from engine.model.skinning import (
    DUAL_ROW,
    LINEAR_ROW,
    Floats,
    skin_dual,
    skin_linear,
    write_dual_palette,
    write_linear_palette,
)
from tests.engine.shared_data import shared

pytestmark = pytest.mark.jit_off


def packed(weights: Array, count: int) -> tuple[IntArray, Floats]:
    """The heaviest `count` influences of dense weights."""
    order = np.argsort(-weights, axis=1, kind="stable")[:, :count].astype(np.int32)
    return order, np.take_along_axis(weights, order, axis=1).astype(np.float32)


def skinned(worlds: Array, bind: Array, weights: Array, rest: Array, *, dual: bool) -> tuple[Floats, Floats]:
    """Positions and normals through the kernels; `worlds` has shape [joint_count, 3, 4]."""
    state = np.zeros((len(worlds) + 1, ROW))
    state[1:, :9], state[1:, 9:] = worlds[:, :, :3].reshape(-1, 9), worlds[:, :, 3]
    joints, scratch = np.arange(len(worlds), dtype=np.int32), np.empty(ROW)
    palette = np.empty((len(worlds), DUAL_ROW if dual else LINEAR_ROW), dtype=np.float32)
    (write_dual_palette if dual else write_linear_palette)(state.ravel(), joints, bind, scratch, palette)
    influences, shares = packed(weights, weights.shape[1])
    positions, normals = np.empty((len(rest), 3), np.float32), np.empty((len(rest), 3), np.float32)
    kernel = skin_dual if dual else skin_linear
    kernel(influences, shares, rest.astype(np.float32), palette, positions, normals)
    return positions, normals


def random_case(seed: int, vertex_count: int = 60, joint_count: int = 6) -> tuple[Array, Array, Array, Array]:
    rng = np.random.default_rng(seed)

    def transforms() -> Array:
        turns = Rotation.random(joint_count, random_state=rng).as_matrix()
        return np.concatenate((turns, rng.uniform(-0.5, 0.5, (joint_count, 3, 1))), axis=2)

    weights = rng.random((vertex_count, joint_count)) * (rng.random((vertex_count, joint_count)) < 0.5)
    weights[:, 0] += 0.05
    weights /= weights.sum(axis=1, keepdims=True)
    rest = rng.uniform(-0.5, 0.5, (vertex_count, 6))
    rest[:, 3:] /= np.linalg.norm(rest[:, 3:], axis=1, keepdims=True)
    return transforms(), transforms(), weights, rest


def whole(transforms: Array) -> Array:
    last = np.broadcast_to([0.0, 0.0, 0.0, 1.0], (len(transforms), 1, 4))
    return np.concatenate((transforms, last), axis=1)


@pytest.mark.parametrize("seed", range(4))
def test_linear_blending_agrees_with_numpy(seed: int) -> None:
    worlds, bind, weights, rest = random_case(seed)
    blended = np.einsum("vj,jab->vab", weights, whole(worlds) @ whole(bind))
    wanted = np.einsum("vab,vb->va", blended[:, :3, :3], rest[:, :3]) + blended[:, :3, 3]
    turned = np.einsum("vab,vb->va", blended[:, :3, :3], rest[:, 3:])
    positions, normals = skinned(worlds, bind, weights, rest, dual=False)
    assert np.abs(positions - wanted).max() < 1e-6
    lengths = np.linalg.norm(turned, axis=1, keepdims=True)
    far = lengths[:, 0] > 0.2
    assert np.abs(normals - turned / lengths)[far].max() < 3e-6


def quaternions(matrices: Array) -> Array:
    return np.asarray(Rotation.from_matrix(matrices).as_quat(scalar_first=True))


def product(a: Array, b: Array) -> Array:
    return np.concatenate(
        (
            a[..., :1] * b[..., :1] - (a[..., 1:] * b[..., 1:]).sum(axis=-1, keepdims=True),
            a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:]),
        ),
        axis=-1,
    )


@pytest.mark.parametrize("seed", range(4))
def test_dual_quaternions_agree_with_numpy(seed: int) -> None:
    worlds, bind, weights, rest = random_case(seed)
    both = (whole(worlds) @ whole(bind))[:, :3]
    real = quaternions(both[:, :, :3])
    dual = 0.5 * product(np.concatenate((np.zeros((len(both), 1)), both[:, :, 3]), axis=1), real)
    heaviest = real[np.argmax(weights, axis=1)]
    signed = weights * np.where(heaviest @ real.T < 0.0, -1.0, 1.0)
    blended, moved = signed @ real, signed @ dual
    length = np.linalg.norm(blended, axis=1, keepdims=True)
    blended, moved = blended / length, moved / length
    shift = 2.0 * product(moved, blended * (1.0, -1.0, -1.0, -1.0))[:, 1:]
    turn = Rotation.from_quat(blended, scalar_first=True)
    positions, normals = skinned(worlds, bind, weights, rest, dual=True)
    steady = length[:, 0] > 0.4
    assert steady.sum() > 30
    assert np.abs(positions - (turn.apply(rest[:, :3]) + shift))[steady].max() < 1e-6
    assert np.abs(normals - turn.apply(rest[:, 3:]))[steady].max() < 1e-6


@pytest.mark.parametrize("dual", [False, True])
def test_a_vertex_of_one_joint_moves_with_it(dual: bool) -> None:
    worlds, bind, _, rest = random_case(7)
    weights = np.eye(len(worlds))[np.arange(len(rest)) % len(worlds)]
    mine = (whole(worlds) @ whole(bind))[np.arange(len(rest)) % len(worlds)]
    wanted = np.einsum("vab,vb->va", mine[:, :3, :3], rest[:, :3]) + mine[:, :3, 3]
    positions, normals = skinned(worlds, bind, weights, rest, dual=dual)
    assert np.abs(positions - wanted).max() < 1e-6
    assert np.abs(normals - np.einsum("vab,vb->va", mine[:, :3, :3], rest[:, 3:])).max() < 1e-6


def twisted_tube(angle: float, *, dual: bool) -> Array:
    """Radii of a tube about x, of radius 0.1, after its far end was twisted; weights fall from end to end."""
    along, around = np.meshgrid(np.linspace(0.0, 1.0, 21), np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False))
    normal = np.stack((0.0 * around, np.cos(around), np.sin(around)), axis=-1).reshape(-1, 3)
    rest = np.concatenate((0.1 * normal, normal), axis=1)
    rest[:, 0] = along.ravel()
    worlds = np.zeros((2, 3, 4))
    worlds[:, :, :3] = Rotation.from_rotvec([[0.0, 0.0, 0.0], [angle, 0.0, 0.0]]).as_matrix()
    bind = np.tile(np.eye(4)[:3], (2, 1, 1))
    weights = np.stack((1.0 - along.ravel(), along.ravel()), axis=1)
    positions, _ = skinned(worlds, bind, weights, rest, dual=dual)
    return np.asarray(np.linalg.norm(positions[:, 1:], axis=1))


def test_dual_quaternions_keep_the_volume_of_a_tube_twisted_by_180_degrees() -> None:
    assert np.abs(twisted_tube(np.pi, dual=True) - 0.1).max() < 1e-6
    assert twisted_tube(np.pi, dual=False).min() < 1e-6, "linear blending collapses there: the test means something"


def test_dual_quaternions_take_the_short_way_round() -> None:
    """A turn by 340 degrees is one by -20: half way it is -10, whatever the sign of its quaternion."""
    rest = np.array([[0.0, 0.1, 0.0, 0.0, 1.0, 0.0]])
    worlds = np.zeros((2, 3, 4))
    worlds[:, :, :3] = Rotation.from_rotvec([[np.radians(175.0), 0, 0], [np.radians(195.0), 0, 0]]).as_matrix()
    bind = np.tile(np.eye(4)[:3], (2, 1, 1))
    positions, _ = skinned(worlds, bind, np.array([[0.5, 0.5]]), rest, dual=True)
    angle = np.radians(185.0)
    assert np.abs(positions[0] - 0.1 * np.array([0.0, np.cos(angle), np.sin(angle)])).max() < 1e-7


def test_a_skinned_file_stands_where_its_expected_vertices_stand() -> None:
    path = shared("gltf", "simple_skin", "simple_skin.gltf")
    rows = np.loadtxt(shared("gltf", "expected", "simple_skin_vertices.csv"), delimiter=",", skiprows=2)
    gltf = json.loads(path.read_text())
    buffers = [base64.b64decode(each["uri"].split(",")[1]) for each in gltf["buffers"]]

    def read(index: int) -> Array:
        accessor = gltf["accessors"][index]
        view = gltf["bufferViews"][accessor["bufferView"]]
        kind = {5121: "<u1", 5123: "<u2", 5126: "<f4"}[accessor["componentType"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        step = view.get("byteStride", width * np.dtype(kind).itemsize)
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        data = buffers[view["buffer"]]
        items = [np.frombuffer(data, kind, width, start + step * each) for each in range(accessor["count"])]
        return np.array(items, dtype=float)

    nodes, skin, attributes = gltf["nodes"], gltf["skins"][0], gltf["meshes"][0]["primitives"][0]["attributes"]
    parent = {child: index for index, node in enumerate(nodes) for child in node.get("children", ())}
    bind = read(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)[:, :3]
    rest = np.zeros((vertex_count := len(read(attributes["POSITION"])), 6))
    rest[:, :3] = read(attributes["POSITION"])
    weights = np.zeros((vertex_count, len(skin["joints"])))
    each_joint, each_weight = read(attributes["JOINTS_0"]).astype(int), read(attributes["WEIGHTS_0"])
    for column in range(4):
        np.add.at(weights, (np.arange(vertex_count), each_joint[:, column]), each_weight[:, column])
    animation = gltf["animations"][0]
    turns = {}
    for channel in animation["channels"]:
        assert channel["target"]["path"] == "rotation"
        sampler = animation["samplers"][channel["sampler"]]
        turns[channel["target"]["node"]] = Slerp(
            read(sampler["input"])[:, 0], Rotation.from_quat(read(sampler["output"]))
        )
    for time in np.unique(rows[:, 0]):

        def world(node: int, time: float = float(time)) -> Array:
            local = np.eye(4)
            local[:3, 3] = nodes[node].get("translation", (0.0, 0.0, 0.0))
            turn = turns[node](time) if node in turns else Rotation.from_quat(nodes[node].get("rotation", (0, 0, 0, 1)))
            local[:3, :3] = turn.as_matrix()
            return world(parent[node], time) @ local if node in parent else local

        worlds = np.array([world(joint)[:3] for joint in skin["joints"]])
        positions, _ = skinned(worlds, bind, weights, rest, dual=False)
        wanted = rows[rows[:, 0] == time]
        assert np.abs(positions[wanted[:, 3].astype(int)] - wanted[:, 4:]).max() < 1e-6
