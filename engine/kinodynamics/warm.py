"""Compiles this room's kernels: follows one keyed motion and meets targets with the types that the application uses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.document import Body, Dof, Figure, Joint
from engine.document.correction import Bell
from engine.document.ticks import TICKS_PER_SECOND
from engine.document.values import IDENTITY
from engine.dynamics.mechanics import compile_mechanics
from engine.kinodynamics.aims import (
    Aim,
    PointVelocityWant,
    PointWant,
    PoseVelocityWant,
    PoseWant,
    TurnVelocityWant,
    TurnWant,
    Want,
)
from engine.kinodynamics.gains import JointGains, compile_gains
from engine.kinodynamics.inverse import Problem, solve
from engine.kinodynamics.tracking import compile_kinodynamics
from engine.maths.arrays import Array
from engine.model.compile import compile_model


def warm() -> Iterator[str]:
    """Call every kernel; yields the name of each group when it is ready."""
    body = Body(mass=1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    root = Joint(id="root", name="Root", dofs=(Dof(id="turn", name="Turn", kind="ball"),), body=body)
    bend = Dof(id="bend", name="Bend", lower=-1.0, upper=1.0)
    tip = Joint(id="tip", name="Tip", parent="root", dofs=(bend,), body=body)
    mechanics = compile_mechanics(compile_model(Figure(name="Warm", joints=(root, tip))))
    kino = compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains()), window=0.03)
    rest = mechanics.model.rest

    def keyed(times: Array) -> Array:
        motion = np.zeros((len(times), 2, len(rest)))
        motion[:, 0] = rest
        return motion

    kino.velocities(np.zeros(1), keyed)
    kino.path(0.0, 2, keyed)
    yield "follow"
    kino.simulate(np.arange(16.0), keyed)
    yield "follow_windows"
    touching = compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains()), window=0.03, contact=True)
    touching.path(0.0, 2, keyed)
    touching.held(np.zeros(1), keyed)
    yield "touch"
    touching.simulate(np.arange(16.0), keyed)
    yield "touch_windows"
    bell = Bell(time=0, before=TICKS_PER_SECOND // 10, after=TICKS_PER_SECOND // 10)
    wants = (
        PointWant(joint=1, position=(0.1, 0.0, 0.0), local=(0.0, 0.1, 0.0)),
        PointVelocityWant(joint=1, velocity=(0.0, 0.0, 0.0), local=(0.0, 0.1, 0.0)),
    )
    turns = TurnWant(joint=1, rotation=IDENTITY), TurnVelocityWant(joint=1, velocity=(0.0, 0.0, 0.0))
    poses = PoseWant(q=rest), PoseVelocityWant(qd=np.zeros(mechanics.rate_count))
    kinds: tuple[tuple[Want, ...], ...] = (wants, turns, poses)
    for number, each in enumerate(kinds):
        solve(Problem(kino=kino, keyed=keyed, aims=(Aim(id=str(number), bell=bell, wants=each),)))
    later = Bell(time=TICKS_PER_SECOND // 20, before=bell.before, after=bell.after)
    moved = rest.copy()
    moved[-1] += 0.01
    tied = tuple(Aim(id=str(each.time), bell=each, wants=(PoseWant(q=moved),)) for each in (bell, later))
    solve(Problem(kino=kino, keyed=keyed, aims=tied))
    yield "solve"
