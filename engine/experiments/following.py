"""A figure whose hands, feet, head and pelvis are led along a motion, each frame from the answer to the one before."""

from __future__ import annotations

from dataclasses import replace
from time import thread_time

import numpy as np

from engine.document import Figure
from engine.experiments.methods import unhurried
from engine.experiments.reference import ACTOR, ReferenceMotion, place_spots
from engine.ik.goals import Spot
from engine.ik.problem import Preference
from engine.ik.solver import new_work, solve
from engine.ik.solvers import SOLVERS
from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass

TOLERANCE = 0.01  # [m]
ELBOW = "elbow_right"
METHODS = {
    "gradient": "Projected gradient, Armijo",
    "levenberg": "Levenberg-Marquardt",
    "comfort": "Levenberg-Marquardt, drawn to the middle of the limits",
}
_ITERATIONS = 250
_COMFORT = Preference(comfort=1.0)


@dataclass(frozen=True, eq=False)
class Followed:
    """Results of following, frame by frame."""

    poses: Array  # shape [frame_count, coordinate_count]
    elbow_errors: Array  # how far the right elbow is from where it was [m]
    states: tuple[str, ...]
    evaluations: Array
    seconds: Array  # processor time
    acceleration: float  # root mean square over the hinges [rad/s2]

    @property
    def reached(self) -> float:
        """Share of the frames whose goals were all met."""
        return float(np.mean([state == "reached" for state in self.states]))


def follow(reference: ReferenceMotion, figure: Figure, method: str, elbow: str = ELBOW) -> Followed:
    """Lead a figure, which is that of the reference with other limits."""
    preference = _COMFORT if method == "comfort" else Preference()
    problem = replace(reference, figure=figure).problem(TOLERANCE, preference=preference)
    solver = SOLVERS["levenberg" if method == "comfort" else method]()
    work, budget = new_work(problem, solver), unhurried(_ITERATIONS)
    poses, states, evaluations, seconds = [reference.poses[0]], list[str](), list[int](), list[float]()
    for targets in reference.targets:
        problem.set_targets(targets)
        began = thread_time()
        answer = solve(problem, [poses[-1]], solver, budget=budget, work=work)
        seconds.append(thread_time() - began)
        poses.append(answer.poses[0])
        states.append(answer.state)
        evaluations.append(answer.evaluations)
    found = np.array(poses[1:])
    spots = [Spot(actor=ACTOR, joint=elbow)]
    apart = place_spots(figure, found, spots)[:, 0] - place_spots(figure, reference.poses, spots)[:, 0]
    hinges = [dof.kind == "hinge" for dof in figure.dofs]
    bends = np.diff(found[:, hinges], 2, axis=0) * reference.rate**2
    return Followed(
        poses=found,
        elbow_errors=np.linalg.norm(apart, axis=1),
        states=tuple(states),
        evaluations=np.array(evaluations),
        seconds=np.array(seconds),
        acceleration=float(np.sqrt(np.mean(bends**2))),
    )
