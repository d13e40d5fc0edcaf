"""Parsed sources, each once: rules, words, circles and slices look at the same nodes."""

import ast
import gc
from functools import lru_cache
from pathlib import Path


def parsed(path: Path) -> ast.Module:
    """Parse a file of Python, or give what came of it before; SyntaxError where it is none."""
    return _parsed(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4096)
def _parsed(path: Path, _changed: int) -> ast.Module:
    """Without the search for garbage, which would go through all trees again and again and take most of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"), str(path))
    finally:
        gc.freeze()
        if was_on:
            gc.enable()
