"""Installs what is to be tried into a folder that is empty otherwise, and gives the command that starts it."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

from make_wheel import PIP, copy_sources

import start

PINNED = re.compile(r"^[\w.-]+==[^\\\n]+", re.MULTILINE)


def install(given: Sequence[str], tree: Path, lock: Path | None, *, linked: bool = False) -> list[str]:
    """The command to run: of a package, from where it was installed below `tree`; else what was given."""
    package = Path(given[0])
    if len(given) == 1 and package.name.endswith(".deb"):
        _install_debian(package.resolve(), tree)
        return [str(tree / "usr" / "bin" / "sinew")]
    if len(given) == 1 and ".tar" in package.name:
        tree.mkdir(parents=True)
        subprocess.run(["tar", "-xf", str(package.resolve()), "-C", str(tree)], check=True)
        return [str(next(tree.glob("sinew-*/sinew")))]
    if len(given) == 1 and (package.suffix == ".whl" or package.is_dir()):
        return [_install_wheel(package.resolve(), tree, lock, linked=linked)]
    found = shutil.which(given[0])
    if found is None:
        raise SystemExit(f"smoke: there is no command {given[0]}")
    return [str(Path(found).absolute()), *given[1:]]


def _install_wheel(wheel: Path, tree: Path, lock: Path | None, *, linked: bool) -> str:
    """By pip into an environment of its own, with all that it asks for, in the versions of a lock or the newest; or of
    the environment that runs this, to which it is `linked`.

    Of a folder with the sources of Sinew pip builds the wheel first, from a copy.
    """
    if importlib.util.find_spec("pip"):  # making an environment with one more costs four seconds
        venv.create(tree, symlinks=not start.WINDOWS, with_pip=False)
        python = start.environment_python(tree)
        pip = [sys.executable, *PIP, "--python", str(python)]
    else:
        python = start.create_environment(tree)
        pip = [str(python), *PIP]
    if wheel.is_dir():
        wheel = copy_sources(tree / "sources", wheel)
        if linked:  # by the packages that build it here; pip would fetch them
            build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(tree), str(wheel)]
            start.check([sys.executable, *PIP, *build])
            (wheel,) = tree.glob("*.whl")
    command = [*pip, "install", "--quiet", "--no-compile", "--only-binary", ":all:", f"sinew[app] @ {wheel.as_uri()}"]
    if lock is not None:
        versions = tree / "versions.txt"
        versions.write_text("\n".join(PINNED.findall(lock.read_text(encoding="utf-8"))), encoding="utf-8")
        command += ["--constraint", str(versions)]
    if linked:
        command += ["--no-deps", "--no-index"]
    start.check(command)
    if linked:
        from smoke.linking import link_packages, requirements_of  # packages of the tests, which others have no need of

        (site,) = tree.glob("Lib/site-packages" if start.WINDOWS else "lib/python3*/site-packages")
        link_packages(site, requirements_of(site, "sinew"))
    return str(python.with_name("sinew"))


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
