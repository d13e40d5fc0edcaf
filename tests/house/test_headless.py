"""The engine runs where there is no window: importing all of it loads neither Qt nor anything that draws."""

import subprocess
import sys
from pathlib import Path

from tests.house.tree import ROOT, plant

LOADS_EVERY_MODULE = """
import importlib, pkgutil, sys
sys.path.insert(0, "")
import engine
for module in pkgutil.walk_packages(engine.__path__, "engine."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
windows = {"PySide6", "shiboken6", "vispy", "pyqtgraph", "OpenGL", "app"}
print(" ".join(sorted(windows & {name.split(".")[0] for name in sys.modules})))
"""


def windows_loaded_by_engine(root: Path) -> list[str]:
    command = [sys.executable, "-P", "-c", LOADS_EVERY_MODULE]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.split()


def test_no_module_of_the_engine_loads_a_window() -> None:
    assert windows_loaded_by_engine(ROOT) == []


def test_a_module_that_loads_a_window_is_found(tree: Path) -> None:
    hidden = "import importlib\n\nimportlib.import_module('PySide6.QtCore')\n"
    with plant(tree, "engine/runtime/planted.py", hidden):
        assert windows_loaded_by_engine(tree) == ["PySide6", "shiboken6"]
