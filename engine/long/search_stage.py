"""search_stage: what a system searches for in a scene, iterate by iterate, such as a motion that ends somewhere.

Runs in a process of its own (`python -m engine job search_stage`), which may be ended at any time: each message has all
that is known by then. Importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from pathlib import Path

from engine.runtime.child import Json, Message
from engine.runtime.errors import InvalidArguments

ARGUMENTS = ("scene", "system")


def search_stage(arguments: Mapping[str, Json]) -> Generator[Message, None, Json]:
    """Search for what `system` looks for in the document in the file `scene`."""
    if set(arguments) != set(ARGUMENTS):
        allowed = ", ".join(ARGUMENTS)
        raise InvalidArguments(what="the arguments of search_stage", value=sorted(arguments), allowed=allowed)
    from engine.evaluate.evaluator import Evaluator
    from engine.formats import sinew

    document = sinew.read(Path(str(arguments["scene"])))
    return (yield from Evaluator().stage(str(arguments["system"])).search(document))
