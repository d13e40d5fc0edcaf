"""A program that commits one change after the other to a recovery copy until it is killed: `python -m ... FOLDER`.

It prints when each commit was put, by the clock that all processes share. With a second argument it kills itself in the
middle of a write of that number, once SQLite has changed a part of the file.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import threading
import time
from pathlib import Path

from engine.document import Actor, Document, Dof, Figure, Joint, Layer
from engine.edits import edit
from engine.project import schema
from engine.project.recovery import begin_run

APART = 0.002  # [s] between commits


def arm() -> Document:
    """One hinge."""
    joint = Joint(id="upper", name="Upper", dofs=(Dof(id="upper.turn", name="Turn"),))
    figure = Figure(name="Arm", joints=(joint,))
    return Document(actors=(Actor(id="arm", name="Arm", figure=figure, layers=(Layer(id="pose"),)),))


class TornConnection(sqlite3.Connection):
    """Its pages reach the file as soon as they are changed; the process ends before so many of its writes are whole."""

    left = 0

    def execute(self, sql: str, *arguments: object) -> sqlite3.Cursor:
        if sql == "COMMIT":
            TornConnection.left -= 1
            if TornConnection.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return super().execute(sql, *arguments)  # type: ignore[arg-type]


def main(folder: Path, torn: int) -> None:
    """Until the end."""
    if torn:
        TornConnection.left = torn
        usual = sqlite3.connect

        def connect(*arguments: object, **options: object) -> sqlite3.Connection:
            database: sqlite3.Connection = usual(*arguments, factory=TornConnection, **options)  # type: ignore[call-overload]
            database.execute("PRAGMA cache_size = 1")
            database.execute("PRAGMA cache_spill = 1")
            return database

        schema.sqlite3.connect = connect  # type: ignore[attr-defined]
    document = arm()
    copy = begin_run(folder).open("arm", None, document)
    pace = threading.Event()
    for number in range(1, 1_000_000):
        done = edit("set_value", actor="arm", layer="pose", coordinate="upper.turn", value=number * 1e-6)
        document = done.apply(document)
        copy.commit(f"Turn {number}", done, document)
        print(number, time.monotonic(), flush=True)
        pace.wait(APART)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
