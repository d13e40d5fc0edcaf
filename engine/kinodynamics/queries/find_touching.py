"""find_touching: the live job that names what of an actor touches something as the window of a frame begins.

A window that has contact begins at a keyed pose without a history (Rahgoshay 2011, chapter 3). What touches there would
have been held by friction since before: that is where a motion with a history would differ, and a person sees a note.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from engine.document import Document
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

_NAMED = 3  # that a sentence lists


@dataclass(frozen=True, kw_only=True)
class TouchingWanted:
    """Whose window, that ends when [ticks]."""

    actor: str
    time: int


@dataclass(frozen=True)
class TouchingFound:
    """The joints whose bodies touch something as it begins, by their names; none where contact is off."""

    wanted: TouchingWanted
    names: tuple[str, ...]


def find_touching(
    evaluator: Evaluation, document: Document, wanted: TouchingWanted
) -> Generator[TouchingFound | None, None, None]:
    """Answers once."""
    yield None
    (names,) = touching_at(evaluator, document, wanted.actor, [wanted.time])
    yield TouchingFound(wanted, names)


def touching_at(evaluator: Evaluation, document: Document, actor: str, times: Sequence[int]) -> list[tuple[str, ...]]:
    """The names of an actor's joints whose bodies touch something as the windows of times [ticks] begin."""
    import numpy as np

    from engine.kinodynamics.secondary import secondaries_of

    owner = document.actor(actor)
    if owner.secondary is None or not owner.secondary.contact or not owner.swings:
        return [() for _ in times]
    group = next(group for group in document.groups if any(each.id == actor for each in group))
    secondaries = secondaries_of(evaluator)
    model = secondaries.model(owner)
    found = model.held(np.array(times, dtype=np.float64), secondaries.keyed(document, group, owner, model))
    index = owner.figure.joint_index
    return [tuple(owner.figure.joint(id).name for id in ids if id in index) for ids in found]


def listed(names: Sequence[str]) -> str:
    """Names as a sentence lists them; of many, how many more there are."""
    shown, more = [*names[:1], *(name.lower() for name in names[1:_NAMED])], len(names) - _NAMED
    if more > 0:
        shown.append(f"{more} more")
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]
