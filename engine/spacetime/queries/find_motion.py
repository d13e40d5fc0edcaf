"""FindMotion: a figure's motion searched for step by step, as the window follows it.

The search holds the engine's thread for an iteration at a time and lets other work in between. Every iterate is kept:
one that is not the last may be the motion that looks best (Winzell 2004, 7.1). Importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import TYPE_CHECKING, Any

from engine.document import Document
from engine.runtime.progress import telling
from engine.runtime.quick_dataclass import dataclass
from engine.runtime.worker import HowFar
from engine.spacetime.queries.coupled_plans import Plans, coupled_plans
from engine.spacetime.queries.seen_motion import MotionMiss, MotionState, SeenMotion

if TYPE_CHECKING:
    from engine.optimise.report import Iterate
    from engine.spacetime.coupled import CoupledMotions
    from engine.spacetime.coupled_faults import CoupledDemand
    from engine.spacetime.motions import PlannedMotion
    from engine.spacetime.problem import MotionProblem


TOLD_EVERY = 0.1  # [s] between two messages of how far it is
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

    problem: Plans
    iterates: tuple[SeenMotion, ...]


@dataclass(frozen=True, eq=False)
class MotionFound:
    """A search that has ended: its iterates, the minima that it found, the best first, and what it says."""

    problem: Plans
    iterates: tuple[SeenMotion, ...]
    minima: tuple[SeenMotion, ...]  # one where minima were not compared; also where not all demands are met
    report: str


Finding = Generator[MotionUnderway | MotionFound | None, None, None]


def find_motion(document: Document, wanted: MotionWanted) -> Finding:
    """Search, together with those whom the actor meets; yields how far it is, and at last what was found."""
    from engine.spacetime.coupled import coupled_motions

    plans = coupled_plans(document, wanted.actor)
    made = coupled_motions(document, wanted.actor)
    yield None
    steps, seen, told = _steps(made, wanted), list[SeenMotion](), perf_counter()
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            found: tuple[Any, ...] = end.value
            break
        if step is None:
            yield None
            continue
        search, iterate = step
        seen.append(_seen(made, search.motion(iterate.x), iterate, "searching"))
        is_due = perf_counter() - told >= TOLD_EVERY
        if is_due:
            told = perf_counter()
        yield MotionUnderway(plans, tuple(seen)) if is_due else None
    minima = tuple(_ended(made, each) for each in found)
    played = (yield from _tell_played(made, found[0])) if found[0].report.solved else ""
    yield MotionFound(plans, tuple(seen), minima, _words(found) + played)


def _tell_played(made: CoupledMotions, found: Any) -> Generator[None, None, str]:
    """Say of motions in space where their torques alone would not bring about what was found."""
    from engine.spacetime.spatial.motions import SpatialMotion
    from engine.spacetime.spatial.playback import tell_playback

    for actor, motion in made.motions(found.motion).items():
        if isinstance(motion, SpatialMotion):
            told = yield from tell_playback(motion, [each.name for each in made.plans[actor].stages])
            if told:
                return told
    return ""


def _steps(made: CoupledMotions, wanted: MotionWanted) -> Generator[tuple[Any, Iterate] | None, None, tuple[Any, ...]]:
    """Search from one guess, or from several; each iterate beside the search that can read it, and None between."""
    from engine.spacetime.search import best_in_parts

    search, earlier = made.search, _earlier(made, wanted)
    yield None
    first = made.present() if wanted.present else search.straight_line()
    guess = first if earlier is None else search.guess_like(earlier)
    if wanted.compare or (made.guesses and earlier is None):
        seeds = range(made.guesses or GUESSES)
        return (yield from best_in_parts(search, guess, seeds=seeds, keep=MOST_MINIMA))
    effort = None if earlier is None else search.from_earlier
    found = yield from _with_search(search, search.iterate_in_parts(guess, effort))
    if earlier is not None and not found.report.solved:  # it lies too far from there
        again = yield from _with_search(search, search.iterate_in_parts(search.straight_line()))
        found = min(again, found, key=lambda each: (not each.report.solved, each.report.last.violation))
    return (found,)


def _earlier(made: CoupledMotions, wanted: MotionWanted) -> Any:
    """Give the motion at which the search may begin, or the motions by actor, as the search takes them."""
    earlier = wanted.earlier
    if earlier is None:
        return None
    known = {each.actor: each.planned for each in (earlier, *earlier.others)}
    if known.keys() != made.members.keys():
        return None
    if not all(_is_like(known[id], each.problem) for id, each in made.members.items()):
        return None
    return known[made.actor] if made.alone is not None else known


def _with_search(
    search: Any, steps: Generator[Iterate | None, None, Any]
) -> Generator[tuple[Any, Iterate] | None, None, Any]:
    return telling(steps, lambda each: None if each is None else (search, each))


def _is_like(motion: PlannedMotion, problem: MotionProblem) -> bool:
    """Tell whether a motion has the functions and stages of a problem, so that a search may begin there."""
    old = motion.problem
    return old.functions == problem.functions and [each.name for each in old.stages] == [
        each.name for each in problem.stages
    ]


def _seen(
    made: CoupledMotions, motion: Any, iterate: Iterate, state: MotionState, misses: tuple[MotionMiss, ...] = ()
) -> SeenMotion:
    """The motion of the actor that is searched for, beside those of others."""
    together: dict[str, SeenMotion] = {}
    for id, planned in made.motions(motion).items():
        together[id] = SeenMotion(
            id, made.plans[id].start, iterate.iteration, iterate.objective, iterate.violation, state, planned,
            made.members[id], misses, together if len(made.members) > 1 else {},
        )  # fmt: skip
    return together[made.actor]


def _ended(made: CoupledMotions, found: Any) -> SeenMotion:
    from engine.spacetime.coupled_faults import worst_coupled

    last = found.report.last
    misses = () if found.report.solved else tuple(map(_miss, worst_coupled(made, found.motion, last.x)))
    seen = _seen(made, found.motion, last, found.report.ending, misses)
    for each in (seen, *seen.others):
        assert each.torques is not None, "worked out here, for views that may call no kernel"
    return seen


def _miss(each: CoupledDemand) -> MotionMiss:
    words = str(each)
    return MotionMiss(
        constraint=each.demand.constraint or "",
        seconds=each.demand.seconds,
        words=f"{words[:1].upper()}{words[1:]}",
        place=each.demand.position,
        actor=each.actor,
    )


def _words(found: tuple[Any, ...]) -> str:
    """Say how a search ended."""
    best = found[0]
    last, notes = best.report.last, "".join(f" {each[:1].upper()}{each[1:]}." for each in best.notes)
    if best.report.solved:
        several = f"{len(found)} ways to do it. The best: e" if len(found) > 1 else "E"
        return f"{several}ffort {last.objective:.4g}, after {last.iteration} iterations.{notes}"
    if best.report.ending == "no way":
        return f"No motion nearby meets all demands (after {last.iteration} iterations). Missed most:"
    return f"Not finished after {last.iteration} iterations. Missed most:"
