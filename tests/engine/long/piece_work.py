"""Work in pieces for tests, which processes of the engine load: it notes what is done, and ends as it is told."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import cast

from engine.long.pieces import Work
from engine.runtime.child import Json
from engine.runtime.errors import InvalidArguments

MAKE = "tests.engine.long.piece_work:begin"


def begin(shared: Json) -> Work:
    """Squares of numbers, noted in a folder. Negative ones are refused; of `killed` each kills its process once, of
    `deadly` each time."""
    told = cast(dict[str, Json], shared)
    if "refused" in told:
        raise InvalidArguments(what="what is shared", value="wrong", allowed="anything else")
    folder = Path(str(told["folder"]))
    killed, deadly = (cast(list[int], told.get(name, [])) for name in ("killed", "deadly"))

    def work(piece: Json) -> Json:
        number = cast(int, piece)
        with (folder / str(number)).open("a") as file:
            file.write(f"{os.getpid()}\n")
        if number in deadly or (number in killed and len((folder / str(number)).read_text().split()) == 1):
            os.kill(os.getpid(), signal.SIGKILL)
        if number < 0:
            raise InvalidArguments(what="a number", value=number, allowed="0 or more")
        return number * number

    return work
