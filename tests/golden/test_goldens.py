"""What everything answers is what was recorded: frames, bakes, saves, exports, edits, files and the command line.

What differs on purpose is recorded anew with `python3 start.py goldens --record`, which says what has changed.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.golden import making, reach
from tests.golden.found import DATA, differences, machine, recorded
from tests.golden.kinds import FILES, KINDS, LOGS, all_of, find, is_deep

FOLDER = Path(__file__).parent
MOST_BYTES = 8_000_000  # a log and a file more for each kind of part, an export more for each format
OURS = ("engine", "app", "resources", "sinew")

EVERY = [
    pytest.param(kind, name, id=f"{kind}-{name}", marks=[pytest.mark.deep] if is_deep(kind, name) else [])
    for kind in KINDS
    for name in all_of(kind)
]


@pytest.mark.parametrize(("kind", "name"), EVERY)
def test_nothing_has_changed(kind: str, name: str) -> None:
    assert differences(recorded(kind, name), find(kind, name)) == []


def test_nothing_is_recorded_that_is_no_more() -> None:
    for kind in KINDS:
        assert {each.stem for each in (DATA / kind).glob("*.json")} == set(all_of(kind)), kind


def test_bytes_are_compared_on_this_machine() -> None:
    found = (recorded(kind, name) for kind in KINDS for name in all_of(kind))
    recorders = Counter(each.machine for each in found if each is not None and (each.bytes or each.close))
    usual, count = recorders.most_common(1)[0]
    assert count >= 100, "one machine recorded most of what is old, so that its bytes are compared there"
    if machine() != usual:
        pytest.skip(f"most goldens were recorded on {usual}; on {machine()} numbers are compared within a tolerance")


def test_every_edit_changes_something_in_a_log() -> None:
    assert set(reach.edit_names()) - making.logged() == set()
    assert {name for path in LOGS.glob("*.sinewlog") for name, *_ in reach.command_log(path)} >= reach.edit_names()


def test_every_kind_of_part_is_in_a_file() -> None:
    assert reach.kinds_of_parts() - making.held_parts() == frozenset()
    assert {each.stem for each in FILES.glob("*.sinew")} == set(all_of("files"))


def test_only_one_module_knows_the_engine() -> None:
    knowing = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            knowing |= {path.name for name in names if name.split(".")[0] in OURS}
    assert knowing == {"reach.py"}


def test_the_record_stays_small() -> None:
    assert sum(each.stat().st_size for each in DATA.rglob("*") if each.is_file()) < MOST_BYTES
