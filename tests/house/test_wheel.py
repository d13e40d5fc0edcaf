"""`pip install .` gives a command `sinew` that works away from the checkout, with everything that it reads."""

import email
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from engine import __version__
from tests.house.tree import ROOT, copy_tree

KERNEL = "resources/kernels/0123456789abcdef/engine.maths.some-0123.kernel"  # of compilers that nobody has
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, for setuptools leaves its work beside the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    source = copy_tree(folder / "source")
    (source / KERNEL).parent.mkdir(parents=True)
    (source / KERNEL).write_bytes(b"code")
    run([*PIP, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder), str(source)], folder)
    return next(folder.glob("*.whl"))


def run(command: list[str], folder: Path, **variables: str) -> str:
    environment = {**{name: value for name, value in os.environ.items() if name != "PYTHONPATH"}, **variables}
    result = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300.0, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_wheel_holds_all_sources_and_resources_and_no_tests(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    wanted = {
        path.relative_to(ROOT).as_posix()
        for folder in ("sinew", "engine", "app", "resources")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".md"
    }
    assert wanted - packed == set()
    assert not [name for name in packed if name.startswith("tests/")]
    assert any(name.endswith("/licenses/LICENSE") for name in packed)


def test_the_engine_is_installed_without_the_window(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        wanted = email.message_from_bytes(archive.read(name)).get_all("Requires-Dist") or []
    named: dict[str, set[str]] = {"": set(), "app": set(), "test": set(), "package": set(), "peers": set()}
    named |= {"cluster": set(), "tables": set(), "ipopt": set()}
    for each in wanted:
        extra = re.search(r"extra == ['\"](\w+)['\"]", each)
        named[extra[1] if extra else ""].add(re.split(r"[^\w-]", each)[0])
    assert named[""] == {"numpy", "scipy", "numba", "ufbx"}
    assert named["app"] >= {"PySide6-Essentials", "vispy", "PyOpenGL", "imageio-ffmpeg"}


def test_kernels_that_were_shipped_go_along(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read(KERNEL) == b"code"


def test_installed_command_says_its_version(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    run(
        [*PIP, "install", "--quiet", "--no-deps", "--no-index", "--no-compile", "--target", str(site), str(wheel)],
        tmp_path,
    )
    command = next(path for path in (site / "bin").iterdir() if path.stem == "sinew")
    assert run([str(command), "--version"], tmp_path, PYTHONPATH=str(site)).strip().endswith(__version__)
    where = "import app, sinew; print(app.__file__, sinew.__file__, sinew.figure('lamp').actors[0].name)"
    said = run([sys.executable, "-c", where], tmp_path, PYTHONPATH=str(site))
    assert said.count(str(site)) == 2
    assert said.endswith("Desk lamp\n")
