"""The rooms of the engine, and digests of what compiled kernels depend on beside their own code.

`compiler_digest` names the folder of compiled kernels: another Python, compiler or setting that changes machine code
has a folder of its own, and so has another way in which Sinew has its kernels compiled. Each file of that folder says
which processor its code is made for. `sources_digest` says whether anything at all has changed in the engine since its
kernels were last seen to be whole.
"""

import ast
import hashlib
import os
import platform
import sys
import sysconfig
from functools import cache
from importlib.util import MAGIC_NUMBER
from pathlib import Path

ENGINE = Path(__file__).resolve().parents[1]

_OF_COMPILING = ("dispatch.py", "jit.py", "quick_numba.py", "short_entries.py", "short_errors.py")
_WAYS = tuple(map(Path(__file__).with_name, _OF_COMPILING))  # how kernels are compiled

_COMPILERS = ("numba", "llvmlite", "numpy")
_SETTINGS = (
    "NUMBA_BOUNDSCHECK", "NUMBA_DEBUGINFO", "NUMBA_DISABLE_INTEL_SVML", "NUMBA_ENABLE_AVX", "NUMBA_LOOP_VECTORIZE",
    "NUMBA_OPT", "NUMBA_SLP_VECTORIZE",
)  # fmt: skip


def room_of(module: str) -> str | None:
    """Name the room that a module belongs to, the folder that it lies in; None for a module outside of them. Their
    order is an import contract of `pyproject.toml`."""
    parts = module.split(".")
    return parts[1] if len(parts) > 2 and parts[0] == "engine" else None


@cache
def compiler_digest() -> str:
    """Name the compilers of kernels and their settings: sixteen hexadecimal digits."""
    python = f"{sysconfig.get_config_var('SOABI')} {MAGIC_NUMBER.hex()} {sys.platform} {platform.machine()}"
    versions = [f"{name} {_version(name)}" for name in _COMPILERS]
    settings = [f"{name}={os.environ[name]}" for name in _SETTINGS if name in os.environ]
    ways = [_code_digest(path) for path in _WAYS]
    return hashlib.sha256(" ".join([python, *versions, *settings, *ways]).encode()).hexdigest()[:16]


@cache
def sources_digest() -> str:
    """Name the whole text of the engine: sixteen hexadecimal digits."""
    total = hashlib.sha256(compiler_digest().encode())
    for source in sorted(ENGINE.rglob("*.py")):
        content = source.read_bytes()
        total.update(f"{source.relative_to(ENGINE).as_posix()} {len(content)} ".encode())
        total.update(content)
    return total.hexdigest()[:16]


def _version(package: str) -> str:
    """Version by metadata; a frozen app that ships none is identified by its executable, which holds the packages."""
    from importlib import metadata  # it loads what mail needs: 20 ms of each child's start, and few ask for this

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return _executable_digest()


def _code_digest(source: Path) -> str:
    """Name what a module does, whatever its comments and docstrings say."""
    try:
        tree = ast.parse(source.read_bytes())
    except OSError:
        return _executable_digest()
    for node in ast.walk(tree):
        match node:
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() if ast.get_docstring(node, clean=False) is not None:
                del node.body[0]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


@cache
def _executable_digest() -> str:
    with open(sys.executable, "rb") as executable:
        return hashlib.file_digest(executable, "sha256").hexdigest()
