"""Makes the packages of the system that this runs on: `python3 start.py package [FOLDER]`, which see for its steps.

Kernels that are not whole are compiled first (`start.py ship`). What is made lies in `dist/`: on Linux a Debian package
and a portable archive, on Windows an installer where Inno Setup is there, on macOS a disk image. The table that is
printed says what the program holds, largest first. A program or package that is larger than the limits ends with 1.
"""

from __future__ import annotations

import filecmp
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bundle import TWINS
from debian import write_debian_package
from licences import write_licences
from pictures import write_pictures

from engine import __version__
from engine.runtime.folders import SHIPPED
from engine.runtime.processor import can_run_shipped
from engine.runtime.rooms import compiler_digest

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build"
MOST_UNPACKED, MOST_PACKED = 550, 160  # [MB]
MB = 1_000_000


def main() -> int:
    """Make the packages of this system; the exit code."""
    target = ROOT / "dist"
    target.mkdir(exist_ok=True)
    compile_kernels()
    write_pictures(WORK / "pictures")
    program = freeze()
    write_licences(program / "licences", program / "_internal")
    size = print_table(program)
    made = MAKERS.get(sys.platform, portable)(program, target)
    print(f"unpacked: {size / MB:.0f} MB, at most {MOST_UNPACKED}")
    small = size <= MOST_UNPACKED * MB
    for path in made:
        print(f"{path.name}: {path.stat().st_size / MB:.0f} MB, at most {MOST_PACKED}")
        small = small and path.stat().st_size <= MOST_PACKED * MB
    return 0 if small else 1


def compile_kernels() -> None:
    """Compile the kernels that go along, unless they are there and whole; nothing where none can be shipped."""
    if not can_run_shipped():
        print("this processor is not one that kernels are shipped for: the first start will compile them")
        return
    from engine.long.warm_up import not_whole_in

    if not_whole_in(SHIPPED / compiler_digest()):
        run([sys.executable, str(ROOT / "start.py"), "ship"])


def freeze() -> Path:
    """Have PyInstaller build the folder of the program; where it lies."""
    pictures = WORK / "pictures"
    icon = {"win32": pictures / "sinew.ico", "darwin": pictures / "sinew.icns"}.get(sys.platform)
    told = {"SINEW_ICON": str(icon or ""), "PYTHONHASHSEED": "1"}
    spec, dist, work = str(ROOT / "packaging" / "sinew.spec"), str(WORK / "dist"), str(WORK / "work")
    quiet = ["--noconfirm", "--log-level", "WARN", "--distpath", dist, "--workpath", work]
    run([sys.executable, "-m", "PyInstaller", *quiet, spec], told)
    program = WORK / "dist" / "sinew"
    if sys.platform.startswith("linux"):
        link_twins(*(program / "_internal" / name for name in TWINS))
    return program


def link_twins(first: Path, second: Path) -> None:
    """Replace files of a folder that another beside it has, too, by links there."""
    for path in sorted(second.glob("*")):
        twin = first / path.name
        if not path.is_symlink() and twin.is_file() and filecmp.cmp(twin, path, shallow=False):
            path.unlink()
            path.symlink_to(Path("..") / first.name / twin.name)


def print_table(program: Path) -> int:
    """Say what is in the program, largest first; its size [bytes]."""
    sizes: dict[str, int] = {}
    for path in program.rglob("*"):
        if path.is_file() and not path.is_symlink():
            sizes[part_of(path.relative_to(program))] = sizes.get(part_of(path.relative_to(program)), 0) + (
                path.stat().st_size
            )
    rest = 0
    for part, size in sorted(sizes.items(), key=lambda each: -each[1]):
        if size < MB:
            rest += size
        else:
            print(f"{size / MB:7.1f} MB  {part}")
    print(f"{rest / MB:7.1f} MB  others, each less than 1 MB")
    return sum(sizes.values())


def part_of(place: Path) -> str:
    """Name what a file of the program belongs to, for a person."""
    parts = place.parts[1:] if place.parts[0] == "_internal" else place.parts
    if len(parts) == 1:
        return (
            "sinew: the program and the modules of Python" if parts[0].startswith("sinew") else parts[0].split(".so")[0]
        )
    if parts[0] == "PySide6":
        return "Qt: ICU" if parts[-1].startswith("libicu") else "Qt" if "Qt" in parts[1:-1] else "Qt: its binding"
    if parts[:2] == ("resources", "kernels"):
        return "compiled kernels"
    names = {
        "engine": "engine: source and bytecode",
        "imageio_ffmpeg": "ffmpeg",
        "llvmlite": "LLVM (llvmlite)",
        "numpy.libs": "numpy: OpenBLAS",
        "scipy.libs": "scipy: OpenBLAS",
    }
    return names.get(parts[0], parts[0])


def linux(program: Path, target: Path) -> list[Path]:
    """The Debian package and the portable archive."""
    return [write_debian_package(program, WORK / "pictures", WORK / "debian", target), *portable(program, target)]


def portable(program: Path, target: Path) -> list[Path]:
    """An archive that is unpacked anywhere."""
    machine = os.uname().machine if hasattr(os, "uname") else "x86_64"
    archive = target / f"sinew-{__version__}-{sys.platform}-{machine}.tar.xz"
    same = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", f"--mtime=@{built_at()}"]
    name = f"s,^sinew,sinew-{__version__},S"  # of members alone; where links lead stays
    with archive.open("wb") as file:
        packing = subprocess.Popen(
            ["tar", *same, "--transform", name, "-C", str(program.parent), "-cf", "-", program.name],
            stdout=subprocess.PIPE,
        )
        subprocess.run(["xz", "-3", "-T0", "-c"], stdin=packing.stdout, stdout=file, check=True)
        if packing.wait():
            raise SystemExit("tar failed")
    return [archive]


def windows(program: Path, target: Path) -> list[Path]:
    """The installer, by Inno Setup, where that is installed."""
    script = ROOT / "packaging" / "windows" / "sinew.iss"
    compiler = os.environ.get("SINEW_ISCC", "iscc")
    run([compiler, f"/DVersion={__version__}", f"/DProgram={program}", f"/O{target}", str(script)])
    return sorted(target.glob(f"sinew-{__version__}-*.exe"))


def mac(program: Path, target: Path) -> list[Path]:
    """The disk image, signed and notarised where the environment says by whom."""
    run(["bash", str(ROOT / "packaging" / "macos" / "make_dmg.sh"), str(program.parent / "Sinew.app"), str(target)])
    return sorted(target.glob(f"sinew-{__version__}-*.dmg"))


MAKERS: dict[str, Callable[[Path, Path], list[Path]]] = {"linux": linux, "win32": windows, "darwin": mac}


def built_at() -> int:
    """The time that files in packages bear: that of the last commit, or now."""
    said = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    return int(os.environ.get("SOURCE_DATE_EPOCH") or said.stdout.strip() or time.time())


def run(command: list[str], variables: dict[str, str] | None = None) -> None:
    """Run a step that must succeed."""
    code = subprocess.run(command, cwd=ROOT, env={**os.environ, **(variables or {})}, check=False).returncode
    if code:
        raise SystemExit(f"packaging: exit code {code} of {' '.join(command)}")


if __name__ == "__main__":
    sys.exit(main())
