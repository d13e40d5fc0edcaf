"""ship_kernels: compile all kernels for the processor of shipped ones, and lay them into a folder.

`python -m engine job ship_kernels '{"folder": "resources/kernels"}'` fills the folder that a release takes along; from
there the first start finds them, and compiles nothing.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from engine.runtime.errors import InvalidArguments
from engine.runtime.folders import kernel_folder, writable_cache
from engine.runtime.processor import compile_for_shipped

if TYPE_CHECKING:
    from engine.runtime.child import Json, Message


def ship_kernels(arguments: Mapping[str, Json]) -> Generator[Message, None, Json]:
    """Yields the progress of warm_up; returns how many kernels the folder holds."""
    folder = arguments.get("folder")
    if set(arguments) != {"folder"} or not isinstance(folder, str):
        raise InvalidArguments(what="the arguments of ship_kernels", value=dict(arguments), allowed='{"folder": PATH}')
    if "numba" in sys.modules:
        raise InvalidArguments(what="the process", value="with numba loaded", allowed="one that was just started")
    compile_for_shipped()
    with tempfile.TemporaryDirectory() as made:
        os.environ["SINEW_CACHE"] = made
        writable_cache.cache_clear()
        kernel_folder.cache_clear()
        from engine.jobs.warm_up import warm_up

        yield from warm_up({})
        kept = kernel_folder()
        assert kept is not None, "a temporary folder can be written"
        place = Path(folder) / kept.name
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(kept, place)
    return len(list(place.glob("*.kernel")))
