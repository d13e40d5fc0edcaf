"""The keyboard shortcuts in use, as a person reads them; the window sets them, tooltips look them up as they open."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

_shown: dict[str, str] = {}


def show_keys(texts: Mapping[str, str]) -> None:
    """Set the shortcuts of each action, by its id."""
    _shown.clear()
    _shown.update(texts)


def has_key(action: str, pressed: QKeyCombination) -> bool:
    """Return True if a pressed key is one of an action's, so that a view with the keyboard can do the like."""
    kept = pressed.keyboardModifiers() & ~Qt.KeyboardModifier.KeypadModifier
    text = QKeySequence(QKeyCombination(kept, pressed.key())).toString(QKeySequence.SequenceFormat.NativeText)
    return text in _shown.get(action, "").split(" or ")


def with_key(tip: str, action: str) -> str:
    """Return a tooltip with the shortcut of its action."""
    keys = _shown.get(action, "")
    return f"{tip} ({keys})" if keys else tip
