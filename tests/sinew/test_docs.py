"""The examples of docs/library.md and the cells of docs/library.ipynb run as they stand, and say what is written there.

They run in a process of their own, as a person would run them, in an empty folder.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sinew
from tests.house.tree import ROOT

PAGE, NOTEBOOK = ROOT / "docs" / "library.md", ROOT / "docs" / "library.ipynb"
NOT_FUNCTIONS = {
    "Activated", "Evaluated", "Fitted", "Measured", "MeasuredArms", "Planned", "ReducedMotion", "Scaled", "Swept",
    "EngineError", "__version__",
}  # fmt: skip
MOST_LINES = 30
RUN_CELLS = """
import ast, json, sys
names, shown = {}, []
for text in json.loads(sys.stdin.read()):
    tree = ast.parse(text)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        shown.append(value._repr_svg_() if hasattr(value, "_repr_svg_") else repr(value))
print(json.dumps([shown, sorted({"PySide6", "vispy", "matplotlib", "IPython"} & sys.modules.keys())]))
"""


def python(folder: Path, program: str, given: str = "") -> str:
    """What a program prints in a folder without Sinew's sources; standard error is for how far it is."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=folder, env=environment, input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def examples() -> dict[str, str]:
    """The code below each heading."""
    parts = re.split(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return {name: "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)) for name, text in pairs}


def test_every_function_has_an_example() -> None:
    with_code = {name for name, code in examples().items() if f"sinew.{name}(" in code}
    assert with_code == set(sinew.__all__) - NOT_FUNCTIONS


def test_examples_print_what_is_written_behind_them(tmp_path: Path) -> None:
    code = "\n".join(examples().values())
    said = [line.rpartition("  # ")[2] for line in code.splitlines() if line.startswith("print(")]
    assert python(tmp_path, code).splitlines() == said
    made = {each.name for each in tmp_path.iterdir()}
    films, scenes = {"fall.svg", "fallen.png", "fall.gif"}, {"fall.sinew", "camera.glb", "plate.mot", "controls.sto"}
    assert made == films | scenes | {"fall.bvh", "landing.bvh", "landing.trc", "longer.bvh", "fall.toml", "fall.csv"}
    assert all(each.stat().st_size > 150 for each in tmp_path.iterdir())


def numbers(text: str) -> list[float]:
    """Those of an array as it is shown."""
    return [float(each) for each in re.findall(r"-?\d+\.\d*", text)]


@pytest.fixture(scope="module")
def cells() -> list[str]:
    found = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") for cell in found), "outputs are left out"
    return ["".join(cell["source"]) for cell in found if cell["cell_type"] == "code"]


def test_the_notebook_is_thirty_lines(cells: list[str]) -> None:
    assert sum(bool(line.strip()) for cell in cells for line in cell.splitlines()) <= MOST_LINES


def test_the_notebook_poses_solves_simulates_and_plots_without_a_window(cells: list[str], tmp_path: Path) -> None:
    shown, drawn_by = json.loads(python(tmp_path, RUN_CELLS, json.dumps(cells)))
    assert drawn_by == []
    start, missed, heads, slack, stiff, when = shown
    assert start.startswith("array([")
    assert float(missed.split()[2]) < 1.0, "every point of the circle is reached"
    fallen, upright = numbers(heads)
    assert fallen < 1.0 < upright
    for plot in (slack, stiff):
        assert plot.startswith("<svg ")
        assert plot.count("<path d=") > 3
    assert 0.2 < numbers(when)[0] < 1.0
    assert "never" in when
    assert list(tmp_path.iterdir()) == []
