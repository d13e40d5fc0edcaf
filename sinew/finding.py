"""Parts of a scene by their names, and what calls of the library have ready: kernels, an evaluator, progress."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from engine.runtime.errors import InvalidArguments
from engine.runtime.progress import finish, telling

if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import TypeVar

    from engine.document import Actor, Document
    from engine.evaluate.evaluator import Evaluator
    from engine.ik.goals import Spot

    T = TypeVar("T")

_own = threading.local()


def prepare(document: Document, *names: str) -> None:
    """Have the kernels ready that a document's pictures and drags use, and those of further purposes."""
    from engine.long.prepare import prepare as prepare_for
    from engine.queries.needs import needs_of

    prepare_for({"posing", *needs_of(document), *names})


def evaluator() -> Evaluator:
    """The evaluator of this thread, which keeps models from call to call."""
    from engine.evaluate.evaluator import Evaluator

    if not hasattr(_own, "evaluator"):
        _own.evaluator = Evaluator()
    found: Evaluator = _own.evaluator
    return found


def actor_of(document: Document, name: str | None) -> Actor:
    """The actor of that id or name; without one the first that is no prop."""
    from engine.queries.naming import actor_named

    if name is not None:
        return actor_named(document, name)
    if not document.actors:
        raise InvalidArguments(what="the actors of the scene", value=(), allowed="at least one")
    return min(document.actors, key=lambda actor: actor.figure.is_prop)


def part_of(document: Document, name: str) -> Spot:
    """The spot of a part such as "human.head", or "head" of the first figure."""
    from engine.queries.naming import part_named

    return part_named(document, name)


def free_id(id: str, taken: set[str]) -> str:
    """An id that is not yet taken, the same each time."""
    number, found = 1, id
    while found in taken:
        number += 1
        found = f"{id}_{number}"
    return found


def finished(what: str, steps: Generator[float, None, T]) -> T:
    """Work that says how far it is, done at one go."""
    from engine.long.percent import Percent

    return finish(telling(steps, Percent(what)))
