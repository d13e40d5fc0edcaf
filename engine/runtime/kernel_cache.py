"""Compiled kernels on disk: one file per kernel and signature, in a folder per room and digest (see rooms.py).

numba's own cache is keyed by single files, trusts what it reads (a damaged object file can crash the process) and
raises when its folder cannot be written. Here an entry carries a checksum; one that does not match, or does not load,
is deleted and compiled again; a folder that cannot be written costs the cache and nothing else. No locks: entries are
replaced whole.
"""

import hashlib
import logging
import pickle
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba.core import compiler, serialize
from numba.core.caching import _Cache

from engine.runtime.folders import kernel_folder, write_whole
from engine.runtime.rooms import sources_are_loaded

_log = logging.getLogger(__name__)
_MAGIC = b"sinew kernel 1\n"
_DIGEST_SIZE = hashlib.sha256().digest_size
_dumps: Callable[[object], bytes] = serialize.dumps
_rebuild: Callable[..., object] = compiler.CompileResult._rebuild
_ADDRESS = re.compile(r"\bat 0x[0-9a-f]+", re.IGNORECASE)


class KernelCache(_Cache):
    """The disk cache of one kernel; numba asks it before compiling and hands it what was compiled."""

    def __init__(self, function: Callable[..., object], room: str) -> None:
        self._name = f"{function.__module__}.{function.__qualname__}".replace("<", "").replace(">", "")
        self._room = room
        self._enabled = True

    @property
    def cache_path(self) -> str | None:
        folder = kernel_folder(self._room)
        return None if folder is None else str(folder)

    def load_overload(self, sig: object, target_context: Any) -> Any:
        """The compiled kernel for this signature, or None; never raises."""
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        if path is None:
            return None
        try:
            content = path.read_bytes() if path.is_file() else None
        except OSError:
            return None
        return None if content is None else self._rebuild(path, content, target_context)

    def save_overload(self, sig: object, data: Any) -> None:
        """Keep a compiled kernel; when that is impossible, say so in the log and go on without."""
        path = self._path(sig, data.codegen)
        if path is None:
            return
        if data.lifted or data.library.has_dynamic_globals:
            _log.warning("kernel %s cannot be cached: it holds pointers or large global arrays", self._name)
            return
        payload = _dumps(data._reduce())
        try:
            if not sources_are_loaded(self._room):
                _warn_once(path.parent, "sources were edited while the program runs")
                return
            write_whole(path, _MAGIC + hashlib.sha256(payload).digest() + payload)
        except OSError as problem:
            _warn_once(path.parent, problem.strerror or str(problem))

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        folder = kernel_folder(self._room)
        for path in [] if folder is None else folder.glob(f"{self._name}-*.kernel"):
            path.unlink(missing_ok=True)

    def _path(self, sig: object, codegen: Any) -> Path | None:
        folder = kernel_folder(self._room) if self._enabled else None
        key = f"{sig!r} {codegen.magic_tuple()!r}"
        if folder is None or _ADDRESS.search(key):
            return None
        return folder / f"{self._name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.kernel"

    def _rebuild(self, path: Path, content: bytes, target_context: Any) -> Any:
        head = len(_MAGIC) + _DIGEST_SIZE
        payload = content[head:]
        if content[:head] != _MAGIC + hashlib.sha256(payload).digest():
            return _discard(path, "it is damaged")
        try:
            return _rebuild(target_context, *pickle.loads(payload))
        except Exception as problem:  # whatever an old entry raises, compiling again is the cure
            return _discard(path, repr(problem))


def _discard(path: Path, reason: str) -> None:
    _log.info("compiled kernel %s is made again: %s", path.name, reason)
    try:
        path.unlink(missing_ok=True)
    except OSError as problem:
        _warn_once(path.parent, problem.strerror or str(problem))


@cache
def _warn_once(folder: Path, problem: str) -> None:
    _log.warning("compiled kernels cannot be kept in %s: %s", folder, problem)
