"""bake_stage: what a system draws of an actor is worked out ahead and kept on the disk, where the window reads it.

Runs in a process of its own (`python -m engine job bake_stage`). One that was ended goes on where it was the next time.
Importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from pathlib import Path
from time import monotonic

from engine.runtime.child import Json, Message
from engine.runtime.errors import InvalidArguments

ARGUMENTS = ("scene", "system", "actor", "end")
EVERY = 0.25  # [s] between two messages


def bake_stage(arguments: Mapping[str, Json]) -> Generator[Message, None, Json]:
    """Bake what `system` draws of `actor` up to `end` [ticks], of the document in the file `scene`."""
    if set(arguments) != set(ARGUMENTS) or not isinstance(arguments["end"], int):
        allowed = f"{', '.join(ARGUMENTS)}, the last a whole number of ticks"
        raise InvalidArguments(what="the arguments of bake_stage", value=sorted(arguments), allowed=allowed)
    from engine.evaluate.evaluator import Evaluator
    from engine.formats import sinew

    document = sinew.read(Path(str(arguments["scene"])))
    actor = str(arguments["actor"])
    text = f"Baking {document.actor(actor).name}"
    steps, told = Evaluator().stage(str(arguments["system"])).bake(document, actor, arguments["end"]), -EVERY
    while True:
        try:
            done = next(steps)
        except StopIteration as stop:
            result: Mapping[str, Json] = stop.value
            return dict(result)
        if monotonic() - told >= EVERY or done.share >= 1.0:
            told = monotonic()
            yield {"progress": done.share, "left": done.left, "text": text}
