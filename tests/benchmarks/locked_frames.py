"""A frame of secondary motion with four locks in between: its locked motion known already, while gains are dragged, and
after a key moved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from engine.document import Actor, Document, Key, Secondary, Track
from engine.document.motion import TICKS_PER_SECOND
from engine.document.secondary import Gains
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from tests.benchmarks.harness import Row, interleave
from tests.engine.evaluate.locked import crouch, held

HELD = ("ankle_left", "ankle_right", "wrist_left", "wrist_right")
SAMPLES = 33  # of the locked motion that a frame of 0.3 s reads
ALONE = 20  # frames of locks a call, which then lasts about as long as a frame after a key moved


def rows() -> Iterator[Row]:
    """The human sinks with feet and hands held, against the locks of single frames."""
    actor = crouch()
    locked = replace(actor, locks=tuple(held(actor, joint, axes=()) for joint in HELD))
    bare, swinging = Document(actors=(locked,)), Document(actors=(replace(locked, secondary=Secondary()),))
    known_to, alone, dragged, edited, number = Evaluator(), Evaluator(), Evaluator(), Evaluator(), count(1)

    def frame(maker: Evaluator, document: Document) -> Array:
        return maker.coordinates(document, actor.id, [TICKS_PER_SECOND])

    times = interleave(
        {
            "known": lambda: frame(known_to, swinging),
            "locks": lambda: [frame(alone, bare) for _ in range(ALONE)],
            "gains": lambda: frame(dragged, Document(actors=(loosened(swinging.actors[0], next(number)),))),
            "moved": lambda: frame(edited, Document(actors=(sunk(swinging.actors[0], next(number)),))),
        },
        rounds=60,
        repeats=1,
    )
    known, locks, gains, moved = (min(times[name]) * 1e3 for name in ("known", "locks", "gains", "moved"))
    told = (
        ("locked motion known", known, 2.5, 12, 1.0),
        ("while gains are dragged", gains, 8.0, 12, 1.5),
        ("after a key moved", moved, 8.0, 2 * SAMPLES, 0.7),
    )
    for what, measured, asked, frames, allowed in told:
        yield Row(
            what=f"secondary motion, a frame with four locks, {what}",
            measured=measured,
            unit="ms",
            asked=f"at most {asked} ms",
            peer=f"{frames} frames of locks",
            peer_measured=frames * locks / ALONE,
            allowed=allowed,
        )


def loosened(actor: Actor, number: int) -> Actor:
    """The actor with another tension, each time anew."""
    return replace(actor, secondary=Secondary(gains=Gains(tension=3.0 + 1e-3 * number)))


def sunk(actor: Actor, number: int) -> Actor:
    """The actor with its lowest key elsewhere, each time anew."""
    layer = actor.layers[0]
    keys = (Key(0, 0.0), Key(2 * TICKS_PER_SECOND, -0.15 - 1e-4 * number), Key(4 * TICKS_PER_SECOND, 0.0))
    sinking = Track(coordinate="pelvis.move_y", keys=keys)
    return replace(actor, layers=(replace(layer, tracks=(sinking, *layer.tracks[1:])),))
