"""Poses that edits set stay within limits over several angles: as near to what was wished as these allow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Document, Key, Layer, Limit, Track
from engine.document.blobs import Blob
from engine.document.limit import GridRange
from engine.edits import edit
from tests.engine.edits.test_limits import HIP, box, document, grid

PLACE = {"actor": "me", "layer": "pose"}
SECOND = 705_600_000
HALF_A_CELL = 0.0625  # [rad]


def ball(radius: float) -> Limit:
    """All three angles of the hip together within a radius."""
    axes = np.linspace(-2.0, 2.0, 33)
    nodes = np.stack(np.meshgrid(axes, axes, axes, indexing="ij"), axis=-1)
    distances = Blob(np.linalg.norm(nodes, axis=-1) - radius)
    return replace(box("a", *HIP), range=GridRange(distances=distances), grid=grid(3, 33))


def values(found: Document) -> dict[str, float]:
    return dict(found.actors[0].layers[0].by_coordinate)


def test_a_pose_inside_is_taken_as_it_is_and_one_outside_goes_to_the_nearest() -> None:
    start = document(ball(1.0))
    inside = edit("set_pose", **PLACE, values=((HIP[0], 0.5), (HIP[1], -0.6))).apply(start)
    assert values(inside) == {HIP[0]: 0.5, HIP[1]: -0.6}
    outside = edit("set_pose", **PLACE, values=((HIP[0], 1.5), (HIP[1], -2.0))).apply(start)
    found = np.array([values(outside).get(name, 0.0) for name in HIP])
    assert found == pytest.approx(np.array([1.5, -2.0, 0.0]) / 2.5, abs=HALF_A_CELL)


def test_a_slider_pulled_past_the_boundary_moves_the_other_angles_along_it() -> None:
    start = edit("set_pose", **PLACE, values=((HIP[0], 0.7), (HIP[1], 0.7))).apply(document(ball(1.0)))
    further = edit("set_value", **PLACE, coordinate=HIP[0], value=1.4).apply(start)
    assert values(further)[HIP[0]] == pytest.approx(1.4 / np.hypot(1.4, 0.7), abs=HALF_A_CELL)
    assert values(further)[HIP[1]] == pytest.approx(0.7 / np.hypot(1.4, 0.7), abs=HALF_A_CELL)
    assert edit("set_value", **PLACE, coordinate="left.knee", value=3.0).apply(start) is not start


def test_a_limit_that_is_off_and_an_added_layer_hold_nothing() -> None:
    off = edit("set_limit_on", actor="me", limit="a", on=False).apply(document(ball(1.0)))
    assert values(edit("set_value", **PLACE, coordinate=HIP[0], value=1.9).apply(off)) == {HIP[0]: 1.9}
    added = edit("add_layer", actor="me", layer=Layer(id="plus", mode="add")).apply(document(ball(1.0)))
    found = edit("set_value", actor="me", layer="plus", coordinate=HIP[0], value=1.9).apply(added)
    assert found.actors[0].layers[1].by_coordinate == {HIP[0]: 1.9}


def test_a_limit_stands_in_place_of_the_boxes_of_its_hinges() -> None:
    narrow = edit("set_limits", actor="me", dof=HIP[0], lower=-0.1, upper=0.1).apply(document(ball(1.0)))
    assert values(edit("set_value", **PLACE, coordinate=HIP[0], value=0.9).apply(narrow)) == {HIP[0]: 0.9}


def test_a_key_is_kept_within_what_the_other_curves_leave() -> None:
    track = Track(coordinate=HIP[1], keys=(Key(0, 0.0), Key(2 * SECOND, 0.8)))
    start = document(ball(1.0))
    keyed = start.with_actor(replace(start.actors[0], layers=(Layer(id="pose", tracks=(track,)),)))
    found = edit("key_pose", **PLACE, time=2 * SECOND, values=((HIP[0], 1.6),)).apply(keyed)
    tracks = found.actors[0].layers[0].track_of
    assert tracks[HIP[0]].keys[0].value == pytest.approx(1.6 / np.hypot(1.6, 0.8), abs=HALF_A_CELL)
    assert tracks[HIP[1]].keys[-1].value == pytest.approx(0.8 / np.hypot(1.6, 0.8), abs=HALF_A_CELL)
    assert tracks[HIP[1]].keys[0].value == 0.0


def test_a_draft_is_kept_too() -> None:
    found = edit("set_draft", **PLACE, time=0, values=((HIP[0], 1.6), (HIP[1], 1.2))).apply(document(ball(1.0)))
    draft = dict(found.actors[0].layers[0].drafts[0].values)
    assert np.hypot(draft[HIP[0]], draft[HIP[1]]) == pytest.approx(1.0, abs=HALF_A_CELL)


def test_limits_that_share_a_hinge_hold_together() -> None:
    knee = box("b", "left.hip.x", "left.knee", lower=-0.2, upper=0.3)
    found = edit("set_pose", **PLACE, values=((HIP[1], 1.5), ("left.knee", 1.0))).apply(document(ball(1.0), knee))
    assert values(found)[HIP[1]] <= 0.3 + 1e-9
    assert values(found)["left.knee"] <= 0.3 + 1e-9


def keyed(start: Document, **tracks: tuple[Key, ...]) -> Document:
    made = tuple(Track(coordinate=name, keys=keys) for name, keys in tracks.items())
    return start.with_actor(replace(start.actors[0], layers=(Layer(id="pose", tracks=made),)))


def test_a_layer_upon_another_is_kept_within_what_that_leaves() -> None:
    start = document(ball(1.0))
    beneath = Layer(id="capture", values=((HIP[1], 0.8),))
    upper = Layer(id="pose", tracks=(Track(coordinate=HIP[2], keys=(Key(0, 0.0),)),))
    layered = start.with_actor(replace(start.actors[0], layers=(beneath, upper)))
    found = edit("key_pose", **PLACE, time=0, values=((HIP[0], 0.8),)).apply(layered)
    tracks = found.actors[0].layers[1].track_of
    assert tracks[HIP[0]].keys[0].value == pytest.approx(np.sqrt(0.5), abs=HALF_A_CELL)
    assert tracks[HIP[1]].keys[0].value == pytest.approx(np.sqrt(0.5), abs=HALF_A_CELL)


def test_a_key_beside_a_draft_is_kept_within_what_that_shows() -> None:
    start = keyed(document(ball(1.0)), **{HIP[1]: (Key(0, 0.0),)})
    drafted = edit("set_draft", **PLACE, time=0, values=((HIP[1], 0.6),)).apply(start)
    inside = edit("key_pose", **PLACE, time=0, values=((HIP[0], 0.7),)).apply(drafted).actors[0].layers[0]
    assert dict(inside.drafts[0].values) == {HIP[1]: 0.6}
    outside = edit("key_pose", **PLACE, time=0, values=((HIP[0], 0.9),)).apply(drafted).actors[0].layers[0]
    assert not outside.drafts
    assert outside.track_of[HIP[1]].keys[0].value == pytest.approx(0.6 / np.hypot(0.9, 0.6), abs=HALF_A_CELL)


MOVED: dict[str, dict[str, object]] = {
    "set_key": {"coordinate": HIP[0], "time": SECOND, "value": 9.0},
    "set_keys": {"keys": ((HIP[0], Key(SECOND, 9.0)),)},
    "move_keys": {"keys": ((HIP[0], (0,)),), "ticks": SECOND, "value": 8.5},
    "scale_keys": {"keys": ((HIP[0], (SECOND,)),), "pivot": SECOND, "value_factor": 18.0},
}


@pytest.mark.parametrize("name", [*MOVED, "reshape_chosen"])
def test_keys_that_are_set_and_moved_stay_in_the_region_on_their_tick(name: str) -> None:
    start = keyed(document(ball(1.0)), **{HIP[0]: (Key(0, 0.5), Key(SECOND, 0.5)), HIP[1]: (Key(0, 0.0),)})
    place = {} if name == "reshape_chosen" else PLACE
    reshaped: dict[str, object] = {
        "chosen": (("me", "pose", ((HIP[0], (SECOND,)),)),),
        "made": (("me", "pose", ((HIP[0], Key(SECOND, 9.0)),)),),
    }
    change = edit(name, **place, **MOVED.get(name, reshaped))
    assert change.may_run_kernels_on(start)
    keys = {key.time: key.value for key in change.apply(start).actors[0].layers[0].track_of[HIP[0]].keys}
    assert keys[SECOND] == pytest.approx(1.0, abs=HALF_A_CELL)


def test_a_key_that_only_moves_in_time_keeps_its_value() -> None:
    start = keyed(document(ball(1.0)), **{HIP[0]: (Key(0, 1.5),)})
    moved = edit("move_keys", **PLACE, keys=((HIP[0], (0,)),), ticks=SECOND).apply(start)
    assert moved.actors[0].layers[0].track_of[HIP[0]].keys == (Key(SECOND, 1.5),)


def test_back_to_rest_is_as_near_to_it_as_the_region_allows() -> None:
    away = document(replace(box("a", *HIP, lower=0.3, upper=1.0), grid=grid(3, 33)))
    posed = edit("set_pose", **PLACE, values=tuple((name, 0.8) for name in HIP)).apply(away)
    found = values(edit("reset_pose", **PLACE).apply(posed))
    assert [found[name] for name in HIP] == pytest.approx([0.3] * 3, abs=2.0 * HALF_A_CELL)
    one = values(edit("reset_pose", **PLACE, coordinates=(HIP[0],)).apply(posed))
    assert one == pytest.approx({HIP[0]: 0.3, HIP[1]: 0.8, HIP[2]: 0.8}, abs=HALF_A_CELL)
