"""Drags of figures of which something is locked: what is held goes first, and what was found is what is seen."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from engine.commands.reach import PullHandle, Reach, Reached
from engine.document import Actor, Document, Layer, Lock, Placement, Span
from engine.document.segment import middle_of_segment
from engine.document.values import Quaternion, Vector3
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.ik.goals import Goal, OrientationGoal, PlaneGoal, PoseGoal, PositionGoal, Spot
from engine.ik.methods import Method, Terms
from engine.ik.solvers import SOLVERS
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import quaternions
from engine.runtime.errors import InvalidDocument

HUMAN = load_figure("human")
pytestmark = pytest.mark.usefixtures("unhurried")
LEFT, RIGHT, HANDS = "ankle_left", "ankle_right", ("wrist_left", "wrist_right")
KEPT = 1e-8
FORWARD = (0.1, 0.3, 0.3)


def alone(id: str = "me", x: float = 0.0, turn: Quaternion = (1.0, 0.0, 0.0, 0.0)) -> Actor:
    place = Placement(position=(x, 0.0, 0.0), rotation=turn)
    return Actor(id=id, name=id, figure=HUMAN, layers=(Layer(id="pose"),), placement=place)


def frames(document: Document, actor: str = "me") -> Array:
    return Evaluator().joint_transforms(document, actor, 0)


def here(joint: str, *, axes: tuple[str, ...] = (), **fields: object) -> Lock:
    """A lock at the place where a joint rests."""
    place = frames(Document(actors=(alone(),)))[HUMAN.joint_index[joint]]
    made = {"position": tuple(place[:, 3].tolist()), "rotation": tuple(quaternions(place[None, :, :3])[0].tolist())}
    return Lock(**{"id": joint, "name": joint, "joint": joint, "axes": axes, **made, **fields})  # type: ignore[arg-type]


def locked(*locks: Lock) -> Document:
    return Document(actors=(replace(alone(), locks=locks),))


def planted(*more: Lock) -> Document:
    """Both feet locked in position and orientation."""
    return locked(here(LEFT, axes=("i", "j")), here(RIGHT, axes=("i", "j")), *more)


def spot(joint: str) -> Spot:
    return Spot(actor="me", joint=joint, point=middle_of_segment(HUMAN, joint))


def stands(document: Document, joint: str) -> Array:
    frame = frames(document)[HUMAN.joint_index[joint]]
    return np.asarray(frame[:, :3] @ spot(joint).point + frame[:, 3])


def asked(goals: tuple[Goal, ...], reach: Reach, document: Document, **fields: object) -> Reached:
    request = PullHandle(**{"drag": "1", "actor": "me", "goals": goals, "terms": Terms(), **fields})  # type: ignore[arg-type]
    *_, last = reach.answer(document, 0, request)
    assert last is not None
    return last


def pulled(document: Document, joint: str, by: Vector3, steps: int = 20, **fields: object) -> list[Reached]:
    """The answers to a drag in equal moves."""
    reach, start = Reach(Evaluator()), stands(document, joint)
    found = []
    for step in range(1, steps + 1):
        x, y, z = (start + step / steps * np.array(by)).tolist()
        found.append(asked((PositionGoal(spot=spot(joint), target=(x, y, z)),), reach, document, **fields))
    return found


def pose(reached: Reached, actor: str = "me") -> dict[str, float]:
    """Coordinates as they are seen."""
    q = Evaluator().coordinates(reached.snapshot.document, actor, [0])[0]
    return dict(zip(HUMAN.coordinates, q.tolist(), strict=True))


def layered(reached: Reached, actor: str = "me") -> dict[str, float]:
    q = Evaluator().motion(reached.snapshot.document.actor(actor)).at(0.0)[0]
    return dict(zip(HUMAN.coordinates, q.tolist(), strict=True))


def about(axis: Vector3, degrees: float) -> Quaternion:
    half = 0.5 * math.radians(degrees)
    x, y, z = (math.sin(half) * each for each in axis)
    return (math.cos(half), x, y, z)


@pytest.mark.parametrize(
    ("joint", "by"), [("pelvis", (0.05, -0.06, -0.05)), ("wrist_left", (0.1, 0.3, 0.3)), ("head", (0.0, -0.2, 0.3))]
)
def test_locks_hold_in_every_answer_and_the_pose_that_is_kept_is_the_one_seen(joint: str, by: Vector3) -> None:
    for reached in pulled(planted(), joint, by, steps=10):
        assert reached.outcome.report.state == "reached"
        assert all(mark.off < KEPT and mark.turned < KEPT for mark in reached.snapshot.locks)
        assert pose(reached) == layered(reached)
        assert reached.edit.apply(planted()) == reached.snapshot.document


@pytest.mark.parametrize("solver", tuple(SOLVERS))
def test_every_method_follows_a_drag_over_locked_feet(solver: str) -> None:
    start, found = (
        stands(planted(), "wrist_left"),
        pulled(planted(), "wrist_left", FORWARD, steps=10, method=Method(solver=solver)),
    )
    way = stands(found[-1].snapshot.document, "wrist_left") - start
    assert all(mark.off < KEPT and mark.turned < KEPT for each in found for mark in each.snapshot.locks)
    assert way @ FORWARD > 0.5 * np.dot(FORWARD, FORWARD)


def test_a_pelvis_pulled_down_bends_the_legs_and_not_the_trunk() -> None:
    reached = pulled(locked(here(LEFT), here(RIGHT)), "pelvis", (0.0, -0.3, 0.0))[-1]
    found = pose(reached)
    assert reached.outcome.report.state == "reached"
    assert found["pelvis.move_y"] == pytest.approx(-0.3, abs=1e-3)
    assert min(found["knee_left.flexion"], found["knee_right.flexion"]) > 1.0
    assert not [name for name, value in found.items() if value != 0.0 and ("spine" in name or "tilt" in name)]


def test_figure_6_4_by_hand() -> None:
    """The pelvis tilted by 25 degrees, then twisted by 25, both feet locked in position and orientation."""
    document, reach = planted(), Reach(Evaluator())
    for tilt, twist in [(each, 0) for each in range(5, 26, 5)] + [(25, each) for each in range(5, 26, 5)]:
        (a, b, _, _), (c, _, d, _) = about((1.0, 0.0, 0.0), tilt), about((0.0, 1.0, 0.0), twist)
        wanted = (c * a, c * b, d * a, -d * b)
        goal = OrientationGoal(spot=Spot(actor="me", joint="pelvis"), target=wanted, axes=("i", "j", "k"))
        reached = asked((goal,), reach, document)
        assert reached.outcome.report.state == "reached"
        assert all(mark.off < 1e-3 and mark.off < KEPT for mark in reached.snapshot.locks)
        found = pose(reached)
        assert math.degrees(found["pelvis.tilt"]) == pytest.approx(tilt, abs=1.0)
        assert math.degrees(found["pelvis.turn"]) == pytest.approx(twist, abs=1.0)


def test_the_whole_figure_moves_as_soon_as_anything_is_locked_and_the_limb_alone_else() -> None:
    by = (0.05, 0.0, 0.5)
    free, held = pulled(locked(), "wrist_left", by)[-1], pulled(planted(), "wrist_left", by)[-1]
    one, other = ({name.partition(".")[0] for name, value in pose(each).items() if value} for each in (free, held))
    assert "upper_spine" not in one
    assert {"upper_spine", "pelvis"} <= other
    limb = pulled(planted(), "wrist_left", (0.0, 0.1, 0.1), terms=replace(Terms(), extent="branch"))[-1]
    assert "upper_spine" not in {name.partition(".")[0] for name, value in pose(limb).items() if value}


def test_what_is_asked_to_move_calls_on_more_only_where_locks_need_it() -> None:
    goal = OrientationGoal(spot=Spot(actor="me", joint="pelvis"), target=about((1.0, 0.0, 0.0), 20.0))
    turns = frozenset(("pelvis.tilt", "pelvis.turn", "pelvis.roll"))
    reached = asked((goal,), Reach(Evaluator()), planted(), movable=turns)
    moved = {name.partition(".")[0] for name, value in pose(reached).items() if value}
    assert reached.outcome.report.state == "reached"
    assert all(mark.off < KEPT for mark in reached.snapshot.locks)
    assert moved <= {"pelvis", *(f"{part}_{side}" for part in ("hip", "knee", "ankle") for side in ("left", "right"))}


def test_a_lock_that_names_its_joints_follows_and_nothing_else_moves_for_it() -> None:
    arm = ("shoulder_left", "elbow_left", "wrist_left")
    document = locked(here("wrist_left", joints=arm), here(LEFT), here(RIGHT))
    reached = pulled(document, "pelvis", (0.0, -0.1, 0.0))[-1]
    moved = {name.partition(".")[0] for name, value in pose(reached).items() if value}
    assert reached.outcome.report.state == "reached"
    assert all(mark.off < KEPT for mark in reached.snapshot.locks)
    assert set(arm[:2]) <= moved
    assert not moved & {"upper_spine", "middle_spine", "lower_spine", "collar_left"}


def test_what_nothing_brings_nearer_moves_nothing() -> None:
    document = locked(here("wrist_left", axes=("i", "j", "k")))
    goal = PositionGoal(spot=Spot(actor="me", joint="wrist_left"), target=(0.3, 1.4, 0.4))
    reached = asked((goal,), Reach(Evaluator()), document)
    assert reached.outcome.report.state != "reached"
    assert not reached.outcome.report.missed[0].reached
    assert not [value for value in pose(reached).values() if abs(value) > 1e-9]


def test_locks_that_contradict_each_other_miss_evenly_and_drags_go_on() -> None:
    near = here("wrist_right", id="near")
    far = replace(near, id="far", position=tuple(np.add(near.position, (0.0, 0.0, 0.04)).tolist()))
    answers = pulled(planted(near, far), "pelvis", (0.0, -0.05, -0.04))
    rows = []
    for reached in answers:
        marks = {mark.lock: mark for mark in reached.snapshot.locks}
        assert marks["near"].off == pytest.approx(0.02, abs=1e-5)
        assert marks["far"].off == pytest.approx(0.02, abs=1e-5)
        assert marks["near"].text == "missed by 20.0 mm"
        assert marks[LEFT].off < 1e-6
        assert pose(reached) == layered(reached)
        rows.append(list(pose(reached).values()))
    assert np.isfinite(rows).all()
    assert max(np.abs(np.subtract(b, a)).max() for a, b in pairwise(rows)) < 0.2, "steady, without leaps"


def test_a_lock_eased_in_is_followed_by_the_picture_and_the_pull_told_as_it_is_seen() -> None:
    away = tuple(np.add(here("wrist_right").position, (0.0, 0.2, 0.2)).tolist())
    half = here("wrist_right", position=away, span=Span(start=-1000, end=1000, ease_in=2000))
    reached = pulled(locked(half, here(LEFT)), "head", (0.0, -0.05, 0.05))[-1]
    place = stands(reached.snapshot.document, "head")
    assert reached.outcome.places[0] == pytest.approx(tuple(place), abs=1e-9)
    assert next(mark for mark in reached.snapshot.locks if mark.lock == LEFT).off < KEPT


def test_two_who_hold_hands_are_posed_by_one_edit() -> None:
    hands = Lock(
        id="hands", name="Hands", joint="wrist_left", target="you", target_joint="wrist_right", shared=True,
        point=(0.0, -0.08, 0.0), position=(0.0, -0.08, 0.0),
    )  # fmt: skip
    document = Document(actors=(replace(alone(), locks=(hands,)), alone("you", x=0.9)))
    answers = pulled(document, "wrist_left", (-0.1, 0.25, 0.2))
    for reached in answers:
        assert reached.outcome.report.state == "reached"
        assert reached.snapshot.locks[0].off < KEPT
        assert [pose(reached, id) == layered(reached, id) for id in ("me", "you")] == [True, True]
    assert answers[-1].edit.name == "pose_actors"
    assert any(abs(value) > 0.05 for value in pose(answers[-1], "you").values())


def test_other_methods_keep_locks_too() -> None:
    for solver in ("ccd", "dogleg", "transpose"):
        for reached in pulled(planted(), "wrist_left", (0.0, 0.1, 0.1), 5, method=Method(solver=solver)):
            assert all(mark.off < KEPT for mark in reached.snapshot.locks)
            assert pose(reached) == layered(reached)


def test_a_hand_pulled_straight_up_beyond_reach_moves_no_joint_far_in_one_move() -> None:
    """Angles leap at the pole of the shoulder (flexion against rotation by 34 degrees), but the body does not."""
    answers = pulled(locked(), "wrist_left", (0.0, 1.5, 0.0), 60)
    places = np.array([frames(each.snapshot.document)[:, :, 3] for each in answers])
    assert not answers[-1].outcome.report.missed[0].reached
    assert np.linalg.norm(np.diff(places, axis=0), axis=2).max() < 0.08, "each move is 25 mm"


def test_a_chain_ends_at_the_joint_that_is_named() -> None:
    terms = replace(Terms(), extent="joint")
    reached = pulled(locked(), "wrist_left", (0.05, 0.1, 0.2), terms=terms, chain_end="middle_spine")[-1]
    moved = {name.partition(".")[0] for name, value in pose(reached).items() if value}
    assert {"middle_spine", "upper_spine"} <= moved
    assert not moved & {"lower_spine", "pelvis"}
    with pytest.raises(InvalidDocument, match="between wrist_left and the root"):
        pulled(locked(), "wrist_left", (0.05, 0.1, 0.2), terms=terms, chain_end="ankle_left")


def test_every_kind_of_goal_is_told_by_what_the_picture_misses_of_it() -> None:
    head = Spot(actor="me", joint="head")
    frame = frames(locked())[HUMAN.joint_index["head"]]
    x, y, z = frame[:, 3].tolist()
    nod = about((1.0, 0.0, 0.0), 15.0)
    goals: tuple[Goal, ...] = (
        OrientationGoal(spot=head, target=nod, axes=("i", "j", "k")),
        PoseGoal(spot=head, position=(x, y - 0.02, z + 0.05), rotation=nod),
        PlaneGoal(spot=head, point=(x, y - 0.03, z), normal=(0.0, 2.0, 0.0)),
    )
    for goal in goals:
        reached = asked((goal,), Reach(Evaluator()), planted())
        assert reached.outcome.report.state == "reached"
        assert [each.turn for each in reached.outcome.report.missed] == (
            [True] if isinstance(goal, OrientationGoal) else [False, True] if isinstance(goal, PoseGoal) else [False]
        )
    neck = frozenset(dof.id for joint in ("neck", "head") for dof in HUMAN.joint(joint).dofs)
    back = OrientationGoal(spot=head, target=about((1.0, 0.0, 0.0), -170.0))
    far = asked((back,), Reach(Evaluator()), locked(), movable=neck)
    assert far.outcome.report.state != "reached"
    assert far.outcome.report.missed[0].text.endswith("\N{DEGREE SIGN}")
