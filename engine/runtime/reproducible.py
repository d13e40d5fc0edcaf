"""Has numba make the same bytes of the same kernels, from any folder and in any process.

Left alone, it writes into machine code where each error is raised, and where a parallel kernel compares sizes, by the
whole path of the source; here by the path from the package on, such as `engine/limits/query.py`, as which it stands in
the traceback of such an error. And it names the function of each parallel loop by an address in memory; here by where
the loop stands. One thing is left to whoever compiles for a release: constants are named by Python's hashes, the same
in each process where PYTHONHASHSEED is set (`start.py ship`).
"""

from __future__ import annotations

import hashlib
from importlib import import_module
from pathlib import Path
from typing import Any

import numba

from engine.runtime.rooms import ENGINE

_PACKAGES = (ENGINE.parent, Path(numba.__file__).resolve().parents[1])  # folders that packages lie in
_Convention: Any = import_module("numba.core.callconv").CPUCallConv
_Loop: Any = import_module("numba.parfors.parfor").Parfor
_Sizes: Any = import_module("numba.parfors.array_analysis").ArrayAnalysis
_describe_slowly = _Convention.build_excinfo_struct
_compare_slowly = _Sizes._make_assert_equiv


def make_reproducible() -> None:
    """Have numba do so, from now on and in the whole process."""
    _Convention.build_excinfo_struct = _describe
    _Sizes._make_assert_equiv = _compare
    _Loop.__hash__ = _number


def portable_path(source: str) -> str:
    """Name a source from its package on; by its file's name alone where it belongs to none of Sinew's or numba's."""
    path = Path(source)
    for folder in _PACKAGES:
        if path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return path.name


def _describe(convention: Any, error: Any, arguments: Any, place: Any, function: Any) -> tuple[Any, Any, Any]:
    """Describe an error that code may raise: its class, its arguments and where it is raised."""
    kind, given, where = _describe_slowly(convention, error, arguments, place, function)
    return kind, given, where and (where[0], portable_path(where[1]), *where[2:])


def _compare(analysis: Any, scope: Any, place: Any, *arguments: Any, **named: Any) -> Any:
    """Make what compares sizes of arrays and says where they do not match."""
    place = type(place)(portable_path(place.filename), place.line, place.col)
    return _compare_slowly(analysis, scope, place, *arguments, **named)


def _number(loop: Any) -> int:
    """Tell a parallel loop from all others of a process, by its place and by which one it is."""
    place = f"{portable_path(loop.loc.filename)} {loop.loc.line} {loop.id}"
    return int.from_bytes(hashlib.sha256(place.encode()).digest()[:7], "big")
