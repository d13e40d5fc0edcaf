"""One copy of the tree for all tests of a module; each plants in it and takes out again."""

from pathlib import Path

import pytest

from tests.house.tree import copy_tree, take_bytecode_along


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = copy_tree(tmp_path_factory.mktemp("tree"))
    take_bytecode_along(copy)
    return copy
