"""ship_kernels: compile all kernels for the processor of shipped ones, and lay them into a folder.

`python -m engine job ship_kernels '{"folder": "resources/kernels"}'` fills the folder that a release takes along; from
there the first start finds them, and compiles nothing. All are compiled anew, whatever the folder holds.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from engine.runtime.errors import InvalidArguments, UnwritableFile
from engine.runtime.folders import PART, kernel_folder, leave_out_shipped, writable_cache
from engine.runtime.processor import NAME, can_run_shipped, compile_for_shipped

if TYPE_CHECKING:
    from engine.runtime.child import Json, Message


def ship_kernels(arguments: Mapping[str, Json]) -> Generator[Message, None, Json]:
    """Yields the progress of warm_up; returns how many kernels the folder holds. What it held stays if this fails."""
    folder = arguments.get("folder")
    if set(arguments) != {"folder"} or not isinstance(folder, str):
        raise InvalidArguments(what="the arguments of ship_kernels", value=dict(arguments), allowed='{"folder": PATH}')
    if not can_run_shipped():
        chosen = os.environ.get("NUMBA_CPU_NAME") or platform.machine()
        allowed = f"one that has what {NAME} asks for, AVX2 and FMA among it, with no other chosen by NUMBA_CPU_NAME"
        raise InvalidArguments(what="the processor to compile kernels on", value=chosen, allowed=allowed)
    if "numba" in sys.modules:
        raise InvalidArguments(what="the process", value="with numba loaded", allowed="one that was just started")
    compile_for_shipped()
    leave_out_shipped()
    with tempfile.TemporaryDirectory() as made:
        os.environ["SINEW_CACHE"] = made
        writable_cache.cache_clear()
        kernel_folder.cache_clear()
        from engine.long.warm_up import not_whole_in, warm_cold

        yield from warm_cold(helped=False)  # whose bytes depend on the order
        kept = kernel_folder()
        assert kept is not None, "a temporary folder can be written"
        place = Path(folder) / kept.name
        missing = not_whole_in(kept)
        if missing:
            found = f"kernels of {', '.join(missing)} could not be kept"
            raise UnwritableFile(path=place, found=found, remedy="The log says why.")
        part = place.with_name(place.name + PART)
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(kept, part)
        if place.exists():
            shutil.rmtree(place)
        part.rename(place)
    return len(list(place.glob("*.kernel")))
