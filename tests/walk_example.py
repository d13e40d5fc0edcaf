"""The examples "A walk by its muscles" and "A limp": the skeleton walks on, cycle after cycle, its muscles activated as
the walk takes it; and once more, where the abductors of its left hip are weak.

Motions are found by `tests.walk_search` and `tests.limp_search`; activations by static optimisation of one cycle, sums
of squares, the ground's force estimated. Keys have the slopes of the periodic splines through all poses, so that
accelerations go on evenly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np
from scipy.interpolate import CubicSpline

from engine.document import Actor, Document, Key, Layer, Span, Track
from engine.document.motion import TICKS_PER_SECOND, Extrapolation
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.muscles.parts import ACTIVATION, MuscleActivation, MuscleActivations, Muscles
from engine.muscles.stage import NAME, MusclesStage
from engine.muscles.static import StaticOptimisation, optimise_motion
from engine.queries.examples import shipped_part
from engine.runtime.progress import finish
from tests.limp_search import find_limp, weakened
from tests.walk_moving import PERIOD, STRIDE
from tests.walk_search import find_walk

PERIODS = 4  # that are played
ANGLE, WAY = 2e-5, 2e-6  # [rad], [m] to which keys are rounded
STILL = 1e-4  # [rad] or [m] below which a coordinate is left out
CLOSE = 3e-5  # [rad] to which fewer keys have to do
COUNTS = (8, 16, 32)  # of keys in a cycle, as few as do
TOLERANCE = 0.1  # of activations
FRAMES = 64  # of the cycle for which they are found
TICKS = round(PERIOD * TICKS_PER_SECOND)
WEAK, SHARE = ("gluteus_medius", "gluteus_minimus", "tensor_fasciae_latae"), 0.1  # of their force that is left


def muscled_walk() -> Document:
    """Find the walk and what it takes of muscles."""
    return walking(find_walk(), _shipped_muscles())


def limp() -> Document:
    """Find the walk with weak abductors of the left hip, and what it takes of muscles."""
    muscles = _shipped_muscles()
    weak = [each.id for each in muscles.muscles if each.id.startswith(WEAK) and each.id.endswith("_left")]
    muscles = weakened(muscles, dict.fromkeys(weak, SHARE))
    return walking(find_limp(muscles), muscles)


def _shipped_muscles() -> Muscles:
    muscles = shipped_part("parts/anatomy/1")
    assert isinstance(muscles, Muscles)
    return muscles


def walking(poses: Array, muscles: Muscles) -> Document:
    """A walk of such poses, evenly spaced over a cycle, shape [n, coordinate_count]."""
    figure = load_figure("anatomy")
    layer = Layer(id="walk", name="Walk", tracks=tuple(_tracks(poses)))
    actor = Actor(id="skeleton", name="Walker", figure=figure, layers=(layer,), parts=(muscles,))
    bare = Document(actors=(actor,), play=Span(start=0, end=PERIODS * TICKS))
    return Document(actors=(actor.with_part(_activations(bare)),), play=bare.play)


def _tracks(poses: Array) -> list[Track]:
    figure, count, found = load_figure("anatomy"), len(poses), list[Track]()
    driven = {dof.id for dof in figure.driven}
    for column, name in enumerate(figure.coordinates):
        values = np.append(poses[:, column], poses[0, column])
        slide = name.endswith("move_z")
        drift = STRIDE if slide else 0.0
        values[-1] += drift
        if name in driven or np.abs(values).max() < STILL:
            continue
        times = np.arange(count + 1) * PERIOD / count
        even = values - drift * times / PERIOD
        step = WAY if ".move_" in name else ANGLE
        keys = tuple(_keys(times, even, drift, step))
        end: Extrapolation = "cycle_offset" if slide else "cycle"
        found.append(Track(coordinate=name, keys=keys, before=end, after=end))
    return found


def _keys(times: Array, even: Array, drift: float, step: float) -> list[Key]:
    """As few keys as lead the spline through all values within `CLOSE` of it."""
    whole = CubicSpline(times, even, bc_type="periodic")
    every = np.linspace(0.0, PERIOD, 257)
    count = len(times) - 1
    for few in (*(each for each in COUNTS if each < count), count):
        some = np.linspace(0.0, PERIOD, few + 1)
        values = whole(some)
        values[-1] = values[0]
        spline = CubicSpline(some, values, bc_type="periodic")
        if few == count or np.abs(spline(every) - whole(every)).max() < CLOSE:
            break
    found = []
    for time, value in zip(some.tolist(), values.tolist(), strict=True):
        slope = round(float(spline(time, 1)) + drift / PERIOD, 5)
        number = round(round((value + drift * time / PERIOD) / step) * step, 7)
        found.append(Key(round(time * TICKS_PER_SECOND), number, tangent="free", slope_in=slope, slope_out=slope))
    return found


def _activations(document: Document) -> MuscleActivations:
    """Of one cycle, which goes on and on."""
    evaluator, (owner,) = Evaluator(), document.actors
    muscles = owner.part(Muscles)
    assert muscles is not None
    figure = cast(MusclesStage, evaluator.stage(NAME)).compiled(owner, muscles)
    rate = round(FRAMES * TICKS_PER_SECOND / 100), round(TICKS / 100)
    wanted = StaticOptimisation(actor=owner.id, start=0, end=TICKS, rate=rate)
    shares = finish(optimise_motion(evaluator, document, figure, wanted))
    values = shares.activations.copy()
    values[-1] = values[0]
    found = []
    for muscle, active in zip(shares.muscles, values.T, strict=True):
        if active.max() > TOLERANCE:
            keys = tuple(Key(shares.times[place], round(float(active[place]), 2)) for place in _corners(active))
            track = Track(coordinate=ACTIVATION, keys=keys, before="cycle", after="cycle")
            found.append(MuscleActivation(muscle=muscle, track=track))
    return MuscleActivations(activations=tuple(found))


def _corners(values: Array) -> list[int]:
    """Places between which values go straight within `TOLERANCE`, both ends among them (Ramer, Douglas and Peucker)."""
    kept, waiting = {0, len(values) - 1}, [(0, len(values) - 1)]
    while waiting:
        first, last = waiting.pop()
        straight = np.interp(np.arange(first, last + 1), (first, last), (values[first], values[last]))
        away = np.abs(values[first : last + 1] - straight)
        if away.max() > TOLERANCE:
            middle = first + int(away.argmax())
            kept.add(middle)
            waiting += [(first, middle), (middle, last)]
    return sorted(kept)


WALKS: dict[str, Callable[[], Document]] = {"muscled_walk": muscled_walk, "limp": limp}
"""Those that ship, by name."""
