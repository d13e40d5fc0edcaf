"""`python -m tests.benchmarks.followed [SOLVER ...]`: the share of a drag over planted feet that each solver follows.

The pelvis, the head and a hand of the human are pulled in twenty moves. Beside the share [%]: the same where all goals
are led at once, and where the pull goes first and then the locks, and by how much a lock was missed at worst.
"""

from __future__ import annotations

import sys

import numpy as np

from engine.commands.reach import PullHandle, Reach
from engine.document import Document
from engine.document.segment import middle_of_segment
from engine.document.values import Vector3
from engine.evaluate.evaluator import Evaluator
from engine.ik.goals import PositionGoal, Spot
from engine.ik.methods import Method
from engine.ik.solvers import SOLVERS
from engine.maths.arrays import Array
from tests.benchmarks.posing import FEET, scene

MOVES = 20
PULLS: tuple[tuple[str, Vector3], ...] = (
    ("pelvis", (0.05, -0.15, -0.05)),
    ("pelvis", (0.0, -0.3, 0.0)),
    ("head", (0.0, -0.2, 0.3)),
    ("wrist_left", (0.1, 0.3, 0.3)),
    ("wrist_left", (0.0, -0.3, 0.6)),
)


def follow(document: Document, solver: str, joint: str, by: Vector3) -> tuple[float, float]:
    """The share of one drag that is followed [%], and by how much a lock was missed at worst."""
    evaluator, way = Evaluator(), np.array(by)
    reach, figure = Reach(evaluator), document.actor("me").figure
    spot, off = Spot(actor="me", joint=joint, point=middle_of_segment(figure, joint)), 0.0

    def place(of: Document) -> Array:
        frame = evaluator.joint_transforms(of, "me")[figure.joint_index[joint]]
        return np.asarray(frame[:, :3] @ spot.point + frame[:, 3])

    start, now = place(document), document
    for move in range(1, MOVES + 1):
        x, y, z = (start + move / MOVES * way).tolist()
        goal = PositionGoal(spot=spot, target=(x, y, z))
        request = PullHandle(drag="1", actor="me", goals=(goal,), method=Method(solver=solver))
        *_, reached = reach.answer(document, 0, request, skins=False)
        assert reached is not None
        now, off = (
            reached.snapshot.document,
            max([off, *(max(each.off, each.turned) for each in reached.snapshot.locks)]),
        )
    return 100.0 * (1.0 - float(np.linalg.norm(place(now) - start - way) / np.linalg.norm(way))), off


def main(names: list[str]) -> None:
    """Print a line for each solver."""
    document = scene(*FEET)
    for name in names or SOLVERS:
        solver, means, worst = SOLVERS[name], [], 0.0
        chosen = solver.weighs
        for solver.weighs in (chosen, True, False):
            shares, offs = zip(*(follow(document, name, joint, by) for joint, by in PULLS), strict=True)
            means.append(" ".join(f"{each:3.0f}" for each in shares) + f", mean {np.mean(shares):3.0f} %")
            worst = max(worst, *offs)
        solver.weighs = chosen
        print(f"{name}: {means[0]}; all at once {means[1]}; pull first {means[2]}; off {worst:.0e}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
