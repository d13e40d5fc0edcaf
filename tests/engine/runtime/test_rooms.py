"""Which rooms a digest covers. That editing one recompiles what it should is tested in test_kernel_cache.py."""

from pathlib import Path

import pytest

from engine.runtime import rooms
from engine.runtime.rooms import ENGINE, ROOMS, imported_rooms, needed_rooms, room_digest, room_of


def test_every_folder_of_the_engine_is_a_known_room() -> None:
    folders = {path.parent.name for path in ENGINE.glob("*/__init__.py")}
    assert folders <= set(ROOMS)


@pytest.mark.parametrize(
    ("module", "room"),
    [("engine.model.kinematics", "model"), ("engine", None), ("app.model", None), ("engine.__main__", None)],
)
def test_a_module_belongs_to_a_room_or_to_none(module: str, room: str | None) -> None:
    assert room_of(module) == room


@pytest.fixture
def tree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty engine; the digests of the real one are forgotten for the time of the test."""
    for function in (imported_rooms, needed_rooms, room_digest, rooms._source_digest):
        monkeypatch.setattr(rooms, function.__name__, getattr(function, "__wrapped__"))  # noqa: B009
    monkeypatch.setattr(rooms, "ENGINE", tmp_path)
    for room in ("runtime", "maths", "model", "ik", "soft", "water"):
        (tmp_path / room).mkdir()
    for name in ("jit.py", "kernel_cache.py"):
        (tmp_path / "runtime" / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    "statement",
    [
        "from engine.maths.rotations import turn",
        "import engine.maths.rotations",
        "import engine.model, engine.maths",
        "from engine import (\n    model,\n    maths,\n)",
        "from engine import model, \\\n    maths",
        "def late():\n    from engine.maths import turn",
        "from ..maths import turn",
        "from .. import maths",
        "from engine import maths as sums, model",
    ],
)
def test_no_import_statement_is_missed(tree: Path, statement: str) -> None:
    (tree / "water" / "flow.py").write_text(f'"""Doc."""\n\n{statement}\n')
    assert "maths" in rooms.imported_rooms("water")


def test_prose_is_not_an_import(tree: Path) -> None:
    (tree / "water" / "flow.py").write_text('"""Unlike engine.maths and soft bodies."""\nx = "ik"\n')
    assert rooms.imported_rooms("water") == frozenset()


@pytest.mark.parametrize(
    "statement",
    ["from engine.model.ik import soft", "from numpy import soft", "from .ik import water", "import engine.model as a"],
)
def test_a_name_that_is_that_of_a_room_is_none(tree: Path, statement: str) -> None:
    (tree / "water" / "flow.py").write_text(statement + "\n")
    assert rooms.imported_rooms("water") <= {"model"}


def test_rooms_are_reached_through_rooms_even_in_a_circle(tree: Path) -> None:
    (tree / "ik" / "solve.py").write_text("from engine.model import a\n")
    (tree / "model" / "a.py").write_text("from engine.maths import b\n")
    (tree / "maths" / "b.py").write_text("from engine.ik import solve\n")
    assert rooms.needed_rooms("ik") == ("maths", "model", "ik")


def test_a_digest_changes_with_what_is_reached_and_with_nothing_else(tree: Path) -> None:
    def digests() -> dict[str, str]:
        return {room: rooms.room_digest(room) for room in ("maths", "model", "water")}

    (tree / "model" / "a.py").write_text("from engine.maths import b\n")
    before = digests()
    (tree / "maths" / "b.py").write_text("x = 1\n")
    after = digests()
    assert {room for room in before if before[room] != after[room]} == {"maths", "model"}
    (tree / "maths" / "b.py").rename(tree / "maths" / "c.py")
    assert rooms.room_digest("maths") != after["maths"]
    (tree / "maths" / "c.py").rename(tree / "maths" / "b.py")
    assert digests() == after
