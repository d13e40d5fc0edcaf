"""The library of sequences: flipbooks asked for once, and nothing half done where a folder cannot be written."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu

from app.session import KeptSequence
from app.shell.sequence_menu import SequenceMenu
from tests.app.session.held import Held


@pytest.fixture(autouse=True)
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptSequence:
    """A sequence of one's own without a flipbook."""
    monkeypatch.setenv("SINEW_DATA", str(tmp_path))
    path = tmp_path / "sequences" / "Mine.motion.toml"
    path.parent.mkdir()
    path.write_text("name = ")
    return KeptSequence(path, own=True)


def refuse(monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    """Files of this ending cannot be moved."""
    move = Path.replace

    def replace(self: Path, target: Path) -> Path:
        if self.name.endswith(ending):
            raise PermissionError(13, "Permission denied", str(self))
        return move(self, target)

    monkeypatch.setattr(Path, "replace", replace)


def test_a_missing_flipbook_is_asked_for_once(held: Held, mine: KeptSequence) -> None:
    library, key = held.session.sequences, ("sequence", mine.path)
    library.draw_missing()
    assert held.worker.waiting(key) == 1
    held.worker.answer(key)
    library.draw_missing()
    assert held.worker.waiting(key) == 0


def test_flipbooks_are_asked_for_once_the_engine_is_ready(starting: Held, mine: KeptSequence) -> None:
    library, key = starting.session.sequences, ("sequence", mine.path)
    library.draw_missing()
    assert starting.worker.waiting(key) == 0
    starting.make_ready()
    assert starting.worker.waiting(key) == 1


def test_a_motion_whose_flipbook_cannot_be_moved_has_its_new_name(
    held: Held, mine: KeptSequence, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine.picture.write_bytes(b"picture")
    refuse(monkeypatch, ".png")
    library = held.session.sequences
    library.rename(library.sequences[-1], "Yours")
    assert library.sequences[-1].name == "Yours"
    assert library.sequences[-1].path.exists()
    assert "Mine.png" in held.session.log[-1].text


def test_what_could_not_be_brought_back_can_be_tried_again(
    held: Held, mine: KeptSequence, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = held.session.sequences
    library.remove(library.sequences[-1])
    assert not mine.path.exists()
    with monkeypatch.context() as locked:
        refuse(locked, ".toml")
        library.restore()
    assert library.can_restore
    library.restore()
    assert mine.path.exists()
    assert not library.can_restore


def test_the_menu_reads_each_flipbook_once_until_the_library_changes(held: Held, mine: KeptSequence) -> None:
    library, above = held.session.sequences, QMenu()
    menu = SequenceMenu(above, above.addMenu("Sequences"), library)

    def icons() -> list[int]:
        menu.fill()
        return [action.icon().cacheKey() for action in menu._menu.actions() if not action.isSeparator()]

    first = icons()
    assert icons() == first
    assert not QIcon.isNull(menu._menu.actions()[0].icon())
    library.changed.emit()
    assert icons()[0] != first[0]
