"""Actions that are alike: a usual run does one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from app.shell.actions import Action

EXAMPLE = "file.example_"
MOST_ALIKE = 3


def condition_of(action: Action) -> str:
    """The name of what must hold for an action; empty if it can always be done."""
    when = action.when
    return "" if when is None else str(getattr(when, "func", when).__name__)


def unlike(actions: Sequence[Action]) -> tuple[Action, ...]:
    """One of those that are alike."""
    kinds: dict[object, Action] = {}
    for action in actions:
        own = EXAMPLE if action.id.startswith(EXAMPLE) else action.id
        kinds.setdefault(action.call.func if isinstance(action.call, partial) else own, action)
    return tuple(kinds.values())


def some_of(actions: Sequence[Action]) -> list[Action]:
    """Of each subject's actions that need the same a few; the deep run does all of them."""
    counts: Counter[tuple[str, str]] = Counter()
    found = []
    for action in actions:
        kind = (action.id.partition(".")[0], condition_of(action))
        counts[kind] += 1
        if counts[kind] <= MOST_ALIKE:
            found.append(action)
    return found
