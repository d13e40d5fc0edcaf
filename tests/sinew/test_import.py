"""`import sinew` loads nothing heavy and no window, works where only the engine is installed, and says so where another
package has one of its names.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sinew.installed import stranger
from tests.house.tree import ROOT

HEAVY = {"numpy", "scipy", "numba", "llvmlite"}
WINDOW = {"PySide6", "shiboken6", "vispy", "pyqtgraph", "OpenGL", "app"}
LOADED = """
import json, sys
import sinew
after = [sorted({name.partition(".")[0] for name in sys.modules})]
scene = sinew.figure("lamp")
sinew.evaluate(sinew.simulate(scene, 0.1), 0.1)
after.append(sorted({name.partition(".")[0] for name in sys.modules}))
print(json.dumps(after))
"""
WITHOUT_WINDOW = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
import importlib.util
find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name in {names!r} else find_spec(name)
sys.meta_path.insert(0, Missing())
{program}
"""


def python(*arguments: str, folder: Path = ROOT, path: tuple[Path, ...] = (ROOT,)) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300.0, check=False
    )


def test_importing_it_loads_neither_numbers_nor_a_window_and_working_with_it_no_window(tmp_path: Path) -> None:
    done = python("-c", LOADED, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    at_import, at_work = map(set, json.loads(done.stdout))
    assert at_import & (HEAVY | WINDOW) == set()
    assert at_work >= HEAVY
    assert at_work & WINDOW == set()


def without_window(program: str) -> subprocess.CompletedProcess[str]:
    """A program where `pip install .` was run without `[app]`."""
    names = [*sorted(WINDOW - {"app"}), "imageio_ffmpeg", "miniaudio"]
    return python("-c", WITHOUT_WINDOW.format(names=names, program=program))


def test_without_the_windows_packages_all_but_drawing_works() -> None:
    done = without_window("import sinew\nprint(round(sinew.evaluate(sinew.figure('lamp')).points['bulb'][1], 2))")
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) > 0.1


def test_render_says_what_to_install_where_it_is_missing() -> None:
    done = without_window("import sinew\nsinew.render(sinew.figure('lamp'), 'lamp.png', time=0.0)")
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: the parts that draw are not installed: PySide6, shiboken6, vispy, OpenGL")
    assert "pip install '.[app]'" in last


@pytest.mark.parametrize("arguments", [[], ["render", "a.sinew", "--out", "a.png"]])
def test_the_command_says_what_to_install_where_it_is_missing(arguments: list[str]) -> None:
    done = without_window(f"from app.__main__ import main\nsys.exit(main({arguments!r}))")
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "pip install '.[app]'" in done.stderr


def plant(folder: Path, name: str, *, is_folder: bool = False) -> Path:
    path = folder / name / "__init__.py" if is_folder else folder / f"{name}.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text('"""Somebody else\'s."""\n', encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["engine", "resources"])
@pytest.mark.parametrize("is_folder", [False, True])
def test_another_package_that_hides_ours_is_named_with_its_file_and_a_way_out(
    name: str, is_folder: bool, tmp_path: Path
) -> None:
    there = plant(tmp_path, name, is_folder=is_folder)
    done = python("-c", "import sinew", folder=tmp_path)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(f"ImportError: Sinew's own package {name!r}, {ROOT / name}")
    assert str(there) in last
    assert "Rename or uninstall that one, or install Sinew in an environment of its own" in last


def test_a_script_called_app_is_warned_of_and_only_drawing_is_refused(tmp_path: Path) -> None:
    script = plant(tmp_path, "app")
    script.write_text(
        "import sinew\nlamp = sinew.figure('lamp')\nprint(len(lamp.actors))\nsinew.render(lamp, 'a.png', time=0.0)\n",
        encoding="utf-8",
    )
    done = python("app.py", folder=tmp_path)
    assert done.stdout == "1\n"
    warning, last = done.stderr.splitlines()[0], done.stderr.strip().splitlines()[-1]
    for line in (warning, last):
        assert "'app'" in line
        assert str(script) in line
    assert "RuntimeWarning" in warning
    assert "Until then nothing can be drawn" in warning
    assert last.startswith("ImportError: ")


def test_a_package_that_was_overwritten_in_its_own_folder_is_named(tmp_path: Path) -> None:
    for name in ("engine", "app", "resources"):
        (tmp_path / name).mkdir()
        shutil.copy2(ROOT / name / "__init__.py", tmp_path / name)
    shutil.copytree(ROOT / "sinew", tmp_path / "sinew", ignore=shutil.ignore_patterns("__pycache__"))
    there = plant(tmp_path, "resources", is_folder=True)
    done = python("-c", "import sinew", path=(tmp_path,), folder=tmp_path)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(f"ImportError: {there} is not Sinew's")
    assert "install Sinew again" in last


def test_here_nobody_is_in_the_way_and_what_is_missing_is_said(tmp_path: Path) -> None:
    assert [stranger(name) for name in ("engine", "app", "resources")] == ["", "", ""]
    assert "is missing" in stranger("engines", tmp_path)
