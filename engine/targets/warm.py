"""Compiles this room's kernels: meets targets with the types that the application uses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.document.correction import Bell
from engine.document.ticks import TICKS_PER_SECOND
from engine.document.values import IDENTITY
from engine.kinodynamics.warm import two_bodies
from engine.targets.equations import (
    Equation,
    PointEquation,
    PointVelocityEquation,
    PoseEquation,
    PoseVelocityEquation,
    TimedGoal,
    TurnEquation,
    TurnVelocityEquation,
)
from engine.targets.inverse import solve
from engine.targets.problem import TargetProblem


def warm() -> Iterator[str]:
    """Meet targets of each kind, by themselves and close together."""
    kino, keyed = two_bodies()
    rest = kino.mechanics.model.rest
    bell = Bell(time=0, before=TICKS_PER_SECOND // 10, after=TICKS_PER_SECOND // 10)
    equations = (
        PointEquation(joint=1, position=(0.1, 0.0, 0.0), local=(0.0, 0.1, 0.0)),
        PointVelocityEquation(joint=1, velocity=(0.0, 0.0, 0.0), local=(0.0, 0.1, 0.0)),
    )
    turns = TurnEquation(joint=1, rotation=IDENTITY), TurnVelocityEquation(joint=1, velocity=(0.0, 0.0, 0.0))
    poses = PoseEquation(q=rest), PoseVelocityEquation(qd=np.zeros(kino.mechanics.rate_count))
    kinds: tuple[tuple[Equation, ...], ...] = (equations, turns, poses)
    for number, each in enumerate(kinds):
        solve(TargetProblem(kino=kino, keyed=keyed, goals=(TimedGoal(id=str(number), bell=bell, equations=each),)))
    later = Bell(time=TICKS_PER_SECOND // 20, before=bell.before, after=bell.after)
    moved = rest.copy()
    moved[-1] += 0.01
    tied = tuple(TimedGoal(id=str(each.time), bell=each, equations=(PoseEquation(q=moved),)) for each in (bell, later))
    solve(TargetProblem(kino=kino, keyed=keyed, goals=tied))
    yield "solve"
