"""The licences of all that a package holds: a table and the texts, from the metadata of what is bundled.

Distributions are those of `requirements.lock` that are installed here. Libraries of the system that come along on Linux
are told apart by their names; one that is not known ends the packaging, so that nothing goes along unnamed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"
TEXTS = re.compile(r"(licen[cs]es?|copying|notice|authors)\b.*", re.IGNORECASE)


class Work(NamedTuple):
    """Something that others made."""

    name: str
    version: str
    licence: str
    texts: tuple[Path, ...] = ()
    note: str = ""


SAID_ELSEWHERE = {
    "colorama": "BSD-3-Clause",
    "freetype-py": "BSD-3-Clause; the library FreeType: FTL or GPL-2.0-or-later",
    "kiwisolver": "BSD-3-Clause",
    "pyopengl": "BSD-3-Clause",
    "scipy": "BSD-3-Clause",
    "ufbx": "MIT",
}
"""Licences of distributions whose metadata has none, or its whole text: read in their own texts and sources."""

NOTES = {
    "imageio-ffmpeg": "brings the program ffmpeg, GPL-3.0-or-later, which Sinew starts as a process of its own",
    "pyside6-essentials": "Qt and its binding, used under LGPL-3.0-only: its libraries are files of their own in "
    "`PySide6/Qt/lib`, which may be replaced; the library ICU in there: Unicode-3.0",
    "numpy": "brings the library OpenBLAS, BSD-3-Clause, and of GCC's runtime, GPL-3.0 with the runtime exception",
    "scipy": "brings the same",
}

OF_THE_SYSTEM = {
    "libbz2": ("bzip2", "bzip2-1.0.6"),
    "libcrypto": ("OpenSSL", "Apache-2.0"),
    "libffi": ("libffi", "MIT"),
    "liblzma": ("XZ Utils", "0BSD"),
    "libncursesw": ("ncurses", "MIT-open-group"),
    "libpython": ("Python", "PSF-2.0"),
    "libsqlite3": ("SQLite", "public domain"),
    "libssl": ("OpenSSL", "Apache-2.0"),
    "libtinfo": ("ncurses", "MIT-open-group"),
    "libuuid": ("util-linux: libuuid", "BSD-3-Clause"),
    "libxcb": ("X.Org: libxcb and its helpers", "MIT"),
    "libxkbcommon": ("libxkbcommon", "MIT"),
}
"""Libraries of Linux that come along, by how their files' names begin."""


def bundled(lock: Path = LOCK) -> list[Work]:
    """The distributions of a lock that are installed here, by name."""
    names = re.findall(r"^([A-Za-z0-9._-]+)==", lock.read_text(encoding="utf-8"), re.MULTILINE)
    found = []
    for name in names:
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # of another system
        texts = tuple(
            path
            for path in (Path(str(each.locate())) for each in distribution.files or [] if _is_text(each.parts))
            if path.is_file()
        )
        licence = SAID_ELSEWHERE.get(name) or licence_of(distribution)
        found.append(Work(name, distribution.version, licence, texts, NOTES.get(name, "")))
    return found


def licence_of(distribution: metadata.Distribution) -> str:
    """The licence that metadata states: its expression, its classifiers or one line; empty where there is none."""
    told = distribution.metadata
    expressions = told.get_all("License-Expression")
    if expressions:
        return str(expressions[0])
    lines = "".join(told.get_all("License") or []).strip().splitlines()
    if len(lines) == 1:
        return lines[0].strip()
    kinds = [each.rpartition(" :: ")[2] for each in told.get_all("Classifier") or [] if each.startswith("License ::")]
    return "; ".join(kinds)


def _is_text(parts: tuple[str, ...]) -> bool:
    return any(part.endswith(".dist-info") for part in parts) and TEXTS.match(parts[-1]) is not None


def python_itself() -> Work:
    """The interpreter, whose licence lies with its library or, on Debian, with its papers."""
    version = ".".join(map(str, sys.version_info[:3]))
    short = version.rpartition(".")[0]
    places = (
        Path(sys.base_prefix) / "lib" / f"python{short}" / "LICENSE.txt",
        Path(sys.base_prefix) / "LICENSE.txt",
        Path(f"/usr/share/doc/python{short}/copyright"),
    )
    return Work("Python", version, "PSF-2.0", tuple(each for each in places if each.is_file())[:1])


def of_the_system(libraries: Path) -> Iterator[Work]:
    """The system's libraries in the folder of a program. Raises LookupError for one that nobody has looked at."""
    seen: dict[str, Work] = {}
    for path in sorted(libraries.glob("lib*.so*")):
        if path.is_symlink():
            continue  # to a file of a distribution
        begin = next((each for each in OF_THE_SYSTEM if path.name.startswith(each)), None)
        if begin is None:
            raise LookupError(f"nobody has said what {path.name} is: packaging/licences.py or packaging/bundle.py")
        name, licence = OF_THE_SYSTEM[begin]
        if name != "Python" and name not in seen:
            seen[name] = Work(name, "of the system that the package was made on", licence, _papers(path.name))
    yield from seen.values()


def _papers(library: str) -> tuple[Path, ...]:
    """What Debian says of a library's copyright, where this is Debian."""
    if not shutil.which("dpkg-query"):
        return ()
    said = subprocess.run(["dpkg-query", "-S", f"*/{library}"], capture_output=True, text=True, check=False).stdout
    places = (Path("/usr/share/doc") / line.partition(":")[0] / "copyright" for line in said.splitlines())
    return tuple(each for each in places if each.is_file())[:1]


def write_licences(folder: Path, libraries: Path) -> list[Work]:
    """Write the table and the texts into a folder, of a program whose libraries lie in another."""
    loader = metadata.distribution("pyinstaller")
    texts = tuple(Path(str(each.locate())) for each in loader.files or [] if _is_text(each.parts))
    works = [
        *bundled(),
        python_itself(),
        *of_the_system(libraries),
        Work("PyInstaller's loader", loader.version, "GPL-2.0-or-later with an exception for what it loads", texts),
    ]
    folder.mkdir(parents=True, exist_ok=True)
    for work in works:
        for number, text in enumerate(work.texts):
            place = folder / re.sub(r"[^\w.-]+", "-", work.name).strip("-")
            place.mkdir(exist_ok=True)
            name = text.name if not (place / text.name).exists() else f"{number}-{text.name}"
            shutil.copyfile(text, place / name)
    for text in (ROOT / "packaging" / "texts").iterdir():  # of Qt and ffmpeg, whose packages bring none
        shutil.copyfile(text, folder / text.name)
    shutil.copyfile(ROOT / "LICENSE", folder / "Sinew.txt")
    shutil.copyfile(ROOT / "resources" / "LICENSES.md", folder / "icons-and-fonts.md")
    (folder / "README.md").write_text(table(works), encoding="utf-8")
    return works


def table(works: list[Work]) -> str:
    """The table of the works, as text for a person."""
    lines = ["# Licences", "", "Sinew is under the MIT licence (`Sinew.txt`). With it comes what others made; texts of"]
    lines += ["licences lie in the folders here, those of icons and fonts in `icons-and-fonts.md`.", ""]
    lines += ["| what | version | licence |", "| --- | --- | --- |"]
    lines += [
        f"| {each.name} | {each.version} | {each.licence}{f'; {each.note}' if each.note else ''} |" for each in works
    ]
    return "\n".join(lines) + "\n"
