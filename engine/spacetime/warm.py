"""Compiles the kernels of planned motions: small problems that use all that a problem may have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.optimise.options import SolverEffort
from engine.optimise.rank import find_dependent
from engine.spacetime.examples import controlled_pendulum, kneel, standing_leap
from engine.spacetime.figures import LimbPoint
from engine.spacetime.implicit import computed_torques
from engine.spacetime.playback import first_momentum, play_back
from engine.spacetime.problem import CalmPoint
from engine.spacetime.search import MotionSearch
from engine.spacetime.spatial.contacts import FloorContact, with_contacts
from engine.spacetime.spatial.examples import HAND, arm_throw
from engine.spacetime.spatial.problem import SpatialCalm
from engine.spacetime.spatial.search import SpatialSearch


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
    _warm_space()
    yield "space"


def _warm_space() -> None:
    """Throw with an arm, whose hand then strikes something that holds it, and slides on it; calmly, with torques that
    do not jump."""
    throw = arm_throw(pieces=2)
    stages = throw.stages[0], replace(throw.stages[0], name="held")
    hand = FloorContact(name="hand", point=HAND, place=(0.0, 1.0, 0.3))
    held = with_contacts(replace(throw, stages=stages), [("held", [hand])], struck=("held",))
    found = SpatialSearch(held).find(effort=SolverEffort(iterations=1))
    found.motion.torques(0.0)
    muscles = tuple(replace(each, smoothness=1e-3) for each in held.muscles)
    sliding = tuple(replace(each, slides=True) for each in held.cones)
    calm = (SpatialCalm(point=HAND, weight=1e-3),)
    SpatialSearch(replace(held, muscles=muscles, cones=sliding, calm=calm)).find(effort=SolverEffort(iterations=1))
