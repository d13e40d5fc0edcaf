"""USD's text: prims, numbers, names, and values that may change from frame to frame."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array


def group(kind: str, name: str, content: Iterable[str], about: Iterable[str] = ()) -> Iterator[str]:
    """A prim and what stands in it, indented."""
    about = list(about)
    yield f'{kind} "{name}"' + (" (" if about else "")
    if about:
        yield from (f"    {line}" for line in about)
        yield ")"
    yield "{"
    yield from (f"    {line}" for line in content)
    yield "}"


def identifier(name: str) -> str:
    """A name of letters, digits and underscores that does not begin with a digit."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "joint"
    return f"_{plain}" if plain[0].isdigit() else plain


def called(name: str) -> list[str]:
    """Compose the line that holds a person's name of a prim, where its identifier differs."""
    return [] if identifier(name) == name else [f"displayName = {quoted(name)}"]


def quoted(text: str) -> str:
    """A text in one line, as USD takes it."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def varying(what: str, rows: Sequence[str] | Iterable[str], numbers: Sequence[int], *, moves: bool) -> Iterator[str]:
    """A value for each frame, or the first of them for all."""
    if not moves:
        yield f"{what} = {next(iter(rows))}"
        return
    yield f"{what}.timeSamples = {{"
    yield from (f"    {number}: {row}," for number, row in zip(numbers, rows, strict=True))
    yield "}"


def moves(values: Array) -> bool:
    """Tell whether some frame differs from the first."""
    return bool((values != values[:1]).any())


def matrix(transform: Array) -> str:
    """A transform, shape [4, 4], for row vectors."""
    return "(" + ", ".join(f"({', '.join(repr(each + 0.0) for each in row)})" for row in transform.T.tolist()) + ")"


def tuples(rows: Array) -> str:
    """A list of vectors, shape [count, width]."""
    count, width = rows.shape
    row = "(" + ", ".join(["%.9g"] * width) + ")"
    return "[" + ", ".join([row] * count) % tuple((rows + 0.0).ravel().tolist()) + "]"


def vector(row: Array) -> str:
    """One vector, each number in full."""
    return "(" + ", ".join(repr(each + 0.0) for each in row.tolist()) + ")"


def numbers_of(values: NDArray[np.generic]) -> str:
    """Numbers in a row."""
    if values.dtype.kind == "f":
        return ", ".join(["%.9g"] * values.size) % tuple(values.ravel().tolist())
    return ", ".join(map(str, values.ravel().tolist()))
