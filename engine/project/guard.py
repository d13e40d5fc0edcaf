"""Guard: what a connection may do to a database that anyone may have made: read our tables, change them if it is to
write, and nothing else; and not for ever."""

from __future__ import annotations

import sqlite3
from collections.abc import Set

_STEPS, _MOST_STEPS = 10**6, 2 * 10**9
_CHANGES = {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE}
_ROLES = ("sqlite_master", "sqlite_schema")
_FUNCTIONS = ("max", "count", "length")


def guard(database: sqlite3.Connection, tables: Set[str], *, writable: bool) -> None:
    """Refuse all else from now on."""
    left = _MOST_STEPS

    def spend() -> int:
        """Called by SQLite every so many steps of its machine; anything but 0 ends the query."""
        nonlocal left
        left -= _STEPS
        return int(left < 0)

    def allow(action: int, first: str | None, second: str | None, where: str | None, by: str | None) -> int:
        """Called for each thing that a statement would do; `by` is the trigger or the view that wants it."""
        allowed = by is None and (
            action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_TRANSACTION)
            or (action == sqlite3.SQLITE_READ and (first in tables or first in _ROLES))
            or (action == sqlite3.SQLITE_FUNCTION and second in _FUNCTIONS)
            or (action in _CHANGES and writable and first in tables)
        )
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    database.set_progress_handler(spend, _STEPS)
    database.set_authorizer(allow)
