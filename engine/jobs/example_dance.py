"""Four letters: a dance that is keyed through T, A, X and I, so loose that only its targets make them legible.

Source: Rahgoshay 2011, section 4.2 (a dance of four letters of the author's own). Every letter is a target of the whole
pose, as the keys have it then. The feet are held from beginning to end by locks whose places are keyed: that is how
they step. Legs follow exactly, since whoever stands on them leaves them no choice; all else trails behind.
"""

from __future__ import annotations

from dataclasses import replace

from engine.document import Document, Span, Target
from engine.document.motion import TICKS_PER_SECOND
from engine.document.secondary import Gains, Secondary
from engine.jobs.example_beats import (
    Beats,
    Values,
    arms,
    corrected,
    found,
    hand,
    keyed,
    look,
    own_gains,
    standing,
    tick,
    tracks_of,
    trunk,
    weight,
)

DANCER = "dancer"
LETTERS = {"T": 1.5, "A": 3.1, "X": 4.4, "I": 6.1}  # [s] when each is to be read
LONG = 8.0  # [s]
_WIDE = 0.55  # [m] the step to the right, and of the other foot after it
_START = 0.5 * _WIDE  # [m] where it begins, so that the middle is passed through the origin
_WIDTH = 2 * TICKS_PER_SECOND // 5  # of the corrections
_STEP = TICKS_PER_SECOND // 120  # of the simulation; four are a frame
_WINDOW = 72 * _STEP

_FLAT: Values = {**hand("left", -12.0, -6.0), **hand("right", -12.0, -6.0)}
_SOFT: Values = {**hand("left", 22.0, 8.0), **hand("right", 22.0, 8.0)}
_DOWN = arms(out=2.0, bend=12.0, turn=8.0)
_T = arms(out=80.0, bend=0.0, collar=4.0)
_A = arms(out=116.0, bend=60.0, turn=-68.0, collar=31.0)
_X = arms(out=104.0, bend=0.0, collar=20.0)
_I = arms(out=8.0, forward=160.0, bend=2.0, collar=4.0)

BEATS: Beats = (
    (0.0, weight(0.02, 0.014, roll=1.5, turn=4.0) | trunk(3.0, 2.0) | look(3.0, 4.0, -2.0) | _DOWN | _SOFT),
    (0.5, weight(0.025, 0.018, roll=2.0, turn=3.0) | trunk(2.0, 3.0) | look(6.0, 2.0, -3.0) | arms(out=3.0, bend=14.0)),
    (
        0.95,
        weight(0.0, 0.085, -0.11)
        | trunk(20.0)
        | look(0.0, 9.0)
        | arms(out=-8.0, forward=26.0, bend=36.0, turn=30.0)
        | _SOFT,
    ),
    (LETTERS["T"], weight(0.0, 0.008) | trunk(-3.0) | look(0.0, -6.0) | _T | _FLAT),
    (1.85, weight(0.0, 0.01) | trunk(-3.5) | look(0.0, -7.0) | arms(out=82.0, bend=0.0, collar=5.0) | _FLAT),
    (
        2.3,
        weight(0.055, 0.072, -0.1, roll=3.0, turn=8.0)
        | trunk(14.0, -8.0, 10.0)
        | look(10.0, 12.0, -4.0)
        | arms(out=34.0, bend=62.0, turn=-16.0)
        | _SOFT,
    ),
    (
        2.65,
        weight(-0.2, 0.1, -0.08, roll=-2.0)
        | trunk(8.0, 3.0)
        | look(-4.0, 6.0)
        | arms(out=66.0, bend=80.0, turn=-50.0, collar=8.0),
    ),
    (LETTERS["A"], weight(-0.5 * _WIDE, 0.062) | trunk(-2.0) | look(0.0, -4.0) | _A | _FLAT),
    (
        3.45,
        weight(-0.5 * _WIDE, 0.06)
        | trunk(-2.5)
        | look(0.0, -5.0)
        | arms(out=117.0, bend=61.0, turn=-68.0, collar=31.0),
    ),
    (
        3.9,
        weight(-0.5 * _WIDE, 0.13, -0.12)
        | trunk(24.0)
        | look(0.0, 10.0)
        | arms(out=34.0, bend=108.0, turn=-20.0, collar=2.0)
        | _SOFT,
    ),
    (LETTERS["X"], weight(-0.5 * _WIDE, 0.056) | trunk(-5.0) | look(0.0, -8.0) | _X | _FLAT),
    (4.75, weight(-0.5 * _WIDE, 0.06) | trunk(-5.5) | look(0.0, -9.0) | arms(out=106.0, bend=0.0, collar=21.0)),
    (4.95, weight(-0.6 * _WIDE, 0.095, -0.05, roll=-1.5)),
    (
        5.15,
        weight(-0.74 * _WIDE - 0.05, 0.085, -0.08, roll=-3.0, turn=-6.0)
        | trunk(10.0, 6.0, -8.0)
        | look(-10.0, 10.0, 4.0)
        | arms(out=42.0, bend=24.0, turn=-6.0)
        | _SOFT,
    ),
    (
        5.6,
        weight(-_WIDE, 0.11, -0.14)
        | trunk(26.0)
        | look(0.0, 10.0)
        | arms(out=16.0, forward=-34.0, bend=16.0, turn=-4.0)
        | _SOFT,
    ),
    (LETTERS["I"], weight(-_WIDE, 0.006) | trunk(-4.0) | look(0.0, -6.0) | _I | _FLAT),
    (6.5, weight(-_WIDE, 0.008) | trunk(-4.5) | look(0.0, -7.0) | arms(out=8.0, forward=161.0, bend=2.0, collar=5.0)),
    (
        7.0,
        weight(-_WIDE, 0.04, -0.03) | trunk(10.0) | look(0.0, 10.0) | arms(out=24.0, forward=30.0, bend=40.0) | _SOFT,
    ),
    (7.5, weight(-_WIDE - 0.02, 0.016, roll=-2.0, turn=-3.0) | trunk(3.0, -3.0) | look(-4.0, 3.0, 3.0) | _DOWN | _SOFT),
)
_RIGHT_STEPS = ((2.25, 0.0, 0.0), (2.47, 0.45, 0.055), (2.72, 1.0, 0.0))  # [s], share of the way, [m] above the floor
_LEFT_STEPS = ((4.95, 0.0, 0.0), (5.17, 0.45, 0.055), (5.42, 1.0, 0.0))


def letters() -> Document:
    """The dance, its letters hit."""
    return corrected(keyed_letters(), DANCER, found("letters")[0])


def keyed_letters() -> Document:
    """The dance without its correction: with targets that are not met yet."""
    dancer = standing(DANCER, "Dancer", x=_START)
    figure = dancer.figure
    steps = {"ankle_left": _LEFT_STEPS, "ankle_right": _RIGHT_STEPS}
    locks = []
    for lock in dancer.locks:
        x, y, _ = lock.position
        way = keyed("x", *((at, x - share * _WIDE) for at, share, _ in steps[lock.joint]))
        rise = keyed("y", *((at, y + up) for at, _, up in steps[lock.joint]))
        locks.append(replace(lock, tracks=(way, rise)))
    secondary = Secondary(
        gains=Gains(tension=2.0, damping=0.45, gravity=0.3),
        own=own_gains(figure),
        window=_WINDOW,
        step=_STEP,
        targets=tuple(
            Target(id=f"letter_{letter.lower()}", time=tick(at), width=_WIDTH) for letter, at in LETTERS.items()
        ),
    )
    layer = replace(dancer.layers[0], id="dance", name="Dance", tracks=tracks_of(figure, BEATS))
    dancer = replace(dancer, layers=(layer,), locks=tuple(locks), secondary=secondary)
    return Document(actors=(dancer,), play=Span(start=0, end=tick(LONG)))
