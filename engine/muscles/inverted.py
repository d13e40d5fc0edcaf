"""Excitations whose activations are wanted ones: a' = (u - a)/t turned round (`hill.step_activation`).

At each frame u = a + t a', a' by differences of the frames beside, within 0 to 1. What follows u, straight from frame
to frame and stepped as keyed excitations are, is off by what frames leave out and by what bounds keep; so the same is
done for what is missed, `PASSES` times, and of all excitations those are taken that miss least (the root of the mean
square). The first frame is in balance, as tracks begin.

Symbols: u excitation, a activation, t time constant [s], of a rise or of a fall.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from engine.document.ticks import TICKS_PER_SECOND
from engine.maths.arrays import Array
from engine.muscles.excitation import FALLING, PITCH, RISING
from engine.muscles.hill import step_activation
from engine.runtime.jit import kernel

PASSES = 8
MISSED = 0.01  # of an activation, from which on it is said
MOST = 8  # muscles that are listed
_SECONDS = PITCH / TICKS_PER_SECOND


def find_excitations(times: Sequence[int], activations: Array) -> Generator[float, None, tuple[Array, Array]]:
    """Excitations at some times [ticks], and the activations that follow them, both of the shape of the wanted ones,
    [len(times), muscles]. Yields the share that is done."""
    ticks = np.array(times, dtype=np.float64)
    excitations, followed = np.empty_like(activations), np.empty_like(activations)
    for muscle in range(activations.shape[1]):
        wanted = np.ascontiguousarray(activations[:, muscle].clip(0.0, 1.0))
        excitations[:, muscle], followed[:, muscle] = _found(ticks, wanted)
        yield (muscle + 1) / activations.shape[1]
    return excitations, followed


def bound_words(
    names: Sequence[str], times: Sequence[int], wanted: Array, excitations: Array, followed: Array
) -> tuple[str, ...]:
    """Say which muscles cannot be as active as is wanted, since their excitation is at a bound, the worst first."""
    at_bound = (excitations <= 0.0) | (excitations >= 1.0)
    # What a bound keeps is missed for as long as activation takes to come back: a frame is enough to say when.
    missed = np.where(at_bound, np.abs(followed - wanted), 0.0)
    worst = missed.max(axis=0, initial=0.0)
    order = [each for each in np.argsort(-worst, kind="stable").tolist() if worst[each] > MISSED]
    found = []
    for each in order[:MOST]:
        at = int(missed[:, each].argmax())
        way = "fall" if excitations[at, each] <= 0.0 else "rise"
        found.append(
            f"{names[each]}: no excitation lets it {way} that fast at {times[at] / TICKS_PER_SECOND:.2f} s, its "
            f"activation is {followed[at, each]:.2f} in place of {wanted[at, each]:.2f}"
        )
    if len(order) > MOST:
        found.append(f"And {len(order) - MOST} more muscles, by {worst[order[MOST]]:.2g} at most")
    return tuple(found)


def _found(ticks: Array, wanted: Array) -> tuple[Array, Array]:
    """Those of one muscle."""
    if len(ticks) == 1 or not wanted.any():
        return wanted, wanted
    seconds, followed = ticks / TICKS_PER_SECOND, np.empty_like(wanted)
    best: tuple[float, Array, Array] | None = None
    excitations, missed = wanted, wanted
    for number in range(PASSES + 1):
        slope = np.gradient(wanted, seconds)
        change = np.gradient(missed, seconds)
        scale = 0.5 + 1.5 * wanted
        led = missed + np.where(slope > 0.0, RISING * scale, FALLING / scale) * change
        excitations = (led if number == 0 else excitations + led).clip(0.0, 1.0)
        excitations[0] = wanted[0]
        follow_samples(ticks, excitations, followed)
        missed = wanted - followed
        size = float(np.square(missed).mean())
        if best is None or size < best[0]:
            best = size, excitations, followed.copy()
    assert best is not None, "there is a pass"
    return best[1], best[2]


@kernel
def follow_samples(ticks: Array, excitations: Array, out_activations: Array) -> None:
    """Write the activations at times [ticks] that follow excitations, straight between these, from balance."""
    activation = excitations[0]
    out_activations[0] = activation
    for each in range(len(ticks) - 1):
        apart, at = ticks[each + 1] - ticks[each], 0.0
        while at < apart:
            part = min(PITCH, apart - at)
            share = (at + 0.5 * part) / apart
            excitation = excitations[each] + share * (excitations[each + 1] - excitations[each])
            activation = step_activation(
                excitation, activation, RISING, FALLING, _SECONDS if part == PITCH else part / TICKS_PER_SECOND
            )
            at += part
        out_activations[each + 1] = activation
