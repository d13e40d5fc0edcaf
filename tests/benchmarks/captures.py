"""What it takes to load and to save captured motion."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.document import Blob, Dof, Figure, Handle, Joint, Layer, Samples
from engine.formats import asfamc, bvh
from engine.formats.format import Contents, Options
from engine.maths.quaternions import AXES
from tests.benchmarks.harness import Row, interleave, medians

NAME = "captures"

JOINTS, FRAMES, RATE = 31, 36_000, 120


def measure() -> Iterator[Row]:
    """The rows. The peer is numpy's own reading of the same numbers, without a figure or a single check."""
    with tempfile.TemporaryDirectory() as folder:
        path, motion = Path(folder) / "long.bvh", Path(folder) / "long.amc"
        contents = capture()
        bvh.write(path, contents, Options())
        asfamc.write_motion(motion, contents, Options())
        head = path.read_text().split("\n").index("MOTION") + 3
        times = medians(
            interleave(
                {
                    "read": lambda: bvh.read(path, Options()),
                    "numpy": lambda: np.loadtxt(path, skiprows=head),
                    "amc": lambda: asfamc.read_motion(motion, Options()),
                    "write": lambda: bvh.write(path, contents, Options()),
                },
                rounds=5,
                repeats=1,
            )
        )
    yield Row(
        what="load 5 minutes of BVH (31 joints, 120 Hz)",
        measured=times["read"],
        unit="s",
        asked="at most 1 s",
        peer="numpy.loadtxt of its numbers",
        peer_measured=times["numpy"],
        allowed=1.0,
    )
    yield Row(
        what="load the same as AMC",
        measured=times["amc"],
        unit="s",
        peer="numpy.loadtxt of the BVH",
        peer_measured=times["numpy"],
        allowed=4.0,
    )
    yield Row(what="save it as BVH", measured=times["write"], unit="s")


def capture() -> Contents:
    """A tree of ball joints whose root moves freely, and five minutes of it."""
    joints = []
    for index in range(JOINTS):
        slides = tuple(
            Dof(id=f"j{index}.t{each}", name=each, kind="slide", axis=AXES["xyz".index(each)]) for each in "xyz"
        )
        turns = tuple(Dof(id=f"j{index}.r{each}", name=each, axis=AXES["xyz".index(each)]) for each in "zxy")
        parent = None if index == 0 else f"j{(index - 1) // 2}"
        offset = (0.0, 0.1 * index, 0.01)
        dofs = turns if index else (*slides, *turns)
        joints.append(Joint(id=f"j{index}", name=f"j{index}", parent=parent, offset=offset, dofs=dofs))
    handles = tuple(
        Handle(id=f"j{each}.end", name=f"j{each} end", joint=f"j{each}", point=(0.0, 0.1, 0.0))
        for each in range(15, JOINTS)
    )
    figure = Figure(name="Capture", joints=tuple(joints), handles=handles)
    rows = np.random.default_rng(0).normal(size=(FRAMES, len(figure.coordinates))).round(6)
    samples = Samples(coordinates=figure.coordinates, values=Blob(rows), rate=(RATE, 1))
    return Contents(figure=figure, layers=(Layer(id="motion", samples=samples),))
