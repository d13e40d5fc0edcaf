"""FindMotion: a figure's motion searched for step by step, as the window follows it.

The search holds the engine's thread for an iteration at a time and lets other work in between. Every iterate is kept:
one that is not the last may be the motion that looks best (Winzell 2004, 7.1). Importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import TYPE_CHECKING

from engine.document import Document
from engine.runtime.quick_dataclass import dataclass
from engine.runtime.worker import HowFar
from engine.spacetime.parts import Spacetime
from engine.spacetime.queries.seen_motion import MotionMiss, SeenMotion
from engine.spacetime.uses import spacetime_of

if TYPE_CHECKING:
    from engine.optimise.report import Iterate
    from engine.spacetime.faults import WorstDemand
    from engine.spacetime.motions import PlannedMotion
    from engine.spacetime.planned import CompiledMotion
    from engine.spacetime.problem import MotionProblem
    from engine.spacetime.search import FoundMotion, MotionSearch

TOLD_EVERY = 0.03  # [s] between two messages of how far it is
GUESSES, MOST_MINIMA = 5, 4  # drawn guesses where minima are compared and none are asked for; minima that are kept


@dataclass(frozen=True, kw_only=True)
class MotionWanted:
    """A search that is asked for."""

    actor: str
    earlier: SeenMotion | None = None  # of a problem much like this one; from there it begins
    present: bool = False  # whether it begins with the motion that the actor has
    compare: bool = False  # whether from several guesses, to see which minima there are


@dataclass(frozen=True, eq=False)
class MotionUnderway(HowFar):
    """A search that goes on: the motions that it has come to so far, of the guess that it is at."""

    problem: Spacetime
    iterates: tuple[SeenMotion, ...]


@dataclass(frozen=True, eq=False)
class MotionFound:
    """A search that has ended: its iterates, the minima that it found, the best first, and what it says."""

    problem: Spacetime
    iterates: tuple[SeenMotion, ...]
    minima: tuple[SeenMotion, ...]  # one where minima were not compared; also where not all demands are met
    report: str


Finding = Generator[MotionUnderway | MotionFound | None, None, None]


def find_motion(document: Document, wanted: MotionWanted) -> Finding:
    """Search; yields how far it is, and at last what was found."""
    from engine.spacetime.planned import compiled

    actor = document.actor(wanted.actor)
    plan = spacetime_of(actor)
    assert plan is not None, "asked for only where a motion is planned"
    made = compiled(document, wanted.actor)
    yield None
    steps, seen, told = _steps(made, plan, wanted), list[SeenMotion](), perf_counter()
    while True:
        try:
            search, iterate = next(steps)
        except StopIteration as end:
            found: tuple[FoundMotion, ...] = end.value
            break
        seen.append(_seen(made, plan, wanted.actor, search, iterate))
        is_due = perf_counter() - told >= TOLD_EVERY
        if is_due:
            told = perf_counter()
        yield MotionUnderway(plan, tuple(seen)) if is_due else None
    minima = tuple(_ended(made, plan, wanted.actor, each) for each in found)
    played = ""
    if plan.plane is None and found[0].report.solved:
        from engine.spacetime.spatial.playback import tell_playback

        played = yield from tell_playback(found[0].motion, [each.name for each in plan.stages])
    yield MotionFound(plan, tuple(seen), minima, _words(found) + played)


def _steps(
    made: CompiledMotion, plan: Spacetime, wanted: MotionWanted
) -> Generator[tuple[MotionSearch, Iterate], None, tuple[FoundMotion, ...]]:
    """Search from one guess, or from several; each iterate beside the search that can read it."""
    from engine.spacetime.search import iterate_best

    search, earlier = made.search, None if wanted.earlier is None else wanted.earlier.planned
    if earlier is not None and not _is_like(earlier, search.problem):
        earlier = None
    first = made.present() if wanted.present else search.straight_line()
    guess = first if earlier is None else search.guess_like(earlier)
    if wanted.compare or (plan.guesses and earlier is None):
        seeds = range(plan.guesses or GUESSES)
        return (yield from iterate_best(search, guess, seeds=seeds, keep=MOST_MINIMA))
    found = yield from _with_search(search, search.iterate(guess, None if earlier is None else search.from_earlier))
    if earlier is not None and not found.report.solved:  # it lies too far from there
        again = yield from _with_search(search, search.iterate(search.straight_line()))
        found = min(again, found, key=lambda each: (not each.report.solved, each.report.last.violation))
    return (found,)


def _with_search(
    search: MotionSearch, steps: Generator[Iterate, None, FoundMotion]
) -> Generator[tuple[MotionSearch, Iterate], None, FoundMotion]:
    while True:
        try:
            yield search, next(steps)
        except StopIteration as end:
            found: FoundMotion = end.value
            return found


def _is_like(motion: PlannedMotion, problem: MotionProblem) -> bool:
    """Tell whether a motion has the functions and stages of a problem, so that a search may begin there."""
    old = motion.problem
    return old.functions == problem.functions and [each.name for each in old.stages] == [
        each.name for each in problem.stages
    ]


def _seen(made: CompiledMotion, plan: Spacetime, actor: str, search: MotionSearch, iterate: Iterate) -> SeenMotion:
    return SeenMotion(
        actor, plan.start, iterate.iteration, iterate.objective, iterate.violation, "searching",
        search.motion(iterate.x), made,
    )  # fmt: skip


def _ended(made: CompiledMotion, plan: Spacetime, actor: str, found: FoundMotion) -> SeenMotion:
    last = found.report.last
    misses = () if found.report.solved else tuple(map(_miss, made.worst(last.x)))
    seen = SeenMotion(
        actor, plan.start, last.iteration, last.objective, last.violation, found.report.ending, found.motion, made,
        misses,
    )  # fmt: skip
    assert seen.torques is not None, "worked out here, for views that may call no kernel"
    return seen


def _miss(each: WorstDemand) -> MotionMiss:
    words = str(each)
    return MotionMiss(
        constraint=each.constraint or "",
        seconds=each.seconds,
        words=f"{words[:1].upper()}{words[1:]}",
        place=each.position,
    )


def _words(found: tuple[FoundMotion, ...]) -> str:
    """Say how a search ended."""
    best = found[0]
    last, notes = best.report.last, "".join(f" {each[:1].upper()}{each[1:]}." for each in best.notes)
    if best.report.solved:
        several = f"{len(found)} ways to do it. The best: e" if len(found) > 1 else "E"
        return f"{several}ffort {last.objective:.4g}, after {last.iteration} iterations.{notes}"
    if best.report.ending == "no way":
        return f"No motion nearby meets all demands (after {last.iteration} iterations). Missed most:"
    return f"Not finished after {last.iteration} iterations. Missed most:"
