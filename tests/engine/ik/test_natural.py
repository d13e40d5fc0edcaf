"""Natural posing: limbs laid exactly where their ends are, within limits, collars by the rhythm, and no way but one."""

from __future__ import annotations

import numpy as np
import pytest

from engine.formats.figure_toml import load_figure
from engine.ik import natural_limbs as at
from engine.ik.goals import Goal, PositionGoal, Spot
from engine.ik.levenberg import Levenberg
from engine.ik.natural import Natural, natural_stiffness, solve_naturally
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.solver import Budget
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import chain, turn
from engine.maths.triples import Rows
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from tests.engine.ik.figures import branching

HUMAN = load_figure("human")
MODEL = compile_model(HUMAN)
INDEX = HUMAN.coordinate_index
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
MINUS_X, MINUS_Y = (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0)


def frames(pose: Array) -> Array:
    """Transforms of the human's joints, rows of 12."""
    state = MODEL.new_state()
    compute_forward_kinematics(MODEL.ints, MODEL.floats, pose, state)
    return MODEL.transforms(state).copy()


def place(pose: Array, handle: str) -> Array:
    """Where a handle of the human is [m]."""
    found = next(each for each in HUMAN.handles if each.id == handle)
    row = frames(pose)[HUMAN.joint_index[found.joint]]
    return np.asarray(row[:9].reshape(3, 3) @ np.array(found.point) + row[9:])


def joint(pose: Array, id: str) -> Array:
    """Where a joint of the human is [m]."""
    return frames(pose)[HUMAN.joint_index[id], 9:]


def problem(pose: Array, *handles: str, movable: frozenset[str] | None = None, **moved: tuple[float, ...]) -> Problem:
    """Goals where handles are in a pose, some of them moved [m]."""
    goals: list[Goal] = []
    for id in handles:
        handle = next(each for each in HUMAN.handles if each.id == id)
        x, y, z = (place(pose, id) + moved.get(id, (0.0, 0.0, 0.0))).tolist()
        spot = Spot(actor="one", joint=handle.joint, point=handle.point)
        goals.append(PositionGoal(spot=spot, target=(x, y, z)))
    who = Participant(actor="one", figure=HUMAN, movable=movable, stiffness=natural_stiffness(HUMAN, 1.0))
    return compile_problem([who], goals)


def any_pose(seed: int) -> Array:
    """A pose well within the limits."""
    low, high = np.maximum(MODEL.lower, -1.0), np.minimum(MODEL.upper, 1.0)
    found: Array = low + (0.2 + 0.6 * np.random.default_rng(seed).random(len(low))) * (high - low)
    return found


ARM = frozenset(
    dof.id for name in ("collar", "shoulder", "elbow", "forearm", "wrist") for dof in HUMAN.joint(f"{name}_left").dofs
)


@pytest.mark.parametrize("seed", range(6))
def test_an_arm_is_swung_about_its_hand_and_stays_within_its_limits(seed: int) -> None:
    pose = any_pose(seed)
    found = problem(pose, "hand_left", movable=ARM)
    settled = found.scatter(Natural(found).settle(found.gather([pose]), 1.0), [pose])[0]
    moved = np.flatnonzero(settled != pose)
    assert {HUMAN.coordinates[each] for each in moved} <= ARM - {"forearm_left.pronation"}
    assert np.abs(settled - np.clip(settled, MODEL.lower, MODEL.upper)).max() == 0.0
    free = (settled > MODEL.lower + 1e-9) & (settled < MODEL.upper - 1e-9)
    hinges = [INDEX[dof.id] for name in ("shoulder_left", "elbow_left") for dof in HUMAN.joint(name).dofs]
    if free[hinges].all():
        assert place(settled, "hand_left") == pytest.approx(place(pose, "hand_left"), abs=2e-3)


def test_a_limb_that_is_laid_twice_lies_as_it_did() -> None:
    pose = MODEL.rest.copy()
    pose[INDEX["shoulder_left.flexion"]], pose[INDEX["elbow_left.flexion"]] = 0.6, 1.0
    found = problem(pose, "hand_left", movable=ARM)
    natural = Natural(found)
    once = found.gather([pose])
    for _ in range(40):  # the collar follows the arm, and the arm the collar
        once = natural.settle(once, 1.0)
    assert natural.settle(once, 1.0) == pytest.approx(once, abs=1e-6)
    assert natural.settle(found.gather([pose]), 0.0) == pytest.approx(found.gather([pose]), abs=1e-9)


@pytest.mark.parametrize(
    "axes", [((-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)), ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))]
)
def test_three_hinges_at_right_angles_take_any_rotation(axes: Rows) -> None:
    random = np.random.default_rng(1)
    for _ in range(20):
        rotation = _rotation(random)
        first, second, third = (tuple(row) for row in rotation.tolist())
        for other in (False, True):
            angles = np.array(at.find_angles(*axes, (first, second, third), other))
            made = chain(np.array(axes, dtype=float), angles[None])[0]
            assert np.abs(made - rotation).max() < 1e-9


def _rotation(random: np.random.Generator) -> Array:
    axis = random.normal(size=3)
    return np.asarray(turn(axis / np.linalg.norm(axis), random.uniform(-3.0, 3.0, size=1))[0])


def test_the_collar_follows_the_arm_by_the_published_rhythm() -> None:
    raised: list[float] = []
    for angle in (0.2, 0.8, 1.6):
        pose = MODEL.rest.copy()
        pose[INDEX["shoulder_left.abduction"]] = angle
        found = problem(pose, "hand_left", movable=ARM)
        settled = found.scatter(Natural(found).settle(found.gather([pose]), 1.0), [pose])[0]
        raised.append(float(settled[INDEX["collar_left.elevation"]]))
        arm = joint(pose, "elbow_left") - joint(pose, "shoulder_left")
        elevation = np.arccos(-arm[1] / np.linalg.norm(arm))
        assert raised[-1] == pytest.approx(at.ELEVATION * max(0.0, elevation - at.SETTING), abs=1e-9)
    assert raised[0] == 0.0 < raised[1] < raised[2]


def test_a_hand_raised_sideways_turns_the_shoulder_and_not_the_collar() -> None:
    rest = MODEL.rest
    found = problem(rest, "hand_left", movable=ARM, hand_left=(0.35, 0.7, 0.0))
    answer = solve_naturally(Natural(found), [rest], Levenberg(), 1.0, budget=Budget())
    pose = answer.poses[0]
    assert answer.state == "reached"
    assert pose[INDEX["collar_left.elevation"]] < np.radians(20.0)
    wanted = place(rest, "hand_left") + np.array((0.35, 0.7, 0.0))
    assert place(pose, "hand_left") == pytest.approx(wanted, abs=1.1e-3)


def test_a_crouch_keeps_its_feet_flat_until_the_ankles_are_at_their_limits() -> None:
    rest = MODEL.rest
    feet = ("foot_left", "foot_right")
    for depth, flat in ((-0.05, True), (-0.45, False)):
        found = problem(rest, "pelvis", *feet, pelvis=(0.0, depth, 0.0))
        answer = solve_naturally(Natural(found), [rest], Levenberg(), 1.0, budget=Budget())
        pose = answer.poses[0]
        forwards = frames(pose)[HUMAN.joint_index["ankle_left"], [2, 5, 8]]
        assert answer.state == "reached"
        assert bool(abs(forwards[1]) < 0.07) is flat
        knee = joint(pose, "knee_left") - joint(pose, "hip_left")
        assert knee[2] > 0.1
        assert abs(knee[0]) < 0.1


def test_nothing_is_laid_where_something_between_is_held_or_the_figure_is_no_body() -> None:
    rest = MODEL.rest
    spot = Spot(actor="one", joint="elbow_left")
    held = PositionGoal(spot=spot, target=(0.3, 1.1, 0.0))
    who = Participant(actor="one", figure=HUMAN, movable=ARM)
    hand = problem(rest, "hand_left", movable=ARM).goals
    assert Natural(compile_problem([who], hand))
    assert not Natural(compile_problem([who], [held, *hand]))
    assert not Natural(
        compile_problem([Participant(actor="one", figure=HUMAN, movable=ARM - {"elbow_left.flexion"})], hand)
    )
    tree = branching()
    goal = PositionGoal(spot=Spot(actor="one", joint=tree.joints[-1].id), target=(0.0, 1.0, 0.0))
    assert not Natural(compile_problem([Participant(actor="one", figure=tree)], [goal]))
