"""Retargeting on three pairs of figures: how far held feet slide and sink, and the time of a frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter

import numpy as np

from engine.commands.bring_in import bring_in
from engine.document import Figure
from engine.document.motion import TICKS_PER_SECOND
from engine.formats.figure_toml import load_figure
from engine.formats.motion_toml import load_motion
from engine.ik.retarget import Retargeting
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from tests.benchmarks.harness import Row
from tests.engine.shared_data import shared_folder

NAME = "retarget"

CLIP = "cmu_12_01_walk.bvh"


def tall_human() -> Figure:
    """A tenth larger, and with legs longer still."""
    human = load_figure("human")
    joints = []
    for joint in human.joints:
        factor = 1.1 * (1.15 if joint.group.lower().endswith("leg") else 1.0)
        x, y, z = joint.offset
        joints.append(replace(joint, offset=(factor * x, factor * y, factor * z)))
    return replace(human, name="Tall", joints=tuple(joints))


def pairs() -> Iterator[tuple[str, Retargeting]]:
    """The three pairs, the capture where it is here."""
    walk, path = load_motion("walk"), shared_folder() / "data" / "mocap" / "bvh" / CLIP
    assert walk.figure is not None
    for name, target in (
        ("our walk for a taller human", tall_human()),
        ("our walk for the stick", load_figure("stick")),
    ):
        end = 2 * TICKS_PER_SECOND
        yield name, Retargeting(walk.figure, walk.layers, target, rate=(60, 1), start=0, end=end)
    actor = bring_in(path).actor if path.exists() else None
    samples = None if actor is None else actor.layers[0].samples
    if actor is not None and actor.figure is not None and samples is not None:
        end = samples.time(samples.frame_count - 1)
        human = load_figure("human")
        yield (
            f"{CLIP} for the human",
            Retargeting(actor.figure, actor.layers, human, rate=samples.rate, start=samples.time(1), end=end),
        )


def slip(found: Retargeting, values: Array) -> tuple[float, float]:
    """How far held spots of feet slide and sink [m]."""
    model = compile_model(found.target)
    state, slide, sink = model.new_state(), 0.0, 0.0
    for contact in found.contacts:
        points = []
        for q in np.ascontiguousarray(values[contact.span[0] : contact.span[1] + 1]):
            compute_forward_kinematics(model.ints, model.floats, q, state)
            row = model.transforms(state)[found.target.joint_index[contact.spot.joint]]
            points.append(row[:9].reshape(3, 3) @ np.array(contact.spot.point) + row[9:])
        held = np.array(points)
        away = np.linalg.norm(held[:, None, ::2] - held[None, :, ::2], axis=2)
        slide, sink = max(slide, float(away.max())), max(sink, -float(held[:, 1].min()))
    return slide, sink


def measure() -> Iterator[Row]:
    """The rows."""
    for name, found in pairs():
        found.frame(0)
        began = perf_counter()
        values = np.array([found.frame(frame) for frame in range(found.frame_count)])
        each = (perf_counter() - began) / found.frame_count
        slide, sink = slip(found, values)
        note = (
            f"sinks {1e3 * sink:.2f} mm (asked: under 5); {1e3 * each:.2f} ms a frame, {len(found.contacts)} contacts"
        )
        yield Row(what=f"{name}: held feet slide", measured=1e3 * slide, unit="mm", asked="under 5 mm", note=note)
