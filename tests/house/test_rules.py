"""The rules hold in this tree, and each of them refuses what it is there to refuse."""

import shutil
from pathlib import Path

import pytest

from tests.house import rules
from tests.house.tree import ROOT, plant

MARK = "TO" + "DO"

PLANTS = [
    (rules.module_length, "engine/model/long.py", "x = 1\n" * 601),
    (rules.function_length, "engine/model/long.py", "def long() -> None:\n" + "    print()\n" * 61),
    (rules.function_length, "engine/model/long.py", "@kernel\ndef long() -> None:\n" + "    print()\n" * 111),
    (rules.bare_numba_decorators, "engine/model/bare.py", "from numba import njit\n"),
    (rules.bare_numba_decorators, "engine/model/bare.py", "import numba as nb\n\n@nb.vectorize\ndef f(x): return x\n"),
    (rules.bare_numba_decorators, "tests/engine/bare.py", "from numba.np.ufunc import guvectorize\n"),
    (rules.forbidden_names, "engine/model/named.py", "class FigureManager: ...\n"),
    (rules.forbidden_names, "app/shell/helpers.py", ""),
    (rules.forbidden_names, "engine/common/__init__.py", ""),
    (rules.pickling, "engine/formats/loads.py", "def load() -> None:\n    import pickle\n"),
    (rules.pickling, "engine/formats/loads.py", "import numpy\n\nnumpy.load('x', allow_pickle=True)\n"),
    (rules.rooms_of_imports, "engine/ik/heavy.py", "from casadi import SX\n"),
    (rules.rooms_of_imports, "tests/engine/test_luck.py", "from hypothesis import given\n"),
    (rules.undeclared_imports, "app/features/extra.py", "import matplotlib.pyplot\n"),
    (rules.undeclared_imports, "engine/formats/extra.py", "from imageio_ffmpeg import get_ffmpeg_exe\n"),
    (rules.undeclared_imports, "sinew/extra.py", "def draw() -> None:\n    import vispy\n"),
    (rules.sleeping_tests, "tests/engine/test_nap.py", "import time\n\ntime.sleep(1)\n"),
    (rules.sleeping_tests, "tests/engine/test_nap.py", "from time import sleep\n"),
    (rules.addresses_in_locks, "requirements-extra.lock", "--index-url x\n"),
    (rules.addresses_in_locks, "requirements-extra.lock", "a @ https" + "://x/a.whl\n"),
    (rules.paths_of_a_machine, "engine/model/path.py", "X = '/work" + "/data'\n"),
    (rules.paths_of_a_machine, "README.md", "see /home" + "/ann/sinew\n"),
    (rules.unfinished_work, "engine/model/later.py", f"# {MARK}: later\n"),
]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A tree of one good module, with the dependencies and the name of this one."""
    for name in ("pyproject.toml", "README.md"):
        shutil.copy2(ROOT / name, tmp_path)
    write = tmp_path / "engine" / "model" / "good.py"
    write.parent.mkdir(parents=True)
    write.write_text('"""A module."""\n\nimport json\n\n\nclass Good:\n    """A class."""\n', encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_rule_holds_in_this_tree(rule: rules.Rule) -> None:
    assert rule(ROOT) == []


@pytest.mark.parametrize(
    ("rule", "name", "content"), PLANTS, ids=[f"{rule.__name__}-{name}" for rule, name, _ in PLANTS]
)
def test_rule_refuses_a_violation(rule: rules.Rule, name: str, content: str, small: Path) -> None:
    assert rule(small) == []
    with plant(small, name, content):
        found = rule(small)
    assert len(found) == 1
    assert name in found[0]


def test_every_rule_has_a_violation_that_it_refuses() -> None:
    assert {rule for rule, _, _ in PLANTS} == set(rules.RULES)


def test_a_data_table_may_be_long(small: Path) -> None:
    with plant(small, "engine/model/table.py", '"""Data table of everything."""\n' + "x = 1\n" * 700):
        assert rules.module_length(small) == []


def test_the_cache_of_kernels_alone_may_pickle(small: Path) -> None:
    with plant(small, "engine/runtime/jit.py", "import pickle\n"):
        assert rules.pickling(small) == []
