"""Compiles this room's kernels by evaluating one motion of every kind with the types that the application uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engine.document import Blob, Dof, Figure, Joint, Key, Layer, Samples, SpeedRange, Track
from engine.motion.curves import evaluate_track
from engine.motion.layers import compile_layer
from engine.motion.motion import compile_motion

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def warm() -> Iterator[str]:
    """Call every kernel; yields a name for each group when it is ready."""
    hinges = tuple(Dof(id=name, name=name, axis=axis) for name, axis in AXES.items())
    root = Joint(id="root", name="Root", dofs=(Dof(id="ball", name="Ball", kind="ball"),))
    figure = Figure(name="Warm", joints=(root, Joint(id="joint", name="Joint", parent="root", dofs=hinges)))
    keys = (Key(0, 0.0), Key(9, 0.5))
    tracks = tuple(Track(coordinate=name, keys=keys) for name in AXES)
    evaluate_track(tracks[0], np.zeros(1))
    yield "evaluate_curve"
    speed = SpeedRange(start=0, end=9, coordinates=("x",), keys=(Key(0, 0.0), Key(9, 1.0)))
    keyed = Layer(id="keyed", tracks=tracks, quaternions=("joint",))
    compile_layer(figure, keyed)
    yield "pack_path"
    keyed = replace(keyed, speed=(speed,))
    compile_layer(figure, keyed)
    yield "measure_speeds"
    values = Blob(np.array([[1.0, 0.0, 0.0, 0.0]] * 3))
    sampled = Layer(id="sampled", samples=Samples(coordinates=root.dofs[0].coordinates, values=values, rate=(30, 1)))
    compile_motion(figure, (keyed, sampled)).at(0.0)
    yield "apply_layer"
