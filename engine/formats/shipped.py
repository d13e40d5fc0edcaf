"""Figures and motions that come with the application: the texts in `resources/figures` and `resources/motions`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

from engine.runtime.errors import UnknownPart

Kind = Literal["figure", "motion"]


def shipped_names(kind: Kind, suffix: str) -> tuple[str, ...]:
    """The names of all of a kind, without their suffix."""
    return tuple(
        sorted(each.name.removesuffix(suffix) for each in _folder(kind).iterdir() if each.name.endswith(suffix))
    )


@contextmanager
def shipped_file(kind: Kind, name: str, suffix: str) -> Iterator[Path]:
    """The file of that name, while the block runs."""
    known = shipped_names(kind, suffix)
    if name not in known:
        raise UnknownPart(kind=kind, id=name, known=known)
    with as_file(_folder(kind).joinpath(name + suffix)) as path:
        yield path


def _folder(kind: Kind) -> Traversable:
    return files("resources").joinpath(f"{kind}s")
