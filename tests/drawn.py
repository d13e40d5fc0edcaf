"""Examples drawn by hypothesis, the same ones in each usual run and others with `--deep`: tests import it from here.

Left to itself, hypothesis draws anew in each run, fails a test whose examples take long, as they do on a busy machine,
and reads all modules of this tree that are loaded for constants to draw, which takes seconds and makes the examples
hang on the files that the process has run before.
"""

from __future__ import annotations

import sys

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers

__all__ = ["HealthCheck", "example", "given", "settings", "st"]

providers.is_local_module_file = lambda _: False  # type: ignore[attr-defined,assignment]
DEEP = "--deep" in sys.argv
settings.register_profile(
    "sinew",
    max_examples=100 if DEEP else 50,  # the same 50 in each usual run: what they do not find, no second run would
    deadline=None,
    derandomize=not DEEP,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("sinew")
