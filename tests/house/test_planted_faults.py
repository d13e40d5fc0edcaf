"""The planted faults (tests/faults) fit this tree: each still changes what the code does, and its tests are there.

That they are found takes minutes: `python3 start.py faults`.
"""

import ast
import os
import subprocess
from pathlib import Path

import pytest

from tests.faults.__main__ import copy_tree
from tests.faults.planted import FOLDER, DoesNotApply, Fault, is_there, planted, read_faults
from tests.house.tree import ROOT

FAULTS = read_faults()


def test_there_are_sixty_six_and_each_has_a_name_of_its_own() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) == 66


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_a_fault_changes_what_the_code_does(fault: Fault) -> None:
    before = (ROOT / fault.path).read_text(encoding="utf-8")
    assert ast.dump(ast.parse(fault.applied(before))) != ast.dump(ast.parse(before))
    assert fault.tests
    assert [test for test in fault.tests if not is_there(test, ROOT)] == []


def test_a_fault_is_found_in_another_layout_and_only_once(tmp_path: Path) -> None:
    fault = Fault(name="f", title="", area="", path="a.py", old="x = twice(a, b)", new="x = a", tests=())
    assert fault.applied("if y:\n    x = twice(\n        a, b)\n") == "if y:\n    x = a\n"
    for text in ("x = twice(b, a)", "x = twice(a, b)\nx = twice(a, b)"):
        with pytest.raises(DoesNotApply, match=r"f: its text is \d times in a.py"):
            fault.applied(text)
    (tmp_path / "a.py").write_text("x = twice(a, b)\n", encoding="utf-8")
    with planted(fault, tmp_path):
        assert (tmp_path / "a.py").read_text(encoding="utf-8") == "x = a\n"
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == "x = twice(a, b)\n"


def test_every_file_of_faults_is_read() -> None:
    assert {path.suffix for path in FOLDER.iterdir() if path.is_file()} == {".toml", ".py"}


def test_only_the_variable_names_the_folder_of_shared_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SINEW_SHARED", raising=False)
    (tmp_path / "shared").mkdir()
    tree = tmp_path / "tree"
    (tree / ".venv").mkdir(parents=True)
    (tree / "a.py").write_text("", encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(tree)], check=True)
    assert (copy_tree(tree, tmp_path / "copy") / "a.py").is_file()
    assert "SINEW_SHARED" not in os.environ
