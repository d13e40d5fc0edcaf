"""Every shared clip on the human and on the MakeHuman rig: slide and sink of held feet, limits, speed of joints.

The speed of a joint is that of its turn against the joint above it; the fastest of the joints that follow one, in the
whole clip, is compared with the fastest of those that they follow.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.commands.bring_in import bring_in
from engine.document import Dof, Figure, Joint
from engine.formats.figure_toml import load_figure
from engine.ik.retarget import Retargeting
from engine.maths.arrays import Array
from engine.maths.quaternions import AXES
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.motion.motion import compile_motion
from engine.motion.resample import frame_ticks
from engine.motion.sides import pair_sides
from tests.benchmarks.harness import Row
from tests.benchmarks.retarget import slip
from tests.engine.shared_data import shared_folder

NAME = "retargeting"

CLIPS = (
    "bvh/cmu_12_01_walk.bvh",
    "bvh/cmu_01_01_forward_jumps.bvh",
    "bvh/cmu_jumping_jacks_30fps.bvh",
    "bvh/fair1_jumping.bvh",
    "bvh/fair1_wave_hello.bvh",
    "bvh/rokoko_dance.bvh",
    "asfamc/cmu_01_01_forward_jumps.amc",
    "asfamc/cmu_lambada.amc",
    "asfamc/cmu_charleston1.amc",
)
RIG = "rig.default.json"


def makehuman(path: Path) -> Figure:
    """The rig as a figure: joints where its bones begin, each free to turn, feet on the floor."""
    bones = json.loads(path.read_text())
    bones = bones.get("bones", bones)
    heads = {id: np.array(bone["head"]["default_position"])[[0, 2, 1]] * (1, 1, -1) for id, bone in bones.items()}
    lowest = min(float(place[1]) for place in heads.values())
    span = max(float(place[1]) for place in heads.values()) - lowest
    size = 1.6 / span if span > 3.0 or span < 0.8 else 1.0
    order: list[str] = []
    waiting = [id for id, bone in bones.items() if not bone["parent"]]
    while waiting:
        order.append(waiting.pop(0))
        waiting += [id for id, bone in bones.items() if bone["parent"] == order[-1]]
    joints = []
    for id in order:
        parent = bones[id]["parent"] or None
        x, y, z = ((heads[id] - (heads[parent] if parent else (0.0, lowest - 0.02, 0.0))) * size).tolist()
        letters = zip("xyz", AXES, strict=True)
        slides = [] if parent else [Dof(id=f"{id}.t{a}", name=a, kind="slide", axis=axis) for a, axis in letters]
        turns = [Dof(id=f"{id}.r{a}", name=a, axis=axis) for a, axis in zip("xyz", AXES, strict=True)]
        joints.append(Joint(id=id, name=id, parent=parent, offset=(x, y, z), dofs=(*slides, *turns)))
    return pair_sides(Figure(name="MakeHuman", joints=tuple(joints)))


def fastest(figure: Figure, values: Array, joints: set[str], rate: float) -> tuple[float, str]:
    """The fastest turn of one of the joints against the one above it [rad/s], and whose."""
    model = compile_model(figure)
    state, rows = model.new_state(), []
    for q in np.ascontiguousarray(values):
        compute_forward_kinematics(model.ints, model.floats, q, state)
        rows.append(model.transforms(state)[:, :9].copy())
    turns = np.array(rows).reshape(len(rows), -1, 3, 3)
    worst = (0.0, "")
    for joint in figure.joints:
        if joint.id in joints:
            own = turns[:, figure.joint_index[joint.id]]
            above = np.eye(3) if joint.parent is None else turns[:, figure.joint_index[joint.parent]]
            local = np.swapaxes(np.broadcast_to(above, own.shape), 1, 2) @ own
            step = np.swapaxes(local[:-1], 1, 2) @ local[1:]
            cosine = (np.trace(step, axis1=1, axis2=2) - 1.0) / 2.0
            speed = float(np.arccos(np.clip(cosine, -1.0, 1.0)).max(initial=0.0)) * rate
            worst = max(worst, (speed, joint.id))
    return worst


def past_limits(figure: Figure, values: Array) -> float:
    """The most that a coordinate is outside of its ends, where no other limit holds instead [rad or m]."""
    index, over = figure.coordinate_index, 0.0
    held = {id for limit in figure.limits_on for id in limit.dofs} if figure.limits_on else set()
    for dof in figure.dofs:
        if dof.id in index and dof.id not in held:
            column = values[:, index[dof.id]]
            over = max(over, 0.0 if dof.lower is None else dof.lower - float(column.min()))
            over = max(over, 0.0 if dof.upper is None else float(column.max()) - dof.upper)
    return over


def tried(clip: Path, target: Figure, first: int) -> Iterator[Row]:
    """The row of one clip on one figure."""
    actor = bring_in(clip).actor
    assert actor is not None
    samples = actor.layers[0].samples
    assert samples is not None
    rate, start, end = samples.rate, samples.time(first), samples.time(samples.frame_count - 1)
    found = Retargeting(actor.figure, actor.layers, target, rate=rate, start=start, end=end)
    values = np.array([found.frame(frame) for frame in range(found.frame_count)])
    slide, sink = slip(found, values)
    hertz, pairs = rate[0] / rate[1], found.joints.pairs
    poses = compile_motion(actor.figure, actor.layers).at(frame_ticks(rate, start, end))[:, 0]
    theirs, whose = fastest(actor.figure, poses, {a for a, _ in pairs}, hertz)
    ours, whom = fastest(target, values, {b for _, b in pairs}, hertz)
    note = (
        f"sinks {1e3 * sink:.2f} mm; past limits {past_limits(target, values):.1e}; speed {ours / theirs:.2f} of the "
        f"clip's, at most 1.5 ({whom} {ours:.1f} rad/s, {whose} {theirs:.1f}); {len(found.contacts)} contacts"
    )
    yield Row(what=f"{clip.stem} for {target.name}: slide", measured=1e3 * slide, unit="mm", asked="< 5 mm", note=note)


def measure() -> Iterator[Row]:
    """The rows, of the clips that are here."""
    folder = shared_folder() / "data"
    rig = folder / "human" / "makehuman" / RIG
    targets = [load_figure("human"), *([makehuman(rig)] if rig.exists() else [])]
    for name in CLIPS:
        path = folder / "mocap" / name
        if path.exists():
            for target in targets:
                yield from tried(path, target, 1)
