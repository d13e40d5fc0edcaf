"""Logs: written and read again, done again to the same digest, and refused with the line that is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from engine.document import Document
from engine.edits import edit
from engine.edits.command_log import LoggedCommand, Start, Step, replay
from engine.formats.format import Options
from engine.formats.sinew_log import log_text, read, read_log, write_log
from engine.runtime.errors import UnreadableFile
from tests.conformance.test_edits import random_edit
from tests.engine.figures import scene

START = Start(Document(), "New document")


def commands(seed: int) -> list[LoggedCommand]:
    """A document, edits of every kind, and steps among them."""
    chance, start = Random(seed), scene(seed)
    done: list[LoggedCommand] = [Start(start, "Open a")]
    documents = [start]
    for _ in range(120):
        change = random_edit(chance, documents[-1])
        after = change.apply(documents[-1])
        if after is documents[-1]:
            continue
        done.append(change)
        documents.append(after)
        if len(documents) > 3 and chance.random() < 0.2:
            done += [Step("undo", 2), Step("redo", 1)]
            documents.pop()
    return done


@pytest.mark.parametrize("seed", [0, *(pytest.param(more, marks=pytest.mark.deep) for more in (1, 2))])
def test_a_log_makes_the_same_digest_in_another_process(seed: int, tmp_path: Path) -> None:
    done = commands(seed)
    write_log(tmp_path / "a.sinewlog", done)
    command = [sys.executable, "-m", "engine", "replay", str(tmp_path / "a.sinewlog")]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300.0)
    assert said.stdout.strip() == replay(done).digest


def test_a_log_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_log(tmp_path / "a.sinewlog", commands(1))
    assert log_text(read_log(tmp_path / "a.sinewlog")) == log_text(commands(1))


@pytest.mark.parametrize(
    ("line", "row", "found"),
    [
        (1, {"sinewlog": 2}, "version '2'"),
        (1, {"other": 1}, "no Sinew log"),
        (2, {"start": {"type": "Nothing"}}, "type"),
        (2, {"start": 3}, "no document"),
        (2, {"edit": "set_rate", "arguments": {"frames": 24}}, "first command"),
        (3, {"edit": "explode", "arguments": {}}, "explode"),
        (3, {"edit": "set_rate", "arguments": {"speed": 24}}, "speed"),
        (3, {"edit": "set_rate", "arguments": {"frames": "fast"}}, "cannot be done again"),
        (3, {"step": "sideways"}, "sideways"),
        (3, {"step": "undo", "count": 7}, "7"),
        (3, {"step": "undo", "count": "all"}, "step"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(line: int, row: dict[str, object], found: str, tmp_path: Path) -> None:
    rows = log_text([START, edit("set_rate", frames=24)]).splitlines()
    rows[line - 1] = json.dumps(row)
    (tmp_path / "a.sinewlog").write_text("\n".join(rows))
    with pytest.raises(UnreadableFile, match=found) as problem:
        read(tmp_path / "a.sinewlog", Options())
    assert f"line {line}" in str(problem.value)
