"""simulate: leave an actor to forward dynamics, from the pose and the speed that it has at a time, as samples.

Servos, where there are any, lead the joints after the motion that is keyed, roots stay free. Steps divide the frames of
the samples. Ground is the floor; bodies touch each other.

Known limits: the actor is alone; other actors are not touched, and its locks are muted while it falls. Samples are
angles, so near the gimbal lock of a root, through which a figure falls onto its back, their rates, and energies made of
these, are too large: by a third at 30 samples a second, by 3% at 240 (a human of 670 J).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from engine.document import Blob, Document, Samples
from engine.document.motion import TICKS_PER_SECOND, Rate
from engine.dynamics.articulation import FLOOR, Articulation, compile_articulation
from engine.dynamics.ball_roots import BallRoots, with_ball_roots
from engine.dynamics.coordinates import compute_difference
from engine.dynamics.stepping import SemiImplicitEuler, Stepper, divide_frame
from engine.evaluate.evaluator import Evaluator
from engine.kinodynamics.edits import bake_secondary
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments

MOST_STEPS = 10_000_000


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """A forward simulation of an actor, and its options."""

    id: str  # of the layer that comes of it
    actor: str
    start: int  # [ticks]
    seconds: float
    servos: float | None = None  # [Hz] with which joints follow their keys; None: they are slack
    ground: bool = True
    step: float = 0.005  # [s] at most
    rate: Rate | None = None  # of the samples; None: the document's
    stepper: Stepper = field(default_factory=SemiImplicitEuler)


def simulate(evaluator: Evaluator, document: Document, wanted: Simulation) -> Generator[float, None, Document]:
    """The document with the motion in a layer on top, over its span; yields the share that is done."""
    owner, rate = document.actor(wanted.actor), wanted.rate or document.rate
    if owner.attachments:
        raise InvalidArguments(what="the actor to simulate", value=owner.name, allowed="one that hangs on no other")
    dt, count = divide_frame(Fraction(*rate), wanted.step)
    frames = round(wanted.seconds * rate[0] / rate[1]) if 0.0 < wanted.seconds <= MOST_STEPS else 0
    if not 1 <= frames * count <= MOST_STEPS:
        allowed = f"from one frame of the document to {MOST_STEPS:,} steps"
        raise InvalidArguments(what="the seconds to simulate", value=wanted.seconds, allowed=allowed)
    roots = with_ball_roots(owner.figure)
    made = compile_articulation(
        roots.figure,
        position=owner.placement.position,
        rotation=owner.placement.rotation,
        servos=wanted.servos,
        ground=FLOOR if wanted.ground else None,
    )
    poses = 2 if wanted.servos is None else frames * count + 1
    times = wanted.start + dt * TICKS_PER_SECOND * np.arange(poses)
    keyed = evaluator.coordinates(document, owner.id, times.tolist())
    goals, rates = _goals(roots, made, keyed, dt)
    state, near = made.new_state(goals[0], rates[0]), keyed[0]
    work = wanted.stepper.start(made, state)
    values = np.empty((frames + 1, len(near)))
    values[0] = near
    for frame in range(frames):
        for step in range(frame * count, (frame + 1) * count):
            if wanted.servos is not None:
                state.goal[:], state.goal_rate[:] = goals[step + 1], rates[step]
            wanted.stepper.step(made, state, work, dt)
        near, _ = roots.from_balls(state.q, state.qd, near=near)
        values[frame + 1] = near
        yield (frame + 1) / frames
    samples = Samples(coordinates=owner.figure.coordinates, values=Blob(values), rate=rate, start=wanted.start)
    free = replace(owner, locks=tuple(replace(each, mute=True) for each in owner.locks))
    moved = document.with_actor(free)
    return bake_secondary(moved, actor=owner.id, id=wanted.id, samples=samples, name="Simulation")


def _goals(roots: BallRoots, made: Articulation, keyed: Array, dt: float) -> tuple[Array, Array]:
    """The keyed poses as the simulated figure has them, and the rates from each to the next."""
    ints, still = made.mechanics.ints, np.zeros(sum(len(dof.rates) for dof in roots.given.dofs))
    goals = np.array([roots.to_balls(q, still)[0] for q in keyed])
    rates = np.zeros((len(goals) - 1, made.mechanics.rate_count))
    for place, out_rates in enumerate(rates):
        compute_difference(ints, goals[place], goals[place + 1], out_rates)
    return goals, rates / dt
