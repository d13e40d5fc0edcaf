"""Ruff, pyrefly and mypy, as pyproject.toml sets them, refuse what they are there to refuse. That they pass this tree
is checked by `start.py test` itself.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT

GOOD = '"""A module."""\n\n\ndef twice(x: float) -> float:\n    """Two of x."""\n    return 2.0 * x\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The settings and one good module; mypy on all of the tree would take a minute."""
    shutil.copy2(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__init__.py").write_text('"""The engine."""\n', encoding="utf-8")
    (tmp_path / "engine" / "module.py").write_text(GOOD, encoding="utf-8")
    return tmp_path


def run(project: Path, *arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-m", *arguments]
    result = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=300.0, check=False)
    return result.returncode, result.stdout + result.stderr


def test_ruff_passes_a_good_module(project: Path) -> None:
    assert run(project, "ruff", "check", ".")[0] == 0
    assert run(project, "ruff", "format", "--check", ".")[0] == 0


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("import os", "F401"),
        ("from . import other", "TID252"),
        ("x = [1, 2]\nfor i in range(len(x)):\n    f = lambda: i\n", "B023"),
        ("x = 1  # type: ignore", "PGH003"),
        ("X = " + repr("x" * 130), "E501"),
    ],
)
def test_ruff_refuses(line: str, code: str, project: Path) -> None:
    (project / "engine" / "planted.py").write_text(f"{line}\n", encoding="utf-8")
    status, output = run(project, "ruff", "check", "--output-format", "concise", ".")
    assert status == 1
    assert code in output


def test_ruff_refuses_another_layout(project: Path) -> None:
    (project / "engine" / "planted.py").write_text("x = {  'a':1 }\n", encoding="utf-8")
    assert run(project, "ruff", "format", "--check", ".")[0] == 1


def test_mypy_is_strict(project: Path) -> None:
    (project / "engine" / "planted.py").write_text(
        "from engine.module import twice\n\n\ndef untyped(x):\n    return x\n\n\nX: int = twice('a')\n",
        encoding="utf-8",
    )
    status, output = run(project, "mypy")
    assert status == 1
    assert "[no-untyped-def]" in output
    assert "[arg-type]" in output
    assert "engine/module.py" not in output.replace("\\", "/")


def test_pyrefly_is_strict(project: Path) -> None:
    (project / "engine" / "planted.py").write_text(
        "from engine.module import twice\n\n\ndef untyped(x):\n    return x\n\n\nX: int = twice('a')\nY: list = [X]\n",
        encoding="utf-8",
    )
    status, output = run(project, "pyrefly", "check", "--output-format", "min-text")
    assert status == 1
    for code in ("implicit-any-parameter", "unannotated-return", "bad-argument-type", "bad-assignment"):
        assert f"[{code}]" in output
    assert "implicit-any-type-argument" in output
    assert "engine/module.py" not in output.replace("\\", "/")
