"""warm_ahead: compile the kernels of a purpose from its end, while `warm_up` does so from its beginning.

A second process on a second core: what one of both compiles the other waits for and loads (`engine.runtime.claims`).
Whatever goes wrong here costs time alone, for `warm_up` compiles what is missing.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING

from engine.long.warm_up import WARM, without_collecting
from engine.runtime.claims import sharing
from engine.runtime.errors import InvalidArguments
from engine.systems import load

if TYPE_CHECKING:
    from engine.runtime.child import Json, Message


def warm_ahead(arguments: Mapping[str, Json]) -> Generator[Message, None, Json]:
    """Yields progress; returns how many kernels of those that Python calls are there."""
    ahead = {entry.name: entry.ahead for entry in WARM if entry.ahead}
    name = arguments.get("purpose")
    if set(arguments) != {"purpose"} or name not in ahead:
        allowed = f'{{"purpose": NAME}} with one of {", ".join(ahead)}'
        raise InvalidArguments(what="the arguments of warm_ahead", value=dict(arguments), allowed=allowed)
    from engine.runtime.rehearsal import rehearse

    with without_collecting(), sharing():
        calls = rehearse(load(ahead[name]))
        for done, call in enumerate(reversed(calls)):
            yield {"progress": done / len(calls)}
            call.compile()
    return len(calls)
