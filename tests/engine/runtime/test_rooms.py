"""The rooms, and what names the folder of compiled kernels."""

import subprocess
import sys
from pathlib import Path

import pytest

from engine.runtime import rooms
from engine.runtime.rooms import ENGINE, compiler_digest, room_of, sources_digest


@pytest.mark.parametrize(
    ("module", "room"),
    [
        ("engine.model.kinematics", "model"),
        ("engine", None),
        ("app.model", None),
        ("engine.__main__", None),
        ("engine.systems", None),
    ],
)
def test_a_module_belongs_to_a_room_or_to_none(module: str, room: str | None) -> None:
    assert room_of(module) == room


def test_the_digest_of_the_sources_changes_with_any_of_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(rooms, "ENGINE", tmp_path)
    (tmp_path / "model").mkdir()
    source = tmp_path / "model" / "a.py"
    seen = set()
    for text in ("x = 1", "x = 2", "x = 2  # a word"):
        source.write_text(text)
        seen.add(sources_digest.__wrapped__())
    source.rename(tmp_path / "model" / "b.py")
    seen.add(sources_digest.__wrapped__())
    assert len(seen) == 4


def test_a_setting_that_changes_machine_code_has_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_OPT", "1")
    assert compiler_digest.__wrapped__() != compiler_digest()


def test_what_has_kernels_compiled_otherwise_has_a_folder_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    way = tmp_path / "way.py"
    monkeypatch.setattr(rooms, "_WAYS", (way,))
    texts = (
        'most = 120\ndef make():\n    "Make."\n',
        "# More\nmost = 120\ndef make():\n    'Make it.'\n",
        "most = 121",
    )
    seen = []
    for text in texts:
        way.write_text(text)
        seen.append(compiler_digest.__wrapped__())
    assert seen[0] == seen[1] != seen[2]
    way.unlink()  # a frozen app
    assert compiler_digest.__wrapped__() not in seen


def test_the_digest_of_the_compilers_is_the_same_in_another_process() -> None:
    program = "from engine.runtime.rooms import compiler_digest; print(compiler_digest())"
    done = subprocess.run([sys.executable, "-c", program], cwd=ENGINE.parent, capture_output=True, text=True)
    assert done.stdout.strip() == compiler_digest(), done.stderr
