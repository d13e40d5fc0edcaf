"""Numbers against time as an STO or MOT table, as OpenSim's tools read it: a head, a line of labels, a row a time.

Labels have no white space; what is no letter, digit, dot or slash becomes one underscore.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from engine.formats.text import write_text

SUFFIXES = (".sto", ".mot")
_ODD = re.compile(r"[^\w./]+")


def write_sto(path: Path, title: str, labels: Sequence[str], rows: Iterable[Sequence[float]]) -> None:
    """Write a table; each row begins with its time [s]. `labels` are those of the other columns, angles in radians."""
    lines = [list(map(repr, map(float, row))) for row in rows]
    out = io.StringIO()
    out.write(f"{title}\nversion=1\nnRows={len(lines)}\nnColumns={len(labels) + 1}\ninDegrees=no\nendheader\n")
    out.write("\t".join(["time", *unique(labels)]) + "\n")
    out.writelines("\t".join(line) + "\n" for line in lines)
    write_text(path, out.getvalue())


def unique(labels: Sequence[str]) -> list[str]:
    """Labels as STO files may have them, each once."""
    found: dict[str, None] = {}
    for each in labels:
        plain = _ODD.sub("_", each).strip("_") or "column"
        label, count = plain, 1
        while label in found:
            count += 1
            label = f"{plain}_{count}"
        found[label] = None
    return list(found)
