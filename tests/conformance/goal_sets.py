"""Random goal sets for the figures that come with the application: some that a pose reaches, some that none does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.document import Figure
from engine.ik.goals import Goal, PositionGoal, Spot
from engine.ik.levenberg import Levenberg
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.solver import Budget, new_work, solve
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics

ONE_START = Budget(iterations=500, milliseconds=60_000.0, starts=0)


@dataclass(frozen=True, eq=False)
class GoalSet:
    """A problem, the pose to start from, and whether the goals were taken from a pose within the limits."""

    problem: Problem
    start: Array
    reachable: bool


def random_pose(figure: Figure, chance: np.random.Generator) -> Array:
    """Anywhere within the limits, at most half a turn from zero; slides within a metre of the rest pose."""
    model = compile_model(figure)
    q = chance.uniform(np.maximum(model.lower, -np.pi), np.minimum(model.upper, np.pi))
    for dof in figure.dofs:
        place = [figure.coordinate_index[name] for name in dof.coordinates]
        if dof.kind == "ball":
            q[place] = chance.normal(size=4)
            q[place] /= np.linalg.norm(q[place])
        elif dof.kind == "slide":
            q[place] = np.clip(model.rest[place] + chance.uniform(-1.0, 1.0), model.lower[place], model.upper[place])
    return np.asarray(q)


def spot_at(figure: Figure, pose: Array, spot: Spot) -> tuple[Array, Array]:
    """Where a spot is [m], and how its body is turned (a matrix)."""
    model = compile_model(figure)
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, pose, state)
    frame = model.transforms(state)[figure.joint_index[spot.joint]]
    rotation = frame[:9].reshape(3, 3)
    return rotation @ np.array(spot.point) + frame[9:], rotation


def random_goal_set(figure: Figure, chance: np.random.Generator, *, reachable: bool) -> GoalSet:
    """Positions for some of the handles. What no pose reaches lies two to five reaches from where the figure begins,
    or, where the figure can follow, from the middle of its goals; every other time only a tenth to a half beyond."""
    spots = [Spot(actor="me", joint=each.joint, point=each.point) for each in figure.handles]
    chosen = [spots[each] for each in chance.permutation(len(spots))[: chance.integers(1, len(spots) + 1)]]
    free = any(dof.kind == "slide" for dof in figure.joints[0].dofs)
    if free and not reachable and len(chosen) < 2:
        chosen = spots[:2]
    pose = random_pose(figure, chance)
    places = np.array([spot_at(figure, pose, each)[0] for each in chosen])
    if not reachable:
        centre = places.mean(axis=0) if free else spot_at(figure, pose, Spot(actor="me", joint=figure.joints[0].id))[0]
        away = places - centre
        reach = sum(float(np.linalg.norm(each.offset)) for each in figure.joints[1:]) + 0.5
        beyond = (
            chance.uniform(2.0, 5.0) if chance.random() < 0.5 else chance.uniform(1.1, 1.5) / (2.0 if free else 1.0)
        )
        away *= (beyond * reach / np.maximum(np.linalg.norm(away, axis=1), 1e-3))[:, None]
        places = centre + away
    goals: list[Goal] = [
        PositionGoal(spot=each, target=(float(x), float(y), float(z)), weight=float(chance.choice([0.3, 1.0, 2.0])))
        for each, (x, y, z) in zip(chosen, places, strict=True)
    ]
    problem = compile_problem([Participant(actor="me", figure=figure)], goals)
    return GoalSet(problem=problem, start=random_pose(figure, chance), reachable=reachable)


def best_of_restarts(case: GoalSet, chance: np.random.Generator, count: int) -> float:
    """The least residual that so many random starts lead to."""
    solver, figure = Levenberg(), case.problem.participants[0].figure
    work = new_work(case.problem, solver)
    starts = (random_pose(figure, chance) for _ in range(count))
    return min(solve(case.problem, [each], solver, budget=ONE_START, work=work).report().residual for each in starts)
