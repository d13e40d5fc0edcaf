"""numba without scipy at its start.

As its first kernel is loaded, numba imports scipy's BLAS only to learn whether there is one: 0.1 s on a warm disk, more
on a cold one, before the first pose. It is a dependency of ours, so the answer is known; a kernel that calls BLAS still
imports it when it is compiled or loaded.
"""

from importlib import import_module
from typing import Any


def import_without_blas() -> None:
    """Import the part of numba that queries it, with the answer ready."""
    linalg: Any = import_module("numba.np.linalg")
    ask, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = ask
