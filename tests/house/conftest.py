"""One copy of the tree for all tests of a module; each plants in it and takes out again."""

from pathlib import Path

import pytest

from tests.house.tree import copy_tree


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_tree(tmp_path_factory.mktemp("tree"))
