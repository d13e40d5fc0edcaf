"""Other solvers of inverse kinematics, each led to the goals of `tests.benchmarks.reacher` as its makers mean it.

All start from the pose that is given, stop where every goal is within the tolerance, and keep the limits. Left out:
placo, which asks for an older Pinocchio than the one beside it here; PyBullet and PyRoki, which took 9 to 48 ms and 2
to 14 ms a solve where they were measured once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.document import Figure
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from tests.benchmarks.peers import mujoco_spec, pinocchio_model
from tests.benchmarks.reacher import SPOTS

Peer = Callable[[Array, Array], Array]
TOLERANCE = 0.01  # [m]
ITERATIONS = 100


def pinocchio_loop(figure: Figure) -> Peer:
    """Damped least squares on Pinocchio's kinematics and Jacobians, limits by one pass of an active set."""
    import pinocchio
    from scipy.linalg import cho_factor, cho_solve

    model, order = pinocchio_model(figure)
    data, aligned = model.createData(), pinocchio.LOCAL_WORLD_ALIGNED
    own = compile_model(figure)
    frames = [
        model.addFrame(
            pinocchio.Frame(
                name,
                order[figure.joint_index[spot.joint]],
                pinocchio.SE3(np.eye(3), np.array(spot.point)),
                pinocchio.FrameType.OP_FRAME,
            )
        )
        for name, spot in SPOTS.items()
    ]
    data = model.createData()
    jacobian = np.empty((3 * len(frames), len(own.rest)))

    def step(columns: Array, error: Array, damping: float) -> Array:
        factor = cho_factor(columns @ columns.T + damping * np.eye(len(error)), check_finite=False, overwrite_a=True)
        return np.asarray(columns.T @ cho_solve(factor, error, check_finite=False))

    def solve(pose: Array, targets: Array) -> Array:
        q = pose.copy()
        for _ in range(ITERATIONS):
            pinocchio.computeJointJacobians(model, data, q)
            pinocchio.updateFramePlacements(model, data)
            error = np.concatenate([targets[each] - data.oMf[frame].translation for each, frame in enumerate(frames)])
            if (error.reshape(-1, 3) ** 2).sum(axis=1).max() <= TOLERANCE**2:
                break
            for each, frame in enumerate(frames):
                jacobian[3 * each : 3 * each + 3] = pinocchio.getFrameJacobian(model, data, frame, aligned)[:3]
            damping = 0.05 * float(error @ error) + 1e-6
            change = step(jacobian, error, damping)
            fixed = (q + change < own.lower) | (q + change > own.upper)
            if fixed.any():
                stopped = np.clip(q + change, own.lower, own.upper) - q
                free = ~fixed
                change[fixed] = stopped[fixed]
                change[free] = step(jacobian[:, free], error - jacobian[:, fixed] @ stopped[fixed], damping)
            q = np.clip(q + change, own.lower, own.upper)
        return q

    return solve


def mink_with_daqp(figure: Figure) -> Peer:
    """mink's frame tasks and limits, its quadratic programs solved by DAQP."""
    import mink

    spec = mujoco_spec(figure)
    spec.compiler.degree = False
    bodies = {body.name: body for body in spec.bodies}
    for name, spot in SPOTS.items():
        bodies[spot.joint].add_site(name=name, pos=spot.point)
    own = compile_model(figure)
    for joint in spec.joints:
        place = figure.coordinate_index[joint.name]
        joint.range, joint.limited = (own.lower[place], own.upper[place]), 1
    model = spec.compile()
    configuration = mink.Configuration(model)
    tasks = [
        mink.FrameTask(frame_name=name, frame_type="site", position_cost=1.0, orientation_cost=0.0, lm_damping=1e-3)
        for name in SPOTS
    ]
    limits: list[Any] = [mink.ConfigurationLimit(model, gain=1.0)]

    def solve(pose: Array, targets: Array) -> Array:
        configuration.update(pose)
        for _ in range(ITERATIONS):
            missed = 0.0
            for name, task, target in zip(SPOTS, tasks, targets, strict=True):
                # A difference in rotation would bend the difference in position (SE(3) logarithm), so there is none.
                now = configuration.get_transform_frame_to_world(name, "site")
                missed = max(missed, float(np.sum((now.translation() - target) ** 2)))
                task.set_target(mink.SE3.from_rotation_and_translation(now.rotation(), target))
            if missed <= TOLERANCE**2:
                break
            velocity = mink.solve_ik(configuration, tasks, 1.0, "daqp", damping=1e-6, limits=limits)
            configuration.integrate_inplace(velocity, 1.0)
        return np.array(configuration.q)

    return solve


PEERS: dict[str, Callable[[Figure], Peer]] = {"pinocchio": pinocchio_loop, "mink": mink_with_daqp}
