"""Installs what is to be tried into a folder that is empty otherwise, and gives the command that starts it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path


def install(given: Sequence[str], tree: Path) -> list[str]:
    """The command to run: of a package, from where it was installed below `tree`; else what was given."""
    package = Path(given[0])
    if len(given) == 1 and package.name.endswith(".deb"):
        _install_debian(package.resolve(), tree)
        return [str(tree / "usr" / "bin" / "sinew")]
    if len(given) == 1 and ".tar" in package.name:
        tree.mkdir(parents=True)
        subprocess.run(["tar", "-xf", str(package.resolve()), "-C", str(tree)], check=True)
        return [str(next(tree.glob("sinew-*/sinew")))]
    found = shutil.which(given[0])
    if found is None:
        raise SystemExit(f"smoke: there is no command {given[0]}")
    return [str(Path(found).absolute()), *given[1:]]


def _install_debian(package: Path, tree: Path) -> None:
    """By dpkg into a tree with a database of its own; where that asks for root, its files are unpacked alone."""
    tree.mkdir(parents=True)
    if os.geteuid() != 0:
        subprocess.run(["dpkg-deb", "-x", str(package), str(tree)], check=True)
        return
    database = tree / "var" / "lib" / "dpkg"
    for name in ("info", "updates", "triggers"):
        (database / name).mkdir(parents=True)
    for name in ("status", "available"):
        (database / name).touch()
    # The libraries that it depends on are those of this machine; the tree has no other packages.
    quiet = ["dpkg", f"--root={tree}", "--force-depends", "--install", str(package)]
    done = subprocess.run(quiet, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"smoke: dpkg does not install it: {done.stderr.strip()}")
