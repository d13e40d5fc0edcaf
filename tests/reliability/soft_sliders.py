"""`python -m tests.reliability.soft_sliders [--minutes 10] [--seed 1] [--examples jelly,snake] [--length 60]`: every
example of soft bodies, with sliders anywhere in their ranges, simulated for a minute each.

A trial takes an example and sets some of the numbers that a person can drag: of bodies, splines, attachments, of all
soft bodies together and of the scene's physics; now and then a hand pulls, too. A number that is not finite, or a step
that the simulation gave up, fails it. A trial that has taken its share of processor time is left where it has come to,
and that is told. Prints what fails with what makes it again, and the counts.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

from engine.document import Document
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.physics.parts import PhysicsWorld
from engine.queries.examples import EXAMPLES, example
from engine.runtime.options import About, described
from engine.soft.parts import SoftBody, SoftWorld
from engine.soft.pulls import SoftPull
from engine.soft.stage import SoftStage
from engine.soft.uses import is_soft, soft_actors

MOVED = 0.35  # share of the sliders that a trial moves
AT_AN_END = 0.25  # of those, how many to an end of their range
PULLED = 0.2  # share of the trials in which a hand pulls
MANY_POWERS = 300.0  # ends further apart than this ratio are drawn from by their logarithm, as sliders show them
GAVE_UP = ("The simulation stopped", "The window before")
SHARE = 30.0  # [s] of processor time that a trial may take


@dataclass(frozen=True)
class Trial:
    """What became of one."""

    name: str
    seed: int
    seconds: float  # as far as it was simulated
    took: float  # [s] of processor time
    wrong: str = ""


def soft_examples() -> tuple[str, ...]:
    """The examples that have a soft body."""
    return tuple(each.id for each in EXAMPLES if any(map(is_soft, each.build().actors)))


def run(name: str, seed: int, length: float = 60.0, share: float = SHARE) -> Trial:
    """Make a trial."""
    document = shuffled(example(name).build(), Random(f"{name} {seed}"))
    stage = Evaluator().stage("soft")
    assert isinstance(stage, SoftStage)
    began, reached = time.process_time(), 0.0
    actors = [actor.id for actor, _ in soft_actors(document)]
    while reached < length:
        reached = min(reached + 0.5, length)
        for actor in actors:
            found = stage.stepped(document, actor)
            points = found.points(round(reached * SECOND))
            if not np.isfinite(points).all():
                return Trial(name, seed, reached, time.process_time() - began, f"{actor}: numbers that are not finite")
            stopped = [each for each in found.said if each.startswith(GAVE_UP)]
            if stopped:
                return Trial(name, seed, reached, time.process_time() - began, stopped[0])
        if time.process_time() - began > share:
            break
    return Trial(name, seed, reached, time.process_time() - began)


def shuffled(document: Document, chance: Random) -> Document:
    """The document with sliders moved."""
    for actor, body in soft_actors(document):
        splines = tuple(replace(each, **_drawn(each, chance)) for each in body.splines)
        held = tuple(replace(each, **_drawn(each, chance)) for each in body.attachments)
        pulls = body.pulls
        if chance.random() < PULLED:
            pulls = (*pulls, _pull(body, chance))
        moved = replace(body, splines=splines, attachments=held, pulls=pulls, **_drawn(body, chance))
        document = document.with_actor(actor.with_part(moved))
    for kind in (SoftWorld, PhysicsWorld):
        part: Any = document.part(kind) or kind()
        document = document.with_part(replace(part, **_drawn(part, chance)))
    return document


def _drawn(part: Any, chance: Random) -> dict[str, Any]:
    """Numbers for some of a part's sliders."""
    return {
        name: _number(about, usual, chance)
        for name, (about, usual) in described(part).items()
        if _is_slider(about, usual) and chance.random() < MOVED
    }


def _is_slider(about: About, usual: Any) -> bool:
    return not about.choices and not isinstance(usual, bool) and about.least is not None and about.most is not None


def _number(about: About, usual: float, chance: Random) -> float:
    least, most = about.least, about.most
    assert least is not None
    assert most is not None
    if chance.random() < AT_AN_END:
        found = chance.choice((least, most))
    elif least > 0.0 and most > MANY_POWERS * least:
        found = math.exp(chance.uniform(math.log(least), math.log(most)))
    else:
        found = chance.uniform(least, most)
    return round(found) if isinstance(usual, int) else min(max(found, least), most)


def _pull(body: SoftBody, chance: Random) -> SoftPull:
    """A hand that takes a point of the surface and moves a metre at most each half second."""
    points = body.points.array
    x, y, z = points[chance.randrange(len(points))].tolist()
    start = chance.randrange(0, 5) * SECOND
    times = tuple(start + each * SECOND // 2 for each in range(6))
    places = tuple((x + chance.uniform(-1, 1), 0.5 + chance.uniform(-1, 1), z + chance.uniform(-1, 1)) for _ in times)
    made = SoftPull(id="hand", point=(x, y, z), times=times, places=places, end=start + 4 * SECOND)
    return replace(made, **_drawn(made, chance))


def trials(names: tuple[str, ...], first: int, length: float, budget: float) -> Iterator[Trial]:
    """One of each example after the other, until a budget of processor time [s] is spent."""
    began, number = time.process_time(), 0
    while time.process_time() - began < budget:
        yield run(names[number % len(names)], first + number // len(names), length)
        number += 1


def main() -> int:
    """Print what fails, and the counts."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--minutes", type=float, default=10.0, help="of processor time")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--length", type=float, default=60.0, help="[s] that each trial is simulated")
    reader.add_argument("--examples", default="", help="ids with commas between them; all of soft bodies if none")
    given = reader.parse_args()
    names = tuple(filter(None, given.examples.split(","))) or soft_examples()
    done: list[Trial] = []
    for each in trials(names, given.seed, given.length, 60.0 * given.minutes):
        done.append(each)
        told = f"{each.name} {each.seed}: {each.seconds:.1f} s in {each.took:.1f} s"
        print(f"{told}  FAILED: {each.wrong}" if each.wrong else told, flush=True)
    failed = [each for each in done if each.wrong]
    whole = [each for each in done if not each.wrong and each.seconds >= given.length]
    print(
        f"{len(done)} trials, {len(failed)} failed, {len(whole)} whole, {len(done) - len(failed) - len(whole)} left "
        f"early; {sum(each.seconds for each in done):.0f} s simulated"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
