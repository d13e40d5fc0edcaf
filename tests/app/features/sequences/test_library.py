"""The library of sequences: flipbooks asked for once, motions kept in slices, and nothing half done."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu

from app.features.sequences.library import KeptSequence, SequenceKeeping, SequenceKept, SequenceLibrary
from app.features.sequences.menu import SequenceMenu
from app.session import Item, JobState
from engine.document import Clip, Document, Key
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from tests.app.session.conftest import small_document
from tests.app.session.held import Held, deliver


@pytest.fixture
def document() -> Document:
    return small_document()


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
    library, key = held.session.of(SequenceLibrary), ("sequence", mine.path)
    library.draw_missing()
    assert held.worker.waiting(key) == 1
    held.worker.answer(key)
    library.draw_missing()
    assert held.worker.waiting(key) == 0


def test_flipbooks_are_asked_for_once_the_engine_is_ready(starting: Held, mine: KeptSequence) -> None:
    library, key = starting.session.of(SequenceLibrary), ("sequence", mine.path)
    library.draw_missing()
    assert starting.worker.waiting(key) == 0
    starting.make_ready()
    assert starting.worker.waiting(key) == 1


def test_a_motion_whose_flipbook_cannot_be_moved_has_its_new_name(
    held: Held, mine: KeptSequence, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine.picture.write_bytes(b"picture")
    refuse(monkeypatch, ".png")
    library = held.session.of(SequenceLibrary)
    library.rename(library.sequences[-1], "Yours")
    assert library.sequences[-1].name == "Yours"
    assert library.sequences[-1].path.exists()
    assert "Mine.png" in held.session.log[-1].text


def test_what_could_not_be_brought_back_can_be_tried_again(
    held: Held, mine: KeptSequence, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = held.session.of(SequenceLibrary)
    library.remove(library.sequences[-1])
    assert not mine.path.exists()
    with monkeypatch.context() as locked:
        refuse(locked, ".toml")
        library.restore()
    assert library.can_restore
    library.restore()
    assert mine.path.exists()
    assert not library.can_restore


def moving(held: Held) -> None:
    """Keys for the arm, and it chosen."""
    keys = tuple(("upper.turn", Key(SECOND * second, 0.5 * second)) for second in (0, 1))
    held.session.do(edit("set_keys", actor="arm", layer="pose", keys=keys))
    held.session.select([Item("arm")])


def test_how_far_a_long_motion_is_kept_is_shown_and_it_can_be_cancelled(held: Held, tmp_path: Path) -> None:
    moving(held)
    path, told = tmp_path / "sequences" / "Arm motion.motion.toml", list[JobState]()
    held.session.job_changed.connect(told.append)
    held.session.of(SequenceLibrary).keep_present()
    held.session.of(SequenceLibrary).keep_present()
    assert "already" in held.session.log[-1].text
    assert held.worker.waiting(("sequence", path)) == 1
    held.worker.publish(("sequence", path), held.worker.requests[-1].ticket, SequenceKeeping(path, 0.5))
    deliver()
    held.session.cancel_job()
    assert [(each.text, each.fraction, each.running) for each in told] == [
        ("Keeping Arm motion", 0.5, True), ("", 0.0, False),
    ]  # fmt: skip
    assert held.worker.waiting(("sequence", path)) == 0
    assert not path.exists()
    held.session.of(SequenceLibrary).keep_present()
    held.worker.answer(("sequence", path))
    assert path.exists()
    assert "Arm motion" in [each.name for each in held.session.of(SequenceLibrary).sequences]
    assert len(told) == 2


def test_a_motion_that_could_not_be_kept_does_not_stand_in_the_way_of_the_next(held: Held, tmp_path: Path) -> None:
    held.session.select([Item("arm")])
    key = ("sequence", tmp_path / "sequences" / "Arm motion.motion.toml")
    held.session.of(SequenceLibrary).keep_present()
    held.worker.answer(key)  # it stands still
    assert held.session.log[-1].kind == "error"
    held.session.of(SequenceLibrary).keep_present()
    assert held.worker.waiting(key) == 1


def test_a_motion_that_is_cancelled_as_it_is_written_is_not_kept(held: Held, tmp_path: Path) -> None:
    moving(held)
    library, path = held.session.of(SequenceLibrary), tmp_path / "sequences" / "Arm motion.motion.toml"
    key, figure = ("sequence", path), path.with_name("Arm motion.figure.toml")
    for delivered in (True, False):
        library.keep_present()
        request = held.worker.requests[-1]
        steps = request.job()
        held.worker.publish(key, request.ticket, SequenceKeeping(path, 0.5))
        deliver()
        value = next(each for each in steps if isinstance(each, SequenceKept))
        assert path.exists()
        assert figure.exists()
        if delivered:
            held.worker.publish(key, request.ticket, value)
        assert library.cancel()
        if delivered:
            deliver()
        else:
            steps.close()
        assert not path.exists()
        assert not figure.exists()
        assert "not kept" in held.session.log[-1].text
        assert "Arm motion" not in [each.name for each in library.sequences]


def test_a_late_answer_of_a_cancelled_motion_leaves_the_next_one_alone(held: Held, tmp_path: Path) -> None:
    moving(held)
    library, key = held.session.of(SequenceLibrary), ("sequence", tmp_path / "sequences" / "Arm motion.motion.toml")
    library.keep_present()
    first = held.worker.requests[-1]
    held.worker.publish(key, first.ticket, SequenceKeeping(key[1], 0.5))
    deliver()
    library.cancel()
    library.keep_present()
    figure = held.session.document.actor("arm").figure
    held.worker.publish(key, first.ticket, SequenceKept(key[1], Clip(length=1, names=()), figure))
    deliver()
    held.session.of(SequenceLibrary).keep_present()
    assert "already" in held.session.log[-1].text
    held.worker.answer(key)
    assert held.session.log[-1].text == "Kept the motion as Arm motion"


def test_what_is_not_shown_to_be_kept_is_not_cancelled(held: Held) -> None:
    moving(held)
    held.session.of(SequenceLibrary).keep_present()
    assert not held.session.of(SequenceLibrary).cancel()
    assert held.session.of(SequenceLibrary).keeping


def test_the_file_of_a_motion_that_is_being_kept_is_nobody_elses(held: Held, tmp_path: Path) -> None:
    library, other = held.session.of(SequenceLibrary), tmp_path / "sequences" / "Arm motion.motion.toml"
    library.rename(library.sequences[-1], "Arm motion")
    library.remove(library.sequences[-1])
    moving(held)
    library.keep_present()
    library.restore()
    assert not other.exists()
    assert "Arm motion 2" in [each.name for each in library.sequences]
    library.rename(library.sequences[-1], "Arm motion")
    assert not other.exists()


def test_a_motion_is_kept_only_once_the_engine_is_ready(starting: Held) -> None:
    moving(starting)
    starting.session.of(SequenceLibrary).keep_present()
    assert not starting.session.of(SequenceLibrary).keeping
    assert "not ready yet" in starting.session.log[-1].text
    starting.make_ready()
    starting.session.of(SequenceLibrary).keep_present()
    assert starting.session.of(SequenceLibrary).keeping


def test_the_menu_reads_each_flipbook_once_until_the_library_changes(held: Held, mine: KeptSequence) -> None:
    library, above = held.session.of(SequenceLibrary), QMenu()
    menu = SequenceMenu(above.addMenu("Sequences"), library)

    def icons() -> list[int]:
        menu.fill()
        return [action.icon().cacheKey() for action in menu._menu.actions() if not action.isSeparator()]

    first = icons()
    assert icons() == first
    assert not QIcon.isNull(menu._menu.actions()[0].icon())
    library.changed.emit()
    assert icons()[0] != first[0]
