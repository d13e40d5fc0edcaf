"""Packages: what goes along and what does not, whose licences are told, what a desktop reads, and one version."""

from __future__ import annotations

import configparser
import re
import struct
import sys
import tomllib
import zlib
from pathlib import Path
from xml.etree import ElementTree

import bundle
import debian
import icu
import licences
import make_package
import pictures
import pytest
from smoke.__main__ import anybody_can_run
from smoke.screen import colours, write_png

import engine
import start
from tests.house.rules import import_names
from tests.house.tree import ROOT

LINUX = ROOT / "packaging" / "linux"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
IMPORT = re.compile(r"^ *(?:from|import) ([\w.]+)(?: import \(?([\w, ]+))?", re.MULTILINE)
PINNED = re.compile(r"^([\w.-]+)==(\S+)", re.MULTILINE)


def imported() -> set[str]:
    """The modules that Sinew's own name in an import, and what they take from them as if it were one."""
    found: set[str] = set()
    for room in bundle.OWN:
        for source in (ROOT / room).rglob("*.py"):
            for module, names in IMPORT.findall(source.read_text(encoding="utf-8")):
                found |= {module, *(f"{module}.{each}" for each in re.findall(r"\w+", names))}
    return found


IMPORTED = imported()


def pinned(lock: str) -> dict[str, str]:
    return dict(PINNED.findall((ROOT / lock).read_text(encoding="utf-8")))


def test_nothing_that_is_used_is_left_out() -> None:
    assert sorted(IMPORTED & set(bundle.EXCLUDED)) == []
    of_qt = {each.split(".")[1] for each in IMPORTED if each.startswith("PySide6.Qt")}
    assert of_qt <= set(bundle.QT)
    assert set(bundle.QT) - of_qt == {"QtTest"}, "which vispy asks for"


def test_what_the_tests_alone_use_is_not_in_the_environment_that_packages_are_made_in() -> None:
    run, package, test = (pinned(f"requirements{each}.lock") for each in ("", "-package", "-test"))
    others = {name for name in package if package[name] != run.get(name)}
    assert others >= {"pyinstaller", "imageio-ffmpeg"}
    tools = {"altgraph", "macholib", "pefile", "pyinstaller", "pyinstaller-hooks-contrib", "pywin32-ctypes"}
    assert others <= tools | {"imageio-ffmpeg", "setuptools"}
    assert set(package) >= set(run)
    assert (set(test) - set(run) - {"setuptools"}) & set(package) == set()


def test_every_module_of_ours_is_named_to_the_packer() -> None:
    named = set(bundle.own_modules())
    assert named >= {"app.__main__", "app.features", "engine.__main__", "engine.ik.warm", "engine.runtime.jit"}
    assert not [each for each in named if each.startswith(("tests", "sinew"))]


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        ("PySide6/Qt/lib/libQt6Gui.so.6", True),
        ("PySide6/Qt/lib/libQt6Quick.so.6", False),
        ("PySide6/Qt/qml/QtQuick/qmldir", False),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqlinuxfb.so", False),
        ("numpy/_core/tests/data.csv", False),
        ("libstdc++.so.6", False),
        ("libX11.so.6", False),
        ("libcairo.so.2", False),
        ("libgtk-3.so.0", False),
        ("libXcomposite.so.1", False),
        ("libxcb-cursor.so.0", True),
        ("libsqlite3.so.0", True),
        ("vispy/glsl/build_spatial_filters.py", True),
    ],
)
def test_files_that_hooks_take_along(place: str, wanted: bool) -> None:
    assert bundle.is_wanted(place) is wanted
    assert bundle.is_wanted(place.replace("/", "\\")) is wanted


def test_a_library_of_two_packages_goes_along_once() -> None:
    assert bundle.is_wanted("numpy.libs/libgfortran.so.5", "somewhere/numpy.libs/libgfortran.so.5")
    assert not bundle.is_wanted("scipy.libs/libgfortran.so.5", "somewhere/numpy.libs/libgfortran.so.5")


def test_a_file_that_two_packages_bring_lies_there_once(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for place, text in ((first / "same", "a"), (first / "other", "b"), (second / "same", "a"), (second / "other", "c")):
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
    make_package.link_twins(first, second)
    assert (second / "same").readlink() == Path("../first/same")
    assert [(second / name).read_text(encoding="utf-8") for name in ("same", "other")] == ["a", "c"]
    assert not (second / "other").is_symlink()


def test_of_the_data_of_icu_the_order_of_letters_and_times_go_along() -> None:
    items = {
        "icudt73l/af.res": b"Afrikaans" * 3,
        "icudt73l/coll/de.res": b"ae" * 20,
        "icudt73l/gb18030.cnv": b"encoding",
        "icudt73l/root.res": b"all" * 7,
        "icudt73l/zoneinfo64.res": b"zones",
        "icudt73l/zz.res": b"the last",
    }
    thin = icu.thin(icu_table(items) + b"what comes after it")
    kept = ["icudt73l/coll/de.res", "icudt73l/root.res", "icudt73l/zoneinfo64.res"]
    assert thin == icu_table({name: items[name] for name in kept})


def icu_table(items: dict[str, bytes]) -> bytes:
    """ICU's table of items, as its own tool lays it out."""
    aligned = [content + bytes(-len(content) % 16) for content in items.values()]
    names = [name.encode() + b"\0" for name in items]
    begin = 4 + 8 * len(items)
    gap = -(begin + sum(map(len, names))) % 16
    first = begin + sum(map(len, names)) + gap
    toc = b"".join(
        struct.pack("<II", begin + sum(map(len, names[:item])), first + sum(map(len, aligned[:item])))
        for item in range(len(items))
    )
    return (
        bytes([32, 0, 0xDA, 0x27, *bytes(28)])
        + struct.pack("<I", len(items))
        + toc
        + b"".join([*names, bytes(gap), *aligned])
    )


def test_the_engine_goes_along_as_source_beside_bytecode_that_is_never_compared(tmp_path: Path) -> None:
    tree, work = tmp_path / "tree", tmp_path / "work"
    for name in ("engine/one.py", "app/two.py", "app/look.vert", "resources/LICENSES.md", "engine/README.md"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("x = 1\n", encoding="utf-8")
    found = dict(bundle.own_files(work, tree))
    compiled = f"engine/__pycache__/one.{sys.implementation.cache_tag}.pyc"
    assert set(found) == {"engine/one.py", compiled, "app/look.vert", "resources/LICENSES.md"}
    content = found[compiled].read_bytes()
    assert struct.unpack_from("<I", content, 4) == (1,)  # kept by a hash that is not looked at
    assert str(tmp_path).encode() not in content


def test_the_licence_of_every_dependency_is_told() -> None:
    told = {each.name: each for each in licences.bundled()}
    needed = import_names([*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["app"]])
    assert needed <= import_names(told)
    assert [each.name for each in told.values() if not each.licence] == []
    assert "LGPL-3.0-only" in told["pyside6-essentials"].licence
    table = licences.table(list(told.values()))
    assert all(f"| {each.name} | {each.version} |" in table for each in told.values())


def test_a_library_that_nobody_has_looked_at_is_refused(tmp_path: Path) -> None:
    (tmp_path / "libsqlite3.so.0").touch()
    assert [(each.name, each.licence) for each in licences.of_the_system(tmp_path)] == [("SQLite", "public domain")]
    (tmp_path / "libsurprise.so.1").touch()
    with pytest.raises(LookupError, match=r"libsurprise\.so\.1"):
        list(licences.of_the_system(tmp_path))


def test_the_desktop_file_starts_what_is_installed_for_the_files_that_are_ours() -> None:
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment, method-assign]
    entry.read(LINUX / "sinew.desktop", encoding="utf-8")
    (section,) = entry.sections()
    told = dict(entry[section])
    assert section == "Desktop Entry"
    assert (told["Type"], told["Exec"], told["Icon"]) == ("Application", "sinew %f", "sinew")
    assert all(told[name].endswith(";") for name in ("Categories", "Keywords", "MimeType"))
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    (kind,) = ElementTree.parse(LINUX / "sinew.xml").getroot().findall(f"{space}mime-type")
    assert told["MimeType"] == f"{kind.attrib['type']};"
    assert [each.attrib["pattern"] for each in kind.findall(f"{space}glob")] == ["*.sinew"]


def test_the_debian_package_asks_for_the_libraries_that_it_does_not_bring() -> None:
    control = debian.control(1024, "amd64", "2.35")
    fields = dict(re.findall(r"^(\w[\w-]*): (.*)$", control, re.MULTILINE))
    assert fields["Version"] == engine.__version__
    asked = {each.strip().split(" ")[0] for each in re.split(r"[,|]", fields["Depends"])}
    for library, package in start.LIBRARIES.items():
        brought = library.startswith(debian.CARRIED)
        assert (package in asked) is not brought, library
        assert bundle.is_wanted(library) is brought, library


def test_the_c_library_that_binaries_ask_for_is_read_from_them(tmp_path: Path) -> None:
    names = b"\x7fELF\0GLIBC_2.4\0GLIBC_2.35\0GLIBC_2.2.5\0GLIBC_PRIVATE\0"
    (tmp_path / "some.so.1").write_bytes(names)
    (tmp_path / "text.so.txt").write_bytes(b"no\0GLIBC_2.99\0")
    assert debian.lowest_c_library(tmp_path) == "2.35"


def test_icons_hold_a_picture_of_each_size() -> None:
    some = {16: b"small", 256: b"larger"}
    icon = pictures.windows_icon(some)
    assert struct.unpack_from("<HHH", icon) == (0, 1, 2)
    for row, (size, picture) in enumerate(some.items()):
        width, *_, length, place = struct.unpack_from("<BBBBHHII", icon, 6 + 16 * row)
        assert width == size % 256
        assert icon[place : place + length] == picture
    packed = pictures.mac_icon(some)
    assert packed[:4] == b"icns"
    assert struct.unpack_from(">I", packed, 4) == (len(packed),)
    assert b"ic08" + struct.pack(">I", 8 + len(some[256])) + some[256] in packed


def test_the_version_stands_in_one_place() -> None:
    assert PROJECT["dynamic"] == ["version"]
    assert "version" not in PROJECT
    texts = [*(ROOT / "packaging").rglob("*"), ROOT / "pyproject.toml", *(ROOT / ".github").rglob("*.yml")]
    named = [path for path in texts if path.is_file() and path.suffix not in (".pyc", ".txt")]
    assert [path for path in named if engine.__version__ in path.read_text(encoding="utf-8")] == []


def test_a_picture_of_a_smoke_test_is_a_png_of_the_colours_that_were_seen(tmp_path: Path) -> None:
    pixels = bytes(range(9)) * 7  # nine numbers are three colours
    write_png(tmp_path / "seen.png", 3, 7, pixels)
    content = (tmp_path / "seen.png").read_bytes()
    begin = content.index(b"IDAT") + 4
    rows = zlib.decompress(content[begin : content.index(b"IEND") - 8])
    assert rows == b"".join(b"\0" + pixels[row * 9 : row * 9 + 9] for row in range(7))
    assert struct.unpack_from(">II", content, 16) == (3, 7)
    assert colours(pixels) == 3
    assert colours(b"\1\2\3" * 50) == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="users of Linux")
def test_another_user_tries_only_what_lies_where_all_may_go(tmp_path: Path) -> None:
    """A Python that all may run is not enough: the environment that links to it has to be reached."""
    python = tmp_path / "tree" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to("/bin/sh")
    tmp_path.chmod(0o700)
    assert not anybody_can_run(tmp_path / "tree")
    everywhere = [each for each in tmp_path.parents if each.stat().st_mode & 0o001 == 0]
    tmp_path.chmod(0o755)
    assert anybody_can_run(tmp_path / "tree") == (not everywhere)
