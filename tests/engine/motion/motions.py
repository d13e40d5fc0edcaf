"""Motions for tests: a figure with every kind of coordinate, random layers on it, and the derivatives' check."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from engine.document import Blob, Dof, Figure, Joint, Key, Layer, Samples, Span, SpeedRange, Track
from engine.document.motion import TICKS_PER_SECOND, Extrapolation, Interpolation, Tangent
from engine.maths.arrays import Array
from engine.motion.motion import Motion
from tests.conformance.gradients import assert_gradient

SECOND = TICKS_PER_SECOND
AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
EXTRAPOLATIONS: tuple[Extrapolation, ...] = ("hold", "linear", "cycle", "cycle_offset")
INTERPOLATIONS: tuple[Interpolation, ...] = ("stepped", "linear", "cubic")
TANGENTS: tuple[Tangent, ...] = ("auto", "flat", "free")


def walker(order: str = "ZYX", *, backwards: bool = False) -> Figure:
    """A root that slides and turns as a ball, a joint of three hinges in an order, and a knee."""
    sign = -1.0 if backwards else 1.0
    hinges = tuple(
        Dof(id=f"hip.{place}", name=axis, axis=tuple(sign * each for each in AXES[axis]))  # type: ignore[arg-type]
        for place, axis in enumerate(order)
    )
    root = Joint(
        id="root", name="Root", dofs=(Dof(id="x", name="x", kind="slide"), Dof(id="turn", name="Turn", kind="ball"))
    )
    hip = Joint(id="hip", name="Hip", parent="root", dofs=hinges)
    knee = Joint(id="knee", name="Knee", parent="hip", dofs=(Dof(id="knee", name="Knee"),))
    return Figure(name="Walker", joints=(root, hip, knee))


BALL = tuple(f"turn.{letter}" for letter in "wxyz")
HIP = ("hip.0", "hip.1", "hip.2")


def keys(rng: np.random.Generator, count: int = 5, *, scale: float = 0.8, **given: Any) -> tuple[Key, ...]:
    """Keys at uneven times about half a second apart."""
    times = np.cumsum(rng.integers(SECOND // 4, SECOND, size=count))
    return tuple(Key(int(time), float(scale * rng.normal()), **given) for time in times)


def mixed_keys(rng: np.random.Generator, count: int = 6) -> tuple[Key, ...]:
    """Keys of every kind of interpolation and tangent, weighted here and there."""
    made = []
    for key in keys(rng, count):
        weighted = rng.random() < 0.3
        made.append(
            Key(
                key.time,
                key.value,
                interpolation=INTERPOLATIONS[int(rng.choice(3, p=(0.1, 0.2, 0.7)))],
                tangent=TANGENTS[int(rng.integers(3))],
                slope_in=float(rng.normal()),
                slope_out=float(rng.normal()),
                weight_in=float(rng.uniform(0.1, 0.8)) if weighted else 1.0 / 3.0,
                weight_out=float(rng.uniform(0.1, 0.8)) if weighted else 1.0 / 3.0,
            )
        )
    return tuple(made)


def tracks(
    rng: np.random.Generator, names: tuple[str, ...], before: Extrapolation = "hold", after: Extrapolation = "hold"
) -> tuple[Track, ...]:
    """A track of automatic cubic keys for each name; the numbers of a ball stay near a unit quaternion."""
    made = []
    for name in names:
        shift = 1.0 if name.endswith(".w") else 0.0
        scaled = tuple(Key(key.time, shift + 0.4 * key.value) for key in keys(rng))
        made.append(Track(coordinate=name, keys=scaled, before=before, after=after))
    return tuple(made)


def samples(
    rng: np.random.Generator,
    names: tuple[str, ...],
    count: int = 9,
    rate: tuple[int, int] = (5, 1),
    before: Extrapolation = "hold",
    after: Extrapolation = "hold",
) -> Samples:
    """A smooth random walk; the numbers of a ball are unit quaternions."""
    values = np.cumsum(0.2 * rng.normal(size=(count, len(names))), axis=0)
    ball = [place for place, name in enumerate(names) if name in BALL]
    if ball:
        values[:, ball[0]] += 1.0
        values[:, ball] /= np.linalg.norm(values[:, ball], axis=1)[:, None]
    start = int(rng.integers(0, SECOND))
    return Samples(coordinates=names, values=Blob(values), rate=rate, start=start, before=before, after=after)


def random_layer(rng: np.random.Generator, id: str, figure: Figure) -> Layer:
    """A layer of any kind."""
    names = figure.coordinates
    keyed = tuple(name for name in names if name not in BALL and rng.random() < 0.6)
    keyed += BALL if rng.random() < 0.4 else ()
    ends = [EXTRAPOLATIONS[int(rng.integers(4))] for _ in range(4)]
    layer_tracks = tuple(Track(coordinate=name, keys=mixed_keys(rng), before=ends[0], after=ends[1]) for name in keyed)
    sampled = tuple(name for name in names if name not in HIP)
    mode: Literal["replace", "add"] = "add" if rng.random() < 0.4 else "replace"
    start = int(rng.integers(-SECOND, SECOND))
    span = Span(start=start, end=start + 3 * SECOND, ease_in=SECOND // 2, ease_out=SECOND)
    speed = SpeedRange(
        start=SECOND, end=3 * SECOND, coordinates=("x", "knee"), keys=(Key(SECOND, 0.0), Key(3 * SECOND, 1.0))
    )
    return Layer(
        id=id,
        values=tuple((name, float(0.3 * rng.normal())) for name in (*HIP, "x") if rng.random() < 0.7),
        samples=samples(rng, sampled, before=ends[2], after=ends[3]) if rng.random() < 0.5 else None,
        tracks=layer_tracks,
        quaternions=("hip",) if rng.random() < 0.5 else (),
        quaternion_mode="slerp" if rng.random() < 0.3 else "spline",
        mode=mode,
        weight=float(rng.choice([1.0, 1.0, 0.6])),
        span=span if rng.random() < 0.4 else None,
        mask=tuple(name for name in names if rng.random() < 0.8) if rng.random() < 0.2 else None,
        speed=(speed,) if rng.random() < 0.25 else (),
    )


def assert_derivatives(motion: Motion, times: Array, *, step: float = 1e-3, tolerance: float = 1e-7) -> None:
    """Rates and accelerations are the derivatives of values and rates [s]."""
    for time in times:
        found = motion.at(time)
        for order in range(2):

            def component(seconds: Array, order: int = order) -> Array:
                row: Array = motion.at(float(seconds[0]) * SECOND)[order]
                return row

            at = np.array([time / SECOND])
            assert_gradient(component, found[order + 1][:, None], at, step=step, tolerance=tolerance)


def jump(motion: Motion, time: float, order: int) -> float:
    """How far a derivative (0: the value) leaps at a time: its limits from both sides, by extrapolation."""
    near, far = 2e-6 * SECOND, 4e-6 * SECOND
    left = 2.0 * motion.at(time - near)[order] - motion.at(time - far)[order]
    right = 2.0 * motion.at(time + near)[order] - motion.at(time + far)[order]
    return float(np.abs(right - left).max(initial=0.0))
