"""Figures and demands drawn at random: derivatives against differences, physics of what is found played back."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document.figure import Body, Figure, Joint
from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.spacetime.figures import Limb, PlanarFigure
from engine.spacetime.playback import play_back
from engine.spacetime.problem import (
    JointMuscle,
    MotionProblem,
    MotionStage,
    Representation,
    demand_rate,
    demand_value,
)
from engine.spacetime.program import MotionProgram
from engine.spacetime.search import MotionSearch
from engine.spacetime.spatial.between import spatial_between
from engine.spacetime.spatial.playback import played_off
from engine.spacetime.spatial.program import SpatialProgram
from engine.spacetime.spatial.search import SpatialSearch
from engine.spacetime.spatial.tree import SpatialFigure, spatial_figure
from tests.drawn import given, settings, st
from tests.engine.optimise.small_programs import worst_derivative
from tests.engine.spacetime.spatial_figures import FREE, X, Y, Z, hinge, slide

pytestmark = pytest.mark.deep

SEEDS = st.integers(0, 10_000)
AXES: tuple[Vector3, ...] = (X, Y, Z, (0.6, 0.0, 0.8), (0.0, 0.8, -0.6))
HAT, HELD = Representation(kind="hat"), 1e-8
LENGTH = 0.5  # [s]


def vector(random: np.random.Generator, size: float) -> Vector3:
    x, y, z = (float(each) for each in size * random.normal(size=3))
    return x, y, z


def drawn_figure(random: np.random.Generator, joints: int) -> Figure:
    """A free root with a tree of hinges behind it."""
    slides = tuple(slide(name, axis) for name, axis in zip(FREE[:3], (X, Y, Z), strict=True))
    turns = tuple(hinge(name, axis) for name, axis in zip(FREE[3:], (Y, X, Z), strict=True))
    made = [Joint(id="root", name="Root", dofs=(*slides, *turns), body=drawn_body(random, 3.0))]
    for number in range(joints):
        name, parent = f"part_{number}", made[int(random.integers(len(made)))].id
        axes = random.permutation(len(AXES))[: random.integers(1, 3)].tolist()
        own = tuple(hinge(f"{name}.{axis}", AXES[axis], 2.5) for axis in axes)
        made.append(
            Joint(id=name, name=name, parent=parent, offset=vector(random, 0.2), dofs=own, body=drawn_body(random, 1.0))
        )
    return Figure(name="Drawn", joints=tuple(made))


def drawn_body(random: np.random.Generator, most: float) -> Body:
    mass, (x, y, z) = float(random.uniform(0.3, most)), random.uniform(0.08, 0.2, size=3).tolist()
    inertia = (mass * (y * y + z * z), mass * (x * x + z * z), mass * (x * x + y * y), 0.0, 0.0, 0.0)
    return Body(mass=mass, centre=vector(random, 0.1), inertia=inertia)


def drawn_pose(random: np.random.Generator, figure: SpatialFigure) -> dict[str, float]:
    return {name: float(random.uniform(-0.6, 0.6)) for name in figure.coordinates if name not in FREE[:3]}


@settings(max_examples=4)
@given(SEEDS)
def test_derivatives_of_drawn_figures_in_space_are_those_of_differences(seed: int) -> None:
    random = np.random.default_rng(seed)
    figure = spatial_figure(drawn_figure(random, 3))
    problem = spatial_between(figure, {}, drawn_pose(random, figure), LENGTH, pieces=2)
    program = SpatialProgram(problem)
    shape = program.shape
    x = np.where(shape.free, 0.5 * random.normal(size=len(shape.lower)), shape.lower)
    multipliers = random.normal(size=len(shape.constraint_lower))
    assert worst_derivative(program, x, multipliers) < 1e-5


@settings(max_examples=4)
@given(SEEDS)
def test_drawn_figures_in_space_do_by_their_torques_what_was_found(seed: int) -> None:
    random = np.random.default_rng(seed)
    figure = spatial_figure(drawn_figure(random, int(random.integers(1, 4))))
    begin, end = drawn_pose(random, figure), drawn_pose(random, figure)
    found = SpatialSearch(spatial_between(figure, begin, end, LENGTH, pieces=10)).find()
    assert found.report.solved, str(found.report)
    assert found.report.last.violation <= HELD
    assert found.motion.coordinates(LENGTH) == pytest.approx(figure.at(end), abs=1e-6)
    assert played_off(found.motion, 0, 100) < 0.03


def drawn_chain(random: np.random.Generator) -> PlanarFigure:
    limbs, names = [Limb(name="trunk", mass=1.0, centre=(0.1, 0.0), gyration=0.15)], ["trunk"]
    for number in range(int(random.integers(1, 4))):
        parent, (x, y, p, q) = names[int(random.integers(len(names)))], random.uniform(-0.4, 0.4, size=4).tolist()
        mass, gyration = (float(random.uniform(*ends)) for ends in ((0.2, 1.5), (0.05, 0.3)))
        name = f"limb_{number}"
        limbs.append(Limb(name=name, parent=parent, joint=(x, y), mass=mass, centre=(p, q), gyration=gyration))
        names.append(name)
    return PlanarFigure(tuple(limbs))


def planar_problem(random: np.random.Generator, pieces: int) -> MotionProblem:
    """A drawn figure, nailed at its root, from rest to rest."""
    figure, nailed = drawn_chain(random), Representation(kind="constant")
    moved = [limb.name for limb in figure.limbs[1:]]
    demands = [
        demand
        for name in moved
        for at, value in ((0.0, 0.0), (1.0, float(random.uniform(-1.0, 1.0))))
        for demand in (demand_value("move", name, value, at=at), demand_rate("move", name, 0.0, at=at))
    ]
    stage = MotionStage(
        name="move", pieces=pieces, length=LENGTH, coordinates=dict.fromkeys(figure.coordinates[:3], nailed),
        muscles=dict.fromkeys(moved, HAT),
    )  # fmt: skip
    muscles = tuple(JointMuscle(limb=name) for name in moved)
    return MotionProblem(figure=figure, stages=(stage,), demands=tuple(demands), muscles=muscles)


@settings(max_examples=6)
@given(SEEDS)
def test_derivatives_of_drawn_figures_in_a_plane_are_those_of_differences(seed: int) -> None:
    random = np.random.default_rng(seed)
    program = MotionProgram(planar_problem(random, 2))
    shape = program.shape
    x = np.where(shape.free, 0.7 * random.normal(size=len(shape.lower)), shape.lower)
    multipliers = random.normal(size=len(shape.constraint_lower))
    assert worst_derivative(program, x, multipliers) < 1e-5


@settings(max_examples=6)
@given(SEEDS)
def test_drawn_figures_in_a_plane_do_by_their_torques_what_was_found(seed: int) -> None:
    found = MotionSearch(planar_problem(np.random.default_rng(seed), 12)).find()
    assert found.report.solved, str(found.report)
    played = play_back(found.motion, 0, 200)
    planned: Array = np.array([found.motion.coordinates(time) for time in played.times])
    assert np.abs(planned - played.q).max() < 0.02 * max(1.0, np.ptp(planned, axis=0).max())
