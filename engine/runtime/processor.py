"""The processor that shipped kernels are made for.

numba compiles for the processor that it runs on, so that what one machine keeps another may not run. Kernels that come
with Sinew are made for x86-64-v3, which processors have had since 2013 to 2015 (AVX2 and FMA). Where there are such
kernels and the processor can run them, numba is configured for this processor before it loads, so that it finds them
and adds what is missing for the same one; elsewhere everything is as if there were none.

`processor_digest` tells one processor from another without numba, whose own name for it is in each file.
"""

from __future__ import annotations

import hashlib
import os
import platform
from functools import cache
from pathlib import Path

NAME = "x86-64-v3"
_NAMED = ("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.1", "sse4.2", "xsave")
FEATURES = ",".join(
    f"+{name}" for name in (*_NAMED, "cmov", "cx8", "fxsr", "mmx", "sahf", "sse", "sse2", "sse3", "ssse3")
)
_IN_LINUX = {"bmi": "bmi1", "lzcnt": "abm", "sse4.1": "sse4_1", "sse4.2": "sse4_2"}  # where its name differs
_CPUINFO = Path("/proc/cpuinfo")
_TELLING = frozenset((  # names of Linux's lines of what does not change while it runs, on x86, ARM and POWER
    "vendor_id", "cpu family", "model", "model name", "stepping", "flags", "CPU implementer", "CPU architecture",
    "CPU variant", "CPU part", "CPU revision", "Features", "cpu", "revision",
))  # fmt: skip
_VARIABLES = {"NUMBA_CPU_NAME": NAME, "NUMBA_CPU_FEATURES": FEATURES}


@cache
def can_run_shipped() -> bool:
    """Tell whether this processor has all features that shipped kernels use, and nobody chose another one for numba."""
    chosen = {name: os.environ.get(name) for name in _VARIABLES}
    if any(chosen.values()):
        return chosen == _VARIABLES
    return platform.machine().lower() in ("x86_64", "amd64") and _has(_NAMED)


def compile_for_shipped() -> None:
    """Have numba, which is not loaded yet, compile for the processor of shipped kernels."""
    os.environ.update(_VARIABLES)


def processor_digest() -> str:
    """Name the processor that numba compiles for, the one that was chosen for it or this one: eight hex digits."""
    chosen = [os.environ.get(name) for name in _VARIABLES]
    parts = [repr(chosen), "" if all(chosen) else _host()]
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:8]


@cache
def _host() -> str:
    """Describe this processor so that another one differs."""
    first = _cpuinfo().split("\n\n")[0]
    parts = sorted({line for line in first.splitlines() if line.split(":")[0].strip() in _TELLING})
    if parts:
        return "\n".join(parts)
    from llvmlite.binding import get_host_cpu_features, get_host_cpu_name

    return f"{get_host_cpu_name()} {sorted(get_host_cpu_features().items())}"


def _cpuinfo() -> str:
    try:
        return _CPUINFO.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


def _has(names: tuple[str, ...]) -> bool:
    text = _cpuinfo()
    if not text:
        from llvmlite.binding import get_host_cpu_features

        return all(get_host_cpu_features().get(name) for name in names)
    line = next((line for line in text.splitlines() if line.startswith("flags")), "")
    return {_IN_LINUX.get(name, name) for name in names} <= set(line.split())
