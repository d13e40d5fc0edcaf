"""What the smoke test of a wheel gives it without pip: what it asks for, what that asks for, and nothing else."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name
from smoke.linking import link_packages, needed

from tests.house.tree import ROOT

PINNED = re.compile(r"^([\w.-]+)==([^\s;\\]+)", re.MULTILINE)


def test_what_the_wheel_asks_for_are_the_packages_of_the_lock_in_its_versions() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["app"]]
    found = {canonicalize_name(each.name): each.version for each in needed(wanted, ())}
    pinned = dict(PINNED.findall((ROOT / "requirements.lock").read_text(encoding="utf-8")))
    assert found == {canonicalize_name(name): version for name, version in pinned.items()}


def test_a_package_comes_whole_with_what_python_compiled_of_it_and_what_it_asks_for_by_an_extra_alone(
    tmp_path: Path,
) -> None:
    assert link_packages(tmp_path, ["pluggy>=1", 'iniconfig; extra == "app"', 'hypothesis; extra == "test"']) == 2
    assert {each.name for each in tmp_path.iterdir()} == {
        f"{name}{end}" for name in ("pluggy", "iniconfig") for end in ("", f"-{distribution(name).version}.dist-info")
    }
    source = Path(str(distribution("pluggy").locate_file("pluggy/__init__.py")))
    assert (tmp_path / "pluggy" / "__init__.py").read_bytes() == source.read_bytes()
    assert (tmp_path / "pluggy" / "__pycache__" / f"__init__.{sys.implementation.cache_tag}.pyc").is_file()


@pytest.mark.parametrize("asked", ["no-such-package-of-ours", "pluggy<0.1"])
def test_what_is_not_here_or_in_another_version_is_refused_by_name(asked: str) -> None:
    with pytest.raises(SystemExit, match=f"the wheel asks for {asked}"):
        needed([asked], ())
