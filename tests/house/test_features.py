"""docs/features.md lists every action with a test that does it in the real window, and no test that is not there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.shell.actions import ACTIONS, Action
from tests.house.tree import ROOT

PAGE = Path("docs/features.md")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
ROW = re.compile(r"^\| `(\w+\.\w+)` \|(.*)\|$", re.MULTILINE)
NAMED = re.compile(r"`([a-z]+\.\w+)`")
QT_NAMES = {
    ",": "Comma", ".": "Period", "[": "BracketLeft", "]": "BracketRight", "Del": "Delete", "Left": "Left",
}  # fmt: skip


def problems(root: Path, actions: Sequence[Action]) -> list[str]:
    """What is wrong with the page: actions without a row, rows without an action, tests that are not there."""
    text = (root / PAGE).read_text(encoding="utf-8")
    topics = {action.id.partition(".")[0] for action in actions}
    known, rows = {action.id: action for action in actions}, dict(ROW.findall(text))
    found = [f"{PAGE}: {id} has no row; add one, with its test" for id in known if id not in rows]
    named = {id for id in NAMED.findall(text) if id.partition(".")[0] in topics} | rows.keys()
    found += [f"{PAGE}: {id} is no action" for id in sorted(named - known.keys())]
    for file, name in sorted(set(TEST.findall(text))):
        if not re.search(rf"^def {name}\(", _source(root, file), re.MULTILINE):
            found.append(f"{PAGE}: there is no {file}::{name}")
    for id, row in rows.items():
        tests = TEST.findall(row)
        if id in known and not any(_does(_source(root, file), known[id]) for file, _ in tests):
            found.append(f"{PAGE}: no test of {id} names it or its key")
    return found


def _source(root: Path, file: str) -> str:
    path = root / file
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _does(source: str, action: Action) -> bool:
    """Whether it names the action or a key of it, or makes its id of `topic.{end}` and "end", or `topic.some_{end}`."""
    halves = ((action.id[:at], action.id[at:]) for at in range(action.id.index(".") + 1, len(action.id)))
    put_together = any(f"{first}{{" in source and (first[-1] == "_" or f'"{last}"' in source) for first, last in halves)
    last_keys = (key.rpartition("+")[2] for key in action.keys)
    keyed = any(re.search(rf"Key_{QT_NAMES.get(key, key)}\b", source) for key in last_keys)
    return action.id in source or put_together or keyed


def test_every_action_stands_in_the_page_with_a_test_that_does_it() -> None:
    assert problems(ROOT, ACTIONS) == []


GOOD = "| `time.play` | Time > Play | `Space` | `tests/gui/test_a.py::test_it_plays` |\n"
PLAY = Action(id="time.play", label="Play", menu="Time", call=print, keys=("Space",))
DANCE = Action(id="time.dance", label="Dance", menu="Time", call=print)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A page of one action with its test."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "tests/gui").mkdir(parents=True)
    (tmp_path / PAGE).write_text(GOOD)
    (tmp_path / "tests/gui/test_a.py").write_text("def test_it_plays() -> None:\n    press(Qt.Key.Key_Space)\n")
    return tmp_path


def test_a_good_page_passes(page: Path) -> None:
    assert problems(page, (PLAY,)) == []


def test_an_action_without_a_row_is_refused(page: Path) -> None:
    assert problems(page, (PLAY, DANCE)) == [f"{PAGE}: time.dance has no row; add one, with its test"]


@pytest.mark.parametrize("planted", ["| `time.dance` | Time | | |\n", "Dancing is `time.dance`.\n"])
def test_an_action_that_is_gone_is_refused(page: Path, planted: str) -> None:
    (page / PAGE).write_text(GOOD + planted)
    assert problems(page, (PLAY,)) == [f"{PAGE}: time.dance is no action"]


@pytest.mark.parametrize("planted", ["tests/gui/test_a.py::test_gone", "tests/gui/test_gone.py::test_it_plays"])
def test_a_test_that_is_not_there_is_refused(page: Path, planted: str) -> None:
    (page / PAGE).write_text(GOOD + f"Also `{planted}`.\n")
    assert problems(page, (PLAY,)) == [f"{PAGE}: there is no {planted}"]


def test_a_row_without_a_test_that_names_the_action_or_its_key_is_refused(page: Path) -> None:
    (page / "tests/gui/test_a.py").write_text("def test_it_plays() -> None:\n    press(Qt.Key.Key_A)\n")
    assert problems(page, (PLAY,)) == [f"{PAGE}: no test of time.play names it or its key"]
    (page / PAGE).write_text("| `time.play` | Time > Play | `Space` | |\n")
    assert problems(page, (PLAY,)) == [f"{PAGE}: no test of time.play names it or its key"]


@pytest.mark.parametrize("written", ['"time.play"', 'f"time.{what}" for what in ("play",)'])
def test_an_action_is_named_whole_or_put_together(page: Path, written: str) -> None:
    (page / "tests/gui/test_a.py").write_text(f"def test_it_plays() -> None:\n    trigger({written})\n")
    assert problems(page, (PLAY,)) == []
