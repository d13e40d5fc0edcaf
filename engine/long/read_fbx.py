"""read_fbx: an FBX file becomes a binary glTF file, which the engine's own reader then checks and reads.

Runs in a process of its own, for the library that reads FBX is young: should it crash, hang or ask for all memory, that
ends this process alone. Importing this module loads neither the library nor a kernel.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Generator, Mapping
from contextlib import suppress
from pathlib import Path

from engine.runtime.child import Json, Message
from engine.runtime.errors import InvalidArguments, UnreadableFile

ARGUMENTS = ("file", "out")
MOST_MEMORY = 8 * 2**30  # bytes that the process may address


def read_fbx(arguments: Mapping[str, Json]) -> Generator[Message, None, Json]:
    """Write the scene of `file` to `out`; the result holds notes, or why it is refused and what to do."""
    if set(arguments) != set(ARGUMENTS):
        raise InvalidArguments(what="the arguments of read_fbx", value=sorted(arguments), allowed=", ".join(ARGUMENTS))
    path, out = Path(str(arguments["file"])), Path(str(arguments["out"]))
    yield {"progress": 0.0, "text": f"Reading {path.name}"}
    _bound_memory()
    gc.disable()  # the library cannot bear that its objects are looked through, nor that they are freed at the end
    atexit.register(os._exit, 0)
    from engine.formats.fbx_scene import gltf_of

    try:
        data, notes = gltf_of(path)
    except UnreadableFile as error:
        return {"found": error.found, "remedy": error.remedy}
    except MemoryError:
        remedy = "Reduce it in the program that made it."
        return {"found": f"content that needs more than {MOST_MEMORY // 2**30} GB of memory", "remedy": remedy}
    out.write_bytes(data)
    return {"notes": notes}


def _bound_memory() -> None:
    if sys.platform == "linux":
        import resource

        with suppress(ValueError, OSError):  # a lower bound holds already
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
