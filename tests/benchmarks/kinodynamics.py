"""Secondary motion of the human: one frame of a 0.3 s window, against the forward dynamics that it cannot do without.

A frame takes 30 steps. Where no joint is at a limit each is one solve; where some are, two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.forward import compute_forward_dynamics
from engine.dynamics.mechanics import compile_mechanics, placed
from engine.kinodynamics.gains import ADDED, JointGains, compile_gains
from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.tracking import KinoModel, compile_kinodynamics
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from tests.benchmarks import hitting, locked_frames
from tests.benchmarks.harness import Row, interleave
from tests.benchmarks.scenes import human

NAME = "kinodynamics"


def measure() -> Iterator[Row]:
    """The rows."""
    mechanics = compile_mechanics(compile_model(human()), massless=True)
    kino = compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains()))
    for what, keyed, solves in (
        ("away from limits", moving(kino, at_rest=False), 1),
        ("with joints at limits", moving(kino, at_rest=True), 2),
    ):
        samples = keyed(kino.samples(np.array([float(TICKS_PER_SECOND)]))[0])
        calls: dict[str, Callable[[], object]] = {
            "frame": one_frame(kino, samples),
            "solves": bare_solves(kino, samples, solves * kino.steps),
        }
        times = interleave(calls, rounds=60, repeats=3)
        least = {name: min(each) * 1e3 for name, each in times.items()}
        yield Row(
            what=f"secondary motion, a frame {what}",
            measured=least["frame"],
            unit="ms",
            asked="at most 1.0 ms",
            peer=f"{solves * kino.steps} forward dynamics",
            peer_measured=least["solves"],
            allowed=2.0,
            note="71 DOF, 0.3 s, 30 steps",
        )
    yield from touching()
    yield from locked_frames.rows()
    yield from hitting.rows()


def touching() -> Iterator[Row]:
    """With contact: nothing near, both feet on the ground as they stand, and pressed 8 mm into it."""
    free = compile_mechanics(compile_model(human()), massless=True)
    for what, height, swings, allowed in (
        ("in the air", 5.0, True, 4.0),
        ("standing", 0.0, False, 8.0),
        ("standing pressed into the ground", -0.008, False, 20.0),
        ("moving on both feet", -0.008, True, 16.0),
    ):
        mechanics = placed(free, (0.0, height, 0.0), (1.0, 0.0, 0.0, 0.0))
        gains, calls = compile_gains(mechanics, JointGains()), dict[str, Callable[[], object]]()
        for name, contact in (("frame", True), ("free", False)):
            kino = compile_kinodynamics(mechanics, gains, contact=contact)
            samples = moving(kino, at_rest=True)(kino.samples(np.array([float(TICKS_PER_SECOND)]))[0])
            if not swings:
                samples = np.stack((np.tile(kino.mechanics.model.rest, (len(samples), 1)), 0.0 * samples[:, 1]), axis=1)
            calls[name] = one_frame(kino, samples)
        times = interleave(calls, rounds=60, repeats=3)
        least = {name: min(each) * 1e3 for name, each in times.items()}
        yield Row(
            what=f"secondary motion with contact, a frame {what}",
            measured=least["frame"],
            unit="ms",
            asked="at most 8 ms, 1.0 ms aimed at",
            peer="a frame without contact",
            peer_measured=least["free"],
            allowed=allowed,
            note="71 DOF, 0.3 s, 30 steps",
        )


def moving(kino: KinoModel, *, at_rest: bool) -> Keyed:
    """Small waves about the rest pose, where many joints are at their limits, or about the middle of the limits."""
    model, rng = kino.mechanics.model, np.random.default_rng(0)
    limited = np.isfinite(model.lower) & np.isfinite(model.upper)
    middle = np.where(limited, 0.5 * np.where(limited, model.lower + model.upper, 0.0), model.rest)
    pose = model.rest if at_rest else middle
    height, phase, speed = 0.05 * rng.normal(size=len(pose)), *rng.uniform(1.0, 6.0, size=(2, len(pose)))

    def keyed(times: Array) -> Array:
        turn = speed * np.asarray(times)[:, None] / TICKS_PER_SECOND + phase
        return np.stack((pose + height * np.sin(turn), height * speed * np.cos(turn)), axis=1)

    return keyed


def one_frame(kino: KinoModel, samples: Array) -> Callable[[], object]:
    """From the keyed motion's samples to the pose."""
    end = np.array([float(TICKS_PER_SECOND)])
    return lambda: kino.simulate(end, lambda _: samples)


def bare_solves(kino: KinoModel, samples: Array, count: int) -> Callable[[], object]:
    """Forward dynamics alone, as often as the frame needs it."""
    mechanics, q = kino.mechanics, np.ascontiguousarray(samples[-1, 0])
    none, qdd, work = np.zeros(mechanics.rate_count), np.empty(mechanics.rate_count), mechanics.new_work()
    diagonal = np.ascontiguousarray(kino.servo[ADDED])

    def solve() -> None:
        for _ in range(count):
            compute_forward_dynamics(mechanics.ints, mechanics.floats, q, none, none, diagonal, kino.outside, work, qdd)

    return solve
