"""Inverse kinematics: 71 degrees of freedom, six goals within 10 mm, each solve from its own last pose, one core."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from engine.document import Figure
from engine.ik.goals import PositionGoal
from engine.ik.levenberg import Levenberg
from engine.ik.problem import Participant, compile_problem
from engine.ik.solver import new_work
from engine.ik.solver import solve as solve_goals
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from tests.benchmarks.harness import Row, percentile
from tests.benchmarks.ik_peers import PEERS, TOLERANCE, Peer
from tests.benchmarks.reacher import ACTOR, SPOTS, move, reacher

NAME = "ik"
SEEDS, FRAMES = range(101, 121), 50
ASKED = {0.05: 0.04, 0.7: 0.12, 1.0: 0.15}  # seconds between goals; median asked [ms]
AIMED = {0.05: 0.01, 0.7: 0.03, 1.0: 0.06}


@dataclass
class Record:
    """What one solver did."""

    seconds: list[float] = field(default_factory=list)
    reached: int = 0
    violation: float = 0.0  # [rad] or [m]
    accelerations: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """[ms]"""
        return 1e3 * percentile(self.seconds, 0.5)

    @property
    def acceleration(self) -> float:
        """Root mean square over joints, frames and seeds [rad/s2]."""
        return float(np.sqrt(np.mean(np.square(self.accelerations))))


class Spots:
    """Where the six spots are in a pose."""

    def __init__(self, figure: Figure) -> None:
        self.model = compile_model(figure)
        self.state = self.model.new_state()
        self.joints = [figure.joint_index[spot.joint] for spot in SPOTS.values()]
        self.points = [np.array(spot.point) for spot in SPOTS.values()]

    def at(self, q: Array) -> Array:
        """World positions [m], shape [6, 3]."""
        compute_forward_kinematics(self.model.ints, self.model.floats, q, self.state)
        rows = self.model.transforms(self.state)[self.joints]
        return np.array([row[:9].reshape(3, 3) @ point + row[9:] for row, point in zip(rows, self.points, strict=True)])


def ours(figure: Figure) -> Peer:
    """`solve` with the default solver and budget, from Python."""
    goals = [PositionGoal(spot=spot, target=(0.0, 0.0, 0.0)) for spot in SPOTS.values()]
    problem = compile_problem([Participant(actor=ACTOR, figure=figure)], goals, tolerance=TOLERANCE)
    solver = Levenberg()
    work = new_work(problem, solver)

    def solve(pose: Array, targets: Array) -> Array:
        problem.set_targets(targets)
        return solve_goals(problem, [pose], solver, work=work).poses[0]

    return solve


def play(figure: Figure, solvers: dict[str, Peer], spacing: float) -> tuple[dict[str, Record], float]:
    """All solvers in turn over the goals of each seed; the acceleration of the true motion beside them."""
    spots, model = Spots(figure), compile_model(figure)
    records = {name: Record() for name in solvers}
    true = Record()
    for seed in SEEDS:
        motion = move(figure, np.linspace(0.0, FRAMES * spacing, FRAMES + 1), seed)
        goals = [spots.at(q) for q in motion]
        poses = {name: [motion[0]] for name in solvers}
        for name, solve in solvers.items():
            record, path = records[name], poses[name]
            for targets in goals[1:]:
                began = perf_counter()
                path.append(solve(path[-1], targets))
                record.seconds.append(perf_counter() - began)
            for q, targets in zip(path[1:], goals[1:], strict=True):
                missed = np.linalg.norm(spots.at(q) - targets, axis=1).max()
                record.reached += bool(missed <= TOLERANCE * (1.0 + 1e-9))
                over = np.maximum(model.lower - q, q - model.upper).max()
                record.violation = max(record.violation, float(over))
        for record, path in ((true, list(motion)), *((records[name], poses[name]) for name in solvers)):
            record.accelerations.append(float(np.sqrt(np.mean((np.diff(path, 2, axis=0) / spacing**2) ** 2))))
    return records, true.acceleration


def measure() -> Iterator[Row]:
    """The rows."""
    figure = reacher()
    solvers = {"ours": ours(figure)}
    for name, make in PEERS.items():
        solvers[name] = make(figure)
    spots = Spots(figure)
    first, second = move(figure, np.array([0.0, 0.7]), 1)
    for solve in solvers.values():
        solve(first, spots.at(second))
    for spacing in ASKED:
        records, true = play(figure, solvers, spacing)
        yield from rows(spacing, records, true)


def rows(spacing: float, records: dict[str, Record], true: float) -> Iterator[Row]:
    """What is asked at one spacing."""
    own = records["ours"]
    peers = {name: record for name, record in records.items() if name != "ours"}
    fastest = min(peers, key=lambda name: peers[name].median)
    what, count = f"six goals every {spacing} s", len(own.seconds)
    times = ", ".join(f"{name} {record.median:.3g} ms" for name, record in peers.items())
    yield Row(
        what=f"{what}: median",
        measured=own.median,
        unit="ms",
        asked=f"at most {ASKED[spacing]} ms, aim {AIMED[spacing]}",
        peer=fastest,
        peer_measured=peers[fastest].median,
        allowed=1.0 / 3.0,
        note=times,
    )
    yield Row(
        what=f"{what}: 95th percentile",
        measured=1e3 * percentile(own.seconds, 0.95),
        unit="ms",
        peer="median",
        peer_measured=own.median,
        allowed=4.0,
    )
    shares = ", ".join(f"{name} {100 * record.reached / count:.1f}%" for name, record in records.items())
    yield Row(
        what=f"{what}: goals for each one reached",
        measured=count / max(1, own.reached),
        unit="",
        asked="all reached",
        peer="all of them",
        peer_measured=1.0,
        allowed=1.0,
        note=shares,
    )
    yield Row(
        what=f"{what}: limits passed by",
        measured=max(0.0, own.violation),
        unit="rad",
        asked="at most 1e-9",
        peer="allowed",
        peer_measured=1e-9,
        allowed=1.0,
        note=", ".join(f"{name} {max(0.0, record.violation):.1g}" for name, record in peers.items()),
    )
    if spacing == min(ASKED):
        yield Row(
            what=f"{what}: joint acceleration",
            measured=own.acceleration,
            unit="rad/s2",
            asked="at most 1.5",
            peer="true motion",
            peer_measured=true,
            allowed=1.5 / 0.93,
            note=", ".join(f"{name} {record.acceleration:.2g}" for name, record in peers.items()),
        )
