"""Motions that are found: what a plan asks for, and the way from one pose to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sinew.finding import actor_of, evaluator, finished, free_id, prepare

if TYPE_CHECKING:
    from engine.document import Document
    from engine.optimise.report import SolveReport


def find_motion(
    document: Document, *, actor: str | None = None, guesses: int | None = None, stop_after: float | None = None
) -> tuple[Document, SolveReport]:
    """Find the motion of least effort that an actor's plan asks for, keep it as a layer, and say how the search ended.
    Where it meets other actors, theirs are found and kept with it.

    `guesses` are drawn beside the straight line, for other minima, of which the best is kept; `stop_after` some seconds
    [s] the search is left where it is. The plan is a `Spacetime` (`engine.spacetime.parts`), put into a scene by the
    window, or by the edit `put_spacetime`.
    """
    from engine.cli.spacetime import in_words, keep, search_plan

    owner = actor_of(document, actor)
    prepare(document, "spacetime")
    made, found, _ = search_plan(document, owner, guesses=guesses, stop_after=stop_after)
    ids = {id: free_id("planned", {layer.id for layer in document.actor(id).layers}) for id in made.members}
    return keep(document, made, found[0], ids=ids), in_words(made, found[0])


def between(document: Document, start: float, end: float, *, actor: str | None = None) -> Document:
    """Fill the time between two poses of an actor [s] with the motion of least effort from one to the other, as a layer
    over that time. Raises where physics allows none."""
    from engine.queries.naming import ticks_of
    from engine.spacetime.commands.fill_between import FillBetween

    owner = actor_of(document, actor)
    prepare(document, "spacetime")
    command = FillBetween(
        actor=owner.id,
        id=free_id("between", {layer.id for layer in owner.layers}),
        begin=ticks_of(start, "the begin"),
        end=ticks_of(end, "the end"),
    )
    return finished("searching", command.work_through(evaluator(), document)).edit.apply(document)
