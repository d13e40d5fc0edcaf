"""What a frame of a layered capture costs, from Python, with forward kinematics; and an edit of one key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import cycle

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from engine.document import Actor, Blob, Dof, Figure, Joint, Key, Layer, Samples, Span, Track
from engine.document.motion import TICKS_PER_SECOND
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.motion.changed import actor_changes
from engine.motion.motion import Motion, compile_motion
from tests.benchmarks.harness import Row, interleave, medians

NAME = "motion"

JOINTS, FRAMES, RATE = 31, 1200, (120, 1)
AXES = {"z": (0.0, 0.0, 1.0), "y": (0.0, 1.0, 0.0), "x": (1.0, 0.0, 0.0)}


def capture_figure() -> Figure:
    """Joints of three hinges, five to a chain, under a root that slides as well."""
    joints = []
    for index in range(JOINTS):
        dofs = tuple(Dof(id=f"j{index}.{name}", name=name, axis=axis) for name, axis in AXES.items())
        if index == 0:
            slides = tuple(Dof(id=f"p{name}", name=name, kind="slide", axis=axis) for name, axis in AXES.items())
            dofs = slides + dofs
        parent = None if index == 0 else "j0" if index % 5 == 1 else f"j{index - 1}"
        joints.append(Joint(id=f"j{index}", name=f"J{index}", parent=parent, offset=(0.0, 0.1, 0.02), dofs=dofs))
    return Figure(name="Capture", joints=tuple(joints))


def layers(figure: Figure) -> tuple[Layer, ...]:
    """A take, keys that replace a part of it for a while, and small keyed offsets on everything."""
    rng = np.random.default_rng(1)
    values = np.cumsum(0.02 * rng.normal(size=(FRAMES, len(figure.coordinates))), axis=0)
    take = Layer(id="take", samples=Samples(coordinates=figure.coordinates, values=Blob(values), rate=RATE))
    end = FRAMES * TICKS_PER_SECOND // RATE[0]

    def tracks(names: tuple[str, ...], count: int, scale: float) -> tuple[Track, ...]:
        times = np.linspace(0, end, count).astype(int).tolist()
        return tuple(
            Track(coordinate=name, keys=tuple(Key(time, float(scale * rng.normal())) for time in times))
            for name in names
        )

    second = TICKS_PER_SECOND
    span = Span(start=second, end=end - second, ease_in=second, ease_out=second)
    keyed = Layer(id="keyed", tracks=tracks(figure.coordinates[3:63], 12, 0.5), span=span)
    offsets = Layer(id="offsets", tracks=tracks(figure.coordinates, 20, 0.05), mode="add")
    return take, keyed, offsets


def frames(figure: Figure, motion: Motion) -> Callable[[], object]:
    """One frame after another: evaluation, then forward kinematics."""
    model = compile_model(figure)
    state, out, times = model.new_state(), np.empty((1, 3, len(figure.coordinates))), np.empty(1)
    ticks = cycle((np.arange(FRAMES) * (TICKS_PER_SECOND // RATE[0]) + 12345.0).tolist())

    def frame() -> None:
        times[0] = next(ticks)
        motion.evaluate(times, out)
        compute_forward_kinematics(model.ints, model.floats, out[0, 0], state)

    return frame


def edits(stack: tuple[Layer, ...]) -> Callable[[], tuple[Layer, ...]]:
    """One key of the offsets moved, as a drag does it; every call moves it elsewhere."""
    shifts = iter(np.linspace(0.0, 1.0, 1_000_000).tolist())

    def edit() -> tuple[Layer, ...]:
        first, *others = stack[2].tracks
        moved = replace(first, keys=(*first.keys[:9], replace(first.keys[9], value=next(shifts)), *first.keys[10:]))
        return (*stack[:2], replace(stack[2], tracks=(moved, *others)))

    return edit


def scipy_frame(stack: tuple[Layer, ...]) -> Callable[[], object]:
    """The peer: values, rates and accelerations of the samples alone."""
    samples = stack[0].samples
    assert samples is not None
    values = samples.values.array
    spline = CubicHermiteSpline(np.arange(FRAMES) / RATE[0], values, np.gradient(values, 1.0 / RATE[0], axis=0))
    derivatives = (spline, spline.derivative(), spline.derivative(2))
    moments = cycle((np.arange(FRAMES - 1) / RATE[0] + 1e-3).tolist())

    def frame() -> None:
        at = next(moments)
        for each in derivatives:
            each(at)

    return frame


def measure() -> Iterator[Row]:
    """The rows."""
    figure = capture_figure()
    stack = layers(figure)
    motion, edit = compile_motion(figure, stack), edits(stack)
    turned = (stack[0], *(replace(layer, quaternions=tuple(figure.joint_index)) for layer in stack[1:]))
    calls = {
        "layers": frames(figure, motion),
        "turned": frames(figure, compile_motion(figure, turned)),
        "scipy": scipy_frame(stack),
        "still": frames(figure, compile_motion(figure, ())),
    }
    actor = Actor(id="a", name="A", figure=figure, layers=stack)
    changes = {
        "edit": edit,
        "compile": lambda: compile_motion(figure, edit(), motion),
        "changed": lambda: actor_changes(actor, replace(actor, layers=edit())),
    }
    times, slow = medians(interleave(calls)), medians(interleave(changes, repeats=10))
    yield Row(
        what=f"a frame of {JOINTS} joints, three layers, with kinematics",
        measured=times["layers"] * 1e6,
        unit="us",
        asked="at most 50 us",
        peer="scipy, the samples alone",
        peer_measured=times["scipy"] * 1e6,
        allowed=3.0,
    )
    yield Row(what="the same, two layers as quaternions", measured=times["turned"] * 1e6, unit="us")
    yield Row(what="of it, kinematics and entering", measured=times["still"] * 1e6, unit="us")
    yield Row(what="compile after a moved key", measured=(slow["compile"] - slow["edit"]) * 1e6, unit="us")
    yield Row(what="which times it touched", measured=(slow["changed"] - slow["edit"]) * 1e6, unit="us")
