"""The engine runs where there is no window: importing all of it loads neither Qt nor anything that draws."""

import subprocess
import sys
from pathlib import Path

from tests.house.tree import own_bytecode, plant

LOADS_EVERY_MODULE = """
import importlib, pkgutil, sys
sys.path.insert(0, "")
import engine
place = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(place.__path__, f"{place.__name__}."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
windows = {"PySide6", "shiboken6", "vispy", "pyqtgraph", "OpenGL", "app"}
print(" ".join(sorted(windows & {name.split(".")[0] for name in sys.modules})))
"""


def windows_loaded_by(root: Path, place: str) -> list[str]:
    command = [sys.executable, "-P", "-c", LOADS_EVERY_MODULE, place]
    result = subprocess.run(
        command, cwd=root, env=own_bytecode(), capture_output=True, text=True, timeout=300.0, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.split()


def test_no_module_of_the_engine_loads_a_window(tree: Path) -> None:
    assert windows_loaded_by(tree, "engine") == []


def test_a_module_that_loads_a_window_is_found(tree: Path) -> None:
    hidden = "import importlib\n\nimportlib.import_module('PySide6.QtCore')\n"
    with plant(tree, "engine/runtime/planted.py", hidden):
        assert windows_loaded_by(tree, "engine.runtime") == ["PySide6", "shiboken6"]
