"""The manipulators on a pinned part: they move its pin, and key nothing that would not be seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.features.locks.view.movable import MovableLock, find_lock
from app.session import Item
from app.tools.movable import Kind, TransformDelta
from engine.document import Lock
from engine.edits import edit
from engine.locks.commands.move_lock import MoveLock
from engine.model.snapshot import LockMark, Snapshot
from tests.app.session.held import Held

PIN = Lock(id="pin", name="Foot", joint="elbow", position=(1.0, 0.0, 0.0))


def found(held: Held, lock: Lock, kind: Kind, *, part: str = "elbow", share: float = 1.0) -> MovableLock | None:
    """What is moved with a part selected, in a picture in which the lock counts by a share."""
    if not held.session.document.actor("arm").locks:
        held.session.do(edit("add_lock", actor="arm", lock=lock))
    document = held.session.document
    held.session.select([Item("arm", part)])
    mark = LockMark(
        owner="arm", lock=lock.id, name=lock.name, part=lock.joint, at=(1.0, 0.0, 0.0), target=(1.0, 0.0, 0.0),
        share=share,
    )  # fmt: skip
    movable = find_lock(held.session, Snapshot(document=document, time=0, items=(mark,)), kind)
    assert movable is None or isinstance(movable, MovableLock)
    return movable


def test_the_arrow_of_a_pinned_part_moves_its_pin(held: Held) -> None:
    movable = found(held, PIN, "move")
    assert movable is not None
    assert movable.name == "pin Foot"
    command = movable.command(TransformDelta(kind="move", shift=(0.0, 0.5, 0.0)))
    assert command == MoveLock(actor="arm", lock="pin", time=0, to=(1.0, 0.5, 0.0))
    assert found(held, PIN, "move", part="tip") is None, "another part is moved as ever"
    assert found(held, PIN, "move", share=0.0) is None, "a pin that does not count now leaves its part free"


@pytest.mark.parametrize(
    ("lock", "moves", "turns"),
    [
        (PIN, True, False),
        (replace(PIN, axes=("i", "j")), True, True),
        (replace(PIN, held="turn", axes=("i", "j")), False, True),
        (replace(PIN, mute=True), False, False),
    ],
)
def test_it_is_the_pin_that_holds_what_would_be_moved_or_turned(
    held: Held, lock: Lock, moves: bool, turns: bool
) -> None:
    assert (found(held, lock, "move") is not None) == moves
    assert (found(held, lock, "rotate") is not None) == turns
