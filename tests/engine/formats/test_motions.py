"""The motions that ship: within limits, on the floor, without sliding feet."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document.motion import TICKS_PER_SECOND
from engine.formats.motion_toml import load_motion, motion_names
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.model.meshes import build_mesh
from engine.motion.motion import compile_motion
from engine.runtime.errors import UnknownPart

FEET = ("ankle_left", "toes_left", "ankle_right", "toes_right")
STANCE = 0.62  # of the cycle
TOUCHING = 0.004  # [m]


def length(name: str) -> float:
    """Seconds from the first key to the last."""
    (layer,) = load_motion(name).layers
    return max(track.keys[-1].time for track in layer.tracks) / TICKS_PER_SECOND


def poses(name: str, seconds: Array) -> Array:
    contents = load_motion(name)
    assert contents.figure is not None
    return compile_motion(contents.figure, contents.layers).at(seconds * TICKS_PER_SECOND)[:, 0]


def vertices(name: str, seconds: Array) -> dict[str, Array]:
    """World positions of the vertices of the feet, shape [times, vertices, 3]."""
    figure = load_motion(name).figure
    assert figure is not None
    model = compile_model(figure)
    mesh = build_mesh([joint.shapes if joint.id in FEET else () for joint in figure.joints])
    found: dict[str, list[Array]] = {part: [] for part in FEET}
    for q in poses(name, seconds):
        state = model.new_state()
        compute_forward_kinematics(model.ints, model.floats, np.ascontiguousarray(q), state)
        for part in FEET:
            joint = figure.joint_index[part]
            row = model.transforms(state)[joint]
            found[part].append(mesh.positions[mesh.body == joint] @ row[:9].reshape(3, 3).T + row[9:])
    return {part: np.array(each) for part, each in found.items()}


def test_a_walk_a_wave_and_a_jump_ship() -> None:
    assert set(motion_names()) >= {"jump", "walk", "wave"}
    assert load_motion("walk") is load_motion("walk")
    with pytest.raises(UnknownPart, match="no motion 'wlak'; did you mean 'walk'"):
        load_motion("wlak")


@pytest.mark.parametrize("name", ["jump", "walk", "wave"])
def test_limits_hold_at_the_keys_and_between(name: str) -> None:
    figure = load_motion(name).figure
    assert figure is not None
    model = compile_model(figure)
    q = poses(name, np.linspace(0.0, length(name), 300))
    assert bool((q >= model.lower - 1e-9).all())
    assert bool((q <= model.upper + 1e-9).all())


@pytest.mark.parametrize("name", ["jump", "walk", "wave"])
def test_feet_stay_above_the_floor(name: str) -> None:
    feet = vertices(name, np.linspace(0.0, length(name), 150))
    assert min(each[:, :, 1].min() for each in feet.values()) > -0.008


@pytest.mark.parametrize(("side", "strikes"), [("left", 0.0), ("right", 0.5)])
def test_what_touches_the_floor_in_the_walks_stance_slides_less_than_two_centimetres(side: str, strikes: float) -> None:
    cycle = length("walk")
    feet = vertices("walk", (strikes + np.linspace(0.0, STANCE, 120)) * cycle)
    for part in (f"ankle_{side}", f"toes_{side}"):
        touched = np.full_like(feet[part][0, :, [0, 2]].T, np.nan)  # where each vertex came down
        farthest = 0.0
        for now in feet[part]:
            down = (now[:, 1] < TOUCHING)[:, None]
            touched = np.where(down, np.where(np.isnan(touched), now[:, [0, 2]], touched), np.nan)
            slid = np.linalg.norm(now[:, [0, 2]] - touched, axis=1)
            farthest = max(farthest, float(np.nanmax(slid, initial=0.0)))
        assert 0.0 < farthest < 0.02, part


def test_the_walk_has_a_foot_on_the_floor_at_any_time() -> None:
    feet = vertices("walk", np.linspace(0.0, length("walk"), 100))
    lowest = np.min([each[:, :, 1].min(axis=1) for each in feet.values()], axis=0)
    assert lowest.max() < 0.003


def test_the_walk_walks_on() -> None:
    cycle = length("walk")
    first, second = poses("walk", np.array([0.3, 0.3 + 7.0 * cycle]))
    figure = load_motion("walk").figure
    assert figure is not None
    forward = figure.coordinate_index["pelvis.move_z"]
    moved = second - first
    assert moved[forward] == pytest.approx(7.0 * 1.24, abs=1e-3)
    moved[forward] = 0.0
    assert np.abs(moved).max() < 1e-9


def test_the_jump_leaves_the_floor_by_thirty_centimetres_and_falls_freely() -> None:
    times = np.linspace(0.0, length("jump"), 400)
    feet = vertices("jump", times)
    lowest = np.min([each[:, :, 1].min(axis=1) for each in feet.values()], axis=0)
    assert 0.28 < lowest.max() < 0.4
    assert lowest[[0, -1]] == pytest.approx([0.0, 0.0], abs=0.002)
    figure = load_motion("jump").figure
    assert figure is not None
    air = np.linspace(0.9, 1.2, 31)
    height = poses("jump", air)[:, figure.coordinate_index["pelvis.move_y"]]
    assert 2.0 * np.polyfit(air, height, 2)[0] == pytest.approx(-9.81, abs=0.1)
