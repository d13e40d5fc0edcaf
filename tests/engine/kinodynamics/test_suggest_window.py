"""Windows that are suggested: of a pendulum in closed form, of what is exact, never rests or is locked."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.secondary import Gains, OwnGains
from engine.evaluate.evaluator import Evaluator
from engine.kinodynamics.queries.suggest_window import JOLT, LONGEST, Scale, WindowFound, WindowWanted, find_window
from tests.engine.evaluate.locked import planted
from tests.engine.kinodynamics.test_secondary import pendulum, with_secondary

LEAST = math.radians(1.0)


def found(document: Document, **wanted: object) -> list[WindowFound]:
    asked = WindowWanted(**{"actor": "one", "least": LEAST, **wanted})  # type: ignore[arg-type]
    return [each for each in find_window(Evaluator(), document, asked) if each is not None]


def loose(**gains: float) -> Document:
    return Document(actors=(with_secondary(pendulum(), gains=Gains(**{"gravity": 0.0, **gains})),))  # type: ignore[arg-type]


def test_a_jolt_of_a_pendulum_is_the_swing_of_a_closed_form() -> None:
    tension, damping = 1.5, 0.3
    (answer,) = found(loose(tension=tension, damping=damping), joints=("rod",), time=SECOND)
    w = 2.0 * math.pi * tension
    fast = w * math.sqrt(1.0 - damping**2)
    t = answer.times
    wanted = np.abs(JOLT / fast * np.exp(-damping * w * t) * np.sin(fast * t))
    assert 0.7 < answer.sizes.max() / wanted.max() < 1.05  # keys that stop within a step drive it less
    assert np.abs(answer.sizes / answer.sizes.max() - wanted / wanted.max()).max() < 0.03
    over = t[np.flatnonzero(answer.sizes > LEAST)[-1] + 1]
    assert answer.settled == over
    assert answer.slowest == "rod"
    assert 0.2 < over < 1.5


def test_the_bound_is_there_when_asked_for_and_longer_for_a_smaller_angle() -> None:
    document = loose(tension=1.5, damping=0.3)
    plain, bound = found(document, time=SECOND // 2, bound=True)
    assert plain.bound is None
    assert bound.bound is not None
    assert bound.settled == plain.settled
    finer = found(document, time=SECOND // 2, bound=True, least=0.25 * LEAST)[-1]
    assert finer.bound is not None
    assert bound.bound < finer.bound < math.inf
    assert finer.settled > plain.settled


def test_what_never_rests_has_no_end_and_what_is_exact_does_not_swing() -> None:
    endless = found(loose(damping=0.0), bound=True)[-1]
    assert (endless.settled, endless.bound) == (math.inf, math.inf)
    assert endless.times[-1] >= LONGEST
    exact = Document(actors=(with_secondary(pendulum(), own=(OwnGains(joint="rod", exact=True),)),))
    still = found(exact, bound=True)[-1]
    assert (still.settled, still.bound) == (0.0, 0.0)
    assert not still.sizes.any()
    assert still.slowest == ""


def test_a_figure_with_locks_is_answered_in_slices() -> None:
    walker = planted()
    document = replace(walker, actors=(with_secondary(walker.actors[0]),))
    steps = list(find_window(Evaluator(), document, WindowWanted(actor="one", time=2 * SECOND, bound=True)))
    assert steps.count(None) > 20
    assert steps[-1] is not None
    assert steps[-1].bound is not None
    assert steps[-1].bound > 0.0


def test_what_is_seen_in_pixels_is_seen_by_the_angle_that_they_are() -> None:
    document = loose(tension=1.5, damping=0.3)
    plain = found(document, time=SECOND // 2, bound=True)[-1]
    scales = (Scale("rod", 400.0, 250.0), Scale("cart", 0.0, 250.0))
    pixels = {"least": 400.0 * LEAST, "unit": "pixels", "scales": scales, "joints": ("rod",)}
    seen = found(document, time=SECOND // 2, bound=True, **pixels)[-1]
    assert seen.settled == found(document, time=SECOND // 2, joints=("rod",))[-1].settled
    assert np.allclose(seen.sizes, 400.0 * plain.sizes)
    assert seen.bound == plain.bound
    finer = found(document, time=SECOND // 2, bound=True, **{**pixels, "least": 1.0})[-1]
    assert finer.settled > seen.settled
    assert finer.bound is not None
    assert plain.bound is not None
    assert finer.bound > plain.bound


def test_what_moves_nothing_that_is_seen_needs_no_window() -> None:
    nothing = found(loose(tension=1.5), least=1.0, unit="pixels", scales=(Scale("rod", 0.0, 250.0),), bound=True)[-1]
    assert (nothing.settled, nothing.bound) == (0.0, 0.0)
    assert not nothing.sizes.any()
