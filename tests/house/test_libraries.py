"""start.py knows every shared library that a package of its locks links to and does not bring: read from the files."""

from __future__ import annotations

import mmap
import re
import struct
import sys
from fnmatch import fnmatch
from importlib import metadata
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import pytest

import start

LINUX_ALONE = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have no such files")

OF_THE_C_LIBRARY = {
    "ld-linux-aarch64.so.1", "ld-linux-x86-64.so.2", "libc.so.6", "libdl.so.2", "libm.so.6", "libmvec.so.1",
    "libpthread.so.0", "libresolv.so.2", "librt.so.1", "libutil.so.1",
}  # fmt: skip

NEVER_LOADED = {
    "*/bin/*": "programs of C++ libraries; the tests call their Python",
    "*/libboost_charconv.so*": "Boost's text to numbers, which Pinocchio does not link to",
    "*/libboost_locale.so*": "Boost's languages, which Pinocchio does not link to",
    "numba/np/ufunc/omppool.*": "numba's threads by OpenMP; the engine takes its work queue",
    "numba/np/ufunc/tbbpool.*": "numba's threads by TBB; the engine takes its work queue",
    "PySide6/Qt/lib/libQt6EglFs*": "Qt without a window system",
    "PySide6/Qt/lib/libQt6Wayland*Compositor*": "Qt as a window system",
    "PySide6/Qt/plugins/designer/*": "widgets of Qt's form editor",
    "PySide6/Qt/plugins/egldeviceintegrations/*": "Qt without a window system",
    "PySide6/Qt/plugins/imageformats/libqpdf.so": "PDF as a picture, whose library is in another wheel",
    "PySide6/Qt/plugins/networkinformation/*": "whether the network is there, which nobody asks",
    "PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboardplugin.so": "keys on the screen, of another wheel",
    "PySide6/Qt/plugins/platforms/libqlinuxfb.so": "Qt without a window system",
    "PySide6/Qt/plugins/platformthemes/libqgtk3.so": "GTK's dialogs, where GTK is there",
    "PySide6/Qt/plugins/printsupport/*": "printers",
    "PySide6/Qt/plugins/qmltooling/*": "Qt Quick",
    "PySide6/Qt/plugins/sqldrivers/*": "databases of Qt",
    "PySide6/Qt/plugins/wayland-graphics-integration-server/*": "Qt as a window system",
    "PySide6/Qt/qml/*": "Qt Quick",
}
"""Files whose libraries may be missing, and what they are."""


class Links(NamedTuple):
    """What a binary asks the loader for, and in which folders it looks first."""

    needed: tuple[str, ...]
    folders: tuple[str, ...]


LOAD, DYNAMIC = 1, 2  # kinds of segments
END, NEEDED, TEXTS, RPATH, RUNPATH = 0, 1, 5, 15, 29  # tags of the dynamic section


def links_of(path: Path) -> Links | None:
    """Read from the dynamic section of a 64-bit little-endian ELF file; None for another or one without."""
    with path.open("rb") as file:
        if file.read(6) != b"\x7fELF\x02\x01":
            return None
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            (headers,) = struct.unpack_from("<Q", data, 32)
            size, count = struct.unpack_from("<HH", data, 54)
            segments = [struct.unpack_from("<IIQQQQ", data, headers + each * size) for each in range(count)]
            entries: list[tuple[int, int]] = []
            for kind, _, offset, _, _, length in segments:
                if kind == DYNAMIC:
                    pairs = struct.iter_unpack("<qQ", data[offset : offset + length])
                    entries = list(takewhile(lambda pair: pair[0] != END, pairs))
            if not entries:
                return None
            address = dict(entries)[TEXTS]
            texts = next(o + address - a for kind, _, o, a, _, n in segments if kind == LOAD and a <= address < a + n)

            def named(*tags: int) -> list[str]:
                places = [texts + value for tag, value in entries if tag in tags]
                return [data[place : data.find(b"\0", place)].decode() for place in places]

            folders = [folder for text in named(RPATH, RUNPATH) for folder in text.split(":")]
            return Links(tuple(named(NEEDED)), tuple(folders))


def missing_from_wheels(site: Path, files: list[Path]) -> dict[str, list[str]]:
    """Libraries that no wheel brings, each with the files that link to it. A wheel brings what stands where its file
    looks first, or anywhere in the same folder of site-packages, loaded by a sibling."""
    brought: dict[str, set[str]] = {}
    for file in files:
        brought.setdefault(file.relative_to(site).parts[0].removesuffix(".libs"), set()).add(file.name)
    found: dict[str, list[str]] = {}
    for file in files:
        name = file.relative_to(site).as_posix()
        if any(fnmatch(name, pattern) for pattern in NEVER_LOADED) or (links := links_of(file)) is None:
            continue
        folders = [Path(each.replace("$ORIGIN", str(file.parent))) for each in links.folders]
        own = brought[file.relative_to(site).parts[0].removesuffix(".libs")]
        for library in links.needed:
            if library not in OF_THE_C_LIBRARY | own and not any((folder / library).exists() for folder in folders):
                found.setdefault(library, []).append(name)
    return found


def locked(lock: Path) -> set[str]:
    """The packages that a lock names."""
    return set(re.findall(r"^([a-z0-9-]+)==", lock.read_text(encoding="utf-8"), re.MULTILINE))


def files_of(packages: set[str]) -> tuple[Path, list[Path]]:
    """The folder of packages, and the files of these."""
    site = Path(str(metadata.distribution("numba").locate_file(""))).resolve()
    names = {re.sub(r"[-_.]+", "-", each.name).lower(): each for each in metadata.distributions(path=[str(site)])}
    listed = [file for name in sorted(packages & names.keys()) for file in names[name].files or ()]
    return site, [path for file in listed if (path := site / file).is_file() and ".py" not in path.suffixes[-1:]]


@LINUX_ALONE
@pytest.mark.parametrize("lock", [start.LOCK, start.TEST_LOCK], ids=lambda lock: lock.name)
def test_start_knows_every_library_that_a_package_links_to(lock: Path) -> None:
    site, files = files_of(locked(lock))
    assert len(files) > 1000
    known = {**start.LIBRARIES, **start.WAYLAND_LIBRARIES, **(start.TEST_LIBRARIES if lock == start.TEST_LOCK else {})}
    found = missing_from_wheels(site, files)
    assert {name: users for name, users in found.items() if name not in known} == {}
    assert known.keys() - found.keys() == set(), "start.py installs what nothing links to"


@LINUX_ALONE
def test_a_library_that_no_wheel_brings_is_found(tmp_path: Path) -> None:
    _, files = files_of({"kiwisolver"})
    (extension,) = (file for file in files if ".so" in file.suffixes)
    links = links_of(extension)
    assert links is not None
    assert "libc.so.6" in links.needed
    file = tmp_path / "wheel" / "extension.so"
    file.parent.mkdir()
    file.write_bytes(extension.read_bytes().replace(b"\0libstdc++.so.6\0", b"\0libstdc++.so.9\0"))
    assert missing_from_wheels(tmp_path, [file])["libstdc++.so.9"] == ["wheel/extension.so"]
    (file.parent / "libstdc++.so.9").touch()
    assert "libstdc++.so.9" not in missing_from_wheels(tmp_path, [file, file.parent / "libstdc++.so.9"])
    (file.parent / "note.txt").write_text("no binary", encoding="utf-8")
    assert links_of(file.parent / "note.txt") is None
