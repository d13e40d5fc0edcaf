"""Locks: parts that are held while the rest moves."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from engine.document import Actor, Document, Ellipsoid, Layer, Lock, Placement, Span, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.values import vector3
from engine.evaluate.evaluator import Evaluator
from engine.model.inertia import masses_of
from engine.runtime.errors import InvalidDocument
from tests.engine.evaluate.locked import (
    KEPT,
    LEFT,
    RIGHT,
    SPAN,
    away,
    crouch,
    frame,
    frames,
    held,
    human,
    planted,
    posed,
    rest_lock,
    seen,
    track,
    walker,
)


def test_planted_feet_stay_on_every_frame_and_between_frames_while_the_pelvis_sinks() -> None:
    document, evaluator = planted(), Evaluator()
    free = Document(actors=(crouch(),))
    sunk = max(
        abs(frame(evaluator, free, "one", LEFT, time)[1, 3] - document.actors[0].locks[0].position[1])
        for time in frames()
    )
    assert sunk > 0.1, "without locks the feet sink (Welman 1993, figure 6.5)"
    for time in frames():
        for lock in document.actors[0].locks:
            assert away(evaluator, document, lock, "one", time) < KEPT


def test_limits_hold_in_locked_poses() -> None:
    document, evaluator = planted(), Evaluator()
    q = evaluator.coordinates(document, "one", list(frames()))
    for name, column in zip(human().coordinates, q.T, strict=True):
        dof = human().coordinate_dof[name]
        assert dof.lower is None or column.min() >= dof.lower - 1e-9
        assert dof.upper is None or column.max() <= dof.upper + 1e-9


def test_a_frame_alone_is_the_same_bytes_as_in_sequence_over_a_walk() -> None:
    foot = held(walker(), "ankle_left", time=SECOND // 3, span=replace(SPAN, start=SECOND // 4, end=2 * SECOND))
    hand = held(walker(), "wrist_right", axes=())
    document, evaluator = Document(actors=(replace(walker(), locks=(foot, hand)),)), Evaluator()
    times = list(frames(60))
    sequence = evaluator.coordinates(document, "one", times)
    for place in (59, 7, 31, 12):
        alone = Evaluator().coordinates(document, "one", [times[place]])
        assert alone.tobytes() == sequence[place : place + 1].tobytes()


def test_heel_to_toe_is_two_locks_that_overlap() -> None:
    drift = Layer(id="drift", mode="add", tracks=(track("pelvis.move_z", (0.0, 0.0), (1.0, 0.1)),))
    slides = replace(walker(), layers=(*walker().layers, drift))
    ease = SECOND // 15
    heel = held(slides, LEFT, time=SECOND // 5, axes=(), id="heel", point=(0.0, -0.06, -0.05))
    toe = held(slides, "toes_left", time=SECOND // 5, axes=(), id="toe")
    heel = replace(heel, span=Span(start=SECOND // 10, end=2 * SECOND // 5, ease_in=ease, ease_out=ease))
    toe = replace(toe, span=Span(start=3 * SECOND // 10, end=7 * SECOND // 10, ease_in=ease, ease_out=ease))
    document, evaluator = Document(actors=(replace(slides, locks=(heel, toe)),)), Evaluator()
    free = Document(actors=(slides,))
    for lock, time in ((heel, SECOND // 5), (heel, 29 * SECOND // 100), (toe, 2 * SECOND // 5), (toe, 3 * SECOND // 5)):
        assert away(evaluator, document, lock, "one", time) < KEPT
    assert away(evaluator, free, toe, "one", 3 * SECOND // 5) > 0.03
    fine = [time * SECOND // 960 for time in range(60, 720)]
    places = np.array([evaluator.joint_transforms(document, "one", time)[:, :, 3] for time in fine])
    unheld = np.array([evaluator.joint_transforms(free, "one", time)[:, :, 3] for time in fine])
    steps, usual = np.abs(np.diff(places, axis=0)).max(), np.abs(np.diff(unheld, axis=0)).max()
    assert steps < 2.0 * usual, "no joint leaps where a lock begins, ends, or overlaps another"


def test_an_eased_lock_begins_and_ends_without_a_jump_in_place_or_speed() -> None:
    shallow = crouch(depth=0.03)
    still = held(shallow, LEFT, time=0, axes=("i", "j"))
    moved = replace(still, position=tuple(np.add(still.position, (0.05, 0.1, 0.05)).tolist()), span=SPAN)
    actor = replace(shallow, locks=(moved, held(shallow, RIGHT)))
    document, evaluator = Document(actors=(actor,)), Evaluator()
    fine = [SECOND // 2 + time * SECOND // 480 for time in range(1440)]
    path = np.array([frame(evaluator, document, "one", LEFT, time)[:, 3] for time in fine])
    speed = np.linalg.norm(np.diff(path, axis=0), axis=1) * 480.0
    assert speed.max() < 2.0
    for edge in (SPAN.start, SPAN.end):
        close = [place for place, time in enumerate(fine[:-2]) if abs(time - edge) < SECOND // 20]
        assert np.abs(np.diff(speed))[close].max() < 0.01, "the speed has no jump either"
    before = frame(evaluator, document, "one", LEFT, SPAN.start - 1)[:, 3]
    assert np.abs(frame(evaluator, document, "one", LEFT, SPAN.start + 1)[:, 3] - before).max() < 1e-7
    for time in (SPAN.start - 1, 2 * SECOND, SPAN.end + 1):
        assert away(evaluator, document, actor.locks[1], "one", time) < KEPT, "the other foot never notices"
    assert away(evaluator, document, moved, "one", 2 * SECOND) < KEPT


def test_a_weight_between_0_and_1_lies_between_and_can_be_keyed() -> None:
    actor = crouch()
    lock = held(actor, LEFT)
    heights = []
    for weight in (0.0, 0.5, 1.0):
        document = Document(actors=(replace(actor, locks=(replace(lock, weight=weight),)),))
        heights.append(frame(Evaluator(), document, "one", LEFT, 2 * SECOND)[1, 3])
    assert heights[0] < heights[1] < heights[2]
    keyed = replace(lock, tracks=(track("weight", (0.0, 0.0), (2.0, 0.5), (4.0, 1.0)),))
    document = Document(actors=(replace(actor, locks=(keyed,)),))
    assert frame(Evaluator(), document, "one", LEFT, 2 * SECOND)[1, 3] == pytest.approx(heights[1], abs=1e-12)


def test_keys_lead_a_hand_along_a_path_and_turn_it() -> None:
    actor = crouch(depth=0.0)
    lock = held(actor, "wrist_right", axes=("i", "j", "k"))
    start = lock.position
    tracks = (
        track("z", (0.0, start[2] + 0.1), (2.0, start[2] + 0.3)),
        track("y", (0.0, start[1] + 0.2)),
        track("turn_y", (0.0, 0.0), (2.0, 0.3)),
    )
    document = Document(actors=(replace(actor, locks=(replace(lock, tracks=tracks),)),))
    evaluator = Evaluator()
    for time, forward in ((0, 0.1), (2 * SECOND, 0.3)):
        now = frame(evaluator, document, "one", "wrist_right", time)
        assert np.abs(now[:, 3] - (start[0], start[1] + 0.2, start[2] + forward)).max() < KEPT


def test_orientation_alone_leaves_the_place_free_and_single_axes_leave_a_turn_free() -> None:
    actor, evaluator = crouch(), Evaluator()
    whole = replace(held(actor, "head", axes=("i", "j")), held="turn")
    one = replace(whole, axes=("j",))
    found = []
    for lock in (whole, one):
        document = Document(actors=(replace(actor, locks=(lock,)),))
        now = frame(evaluator, document, "one", "head", 2 * SECOND)
        first = frame(evaluator, document, "one", "head", 0)
        assert abs(now[1, 3] - first[1, 3]) > 0.1
        found.append(np.abs(now[:, :3] - first[:, :3]).max(axis=0))
    assert found[0].max() < KEPT
    assert found[1][1] < KEPT
    assert found[1][0] > 1e-3


def test_a_plane_lets_a_foot_slide_on_it() -> None:
    actor, evaluator = crouch(), Evaluator()
    lock = replace(held(actor, LEFT, axes=()), held="plane")
    document = Document(actors=(replace(actor, locks=(lock,)),))
    path = np.array([frame(evaluator, document, "one", LEFT, time)[:, 3] for time in frames()])
    assert np.abs(path[:, 1] - lock.position[1]).max() < KEPT
    assert np.ptp(path[:, 0]) > 1e-3


@pytest.mark.parametrize("solver", ["levenberg", "multipliers"])
def test_a_line_lets_a_foot_slide_along_it_alone(solver: str) -> None:
    actor, evaluator = crouch(), Evaluator()
    along = np.array((1.0, 0.2, 0.1)) / math.hypot(1.0, 0.2, 0.1)
    lock = replace(held(actor, LEFT, axes=()), held="line", normal=vector3("along", (3.0 * along).tolist()))
    document = Document(actors=(replace(actor, locks=(lock,)),), lock_solver=solver)
    path = np.array([frame(evaluator, document, "one", LEFT, time)[:, 3] for time in frames()]) - lock.position
    travel = path @ along
    assert np.abs(path - np.outer(travel, along)).max() < KEPT
    assert np.ptp(travel) > 1e-3


def test_two_figures_hold_hands_and_both_give_way() -> None:
    one, two = crouch("one"), crouch("two", depth=0.0, x=0.9)
    hands = Lock(
        id="hands",
        name="Hands",
        joint="wrist_left",
        target="two",
        target_joint="wrist_right",
        shared=True,
        point=(0.0, -0.08, 0.0),
        position=(0.0, -0.08, 0.0),
    )
    document, evaluator = Document(actors=(replace(one, locks=(hands,)), two)), Evaluator()
    for time in (0, SECOND, 2 * SECOND):
        mine, other = (
            frame(evaluator, document, "one", "wrist_left", time),
            frame(evaluator, document, "two", "wrist_right", time),
        )
        meeting = [place[:, 3] + place[:, :3] @ (0.0, -0.08, 0.0) for place in (mine, other)]
        assert np.abs(meeting[0] - meeting[1]).max() < KEPT
    free = Document(actors=(one, two))
    moved = [
        np.abs(evaluator.coordinates(document, id, [SECOND]) - evaluator.coordinates(free, id, [SECOND])).max()
        for id in ("one", "two")
    ]
    assert min(moved) > 0.01
    alone = replace(document, actors=(replace(one, locks=(replace(hands, shared=False),)), two))
    assert (
        evaluator.coordinates(alone, "two", [SECOND]).tobytes()
        == evaluator.coordinates(free, "two", [SECOND]).tobytes()
    )
    assert evaluator.snapshot(alone, SECOND, skins=False).locks[0].owner == "one"


def test_a_hand_follows_a_prop_that_moves_and_a_shared_prop_follows_two_hands() -> None:
    ball = prop("Ball", (Ellipsoid(radii=(0.1, 0.1, 0.1)),))
    moving = Layer(
        id="pose", tracks=(track("body.move_y", (0.0, 0.0), (2.0, 0.2)), track("body.move_z", (0.0, 0.0), (2.0, 0.1)))
    )
    thing = Actor(
        id="ball", name="Ball", figure=ball, placement=Placement(position=(0.25, 1.0, 0.35)), layers=(moving,)
    )
    actor, evaluator = crouch(depth=0.05), Evaluator()
    side = {"wrist_left": 0.1, "wrist_right": -0.1}
    locks = tuple(
        Lock(
            id=joint,
            name=joint,
            joint=joint,
            point=(0.0, -0.06, 0.0),
            target="ball",
            target_joint="body",
            position=(x, 0.0, 0.0),
        )
        for joint, x in side.items()
    )
    document = Document(actors=(replace(actor, locks=locks[:1]), thing))
    for time in (0, SECOND, 2 * SECOND):
        assert evaluator.snapshot(document, time, skins=False).locks[0].off < KEPT
    unheld = Document(actors=(thing,))
    assert (
        frame(evaluator, document, "ball", "body", SECOND).tobytes()
        == frame(evaluator, unheld, "ball", "body", SECOND).tobytes()
    )
    shared = replace(
        document, actors=(replace(actor, locks=tuple(replace(each, shared=True) for each in locks)), thing)
    )
    for time in (0, SECOND, 2 * SECOND):
        marks = evaluator.snapshot(shared, time, skins=False).locks
        assert max(mark.off for mark in marks) < KEPT
    assert (
        frame(evaluator, shared, "ball", "body", SECOND).tobytes()
        != frame(evaluator, unheld, "ball", "body", SECOND).tobytes()
    )


def test_a_hand_stays_on_the_own_hip() -> None:
    actor, evaluator = crouch(), Evaluator()
    lock = Lock(
        id="hip",
        name="Hand on hip",
        joint="wrist_right",
        target="one",
        target_joint="pelvis",
        position=(-0.25, 0.05, 0.1),
    )
    document = Document(actors=(replace(actor, locks=(lock,)),))
    for time in (0, SECOND, 2 * SECOND):
        assert evaluator.snapshot(document, time, skins=False).locks[0].off < KEPT


def test_a_ring_of_one_sided_locks_is_refused_by_name() -> None:
    one, two = crouch("one"), crouch("two", x=1.0)
    locks = [
        Lock(id="hold", name="Hold", joint="wrist_left", target=target, target_joint="wrist_right")
        for target in ("two", "one")
    ]
    document = Document(actors=(replace(one, locks=(locks[0],)), replace(two, locks=(locks[1],))))
    with pytest.raises(InvalidDocument, match="one on two on one"):
        _ = document.groups
    shared = replace(two, locks=(replace(locks[1], shared=True),))
    assert len(replace(document, actors=(document.actors[0], shared)).groups) == 1


def test_contradicting_locks_share_the_miss_by_importance_and_say_so() -> None:
    actor, evaluator = crouch(depth=0.0), Evaluator()
    first = held(actor, "wrist_right", axes=(), id="near")
    far = replace(first, id="far", position=tuple(np.add(first.position, (0.0, 0.0, 0.04)).tolist()), importance=3.0)
    document = Document(actors=(replace(actor, locks=(first, far)),))
    near_mark, far_mark = evaluator.snapshot(document, 0, skins=False).locks
    assert near_mark.off == pytest.approx(0.03, rel=1e-3)
    assert far_mark.off == pytest.approx(0.01, rel=1e-3)
    assert near_mark.text == "missed by 30.0 mm"


def test_a_place_out_of_reach_gives_the_nearest_pose_and_how_much_is_missing() -> None:
    actor, evaluator = crouch(depth=0.0), Evaluator()
    arm = ("collar_right", "shoulder_right", "elbow_right", "forearm_right", "wrist_right")
    lock = replace(held(actor, "wrist_right", axes=()), position=(-3.0, 1.4, 0.0), joints=arm)
    document = Document(actors=(replace(actor, locks=(lock,)),))
    mark = evaluator.snapshot(document, 0, skins=False).locks[0]
    shoulder = frame(evaluator, document, "one", "shoulder_right", 0)[:, 3]
    assert mark.off == pytest.approx(np.linalg.norm(np.array(lock.position) - mark.at))
    assert mark.off < np.linalg.norm(np.array(lock.position) - shoulder) - 0.45
    assert "missed by" in mark.text


def test_only_the_joints_that_may_contribute_move() -> None:
    actor, evaluator = crouch(depth=0.0), Evaluator()
    arm = ("shoulder_right", "elbow_right")
    target = held(actor, "wrist_right", axes=(), joints=arm)
    lock = replace(target, position=tuple(np.add(target.position, (0.05, 0.15, 0.2)).tolist()))
    document = Document(actors=(replace(actor, locks=(lock,)),))
    changed = evaluator.coordinates(document, "one", [0]) - evaluator.coordinates(Document(actors=(actor,)), "one", [0])
    moved = {name for name, each in zip(human().coordinates, changed[0], strict=True) if each != 0.0}
    assert moved
    assert moved <= {dof.id for joint in arm for dof in human().joint(joint).dofs}


def test_the_centre_of_mass_stays_over_what_is_held() -> None:
    actor, evaluator = crouch(depth=0.1), Evaluator()
    feet = tuple(held(actor, joint) for joint in (LEFT, RIGHT))
    balance = Lock(id="balance", name="Balance", joint="pelvis", held="balance")
    document = Document(actors=(replace(actor, locks=(*feet, balance)),))
    middle = np.mean([lock.position for lock in feet], axis=0)
    masses = masses_of(human())
    for time in (SECOND, 2 * SECOND):
        places = evaluator.joint_transforms(document, "one", time)
        centre = (
            masses[:, 0]
            @ (np.einsum("jab,jb->ja", places[:, :, :3], masses[:, 1:4]) + places[:, :, 3])
            / masses[:, 0].sum()
        )
        assert np.abs(centre - middle)[[0, 2]].max() < KEPT
        assert all(mark.kept for mark in evaluator.snapshot(document, time, skins=False).locks)


def test_comfort_lets_the_knees_go_apart_in_a_crouch() -> None:
    """Welman 1993, 7.2.1: toes locked, pelvis pulled down."""
    actor, evaluator = crouch(depth=0.3), Evaluator()
    toes = tuple(held(actor, joint, axes=()) for joint in ("toes_left", "toes_right"))
    apart = []
    for comfort in (0.0, 0.6):
        document = Document(actors=(replace(actor, locks=toes, comfort=comfort),))
        knees = [frame(evaluator, document, "one", joint, 2 * SECOND)[:, 3] for joint in ("knee_left", "knee_right")]
        apart.append(float(np.linalg.norm(knees[0] - knees[1])))
        assert all(mark.kept for mark in evaluator.snapshot(document, 2 * SECOND, skins=False).locks)
    assert apart[1] > apart[0] + 0.02


def test_a_muted_lock_and_one_outside_its_span_change_no_byte() -> None:
    actor, evaluator = crouch(), Evaluator()
    lock = held(actor, LEFT, span=SPAN)
    free = Document(actors=(actor,))
    for locks, time in (((replace(lock, mute=True),), 2 * SECOND), ((lock,), SPAN.start), ((lock,), SPAN.end)):
        document = Document(actors=(replace(actor, locks=locks),))
        assert (
            evaluator.coordinates(document, "one", [time]).tobytes()
            == evaluator.coordinates(free, "one", [time]).tobytes()
        )


def test_a_muted_lock_is_told_apart_from_those_that_count_where_its_spot_is() -> None:
    actor, evaluator = crouch(), Evaluator()
    lock = held(actor, LEFT, span=SPAN)
    muted = Document(actors=(replace(actor, locks=(replace(lock, mute=True),)),))
    shown = evaluator.snapshot(muted, 2 * SECOND, skins=False)
    assert shown.locks == ()
    (mark,) = shown.muted_locks
    assert (mark.lock, mark.share, mark.text) == (lock.id, 0.0, "muted")
    body = frame(evaluator, muted, "one", LEFT, 2 * SECOND)
    np.testing.assert_allclose(mark.at, body[:, 3] + body[:, :3] @ lock.point, atol=1e-12)
    assert evaluator.snapshot(muted, SPAN.start, skins=False).muted_locks == ()
    counting = Document(actors=(replace(actor, locks=(lock,)),))
    assert evaluator.snapshot(counting, 2 * SECOND, skins=False).muted_locks == ()


@pytest.mark.parametrize("solver", ["dogleg", "inverse", "multipliers"])
def test_other_solvers_keep_locks_too(solver: str) -> None:
    document, evaluator = replace(planted(), lock_solver=solver), Evaluator()
    for time in (SECOND // 2, SECOND):
        for lock in document.actors[0].locks:
            assert away(evaluator, document, lock, "one", time) < KEPT
    again = Evaluator().coordinates(document, "one", [SECOND])
    assert again.tobytes() == evaluator.coordinates(document, "one", [SECOND]).tobytes()


@pytest.mark.parametrize("solver", ["levenberg", "multipliers"])
def test_a_frame_is_the_same_however_busy_the_machine_is(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    document = planted()
    actor, (lock, *others) = document.actors[0], document.actors[0].locks
    x, y, z = lock.position
    far = replace(lock, position=(x, y + 0.3, z - 0.6))
    document = replace(document, lock_solver=solver, actors=(replace(actor, locks=(far, *others)),))
    calm = Evaluator().coordinates(document, "one", [SECOND])
    monkeypatch.setattr("engine.ik.solver.perf_counter", itertools.count(0.0, 100.0).__next__)
    assert Evaluator().coordinates(document, "one", [SECOND]).tobytes() == calm.tobytes()


def test_rates_and_accelerations_are_those_of_the_locked_motion() -> None:
    document, evaluator = planted(span=SPAN), Evaluator()
    for time in (SECOND + SECOND // 5, 2 * SECOND):
        found = evaluator.motion_at(document, "one", time)
        step = SECOND // 200
        before, after = evaluator.coordinates(document, "one", [time - step, time + step])
        assert np.abs(found[1] - (after - before) * 100.0).max() < 1e-3 * (1.0 + np.abs(found[1]).max())
        rates = [evaluator.motion_at(document, "one", time + sign * step)[1] for sign in (-1, 1)]
        assert np.abs(found[2] - (rates[1] - rates[0]) * 100.0).max() < 0.02 * (1.0 + np.abs(found[2]).max())
    free = evaluator.motion_at(document, "one", 0)
    assert free.tobytes() == evaluator.motion(document.actors[0]).at(0.0).tobytes()


def test_locks_that_ask_for_the_impossible_never_hang_and_stay_finite() -> None:
    actor, evaluator = crouch(), Evaluator()
    rng = np.random.default_rng(4)
    locks = tuple(
        replace(
            held(actor, joint),
            id=f"{joint}{place}",
            position=tuple(rng.normal(size=3, scale=5.0).tolist()),
            span=Span(start=0, end=4 * SECOND, ease_in=place * SECOND // 7),
        )
        for place, joint in enumerate(
            (LEFT, RIGHT, "head", "wrist_left", "wrist_right", "toes_left", "pelvis", "neck", "elbow_left")
        )
    )
    document = Document(actors=(replace(actor, locks=locks),))
    for time in (SECOND // 20, 3 * SECOND):
        assert np.isfinite(evaluator.coordinates(document, "one", [time])).all()


def test_speeds_of_feet_that_are_let_go_stay_bounded() -> None:
    document, evaluator = planted(span=SPAN), Evaluator()
    fine = [SPAN.end - SECOND // 2 + each * SECOND // 240 for each in range(180)]
    rows = evaluator.coordinates(document, "one", fine)
    assert max(np.abs(b - a).max() for a, b in pairwise(rows)) * 240.0 < 6.0


@pytest.mark.parametrize("comfort", [0.0, 1.0])
def test_a_locked_foot_leaves_arms_and_head_as_the_layers_have_them(comfort: float) -> None:
    free = replace(crouch(depth=0.25), comfort=comfort)
    locked = replace(free, locks=(held(free, LEFT),))
    index, legs = free.figure.coordinate_index, ("hip_left", "knee_left", "ankle_left", "pelvis")
    before, after = (
        Evaluator().coordinates(Document(actors=(each,)), "one", [2 * SECOND])[0] for each in (free, locked)
    )
    moved = {name.partition(".")[0] for name, place in index.items() if before[place] != after[place]}
    assert moved
    assert moved <= set(legs)


def test_a_pelvis_tilted_then_twisted_by_25_degrees_keeps_both_angles_and_both_feet() -> None:
    """Welman 1993, figure 6.4, by sliders."""
    feet = (rest_lock(LEFT), rest_lock(RIGHT))
    index, evaluator = human().coordinate_index, Evaluator()
    for tilt, twist in [(each, 0) for each in range(0, 26, 5)] + [(25, each) for each in range(0, 26, 5)]:
        asked = {"pelvis.tilt": float(np.radians(tilt)), "pelvis.turn": float(np.radians(twist))}
        document = posed(asked, *feet)
        for lock in feet:
            assert away(evaluator, document, lock, "one", 0) < KEPT
        q = seen(document)
        assert [q[index[name]] for name in asked] == list(asked.values())
        assert max(abs(q[index[f"pelvis.move_{axis}"]]) for axis in "xyz") < 0.01


def test_a_pelvis_that_leaves_the_legs_some_play_stays_exactly_where_sliders_put_it() -> None:
    asked = {"pelvis.tilt": float(np.radians(25)), "pelvis.turn": float(np.radians(25)), "pelvis.move_y": -0.02}
    document = posed(asked, rest_lock(LEFT), rest_lock(RIGHT))
    q = seen(document)
    pelvis = {name: float(q[place]) for name, place in human().coordinate_index.items() if "pelvis" in name}
    assert pelvis == {name: asked.get(name, 0.0) for name in pelvis}
    assert all(mark.kept for mark in Evaluator().snapshot(document, skins=False).locks)


def test_a_pelvis_lowered_over_locked_feet_leaves_the_trunk_upright() -> None:
    document = posed({"pelvis.move_y": -0.3}, rest_lock(LEFT), rest_lock(RIGHT))
    q, index = seen(document), human().coordinate_index
    assert not [name for name in ("pelvis.tilt", "pelvis.turn", "pelvis.roll") if q[index[name]] != 0.0]
    assert all(mark.kept for mark in Evaluator().snapshot(document, skins=False).locks)


@pytest.mark.parametrize("down", [-0.05, -0.1, -0.2])
def test_a_pelvis_lowered_in_balance_stays_down_and_the_trunk_leans_over_the_feet(down: float) -> None:
    balance = rest_lock("pelvis", id="balance", axes=(), held="balance")
    document = posed({"pelvis.move_y": down}, rest_lock(LEFT), rest_lock(RIGHT), balance)
    q, index = seen(document), human().coordinate_index
    assert q[index["pelvis.move_y"]] == down
    assert q[index["pelvis.move_z"]] < -0.03, "ankles bend by 20 degrees: farther down the pelvis goes back"
    assert all(mark.kept for mark in Evaluator().snapshot(document, skins=False).locks)


def test_a_spine_that_is_bent_stays_bent_while_arms_reach_what_is_locked() -> None:
    locks = [rest_lock(joint, axes=()) for joint in (LEFT, RIGHT, "wrist_left", "wrist_right")]
    asked = {"middle_spine.flexion": 0.3, "lower_spine.flexion": -0.1}
    document = posed(asked, *locks)
    q, index = seen(document), human().coordinate_index
    assert [q[index[name]] for name in asked] == list(asked.values())
    assert all(mark.kept for mark in Evaluator().snapshot(document, skins=False).locks)


def test_a_pose_that_keeps_its_locks_is_left_to_the_last_bit_whatever_comfort_is_wished() -> None:
    locks = (rest_lock(LEFT), rest_lock(RIGHT))
    q = seen(posed({"pelvis.move_y": -0.2}, *locks, comfort=0.7))
    again = seen(posed(dict(zip(human().coordinates, q.tolist(), strict=True)), *locks, comfort=0.7))
    assert again.tobytes() == q.tobytes()


def test_a_pose_that_misses_contradicting_locks_least_is_left_too() -> None:
    near = rest_lock("wrist_right", axes=(), id="near")
    far = replace(near, id="far", position=tuple(np.add(near.position, (0.0, 0.0, 0.04)).tolist()))
    q = seen(posed({}, near, far))
    again = seen(posed(dict(zip(human().coordinates, q.tolist(), strict=True)), near, far))
    assert again.tobytes() == q.tobytes()


def test_a_hand_that_gets_out_of_the_arms_reach_draws_the_spine_along_without_a_leap() -> None:
    rest = posed({}).actors[0]
    start = held(rest, "wrist_left", axes=())
    evaluator, rows = Evaluator(), []
    for step in range(120, 260):
        target = tuple(np.add(start.position, (0.0, 0.5, 0.003 * step)).tolist())
        document = posed({}, replace(start, position=target))
        rows.append(evaluator.coordinates(document, "one", [0])[0])
        assert evaluator.snapshot(document, skins=False).locks[0].kept
    spine = [place for name, place in human().coordinate_index.items() if "spine" in name]
    bent = np.array(rows)[:, spine]
    assert (bent[:20] == 0.0).all()
    assert np.abs(bent[-1]).max() > 0.3
    assert np.abs(np.diff(bent, axis=0)).max() < 0.03


def test_fewer_iterations_a_picture_leave_more_to_be_met() -> None:
    document = posed({"pelvis.move_y": -0.25, "pelvis.turn": 0.3}, rest_lock(LEFT), rest_lock(RIGHT))
    off = [
        max(mark.off for mark in Evaluator().snapshot(each, skins=False).locks)
        for each in (replace(document, lock_iterations=1), document)
    ]
    assert off[0] > 100.0 * KEPT
    assert off[1] < KEPT
