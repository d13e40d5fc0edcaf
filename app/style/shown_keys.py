"""The keys that are on, as a person reads them, for tooltips; the window says which, buttons ask as they tell."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

_shown: dict[str, str] = {}


def show_keys(texts: Mapping[str, str]) -> None:
    """The keys of each action, by its id, from now on."""
    _shown.clear()
    _shown.update(texts)


def has_key(action: str, pressed: QKeyCombination) -> bool:
    """Whether what was pressed is one of an action's keys: a view that has the keyboard does the like."""
    kept = pressed.keyboardModifiers() & ~Qt.KeyboardModifier.KeypadModifier
    text = QKeySequence(QKeyCombination(kept, pressed.key())).toString(QKeySequence.SequenceFormat.NativeText)
    return text in _shown.get(action, "").split(" or ")


def with_key(tip: str, action: str) -> str:
    """A tooltip, and the keys that do the same."""
    keys = _shown.get(action, "")
    return f"{tip} ({keys})" if keys else tip
