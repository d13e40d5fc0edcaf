"""A system's words stand in its folders, and what still names it elsewhere becomes less."""

from pathlib import Path

import pytest

from tests.house.slices import ALLOWED, SLICES, features_imported, named
from tests.house.tree import ROOT, plant


@pytest.mark.parametrize("system", SLICES)
def test_no_file_outside_a_slice_names_its_words_but_those_of_the_table(system: str) -> None:
    allowed = {name: count for files in ALLOWED[system].values() for name, count in files.items()}
    found = named(ROOT, system)
    more = {name: count for name, count in found.items() if count > allowed.get(name, 0)}
    assert not more, f"{system} is named where it was not: move that into its folders {SLICES[system]}"
    fewer = {name: found.get(name, 0) for name, count in allowed.items() if found.get(name, 0) < count}
    assert not fewer, "named less often than the table says: lower the numbers there"


def test_no_room_imports_a_feature() -> None:
    assert features_imported(ROOT) == []


@pytest.mark.parametrize(
    ("system", "line", "count"),
    [
        ("locks", "from engine.locks.drag import Drag", 1),
        ("locks", "actor.locks", 1),
        ("secondary", "from engine.document import Target", 1),
        ("secondary", "from engine.targets.equations import TimedGoal", 1),
        ("secondary", "target = 3", 0),
        ("physics", "class PhysicsPanel: ...", 1),
    ],
)
def test_a_name_that_is_planted_is_found(system: str, line: str, count: int, tmp_path: Path) -> None:
    with plant(tmp_path, "app/shell/planted.py", f"{line}\n"):
        assert named(tmp_path, system).get("app/shell/planted.py", 0) == count
    with plant(tmp_path, f"{SLICES[system][0]}planted.py", f"{line}\n"):
        assert named(tmp_path, system) == {}


def test_an_import_of_a_feature_that_is_planted_is_found(tmp_path: Path) -> None:
    with (
        plant(tmp_path, "app/features/toy/__init__.py", ""),
        plant(tmp_path, "app/shell/planted.py", "from app.features.toy.panel import ToyPanel\n"),
    ):
        assert features_imported(tmp_path) == ["app/shell/planted.py: toy"]
