"""Copies of this tree to plant violations in."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

LOCKS = ("requirements.lock", "requirements-test.lock")
COPIED = ("sinew", "engine", "app", "resources", "tests", "pyproject.toml", "README.md", "LICENSE", *LOCKS)
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", "pictures")


def copy_tree(target: Path) -> Path:
    target.mkdir(exist_ok=True)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=LEFT_OUT)
        else:
            shutil.copy2(source, target / name)
    return target


def take_bytecode_along(tree: Path) -> None:
    """Put what Python has compiled of this tree beside the sources of a copy, which are as old: compiling them anew
    would be half of the time of whatever runs there. Who runs it does so in the `own_bytecode` environment.
    """
    for name in ("sinew", "engine", "app", "tests"):
        for source in (ROOT / name).rglob("*.py"):
            compiled, copied = Path(cache_from_source(str(source))), tree / source.relative_to(ROOT)
            if compiled.exists() and copied.exists():
                (copied.parent / "__pycache__").mkdir(exist_ok=True)
                shutil.copyfile(compiled, copied.parent / "__pycache__" / compiled.name)


def own_bytecode() -> dict[str, str]:
    """The variables of this process, but that bytecode is beside the sources."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPYCACHEPREFIX"}


def end(run: subprocess.Popen[Any], how: signal.Signals) -> None:
    """A terminal sends Ctrl+C to every process of the run; a supervisor ends the first one alone."""
    (os.killpg if how == signal.SIGINT else os.kill)(run.pid, how)
    assert run.wait(300) == 128 + how


def assert_gone(number: str, display: str) -> None:
    """Neither the process of that number nor the screen is there any more."""
    assert not Path("/proc", number).exists()
    assert not Path("/tmp/.X11-unix", "X" + display.removeprefix(":")).exists()


@contextmanager
def plant(tree: Path, name: str, content: str) -> Iterator[Path]:
    """Write one file into a copy and take it out again: a new copy for each plant would be most of the time."""
    path = tree / name
    before = path.read_bytes() if path.exists() else None
    made = [folder for folder in path.parents if not folder.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    try:
        yield path
    finally:
        if before is None:
            path.unlink()
        else:
            path.write_bytes(before)
        for folder in made:
            shutil.rmtree(folder, ignore_errors=True)
