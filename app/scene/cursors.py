"""Cursors: the hand that the pointer becomes over what can be taken, and while it is held."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.scene.manipulator import Shown
from app.scene.trail_handles import TrailGrips


def grip_cursor(grips: TrailGrips) -> Qt.CursorShape:
    """Return the cursor over the handles of trails."""
    if grips.hot_handle is None and grips.hot_key is None:
        return Qt.CursorShape.ArrowCursor
    return Qt.CursorShape.ClosedHandCursor if grips.taken else Qt.CursorShape.OpenHandCursor


def cursor_of(shown: Shown | None) -> Qt.CursorShape:
    """Return the cursor over a manipulator, or none."""
    if shown is None or (shown.hot is None and shown.pull is None):
        return Qt.CursorShape.ArrowCursor
    return Qt.CursorShape.OpenHandCursor if shown.pull is None else Qt.CursorShape.ClosedHandCursor
