"""`python -m tests.benchmarks.random_targets [COUNT [TENSION ...] [CASE ...]]`: are random targets met, and is it sane?

The human punches; random places within 0.8 of its arm's reach are targets of the fist at the strike, with the ease that
a target has when it is made, for several tensions of the whole body: free, with locked feet, with a limit over the
angles of each shoulder that leaves little beside what is keyed, and with the velocity that is keyed. Each is looked at
on screen, 120 times a second: by how much it is missed with and without the correction, and how fast the fastest joint
turns with and without it. One line for each; it takes minutes. `38 1 fields` is one line alone: CASE is "no locks",
"locked feet", fields or velocity.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from itertools import pairwise
from time import perf_counter

import numpy as np

from engine.commands.make_limit import grid_over
from engine.document import Actor, Document, Figure, Gains, Key, Layer, Limit, Lock, Secondary, Target, Track
from engine.document.limit import BoxRange
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.dynamics.coordinates import compute_difference
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import quaternion_of
from engine.model.compile import ROW, compile_model
from engine.runtime.progress import finish
from engine.targets.commands.meet_targets import MeetTargets, TargetsMet
from engine.targets.speeds import ALWAYS, TIMES
from tests.benchmarks.hitting import FIST, GUARD, HIT, STRIKE, Punch
from tests.benchmarks.scenes import human

CASES = ("no locks", "locked feet", "fields", "velocity")
TENSIONS = (1.0, 1.5, 2.5, 4.0)
FRAMES = 120  # a second
BEYOND = 0.6  # [rad] that fields leave to secondary motion beside the keys
SPAN = (0.1, 1.7)  # [s] that is looked at


@dataclass(frozen=True)
class Seen:
    """What is seen of one target."""

    met: bool
    before: float  # [m] that it is missed by without a correction
    after: float  # with it
    speed: float  # [rad/s] of the fastest joint with it
    usual: float  # and without it
    took: float  # [s] to meet it
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


def see(evaluator: Evaluator, document: Document, place: Array, usual: float, *, velocity: bool = False) -> Seen:
    """Meet a target, and look."""
    owner, (x, y, z), time = document.actor("one"), place.tolist(), round(STRIKE * SECOND)
    target = Target(
        id="hit", kind="point", joint="wrist_right", point=FIST, position=(x, y, z), time=time, velocity=velocity
    )
    assert owner.secondary is not None
    asked = document.with_actor(replace(owner, secondary=replace(owner.secondary, targets=(target,))))
    began = perf_counter()
    report: TargetsMet = finish(MeetTargets(actor="one", id="correction").work_through(evaluator, asked))
    took, after = perf_counter() - began, report.edit.apply(asked)

    def missed(shown: Document) -> float:
        frame = evaluator.joint_transforms(shown, "one", time)[owner.figure.joint_index["wrist_right"]]
        return float(np.linalg.norm(frame[:, :3] @ np.array(FIST) + frame[:, 3] - place))

    speed = fastest(evaluator, after)
    return Seen(report.met and missed(after) <= 1e-6, missed(asked), missed(after), speed, usual, took, report.text)


def line(what: str, seen: list[Seen]) -> str:
    """For a person."""
    share, worse = 100.0 / len(seen), [each for each in seen if not each.met and each.after >= each.before]
    took = 1e3 * np.array([each.took for each in seen])
    ratio = max(each.speed / max(TIMES * each.usual, ALWAYS) for each in seen)
    return (
        f"{what}: {len(seen)} targets, met {share * sum(each.met for each in seen):.1f} %; "
        f"{sum(not each.is_slow for each in seen)} with a joint too fast (at most {ratio:.2f} of what is allowed), "
        f"{len(worse)} missed and no nearer than before; {np.median(took):.0f} ms each, {took.max():.0f} at most"
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
            seen = [see(evaluator, document, place, usual, velocity=case == "velocity") for place in places]
            print(line(f"{tension:g} Hz, {case}", seen), flush=True)


if __name__ == "__main__":
    main()
