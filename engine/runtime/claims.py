"""Claims: where two processes compile at once, each kernel is compiled by one, and the other waits and loads it.

A claim is a lock on one byte of a file that both have open, which the system gives back when a process ends, however
that comes. Calls of kernels form no circle, so that no two processes wait for each other. One that is not given back in
time, as by a process that was stopped, is passed over: the kernel is then compiled twice, which harms nothing. So it is
where files cannot be locked. Loads no numba.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from engine.runtime.folders import writable_cache

NAME = "claims"
MOST = 120.0  # [s] that a claim is waited for: no kernel takes so long, on a busy machine either
_BEAT = 0.005  # [s] between two looks

_fcntl: Any = None
with suppress(ImportError):  # there is none on Windows
    _fcntl = import_module("fcntl")
_open: list[int] = []  # the file, while kernels are shared out


def can_share() -> bool:
    """Tell whether a second process would gain anything: there is a core for it, and a way to share kernels out."""
    return _fcntl is not None and _cores() > 1 and writable_cache() is not None


@contextmanager
def sharing() -> Iterator[None]:
    """Claim each kernel that is compiled here before others do, while open."""
    folder = writable_cache()
    number = None
    if _fcntl is not None and folder is not None:
        with suppress(OSError):
            number = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o600)
    if number is None:
        yield
        return
    _open.append(number)
    try:
        yield
    finally:
        _open.remove(number)
        os.close(number)


@contextmanager
def claimed(name: str) -> Iterator[None]:
    """Wait until no other process compiles the kernel of this name, and keep others from it while open."""
    if not _open:
        yield
        return
    number, place = _open[-1], _place(name)
    is_held = _wait_for(number, place)
    try:
        yield
    finally:
        if is_held:
            with suppress(OSError):
                _fcntl.lockf(number, _fcntl.LOCK_UN, 1, place)


def _place(name: str) -> int:
    """The byte that stands for a kernel."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:6])


def _wait_for(number: int, place: int) -> bool:
    end = time.monotonic() + MOST
    while True:
        try:
            _fcntl.lockf(number, _fcntl.LOCK_EX | _fcntl.LOCK_NB, 1, place)
        except (BlockingIOError, PermissionError):
            if time.monotonic() > end:
                return False
            time.sleep(_BEAT)
        except OSError:
            return False
        else:
            return True


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
