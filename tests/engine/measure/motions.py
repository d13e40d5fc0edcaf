"""Motions with closed forms: a pendulum, a ball thrown by keys; and a human that waves with everything it has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.document import Actor, Body, Document, Dof, Figure, Handle, Joint, Key, Layer, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.measure.measuring import measure
from engine.measure.quantities import GRAVITY, Quantity
from engine.measure.series import Series

MASS, ARM, INERTIA = 2.0, 0.6, 0.05


def document_of(figure: Figure, *tracks: Track) -> Document:
    return Document(actors=(Actor(id="a", name="A", figure=figure, layers=(Layer(id="keys", tracks=tracks),)),))


def all_of(document: Document, wanted: Sequence[Quantity], times: Sequence[int]) -> tuple[Series, ...]:
    job = measure(Evaluator(), document, wanted, times)
    while True:
        try:
            next(job)
        except StopIteration as end:
            found: tuple[Series, ...] = end.value
            return found


def pendulum() -> Document:
    """A point that has an inertia on an arm, on a hinge about z; keyed with cubic curves."""
    joint = Joint(
        id="rod",
        name="Rod",
        offset=(0.0, 2.0, 0.0),
        dofs=(Dof(id="rod.z", name="Swing", axis=(0.0, 0.0, 1.0), lower=-2.0, upper=1.0),),
        body=Body(mass=MASS, centre=(0.0, -ARM, 0.0), inertia=(INERTIA, INERTIA, INERTIA, 0.0, 0.0, 0.0)),
    )
    handle = Handle(id="tip", name="Tip", joint="rod", point=(0.0, -1.0, 0.0))
    keys = tuple(Key(time=place * SECOND // 2, value=value) for place, value in enumerate((-0.9, 0.7, -0.5, 0.3)))
    return document_of(Figure(name="P", joints=(joint,), handles=(handle,)), Track(coordinate="rod.z", keys=keys))


def thrown() -> Document:
    """x = 3 t, y = 1 + 4 t - g t^2 / 2, exactly: a cubic with the end slopes of a parabola is that parabola."""
    dofs = tuple(
        Dof(id=f"ball.{name}", name=name, kind="slide", axis=axis)
        for name, axis in (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0)))
    )
    figure = Figure(name="Ball", joints=(Joint(id="ball", name="Ball", dofs=dofs, body=Body(mass=MASS)),))
    end = 1.0
    rise = (4.0, 4.0 - GRAVITY * end)
    y = (1.0, 1.0 + 4.0 * end - 0.5 * GRAVITY * end * end)
    return document_of(
        figure,
        Track(
            coordinate="ball.x",
            keys=(Key(time=0, value=0.0, interpolation="linear"), Key(time=SECOND, value=3.0 * end)),
        ),
        Track(
            coordinate="ball.y",
            keys=tuple(
                Key(time=time, value=value, tangent="free", slope_in=slope, slope_out=slope)
                for time, value, slope in zip((0, SECOND), y, rise, strict=True)
            ),
        ),
    )


def waving_human() -> Document:
    figure, rng = load_figure("human"), np.random.default_rng(4)
    tracks = []
    for dof in figure.dofs:
        values = [dof.clamp(float(value)) for value in rng.normal(0.0, 0.5, 4)]
        keys = tuple(Key(time=place * SECOND // 2, value=value) for place, value in enumerate(values))
        tracks.append(Track(coordinate=dof.id, keys=keys))
    return document_of(figure, *tracks)
