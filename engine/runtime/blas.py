"""numba without scipy and cffi at its start.

As its first kernel is loaded, numba imports scipy's BLAS only to learn whether there is one: 0.1 s on a warm disk, more
on a cold one, before the first pose. It is a dependency of ours, so the answer is known; a kernel that calls BLAS still
imports it when it is compiled or loaded. Where cffi is installed, as it is for the sake of sound, numba makes a parser
of C, which no kernel asks for: 0.04 s.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any


def import_without_blas() -> None:
    """Import the parts of numba that look for them, with the answers ready."""
    with _hidden("cffi"):
        import_module("numba.core.typing.cffi_utils")
    linalg: Any = import_module("numba.np.linalg")
    ask, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = ask


@contextmanager
def _hidden(name: str) -> Iterator[None]:
    """Have Python find no package of a name, unless it has been imported already."""
    if name in sys.modules:
        yield
        return
    modules: dict[str, Any] = sys.modules
    modules[name] = None
    try:
        yield
    finally:
        del modules[name]
