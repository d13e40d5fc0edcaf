"""`python -m tests.benchmarks.random_targets [COUNT [TENSION ...] [CASE ...]]`: are random targets met, and is it sane?

The human punches; random places within 0.8 of its arm's reach are targets of the fist at the strike, with the ease that
a target has when it is made, for several tensions of the whole body: free, with locked feet, with a limit over the
angles of each shoulder that leaves little beside what is keyed, and with the velocity that is keyed (the fist stands
still at a place that has nothing to do with how it swings). "possible" has places and velocities that there are: those
of the fist with a random correction of the joints that move it by much, of some hundredths of their ranges, that makes
no joint too fast and the fist no faster than it strikes without. Each is looked at on screen, 120 times a second: by
how much it is missed with and without the correction, and how fast the fastest joint turns with and without it. One
line for each; it takes minutes. `38 1 fields` is one line alone: CASE is "no locks", "locked feet", fields, velocity or
possible.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from itertools import pairwise
from time import process_time

import numpy as np

from engine.commands.make_limit import grid_over
from engine.document import Actor, Bell, Document, Figure, Gains, Key, Layer, Limit, Lock, Secondary, Target, Track
from engine.document.limit import BoxRange
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.values import vector3
from engine.dynamics.coordinates import compute_difference
from engine.evaluate.evaluator import Evaluator
from engine.kinodynamics.tracking import APART
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import quaternion_of
from engine.model.compile import ROW, compile_model
from engine.runtime.progress import finish
from engine.targets.actor_targets import compile_targets
from engine.targets.commands.meet_targets import MeetTargets, TargetsMet
from engine.targets.corrections import Basis, Bump, Corrections
from engine.targets.problem import corrected
from engine.targets.reach import rate_places
from engine.targets.speeds import ALWAYS, TIMES, find_fastest, may_turn
from engine.targets.steering import longest_levers
from tests.benchmarks.hitting import FIST, GUARD, HIT, STRIKE, Punch
from tests.benchmarks.scenes import human

CASES = ("no locks", "locked feet", "fields", "velocity", "possible")
TENSIONS = (1.0, 1.5, 2.5, 4.0)
FRAMES = 120  # a second
BEYOND = 0.6  # [rad] that fields leave to secondary motion beside the keys
FASTEST = 5.0  # [m/s] that a fist is asked for: as fast as it strikes without a correction
WIDTH = 0.28  # [s] of random corrections, which begin after the first key
RANGES = 0.06  # that they are of; four times as much throws fingers about at 1.5 Hz
SPAN = (0.1, 1.7)  # [s] that is looked at


@dataclass(frozen=True)
class Seen:
    """What is seen of one target."""

    met: bool
    before: float  # [m] that it is missed by without a correction
    after: float  # with it
    speed: float  # [rad/s] of the fastest joint with it
    usual: float  # and without it
    took: float  # [s] of processor time to meet it
    text: str

    @property
    def is_slow(self) -> bool:
        """Whether no joint is thrown about."""
        return self.speed <= max(TIMES * self.usual, ALWAYS)


def puncher(evaluator: Evaluator, tension: float, case: str) -> Document:
    """The human that punches, all of its joints slack."""
    tracks = tuple(
        Track(
            coordinate=name,
            keys=tuple(
                Key(round(time * SECOND), float(np.radians(each.get(name, 0.0))))
                for time, each in ((0.4, GUARD), (STRIKE, HIT), (1.1, GUARD))
            ),
        )
        for name in sorted({*GUARD, *HIT})
    )
    actor = Actor(id="one", name="Human", figure=human(), layers=(Layer(id="pose", tracks=tracks),))
    if case == "fields":
        actor = replace(actor, figure=fielded(actor.figure))
    if case == "locked feet":
        places = evaluator.joint_transforms(Document(actors=(actor,)), "one", 0)
        actor = replace(actor, locks=tuple(_lock(actor, places, f"ankle_{side}") for side in ("left", "right")))
    return Document(actors=(replace(actor, secondary=Secondary(gains=Gains(tension=tension))),))


def fielded(figure: Figure) -> Figure:
    """The figure with a limit over all hinges of each shoulder, not far beyond what is keyed."""
    limits = []
    for joint in (figure.joint(f"shoulder_{side}") for side in ("left", "right")):
        dofs = tuple(dof.id for dof in joint.dofs)
        keyed = np.radians([[0.0, GUARD.get(dof, 0.0), HIT.get(dof, 0.0)] for dof in dofs])
        ends = keyed.min(axis=1) - BEYOND, keyed.max(axis=1) + BEYOND
        box = BoxRange(lower=tuple(ends[0].tolist()), upper=tuple(ends[1].tolist()))
        grid = grid_over(figure, dofs, box, (33,) * len(dofs), 0.0)
        limits.append(Limit(id=joint.id, name=joint.name, dofs=dofs, range=box, grid=grid))
    return replace(figure, limits=tuple(limits))


def _lock(actor: Actor, places: Array, joint: str) -> Lock:
    place = places[actor.figure.joint_index[joint]]
    x, y, z = place[:, 3].tolist()
    return Lock(id=joint, name=joint, joint=joint, axes=("i", "j"), position=(x, y, z), rotation=quaternion_of(place))


def fastest(evaluator: Evaluator, document: Document) -> float:
    """The speed of the fastest joint on screen [rad/s]."""
    figure = document.actor("one").figure
    times = [round(frame * SECOND / FRAMES) for frame in range(round(SPAN[0] * FRAMES), round(SPAN[1] * FRAMES))]
    poses, model = [evaluator.rows(document, time)["one"][ROW:].copy() for time in times], compile_model(figure)
    turns = np.array([dof.kind != "slide" for dof in figure.dofs for _ in dof.rates])
    moved, found = np.zeros(len(turns)), 0.0
    for before, after in pairwise(poses):
        compute_difference(model.ints, before, after, moved)
        found = max(found, FRAMES * float(np.abs(moved[turns]).max()))
    return found


def possible(evaluator: Evaluator, document: Document, count: int) -> list[tuple[Array, Array]]:
    """Places and velocities of the fist at the strike with random corrections that make no joint too fast and the fist
    no faster than it strikes without."""
    time, rng = round(STRIKE * SECOND), np.random.default_rng(23)
    asked = compile_targets(evaluator, document, "one")
    kino, model, wide = asked.kino, asked.kino.mechanics.model, round(WIDTH * SECOND)
    lever = longest_levers(model.figure, model.figure.joint_index["wrist_right"], FIST)
    lever[kino.gains.exact] = 0.0  # what follows exactly gives way to no target
    ranges = np.array([min(model.upper[at] - model.lower[at], 3.0) if at >= 0 else 0.0 for at in rate_places(model)])
    basis = Basis((Bump(bell=Bell(time=time, before=wide, after=wide), slope=True),), free=True)
    span, found = (time - 2.0 * wide, time + wide + float(kino.window_ticks)), list[tuple[Array, Array]]()
    usual, _ = finish(find_fastest(kino, asked.keyed, *span))
    while len(found) < count:
        change = (
            RANGES
            * ranges
            * (lever > 0.25 * lever.max())
            * rng.normal(size=(2, len(ranges)))
            * np.array([[1.0], [WIDTH / 3.0]])
        )
        made = (Corrections(basis, change),)
        if may_turn(finish(find_fastest(kino, corrected(kino, asked.keyed, made), *span))[0], usual):
            shown = asked.corrected(asked.correction(made))
            before, place, after = (_fist(evaluator, shown, time + by) for by in (-APART, 0, APART))
            speed = (after - before) * (SECOND / (2.0 * APART))
            if np.linalg.norm(speed) <= FASTEST:
                found.append((place, speed))
    return found


def _fist(evaluator: Evaluator, document: Document, time: int) -> Array:
    owner = document.actor("one")
    frame = evaluator.joint_transforms(document, "one", time)[owner.figure.joint_index["wrist_right"]]
    return np.asarray(frame[:, :3] @ np.array(FIST) + frame[:, 3])


def see(
    evaluator: Evaluator,
    document: Document,
    place: Array,
    usual: float,
    *,
    velocity: bool = False,
    speed: Array | None = None,
) -> Seen:
    """Meet a target, and look. `speed`: the velocity that is wanted, else the one that is keyed."""
    owner, (x, y, z), time = document.actor("one"), place.tolist(), round(STRIKE * SECOND)
    target = Target(
        id="hit",
        kind="point",
        joint="wrist_right",
        point=FIST,
        position=(x, y, z),
        time=time,
        velocity=velocity,
        speed=None if speed is None else vector3("a velocity", speed.tolist()),
    )
    assert owner.secondary is not None
    asked = document.with_actor(replace(owner, secondary=replace(owner.secondary, targets=(target,))))
    began = process_time()
    report: TargetsMet = finish(MeetTargets(actor="one", id="correction").work_through(evaluator, asked))
    took, after = process_time() - began, report.edit.apply(asked)

    def missed(shown: Document) -> float:
        return float(np.linalg.norm(_fist(evaluator, shown, time) - place))

    turned, met = fastest(evaluator, after), report.met and missed(after) <= 1e-6
    return Seen(met, missed(asked), missed(after), turned, usual, took, report.text)


def line(what: str, seen: list[Seen]) -> str:
    """For a person."""
    share, worse = 100.0 / len(seen), [each for each in seen if not each.met and each.after >= each.before]
    took = 1e3 * np.array([each.took for each in seen])
    ratio = max(each.speed / max(TIMES * each.usual, ALWAYS) for each in seen)
    return (
        f"{what}: {len(seen)} targets, met {share * sum(each.met for each in seen):.1f} %; "
        f"{sum(not each.is_slow for each in seen)} with a joint too fast (at most {ratio:.2f} of what is allowed), "
        f"{len(worse)} missed and no nearer than before; {np.median(took):.0f} ms of processor time each, "
        f"{took.max():.0f} at most"
    )


def main() -> None:
    """Print a line for each."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 38
    cases = tuple(each for each in sys.argv[2:] if each in CASES)
    tensions = tuple(float(each) for each in sys.argv[2:] if each not in CASES) or TENSIONS
    places = Punch().targets(count)
    for tension in tensions:
        for case in cases or CASES:
            evaluator = Evaluator()
            document = puncher(evaluator, tension, case)
            usual = fastest(evaluator, document)
            if case == "possible":
                pairs = possible(evaluator, document, count)
                seen = [see(evaluator, document, at, usual, velocity=True, speed=speed) for at, speed in pairs]
            else:
                seen = [see(evaluator, document, place, usual, velocity=case == "velocity") for place in places]
            print(line(f"{tension:g} Hz, {case}", seen), flush=True)


if __name__ == "__main__":
    main()
