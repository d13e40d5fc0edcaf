"""The Debian package: the program in `/usr/lib/sinew`, what a desktop reads about it, and the libraries it asks for.

No script runs when it is installed: desktops watch the folders of icons, applications and kinds of files themselves.
"""

from __future__ import annotations

import gzip
import mmap
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from pictures import DRAWINGS, SIZES

import start
from engine import __version__

ROOT = Path(__file__).resolve().parents[1]
LINUX = ROOT / "packaging" / "linux"
CARRIED = ("libxcb-", "libxkbcommon")
"""Libraries that the program brings along, since desktops often lack some of them."""

RENAMED = {"libglib2.0-0": "libglib2.0-0t64 | libglib2.0-0"}
"""Packages that newer releases call by another name."""


def dependencies() -> list[str]:
    """The packages of the libraries that the program takes from the system."""
    needed = {package for name, package in start.LIBRARIES.items() if not name.startswith(CARRIED)}
    return [RENAMED.get(each, each) for each in sorted(needed)]


def lowest_c_library(program: Path) -> str:
    """The version of the C library that the program's binaries ask for, by the names of its symbols in them."""
    found = {(2, 17)}
    for path in program.rglob("*"):
        if path.is_file() and not path.is_symlink() and (".so" in path.name or os.access(path, os.X_OK)):
            with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
                if content[:4] == b"\x7fELF":
                    versions = re.findall(rb"\0GLIBC_(\d+)\.(\d+)(?=[\0.])", content)
                    found |= {(int(first), int(second)) for first, second in versions}
    return ".".join(map(str, max(found)))


def control(size: int, architecture: str, c_library: str) -> str:
    """What the package says of itself; `size` is in kibibytes, `c_library` the version that it asks for."""
    fields = {
        "Package": "sinew",
        "Version": __version__,
        "Architecture": architecture,
        "Maintainer": "The Sinew developers",
        "Installed-Size": str(size),
        "Depends": ", ".join([f"libc6 (>= {c_library})", *dependencies()]),
        "Recommends": ", ".join([*sorted(set(start.WAYLAND_LIBRARIES.values())), "libgl1-mesa-dri"]),
        "Section": "graphics",
        "Priority": "optional",
        "Description": "pose, simulate and animate bodies",
    }
    text = " Articulated figures with inverse kinematics, keys and secondary motion, soft bodies and water,\n"
    text += " in one window; the same engine without one, as `sinew render` and `sinew engine`.\n"
    return "".join(f"{name}: {value}\n" for name, value in fields.items()) + text


def lay_out(program: Path, pictures: Path, root: Path) -> None:
    """Put all files of the package where they will be installed, below a folder."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(program, root / "usr" / "lib" / "sinew", symlinks=True, copy_function=_link)
    share = root / "usr" / "share"
    (root / "usr" / "bin").mkdir()
    (root / "usr" / "bin" / "sinew").symlink_to("../lib/sinew/sinew")
    _put(LINUX / "sinew.desktop", share / "applications" / "sinew.desktop")
    _put(LINUX / "sinew.xml", share / "mime" / "packages" / "sinew.xml")
    icons = share / "icons" / "hicolor"
    for drawing, kind, name in (("sinew", "apps", "sinew"), ("document", "mimetypes", "application-x-sinew")):
        for size in SIZES:
            _put(pictures / f"{drawing}-{size}.png", icons / f"{size}x{size}" / kind / f"{name}.png")
        _put(DRAWINGS / f"{drawing}.svg", icons / "scalable" / kind / f"{name}.svg")
    papers = share / "doc" / "sinew"
    _put(program / "licences" / "README.md", papers / "copyright")
    with gzip.GzipFile(papers / "changelog.gz", "wb", compresslevel=9, mtime=0) as file:
        file.write((ROOT / "CHANGELOG.md").read_bytes())


def write_debian_package(program: Path, pictures: Path, work: Path, target: Path) -> Path:
    """Lay the files out in the folder `work` and pack them; the package."""
    lay_out(program, pictures, work)
    size = sum(each.stat().st_size for each in work.rglob("*") if each.is_file() and not each.is_symlink())
    architecture = {"x86_64": "amd64", "aarch64": "arm64"}[os.uname().machine]
    (work / "DEBIAN").mkdir()
    told = control(size // 1024, architecture, lowest_c_library(program))
    (work / "DEBIAN" / "control").write_text(told, encoding="utf-8")
    package = target / f"sinew_{__version__}_{architecture}.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z3", "--build", str(work), str(package)]
    code = subprocess.run(command, stdout=sys.stderr, check=False).returncode
    if code:
        raise SystemExit(f"packaging: dpkg-deb failed with {code}")
    return package


def _link(source: str, target: str) -> None:
    """Copy a file by a second name of it, half a gigabyte being in many; really where that is not possible."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _put(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
