"""The import contracts of pyproject.toml refuse what they are there to refuse. That they hold in this tree is checked
by `start.py test` itself.
"""

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.house.test_toy_system import toy_in
from tests.house.tree import plant

# The contract, the module that breaks it, its import.
PLANTS = [
    ("engine: a room imports only", "engine.document.planted", "engine.queries"),
    ("engine: a room imports only", "engine.targets.planted", "engine.locks.keeping"),
    ("engine: a room imports only", "engine.kinodynamics.planted", "engine.targets.equations"),
    ("engine: never imports the window", "engine.model.planted_qt", "PySide6"),
    ("engine: never imports the window", "engine.model.planted_vispy", "vispy"),
    ("sinew: the library's face", "engine.model.planted_face", "sinew.face"),
    ("app: the shell knows all", "app.session.planted", "app.shell.planted_shell"),
    ("app: no feature imports another", "app.features.planted_one", "app.features.planted_two"),
    ("app.scene: of the engine", "app.scene.planted", "engine.model.kinematics"),
    ("and no kernel", "app.features.planted_kernel", "engine.model.kinematics"),
    ("reach the picture", "app.features.limits.planted_scene", "app.scene.camera"),
    ("pyqtgraph is known to one module", "app.features.planted_chart", "pyqtgraph"),
]


@pytest.fixture(scope="module")
def verdict(tree: Path) -> str:
    """Every violation planted at once, for one look of import-linter at the tree."""
    with ExitStack() as planted:
        for name in ("app/shell/planted_shell.py", "app/features/planted_two.py", "engine/attic/__init__.py"):
            planted.enter_context(plant(tree, name, ""))
        for room in ("shell", "features"):
            if not (tree / "app" / room / "__init__.py").exists():
                planted.enter_context(plant(tree, f"app/{room}/__init__.py", ""))
        for _, module, imported in PLANTS:
            planted.enter_context(plant(tree, module.replace(".", "/") + ".py", f"import {imported}\n"))
        for name, text in toy_in(tree).items():
            planted.enter_context(plant(tree, name, text))
        return look(tree)


def look(tree: Path) -> str:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    result = subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode in (0, 1), result.stderr
    return " ".join(result.stdout.split())


@pytest.mark.parametrize(("contract", "module", "imported"), PLANTS, ids=[module for _, module, _ in PLANTS])
def test_contract_refuses_a_violation(contract: str, module: str, imported: str, verdict: str) -> None:
    broken = verdict.split("Broken contracts", 1)[1]
    assert contract in broken
    assert f"{module} -> {imported} " in broken


def test_every_contract_was_broken_by_a_plant(verdict: str) -> None:
    assert "Contracts: 0 kept," in verdict


def test_a_system_and_its_feature_that_are_in_their_tables_are_not(verdict: str) -> None:
    """A contract tells of every module that is not as it asks."""
    assert "toy" not in verdict


def test_a_room_that_the_design_does_not_list_is_refused(verdict: str) -> None:
    assert "not listed as layers: - engine.attic" in verdict
