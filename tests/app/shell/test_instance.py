"""One instance: the second hands its file over; what a dead one left is taken over."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from PySide6.QtCore import QCoreApplication, QTimer
from pytestqt.qtbot import QtBot

from app.shell.instance import Instance, instance_name

ROOT = Path(__file__).parents[3]
Make = Callable[[], Instance]


@pytest.fixture
def make(qapp: QCoreApplication) -> Iterator[Make]:
    name, made = f"sinew-test-{uuid4().hex[:8]}", list[Instance]()

    def one() -> Instance:
        made.append(Instance(name))
        return made[-1]

    yield one
    for each in made:
        each.release()
        each.deleteLater()


SECOND = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.shell.instance import Instance
application = QCoreApplication([])
name, path = json.loads(sys.argv[1])
second = Instance(name)
print(second.claim(), second.hand_over(None if path is None else Path(path)))
"""


@pytest.mark.parametrize("name", ["walk.sinew", None])
def test_the_second_hands_its_file_to_the_first(make: Make, qtbot: QtBot, tmp_path: Path, name: str | None) -> None:
    """The second is a process of its own, for waiting in Qt's sockets holds Python's lock."""
    first = make()
    assert first.claim()
    QTimer.singleShot(300, first.listen)  # as its window is painted, perhaps after the second has asked
    path = None if name is None else tmp_path / name
    arguments = json.dumps([first.name, None if path is None else str(path)])
    with qtbot.waitSignal(first.asked) as asked:
        second = subprocess.Popen(
            [sys.executable, "-c", SECOND, arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
    assert asked.args == [path]
    assert second.communicate(timeout=300.0)[0].split() == ["False", "True"]


def test_a_first_one_that_ended_leaves_the_place(make: Make) -> None:
    first, second = make(), make()
    assert first.claim()
    first.release()
    assert second.claim()


def test_a_stale_socket_of_a_dead_process_is_taken_over(make: Make) -> None:
    first = make()
    Path(first._address).write_text("left by a crash")
    assert first.claim()
    first.listen()
    assert first._server is not None


def test_a_first_one_that_does_not_listen_is_noticed(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.shell.instance.WAIT", 100)
    first, second = make(), make()
    assert first.claim()
    assert not second.claim()
    assert not second.hand_over(None)


def test_the_name_goes_by_person_and_preferences(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = instance_name()
    assert instance_name() == before
    monkeypatch.setenv("SINEW_CONFIG", str(tmp_path / "other"))
    assert instance_name() != before
