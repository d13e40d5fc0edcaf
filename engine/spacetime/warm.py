"""Compiles the kernels of planned motions: small problems that use all that a problem may have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.optimise.rank import find_dependent
from engine.spacetime.examples import controlled_pendulum, kneel, standing_leap
from engine.spacetime.figures import LimbPoint
from engine.spacetime.implicit import computed_torques
from engine.spacetime.playback import first_momentum, play_back
from engine.spacetime.problem import CalmPoint
from engine.spacetime.search import MotionSearch


def warm() -> Iterator[str]:
    """Search small motions; yields what is ready."""
    swing = MotionSearch(controlled_pendulum(pieces=2))
    found = swing.find()
    yield "search"
    standing = MotionSearch(standing_leap(pieces=2))
    standing.program.evaluate(standing.straight_line())
    yield "contacts"
    find_dependent(swing.program, swing.straight_line())
    yield "rank"
    calm = (CalmPoint(point=LimbPoint("rod 3"), weight=1.0),)
    computed = MotionSearch(replace(kneel(pieces=2), calm=calm, implicit=True))
    computed_torques(computed.find().motion, 0.0)
    yield "computed_torques"
    first_momentum(found.motion, 0)
    play_back(found.motion, 0, steps=2)
    yield "playback"
