"""Tells, before anything of Sinew is used, where another package stands in place of one of its own.

Sinew installs the names `engine`, `app` and `resources` beside `sinew`; others install them, too, and `app.py` is the
name of many a script. Nothing works without the first and the last, which raises; without `app` nothing is drawn, so
that is a warning until `render` is called.
"""

from __future__ import annotations

import sys
import warnings
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
ALONE = "install Sinew in an environment of its own: python -m venv FOLDER"


def stranger(name: str, root: Path = HERE) -> str:
    """Say what stands in place of a package of Sinew's and what to do, in one line; empty where it is Sinew's own."""
    spec = _spec_of(name)
    if spec is None:
        return f"Sinew's own package {name!r} is missing in {root}. Install Sinew again."
    found = Path(spec.origin or next(iter(spec.submodule_search_locations or ()), name)).resolve()
    own = root / name / "__init__.py"
    if found != own:
        return (
            f"Sinew's own package {name!r}, {own}, is hidden by another of that name, {found}. "
            f"Rename or uninstall that one, or {ALONE}"
        )
    if own.is_file() and "Sinew" not in own.read_text(encoding="utf-8", errors="replace").partition("\n")[0]:
        return (
            f"{own} is not Sinew's: another package that installs {name!r} has put its own there. "
            f"Uninstall that one and install Sinew again, or {ALONE}"
        )
    return ""


def _spec_of(name: str) -> ModuleSpec | None:
    try:
        return find_spec(name)
    except ValueError:  # a script that is running under that name
        return ModuleSpec(name, None, origin=getattr(sys.modules[name], "__file__", None))


for _name in ("engine", "resources"):
    if _problem := stranger(_name):
        raise ImportError(_problem)
if _problem := stranger("app"):
    warnings.warn(f"{_problem}. Until then nothing can be drawn", RuntimeWarning, stacklevel=2)
