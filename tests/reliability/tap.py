"""Tap: every call that changes a file passes through one place, where it can be told, held up, shortened or refused."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Literal

from engine.project import disk, save, schema

_numbers = count()  # of files that are being written
Kind = Literal["open", "read", "make", "write", "cut", "sync", "sync_folder", "replace", "link", "remove"]
IN_VAIN = 0.05  # [s]
READS: tuple[Kind, ...] = ("open", "read")  # which change nothing


class PowerCut(BaseException):
    """The machine has gone off: nothing that runs on it may catch this and go on."""


@dataclass(frozen=True)
class Change:
    """One call."""

    kind: Kind
    path: Path
    data: bytes = b""
    place: int = 0  # [bytes] where a write begins; how long a file is after a cut
    target: Path | None = None  # the name that a file gets


Do = Callable[[Change], None]


class Tap:
    """Lets everything pass."""

    is_off = False  # whether the machine has gone off

    def step(self, change: Change, do: Do) -> None:
        """Do it, in part, or raise OSError or PowerCut instead."""
        do(change)


class TappedDisk(disk.Disk):
    """The calls of `engine.project.disk`."""

    def __init__(self, tap: Tap) -> None:
        self._tap = tap

    def make(self, folder: Path, name: str) -> Path:
        """Named before it is there, so that the tap knows it."""
        path = folder / f".{name}.{os.getpid()}-{next(_numbers)}{disk.PART}"
        self._tap.step(Change("make", path), lambda change: path.open("xb").close())
        return path

    def write(self, path: Path, data: bytes) -> None:
        """Made or emptied first."""
        self._made(path)
        self.cut(path, 0)
        self._write(path, 0, data)

    def write_new(self, path: Path, data: bytes) -> None:
        """Nobody else's file is written to."""
        self._tap.step(Change("make", path), lambda change: path.open("xb").close())
        self._write(path, 0, data)

    def append(self, path: Path, data: bytes) -> None:
        """Behind what is there."""
        self._made(path)
        self._write(path, path.stat().st_size, data)

    def cut(self, path: Path, size: int) -> None:
        """As it is."""
        self._tap.step(Change("cut", path, place=size), lambda change: disk.Disk.cut(self, path, size))

    def sync(self, path: Path) -> None:
        """As it is."""
        self._tap.step(Change("sync", path), lambda change: disk.Disk.sync(self, path))

    def sync_folder(self, folder: Path) -> None:
        """As it is."""
        self._tap.step(Change("sync_folder", folder), lambda change: disk.Disk.sync_folder(self, folder))

    def replace(self, source: Path, target: Path) -> None:
        """As it is."""
        change = Change("replace", source, target=target)
        self._tap.step(change, lambda change: disk.Disk.replace(self, source, target))

    def link(self, source: Path, target: Path) -> None:
        """As it is."""
        self._tap.step(Change("link", source, target=target), lambda change: os.link(source, target))

    def remove(self, path: Path) -> None:
        """As it is; what is gone already is no change."""
        if path.exists():
            self._tap.step(Change("remove", path), lambda change: disk.Disk.remove(self, path))

    def _made(self, path: Path) -> None:
        if not path.exists():
            self._tap.step(Change("make", path), lambda change: path.touch())

    def _write(self, path: Path, place: int, data: bytes) -> None:
        def do(change: Change) -> None:
            with path.open("r+b") as file:
                file.seek(change.place)
                file.write(change.data)

        self._tap.step(Change("write", path, data, place), do)


@contextmanager
def through(tap: Tap) -> Iterator[None]:
    """What `engine.project` writes passes the tap, SQLite's files and others. Nobody else saves there, so that a lock
    that cannot be had is waited for in vain."""
    from tests.reliability.sqlite_tap import opening  # which loads another SQLite than the program's own

    before, usual = disk.put(TappedDisk(tap)), sqlite3.connect
    waits = [(module, vars(module)["_PATIENCE"]) for module in (save, schema)]
    with opening(tap) as connect:
        sqlite3.connect = connect
        for module, _ in waits:
            vars(module)["_PATIENCE"] = IN_VAIN
        try:
            yield
        finally:
            for module, patience in waits:
                vars(module)["_PATIENCE"] = patience
            sqlite3.connect = usual
            disk.put(before)
