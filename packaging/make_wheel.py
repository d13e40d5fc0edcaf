"""Builds the wheel: `python3 start.py wheel`. Kernels of `start.py ship` go along where there are any.

It is built from a copy of the sources: beside them setuptools would leave its work, from which the next wheel would get
modules that have been removed meanwhile.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("sinew", "engine", "app", "resources", "pyproject.toml", "README.md", "LICENSE")
PIP = ("-m", "pip", "--disable-pip-version-check", "--no-input")


def copy_sources(target: Path, root: Path = ROOT) -> Path:
    """Copy what a wheel is built of into a folder, which is made; the folder."""
    target.mkdir(parents=True)
    for name in COPIED:
        source = root / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, target / name)
    return target


def main() -> int:
    """Build it into `dist/`; the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        source = copy_sources(Path(folder) / "sinew")
        command = [sys.executable, *PIP, "wheel", "--quiet", "--no-deps", "-w", str(ROOT / "dist"), str(source)]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
