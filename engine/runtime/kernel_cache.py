"""Compiled kernels on disk: one file per kernel, digest and types of arguments, in a folder per compiler.

numba's own cache is keyed by single files, trusts what it reads (a damaged object file can crash the process) and
raises when its folder cannot be written. Here an entry carries a checksum; one that does not match, or does not load,
is deleted and compiled again; a folder that cannot be written costs the cache and nothing else. No locks: entries are
replaced whole. Kernels that came with Sinew lie in a folder that is only read, and is asked first.
"""

import contextlib
import hashlib
import logging
import os
import pickle
import re
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from numba.core import compiler, serialize
from numba.core.caching import _Cache

from engine.runtime.dispatch import FORM, declare_symbols, is_apart, needs_of, provide, set_apart
from engine.runtime.folders import kernel_folder, shipped_kernels, write_whole
from engine.runtime.kernel_digest import kernel_digest

_log = logging.getLogger(__name__)
_MAGIC = b"sinew kernel 2\n"
_DIGEST_SIZE = hashlib.sha256().digest_size
_dumps: Callable[[object], bytes] = serialize.dumps
_rebuild: Callable[..., Any] = compiler.CompileResult._rebuild
_DAY = 86400.0  # [s]
used_files: set[Path] = set()  # the kernels that this process has loaded or kept
_ADDRESS = re.compile(r"\bat 0x[0-9a-f]+", re.IGNORECASE)


class KernelCache(_Cache):
    """The disk cache of one kernel; numba asks it before compiling and hands it what was compiled."""

    keeps_symbols = True

    def __init__(self, function: Callable[..., object], options: Mapping[str, object]) -> None:
        self._function = function
        self._options = repr(sorted(options.items()))
        self._enabled = True

    @property
    def cache_path(self) -> str | None:
        folder = kernel_folder()
        return None if folder is None else str(folder)

    def load_overload(self, sig: object, target_context: Any) -> Any:
        """Load the compiled kernel for this signature, if there is one; never raises."""
        target_context.refresh()
        name = self._file_name(sig, target_context.codegen())
        for folder in (shipped_kernels(), kernel_folder()):
            if name is not None and folder is not None:
                found = self._load(folder / name, target_context)
                if found is not None:
                    used_files.add(folder / name)
                    return found
        return None

    def save_overload(self, sig: object, data: Any) -> None:
        """Keep a compiled kernel; when that is impossible, say so in the log and go on without."""
        name, folder = self._file_name(sig, data.codegen), kernel_folder()
        if name is None or folder is None:
            return
        if data.lifted or data.library.has_dynamic_globals:
            _log.warning("kernel %s cannot be cached: it holds pointers or large global arrays", name)
            return
        needs = needs_of(data.library)
        payload = _dumps((is_apart(data.library), needs, data._reduce()))
        try:
            write_whole(folder / name, _MAGIC + hashlib.sha256(payload).digest() + payload)
            used_files.add(folder / name)
        except OSError as problem:
            _warn_once(folder, problem.strerror or str(problem))

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        folder = kernel_folder()
        for path in [] if folder is None else folder.glob(f"{self._name}-*.kernel"):
            path.unlink(missing_ok=True)

    @property
    def _name(self) -> str:
        return f"{self._function.__module__}.{self._function.__qualname__}"

    def _file_name(self, sig: object, codegen: Any) -> str | None:
        key = f"{sig!r} {codegen.magic_tuple()!r}"
        if not self._enabled or _ADDRESS.search(key):
            return None
        whole = f"{kernel_digest(self._function)} {FORM} {self._options} {key}"
        return f"{self._name}-{hashlib.sha256(whole.encode()).hexdigest()[:16]}.kernel"

    def _load(self, path: Path, target_context: Any) -> Any:
        try:
            content = path.read_bytes() if path.is_file() else None
        except OSError:
            return None
        if content is None:
            return None
        head = len(_MAGIC) + _DIGEST_SIZE
        payload = content[head:]
        if content[:head] != _MAGIC + hashlib.sha256(payload).digest():
            return _discard(path, "it is damaged")
        try:
            apart, needs, parts = pickle.loads(payload)
            if not provide(needs):
                return _discard(path, "a kernel that it calls has changed")
            if apart:  # its symbols cannot be read from what there is to link
                declare_symbols(target_context, parts[1])
            found = _rebuild(target_context, *parts)
        except Exception as problem:  # whatever an old entry raises, compiling again is the cure
            return _discard(path, repr(problem))
        if apart:
            set_apart(found.library)
        _touch(path)
        return found


def _touch(path: Path) -> None:
    """Say that a kernel is in use, so that it is kept; once a day is enough."""
    with contextlib.suppress(OSError):
        now = time.time()
        if now - path.stat().st_mtime > _DAY:
            os.utime(path, (now, now))


def _discard(path: Path, reason: str) -> None:
    _log.info("compiled kernel %s is made again: %s", path.name, reason)
    if path.parent == shipped_kernels():
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as problem:
        _warn_once(path.parent, problem.strerror or str(problem))


@cache
def _warn_once(folder: Path, problem: str) -> None:
    _log.warning("compiled kernels cannot be kept in %s: %s", folder, problem)
