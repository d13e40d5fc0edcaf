"""docs/contributing.md names files and names of code that are there."""

import re

import pytest

from tests.house.tree import ROOT

TEXT = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
FILES = sorted(set(re.findall(r"`((?:engine|app|tests|docs|resources)/[\w/.]*)`", TEXT)))
TABLES = {
    "engine/ik/solvers.py": "SOLVERS = ",
    "engine/formats/table.py": "FORMATS: ",
    "engine/edits/__init__.py": "_TABLE: ",
    "engine/systems.py": "SYSTEMS = ",
    "engine/queries/examples.py": "EXAMPLES = ",
    "app/features/table.py": "FEATURES: ",
    "tests/conformance/test_solvers.py": "SLOW = ",
}


def test_the_page_is_about_files() -> None:
    assert len(FILES) > 20
    assert TABLES.keys() <= set(FILES)


@pytest.mark.parametrize("name", [each for each in FILES if "NAME" not in each])
def test_a_file_that_is_named_is_there(name: str) -> None:
    path = ROOT / name
    assert path.is_dir() if name.endswith("/") else path.is_file()


@pytest.mark.parametrize(("name", "table"), TABLES.items())
def test_a_table_that_is_named_is_in_its_file(name: str, table: str) -> None:
    assert re.search(rf"^{re.escape(table)}", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
