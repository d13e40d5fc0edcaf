"""No module and no room needs what needs it."""

from pathlib import Path

from tests.house.circles import module_circle, room_circle, typed_circles
from tests.house.tree import ROOT

BACK = "from engine.motion import back\n"
INSIDE = "def late() -> None:\n    from engine.model import there\n"
TYPES = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from engine.model import there\n"


def write(root: Path, there: str, back: str) -> Path:
    for name, content in (("model/there", there), ("motion/back", back)):
        path = root / "engine" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return root


def test_no_modules_need_each_other() -> None:
    assert module_circle(ROOT) == []


def test_no_rooms_need_each_other_not_even_for_types() -> None:
    assert room_circle(ROOT) == []


def test_no_more_modules_need_each_other_for_types_than_did() -> None:
    """This number may be lowered, never raised."""
    assert len(typed_circles(ROOT)) <= 20


def test_an_import_inside_a_function_closes_a_circle(tmp_path: Path) -> None:
    assert set(module_circle(write(tmp_path, BACK, INSIDE))) == {"engine.model.there", "engine.motion.back"}
    assert module_circle(write(tmp_path, BACK, "")) == []


def test_types_alone_close_a_circle_of_rooms_and_none_of_modules(tmp_path: Path) -> None:
    assert module_circle(write(tmp_path, BACK, TYPES)) == []
    assert set(room_circle(tmp_path)) == {"engine.model", "engine.motion"}
    assert [set(each) for each in typed_circles(tmp_path)] == [{"engine.model.there", "engine.motion.back"}]
