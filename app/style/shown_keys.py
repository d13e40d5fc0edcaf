"""The keys that are on, as a person reads them, for tooltips; the window says which, buttons ask as they tell."""

from __future__ import annotations

from collections.abc import Mapping

_shown: dict[str, str] = {}


def show_keys(texts: Mapping[str, str]) -> None:
    """The keys of each action, by its id, from now on."""
    _shown.clear()
    _shown.update(texts)


def with_key(tip: str, action: str) -> str:
    """A tooltip, and the keys that do the same."""
    keys = _shown.get(action, "")
    return f"{tip} ({keys})" if keys else tip
