"""Compiles this room's kernels by evaluating one motion of every kind with the types that the application uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engine.document import (
    Bell,
    Blob,
    Correction,
    Dof,
    Figure,
    Joint,
    Key,
    Layer,
    Samples,
    SpeedRange,
    Term,
    Track,
)
from engine.model.batch import solve_transforms
from engine.model.compile import compile_model
from engine.motion.bells import bell_motion
from engine.motion.cleanup import find_spikes, low_pass
from engine.motion.curves import evaluate_track
from engine.motion.layers import compile_layer
from engine.motion.motion import compile_motion
from engine.motion.reduce import fit_track
from engine.motion.unwrap import unwrap_values
from engine.runtime.progress import finish

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
HINGES = tuple(Dof(id=name, name=name, axis=axis) for name, axis in AXES.items())
ROOT = Joint(id="root", name="Root", dofs=(Dof(id="ball", name="Ball", kind="ball"),))
FIGURE = Figure(name="Warm", joints=(ROOT, Joint(id="joint", name="Joint", parent="root", dofs=HINGES)))
TRACKS = tuple(Track(coordinate=name, keys=(Key(0, 0.0), Key(9, 0.5))) for name in AXES)
SPEED = SpeedRange(start=0, end=9, coordinates=("x",), keys=(Key(0, 0.0), Key(9, 1.0)))
JOINED = Layer(id="keyed", tracks=TRACKS, quaternions=("joint",))
TIMED = replace(JOINED, speed=(SPEED,))


def warm_keys() -> Iterator[str]:
    """Call what keys and playing use beside pictures: keys joined as rotations, paths with a speed of their own."""
    evaluate_track(TRACKS[0], np.zeros(1))
    yield "evaluate_curve"
    compile_layer(FIGURE, JOINED)
    yield "pack_path"
    compile_layer(FIGURE, TIMED)
    yield "measure_speeds"


def warm() -> Iterator[str]:
    """Call all others; yields a name for each group when it is ready."""
    figure, root, keyed = FIGURE, ROOT, TIMED
    values = Blob(np.array([[1.0, 0.0, 0.0, 0.0]] * 3))
    sampled = Layer(id="sampled", samples=Samples(coordinates=root.dofs[0].coordinates, values=values, rate=(30, 1)))
    compile_motion(figure, (keyed, sampled)).at(0.0)
    yield "apply_layer"
    bell = Bell(time=4, before=3, after=3)
    bell_motion(bell, 4)
    correction = Correction(terms=(Term(bell=bell, amplitudes=(("x", 0.1), ("ball.x", 0.1))),))
    compile_motion(figure, (Layer(id="corrected", correction=correction),)).at(4.0)
    yield "evaluate_bells"
    rows = np.zeros((8, len(figure.coordinates)))
    unwrap_values(figure, figure.coordinates, rows)
    unwrap_values(figure, ("x",), rows[:, :1])
    yield "choose_triples"
    low_pass(rows, rate=120.0, cutoff=6.0)
    yield "run_sections"
    finish(find_spikes(rows))
    yield "mark_spikes"
    fit_track("x", np.arange(8, dtype=np.int64), np.arange(8.0) % 3, 0.1)
    yield "reduce_column"
    model = compile_model(figure)
    solve_transforms(model, model.rest[None])  # key reduction's: twelve seconds that no first pose waits for
    yield "solve_poses"
