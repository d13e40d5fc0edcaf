"""Files of forces, and the shared walk of a subject on plates, for tests of measured forces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from engine.cli.curves import document_in
from engine.cli.measured_trial import MeasuredTrial
from engine.document import Actor, Blob, Body, Document, Dof, Ellipsoid, Figure, Joint, Key, Layer, Track
from engine.document.measured_forces import MeasuredForce, MeasuredForces
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from tests.engine.shared_data import shared

LABELS = [f"ground_force_{kind}{axis}" for kind in "vp" for axis in "xyz"] + [f"ground_torque_{axis}" for axis in "xyz"]
EACH_PASS = 5.22  # [Hz] below which both passes keep what OpenSim keeps below 6 Hz
MASS, G = 3.0, 9.80665
WIDE, HERTZ = 0.01, 2.0  # [m] how far a bobbing ball goes up and down, and how often
KNOTS = 40  # of it, a second


def written(path: Path, labels: Sequence[str], rows: Sequence[Sequence[float]]) -> Path:
    """Write a file of a row a hundredth of a second."""
    lines = ["forces", "version=1", f"nRows={len(rows)}", f"nColumns={len(labels) + 1}", "inDegrees=yes", "endheader"]
    lines += ["\t".join(["time", *labels])]
    lines += ["\t".join(map(repr, (0.01 * number, *map(float, row)))) for number, row in enumerate(rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def post(*forces: MeasuredForce) -> Document:
    """A ball of 3 kg, 0.5 m above the origin on a root that slides and turns, with forces on it; it rests."""
    dofs = [Dof(id=f"move_{axis}", name=axis, kind="slide", axis=way) for axis, way in _AXES]
    dofs += [Dof(id=f"turn_{axis}", name=axis, kind="hinge", axis=way) for axis, way in _AXES]
    figure = Figure(
        name="Post",
        joints=(
            Joint(id="base", name="Base", dofs=tuple(dofs)),
            Joint(
                id="ball",
                name="Ball",
                parent="base",
                offset=(0.0, 0.5, 0.0),
                dofs=(Dof(id="bend", name="Bend", kind="hinge", axis=(0.0, 0.0, 1.0)),),
                shapes=(Ellipsoid(radii=(0.1, 0.1, 0.1)),),
                body=Body(mass=MASS, inertia=(0.01, 0.01, 0.01, 0.0, 0.0, 0.0)),
            ),
        ),
    )
    parts = (MeasuredForces(forces=forces),) if forces else ()
    return Document(actors=(Actor(id="me", name="Me", figure=figure, parts=parts),))


def steady(
    force: Sequence[float], point: Sequence[float], torque: Sequence[float] = (0.0, 0.0, 0.0), *,
    joint: str = "ball", frame: str | None = None, seconds: float = 1.0,
) -> MeasuredForce:  # fmt: skip
    """A force that stays, from 0 s on."""
    rows = [[*force, *point, *torque]] * (round(10 * seconds) + 1)
    return MeasuredForce(id="plate", name="Plate", joint=joint, values=Blob(rows), rate=(10, 1), frame=frame)


def bobbing(*, off: float = 0.0) -> Document:
    """A ball that goes up and down for 2 s while a force says that it hovers; the force acts so far ahead of it [m]."""
    document = post(steady((0.0, MASS * G, 0.0), (off, 0.5, 0.0), seconds=2.0))
    turns = 2.0 * np.pi * HERTZ
    keys = tuple(
        Key(
            round(knot / KNOTS * SECOND),
            WIDE * float(np.sin(turns * knot / KNOTS)),
            tangent="free",
            slope_in=(slope := WIDE * turns * float(np.cos(turns * knot / KNOTS))),
            slope_out=slope,
        )
        for knot in range(2 * KNOTS + 1)
    )
    layer = Layer(id="bob", tracks=(Track(coordinate="move_y", keys=keys),))
    return document.with_actor(replace(document.actors[0], layers=(layer,)))


@cache
def measured_walk(low_pass: float = EACH_PASS) -> Document:
    """OpenSim's own coordinates of a walk, smoothed, with the forces that were measured."""
    folder = shared("mocap", "opensim_gait2354_walk")
    document = document_in(folder / "subject01_scaled.osim")
    trial = MeasuredTrial(
        motion=folder / "reference_ik.mot", low_pass=low_pass, forces=folder / "subject01_walk1_grf.mot"
    )
    return trial.put_on(document, document.actors[0].id)[0]


_AXES = (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0)), ("z", (0.0, 0.0, 1.0)))
START, END = round(0.4 * SECOND), round(1.6 * SECOND)
