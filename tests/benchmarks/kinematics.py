"""Forward kinematics of the human from Python, against Pinocchio and MuJoCo, and what entering a kernel costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from engine.document import Figure
from engine.maths.arrays import Array, IntArray
from engine.model.compile import compile_model
from engine.model.jacobian import compute_jacobians
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.jit import kernel
from tests.benchmarks.harness import Row, interleave, medians
from tests.benchmarks.scenes import human

NAME = "kinematics"


@kernel
def enter(ints: IntArray, floats: Array, q: Array, out_state: Array) -> None:
    """Nothing: what is left is the cost of entering with these four arrays."""


def poses(figure: Figure, count: int = 64) -> Array:
    """Random poses within the limits."""
    model = compile_model(figure)
    rng = np.random.default_rng(1)
    lower, upper = np.maximum(model.lower, -3.0), np.minimum(model.upper, 3.0)
    return rng.uniform(lower, upper, size=(count, len(lower)))


def cycle(call: Callable[[Array], object], samples: Array) -> Callable[[], None]:
    """One call for each sample."""

    def run() -> None:
        for q in samples:
            call(q)

    return run


def jacobians(figure: Figure, samples: Array) -> Iterator[Row]:
    """Kinematics and the six end-effectors' positions and Jacobians, the same outputs from both."""
    import pinocchio

    from tests.benchmarks.peers import pinocchio_model

    model = compile_model(figure)
    state, count = model.new_state(), len(figure.handles)
    joints = np.array([figure.joint_index[handle.joint] for handle in figure.handles], dtype=np.int32)
    locals_ = np.array([handle.point for handle in figure.handles])
    points, found = np.empty((count, 3)), np.empty((count, 6, model.rate_count))
    peer, order = pinocchio_model(figure)
    frames = [
        peer.addFrame(
            pinocchio.Frame(
                handle.id,
                order[joint],
                pinocchio.SE3(np.eye(3), np.array(handle.point)),
                pinocchio.FrameType.OP_FRAME,
            )
        )
        for handle, joint in zip(figure.handles, joints.tolist(), strict=True)
    ]
    data, aligned = peer.createData(), pinocchio.LOCAL_WORLD_ALIGNED

    def ours(q: Array) -> None:
        compute_forward_kinematics(model.ints, model.floats, q, state)
        compute_jacobians(model.ints, state, joints, locals_, points, found)

    def theirs(q: Array) -> list[Array]:
        pinocchio.computeJointJacobians(peer, data, q)
        pinocchio.updateFramePlacements(peer, data)
        return [pinocchio.getFrameJacobian(peer, data, frame, aligned) for frame in frames]

    for q in samples:
        ours(q)
        wanted = theirs(q)
        assert max(np.abs(found[each] - wanted[each]).max() for each in range(count)) < 1e-12
        places = np.array([data.oMf[frame].translation for frame in frames])
        assert np.abs(points - places).max() < 1e-12
    calls = {"ours": cycle(ours, samples), "pinocchio": cycle(theirs, samples)}
    times = {name: each / len(samples) * 1e6 for name, each in medians(interleave(calls, repeats=20)).items()}
    yield Row(
        what="kinematics and six end-effectors' Jacobians",
        measured=times["ours"],
        unit="us",
        asked="at most 1.0x",
        peer="pinocchio",
        peer_measured=times["pinocchio"],
        allowed=1.0,
    )


def measure() -> Iterator[Row]:
    """The rows."""
    import mujoco
    import pinocchio

    from tests.benchmarks.peers import mujoco_model, pinocchio_model

    figure = human()
    model, samples = compile_model(figure), poses(human())
    state = model.new_state()
    single, order = pinocchio_model(figure)
    merged, _ = pinocchio_model(figure, merged=True)
    data, merged_data = single.createData(), merged.createData()
    other = mujoco_model(figure)
    other_data = mujoco.MjData(other)

    def ours(q: Array) -> None:
        compute_forward_kinematics(model.ints, model.floats, q, state)

    def theirs(q: Array) -> None:
        other_data.qpos[:] = q
        mujoco.mj_kinematics(other, other_data)

    for q in samples:
        ours(q)
        pinocchio.forwardKinematics(single, data, q)
        found = model.transforms(state)[:, 9:]
        wanted = np.array([data.oMi[each].translation for each in order])
        assert np.abs(found - wanted).max() < 1e-12
    calls: dict[str, Callable[[], object]] = {
        "ours": cycle(ours, samples),
        "pinocchio": cycle(lambda q: pinocchio.forwardKinematics(single, data, q), samples),
        "pinocchio merged": cycle(lambda q: pinocchio.forwardKinematics(merged, merged_data, q), samples),
        "mujoco": cycle(theirs, samples),
        "enter": cycle(lambda q: enter(model.ints, model.floats, q, state), samples),
        "loop": cycle(lambda q: None, samples),
    }
    times = {name: each / len(samples) * 1e6 for name, each in medians(interleave(calls, repeats=20)).items()}
    for peer in ("pinocchio", "pinocchio merged", "mujoco"):
        yield Row(
            what=f"forward kinematics, {len(figure.coordinates)} degrees of freedom",
            measured=times["ours"],
            unit="us",
            asked="at most 5 us",
            peer=peer,
            peer_measured=times[peer],
            allowed=1.2,
        )
    yield from jacobians(figure, samples)
    yield Row(
        what="of it, entering the kernel", measured=times["enter"] - times["loop"], unit="us", asked="at most 0.5 us"
    )
