"""`python -m engine` with jobs that misbehave on purpose; started by the tests of child processes."""

import os
import signal
import sys
import threading
from collections.abc import Generator, Mapping

from engine.__main__ import main
from engine.long import JOBS
from engine.runtime.child import ChildJob, Json, Message
from engine.runtime.errors import InvalidArguments

Steps = Generator[Message, None, Json]


def count(arguments: Mapping[str, Json]) -> Steps:
    """Counts, printing as a careless library would."""
    steps = arguments["steps"]
    assert isinstance(steps, int)
    for step in range(steps):
        print("noise from a library")
        yield {"progress": (step + 1) / steps, "text": f"Step {step + 1}…"}
    return {"niceness": os.nice(0), "steps": steps}


def forever(arguments: Mapping[str, Json]) -> Steps:
    yield {"process": os.getpid()}
    threading.Event().wait()
    return None


def stubborn(arguments: Mapping[str, Json]) -> Steps:
    """Does not listen to a request to end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    yield from forever(arguments)
    return None


def crash(arguments: Mapping[str, Json]) -> Steps:
    yield {"progress": 0.5}
    print("the last words", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)
    return None


def refuse(arguments: Mapping[str, Json]) -> Steps:
    yield {"progress": 0.5}
    raise InvalidArguments(what="the speed", value=-1, allowed="0 and above")


def stumble(arguments: Mapping[str, Json]) -> Steps:
    yield {"progress": 0.5}
    raise ZeroDivisionError("by accident")


def vanish(arguments: Mapping[str, Json]) -> Steps:
    """Ends without a result."""
    yield {"progress": 0.5}
    os._exit(7)


def parent(arguments: Mapping[str, Json]) -> Steps:
    """Starts a child of its own, says which, and stays."""
    heard: list[Message] = []
    told = threading.Event()

    def hear(message: Message) -> None:
        heard.append(message)
        told.set()

    ChildJob("forever", {}, on_message=hear, command=[sys.executable, __file__])
    told.wait()
    yield heard[0]
    threading.Event().wait()
    return None


JOBS.update({job.__name__: job for job in (count, forever, stubborn, crash, refuse, stumble, vanish, parent)})

if __name__ == "__main__":
    sys.exit(main())
