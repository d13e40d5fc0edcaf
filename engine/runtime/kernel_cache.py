"""Compiled kernels on disk: one file per kernel, digest and types of arguments, in a folder per compiler.

numba's own cache is keyed by single files, trusts what it reads (a damaged object file can crash the process) and
raises when its folder cannot be written. Here an entry carries a checksum of its name and content; one that does not
match, or does not load, is deleted and compiled again; a folder that cannot be written costs the cache and nothing
else. No locks: entries are replaced whole. Kernels that came with Sinew lie in a folder that is only read, and is asked
first.
"""

import hashlib
import logging
import pickle
import re
from collections.abc import Callable
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any

from numba.core import compiler, serialize
from numba.core.caching import _Cache
from numba.core.imputils import builtin_registry

from engine.runtime.dispatch import (
    callees_of,
    declare_symbols,
    is_apart,
    is_entered,
    is_entered_now,
    provide,
    set_apart,
)
from engine.runtime.folders import kernel_folder, shipped_kernels, touch_daily, write_whole
from engine.runtime.kernel_digest import kernel_digest
from engine.runtime.quick_dataclass import dataclass
from engine.runtime.reproducible import make_reproducible

make_reproducible()

_log = logging.getLogger(__name__)
_MAGIC = b"sinew kernel 4\n"
_HEAD_SIZE = len(_MAGIC) + hashlib.sha256().digest_size
_dumps: Callable[[object], bytes] = serialize.dumps
_rebuild: Callable[..., Any] = compiler.CompileResult._rebuild
_ADDRESS = re.compile(r"\bat 0x[0-9a-f]+", re.IGNORECASE)


@dataclass(frozen=True)
class UsedFiles:
    """The files of kernels that this process has loaded, and of those that it compiled."""

    loaded: set[Path] = field(default_factory=set)
    kept: set[Path] = field(default_factory=set)
    lost: dict[Path, str] = field(default_factory=dict)  # that could not be written, and why

    @property
    def all(self) -> set[Path]:
        return self.loaded | self.kept | set(self.lost)


used_files = UsedFiles()


class KernelCache(_Cache):
    """The disk cache of one kernel; numba asks it before compiling and hands it what was compiled."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self._enabled = True

    @property
    def keeps_symbols(self) -> bool:
        """True if the compiled code that is kept of the kernel may be called by symbol."""
        return self._digest() is not None

    @property
    def cache_path(self) -> str | None:
        folder = kernel_folder()
        return None if folder is None else str(folder)

    def load_overload(self, sig: object, target_context: Any) -> Any:
        """Load the compiled kernel for this signature, if there is one; never raises."""
        load_declarations(target_context)
        codegen = target_context.codegen()
        names = [self._file_name(sig, codegen, entered=True)]
        if not is_entered_now():  # what Python can enter will do as well
            names.append(self._file_name(sig, codegen, entered=False))
        for name in names:
            for folder in (shipped_kernels(), kernel_folder()):
                if name is not None and folder is not None:
                    found = self._load(folder / name, target_context)
                    if found is not None:
                        used_files.loaded.add(folder / name)
                        return found
        return None

    def save_overload(self, sig: object, data: Any) -> None:
        """Keep a compiled kernel; when that is impossible, say so in the log and go on without."""
        name, folder = self._file_name(sig, data.codegen, entered=is_entered(data.library)), kernel_folder()
        if name is None or folder is None:
            return
        if data.lifted or data.library.has_dynamic_globals:
            _log.warning("kernel %s cannot be cached: it holds pointers or large global arrays", name)
            return
        library, path = data.library, folder / name
        parts = data._replace(type_annotation="")._reduce()  # a listing for people, larger than all else, with paths
        payload = _dumps((is_apart(library), is_entered(library), callees_of(library), parts))
        try:
            write_whole(path, _head(name, payload) + payload)
            used_files.kept.add(path)
        except OSError as problem:
            reason = problem.strerror or str(problem)
            _warn_once(f"compiled kernels cannot be kept in {folder}: {reason}")
            if not path.is_file():  # nor has another process put it there meanwhile
                used_files.lost[path] = reason

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Delete what is kept of the kernel, for any digest and types; numba asks for it as it recompiles a kernel."""
        folder = kernel_folder()
        for path in [] if folder is None else folder.glob(f"{self._name}-*.kernel"):
            path.unlink(missing_ok=True)

    @property
    def _name(self) -> str:
        return f"{self._kernel.py_func.__module__}.{self._kernel.py_func.__qualname__}"

    def _digest(self) -> str | None:
        try:
            return kernel_digest(self._kernel)
        except TypeError as problem:
            _warn_once(f"kernel {self._name} cannot be cached: {problem}")
            return None

    def _file_name(self, sig: object, codegen: Any, *, entered: bool) -> str | None:
        key = f"{sig!r} {codegen.magic_tuple()!r} {'entered' if entered else 'inner'}"
        if not self._enabled or _ADDRESS.search(key):
            return None
        digest = self._digest()
        if digest is None:
            return None
        return f"{self._name}-{hashlib.sha256(f'{digest} {key}'.encode()).hexdigest()[:16]}.kernel"

    def _load(self, path: Path, target_context: Any) -> Any:
        try:
            content = path.read_bytes() if path.is_file() else None
        except OSError:
            return None
        if content is None:
            return None
        payload = content[_HEAD_SIZE:]
        if content[:_HEAD_SIZE] != _head(path.name, payload):
            return _discard(path, "it is damaged")
        try:
            apart, entered, callees, parts = pickle.loads(payload)
            if not provide(callees):
                return _discard(path, "a kernel that it calls has changed")
            if apart:  # its symbols cannot be read from what there is to link
                declare_symbols(target_context, parts[1], entered=entered)
            found = _rebuild(target_context, *parts)
            found.library.is_entered = entered
        except Exception as problem:  # whatever an old entry raises, compiling again is the cure
            return _discard(path, repr(problem))
        if apart:
            set_apart(found.library)
        if path.parent != shipped_kernels():
            touch_daily(path)
        return found


def load_declarations(context: Any) -> None:
    """Have numba take in what it declares of Python and numpy, once instead of 251 times.

    To be sure that its registry is in the context, each declaration of a method has all registries looked through
    again. It is there from the beginning, and what is declared meanwhile is taken in by a second look.
    """
    if builtin_registry in context._registries:
        context.refresh()
        return
    context.install_registry(builtin_registry)
    context.refresh = lambda: None
    try:
        type(context).refresh(context)
    finally:
        del context.refresh
    context.refresh()


def _head(name: str, payload: bytes) -> bytes:
    return _MAGIC + hashlib.sha256(name.encode() + payload).digest()


def _discard(path: Path, reason: str) -> None:
    _log.info("compiled kernel %s is made again: %s", path.name, reason)
    if path.parent == shipped_kernels():
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as problem:
        _warn_once(f"compiled kernels cannot be kept in {path.parent}: {problem.strerror or problem}")


@cache
def _warn_once(text: str) -> None:
    _log.warning("%s", text)
