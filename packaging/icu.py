"""Takes out of ICU's data what Qt never asks for: names of languages and currencies, dictionaries, old encodings.

Qt's core links ICU, whose data is a library of 32 MB that exports one table. What stays: the order of letters of all
languages, by which lists are sorted, time zones, and what ICU opens first. Where something is missing ICU goes on with
what is there for all languages. The layout is that of `ucmndata.h` and `udata.h` of ICU: a header, the number of items,
for each the offsets of its name and its content from that number on, sorted by name.
"""

from __future__ import annotations

import re
import struct
import subprocess
from itertools import pairwise
from pathlib import Path

HEADER = re.compile(rb"..\xda\x27.{8}CmnD", re.DOTALL)
ALIGNED = 16  # [bytes], of each item
KEPT = re.compile(
    r"icudt\d+l/(coll/.*|[a-z0-9]+\.(icu|nrm)|(en|icustd|icuver|keyTypeData|likelySubtags|metaZones|numberingSystems|pool|"
    r"res_index|root|supplementalData|timezoneTypes|windowsZones|zoneinfo64)\.res)"
)


def thin(table: bytes) -> bytes:
    """A table with the items of another that stay; the other may go on after its end."""
    (begins,) = struct.unpack_from("<H", table)
    (count,) = struct.unpack_from("<I", table, begins)
    places = [struct.unpack_from("<II", table, begins + 4 + 8 * item) for item in range(count)]
    items = {}
    for (name, content), (_, after) in pairwise(places):  # the last is a time zone's name
        found = table[begins + name : table.index(b"\0", begins + name)]
        if KEPT.fullmatch(found.decode("ascii")):
            items[found] = table[begins + content : begins + after]
    names = b"".join(name + b"\0" for name in items)
    toc, named, position = b"", 4 + 8 * len(items), _aligned(4 + 8 * len(items) + len(names))
    contents = b"\0" * (position - named - len(names))
    for name, content in items.items():
        toc += struct.pack("<II", named, position)
        named += len(name) + 1
        contents += content.ljust(_aligned(len(content)), b"\0")
        position += _aligned(len(content))
    return table[:begins] + struct.pack("<I", len(items)) + toc + names + contents


def write_thin_library(library: Path, target: Path) -> None:
    """Make a library that exports the thin table under the name of the whole one, by the tools of binutils."""
    content = library.read_bytes()
    found = HEADER.search(content)
    version = re.search(rb"icudt(\d+)_dat", content)
    if found is None or version is None:
        raise LookupError(f"{library.name} has no table of ICU")
    table, code = target.with_suffix(".table"), target.with_suffix(".o")
    table.write_bytes(thin(content[found.start() :]))
    _run("ld", "-r", "-b", "binary", "-o", code.name, table.name, folder=target.parent)
    start = "_binary_" + re.sub(r"\W", "_", table.name) + "_start"
    symbols = ["--redefine-sym", f"{start}=icudt{version[1].decode()}_dat"]
    for other in ("_end", "_size"):
        symbols += ["--strip-symbol", start.replace("_start", other)]
    constant = ["--rename-section", ".data=.rodata,alloc,load,readonly,data,contents"]
    _run("objcopy", *symbols, *constant, "--set-section-alignment", ".rodata=16", code.name, folder=target.parent)
    named = ["-soname", library.name, "-o", target.name]
    _run("ld", "-shared", "-z", "noexecstack", *named, code.name, folder=target.parent)


def _aligned(size: int) -> int:
    return -(-size // ALIGNED) * ALIGNED


def _run(*command: str, folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True)
