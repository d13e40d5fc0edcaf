"""Ten thousand poses of the human in one call, against Pinocchio and MuJoCo called for each pose from Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.document import Figure
from engine.maths.arrays import Array, IntArray
from engine.model.batch import new_lanes, solve_poses
from engine.model.compile import Model, compile_model
from tests.benchmarks.harness import Row, interleave, medians
from tests.benchmarks.kinematics import poses
from tests.benchmarks.scenes import human

NAME = "batch"
COUNT = 10_000
ASKED = "at least 3x faster"
ALLOWED = 1.0 / 3.0


@dataclass(frozen=True, eq=False)
class Batch:
    """The poses and room for everything that is asked of them."""

    model: Model
    poses: Array
    joints: IntArray
    locals: Array
    transforms: Array
    points: Array
    jacobians: Array

    def part(self, first: int, last: int, *, handles: bool = True) -> Callable[[], None]:
        """Solve some of the poses, with or without the end-effectors."""
        model, count = self.model, len(self.joints) if handles else 0
        state, lanes, some = model.new_state(), new_lanes(model), slice(first, last)
        arrays = self.transforms[some], self.points[some, :count], self.jacobians[some, :count]
        given = model.ints, model.floats, self.poses[some], self.joints[:count], self.locals[:count]
        return lambda: solve_poses(*given, state, lanes, *arrays)


def new_batch(figure: Figure) -> Batch:
    """Random poses of a figure, its handles as end-effectors."""
    model, count = compile_model(figure), len(figure.handles)
    return Batch(
        model=model,
        poses=poses(figure, COUNT),
        joints=np.array([figure.joint_index[handle.joint] for handle in figure.handles], dtype=np.int32),
        locals=np.array([handle.point for handle in figure.handles]),
        transforms=np.zeros((COUNT, model.joint_count, 12)),
        points=np.zeros((COUNT, count, 3)),
        jacobians=np.zeros((COUNT, count, 6, model.rate_count)),
    )


def pinocchio_calls(figure: Figure, batch: Batch, *, merged: bool) -> tuple[Callable[[], None], Callable[[], None]]:
    """Kinematics alone, which stay in Pinocchio's own data; and the end-effectors written where ours are."""
    import pinocchio

    from tests.benchmarks.peers import pinocchio_model

    model, order = pinocchio_model(figure, merged=merged)
    kind, aligned = pinocchio.FrameType.OP_FRAME, pinocchio.LOCAL_WORLD_ALIGNED
    frames = [
        model.addFrame(pinocchio.Frame(f"end {joint}", order[joint], pinocchio.SE3(np.eye(3), local), kind))
        for joint, local in zip(batch.joints.tolist(), batch.locals, strict=True)
    ]
    data = model.createData()

    def kinematics() -> None:
        for q in batch.poses:
            pinocchio.forwardKinematics(model, data, q)

    def jacobians() -> None:
        for q, points, found in zip(batch.poses, batch.points, batch.jacobians, strict=True):
            pinocchio.computeJointJacobians(model, data, q)
            pinocchio.updateFramePlacements(model, data)
            for place, frame in enumerate(frames):
                found[place] = pinocchio.getFrameJacobian(model, data, frame, aligned)
                points[place] = data.oMf[frame].translation

    return kinematics, jacobians


def mujoco_calls(figure: Figure, batch: Batch) -> tuple[Callable[[], None], Callable[[], None]]:
    """The same by MuJoCo."""
    import mujoco

    from tests.benchmarks.peers import mujoco_model, mujoco_places

    model: Any = mujoco_model(figure)
    data, (bodies, coordinates, rates) = mujoco.MjData(model), mujoco_places(figure, model)
    assert coordinates == rates == list(range(model.nv))
    ends = [(bodies[joint], local) for joint, local in zip(batch.joints.tolist(), batch.locals, strict=True)]

    def kinematics() -> None:
        for q in batch.poses:
            data.qpos[:] = q
            mujoco.mj_kinematics(model, data)

    def jacobians() -> None:
        for q, points, found in zip(batch.poses, batch.points, batch.jacobians, strict=True):
            data.qpos[:] = q
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            for place, (body, local) in enumerate(ends):
                point = data.xpos[body] + data.xmat[body].reshape(3, 3) @ local
                mujoco.mj_jac(model, data, found[place, :3], found[place, 3:], point, body)
                points[place] = point

    return kinematics, jacobians


def measure() -> Iterator[Row]:
    """The rows. All write into the same arrays, so that each can be checked against what the one before left."""
    figure = human()
    batch = new_batch(figure)
    peers = {
        "pinocchio": pinocchio_calls(figure, batch, merged=False),
        "pinocchio merged": pinocchio_calls(figure, batch, merged=True),
        "mujoco": mujoco_calls(figure, batch),
    }
    halves = batch.part(0, COUNT // 2), batch.part(COUNT // 2, COUNT)
    with ThreadPoolExecutor(2) as pool:
        calls: dict[str, Callable[[], object]] = {
            "ours": batch.part(0, COUNT),
            "two cores": lambda: list(pool.map(lambda half: half(), halves)),
            "kinematics": batch.part(0, COUNT, handles=False),
        }
        check(batch, calls["ours"], {name: peer[1] for name, peer in peers.items() if name != "pinocchio merged"})
        for name, (kinematics, jacobians) in peers.items():
            calls[name] = jacobians
            calls[f"{name}: kinematics"] = kinematics
        times = {name: each / COUNT * 1e6 for name, each in medians(interleave(calls, rounds=5, repeats=1)).items()}
    for ours, what in (("ours", "kinematics and six Jacobians"), ("kinematics", "kinematics alone")):
        for peer in peers:
            yield Row(
                what=f"{COUNT:,} poses of the human, {what}, each",
                measured=times[ours],
                unit="us",
                asked=ASKED,
                peer=f"{peer}, looped",
                peer_measured=times[peer if ours == "ours" else f"{peer}: kinematics"],
                allowed=ALLOWED,
                note="" if ours == "ours" else "the peer's results are not read out, ours are",
            )
    yield Row(what="the same with Jacobians on two cores", measured=times["two cores"], unit="us")


def check(batch: Batch, ours: Callable[[], object], peers: dict[str, Callable[[], None]]) -> None:
    """The same points and Jacobians from each."""
    ours()
    points, jacobians = batch.points.copy(), batch.jacobians.copy()
    for peer in peers.values():
        batch.jacobians[:] = np.nan
        peer()
        assert np.abs(points - batch.points).max() < 1e-12
        assert np.abs(jacobians - batch.jacobians).max() < 1e-12
