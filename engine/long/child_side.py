"""The child's side of `python -m engine job NAME JSON`: run one job to its end and write its messages, one JSON object
a line. What the parent writes to a job that asks for it (`lines_asked`, `lines_so_far`) are lines of its own."""

import contextlib
import json
import os
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from queue import Empty, SimpleQueue
from typing import IO

from engine.long import JOBS
from engine.runtime.child import Json, Message
from engine.runtime.errors import EngineError, InvalidArguments, UnknownJob

_NICENESS = 10
_lines: SimpleQueue[bytes] = SimpleQueue()  # that the parent has written


def run_job(name: str, arguments: str, *, as_child: bool) -> int:
    """Exit code of the job. `as_child`: run at low priority, and end when the parent process does."""
    if as_child:
        _follow_parent()
    output = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        try:
            result = _run(name, _parse(arguments), output)
        except (BrokenPipeError, KeyboardInterrupt):
            raise
        except Exception as problem:
            if not isinstance(problem, EngineError):
                traceback.print_exc()
            text = str(problem) if isinstance(problem, EngineError) else f"{type(problem).__name__}: {problem}"
            _write(output, {"error": {"type": type(problem).__name__, "text": text}})
            return 1
        _write(output, {"result": result})
    return 0


def _run(name: str, arguments: Mapping[str, Json], output: IO[str]) -> Json:
    job = JOBS.get(name)
    if job is None:
        raise UnknownJob(name=name, known=tuple(JOBS))
    with contextlib.closing(job(arguments)) as steps:
        while True:
            try:
                message = next(steps)
            except StopIteration as stop:
                result: Json = stop.value
                return result
            _write(output, message)


def _parse(arguments: str) -> Mapping[str, Json]:
    try:
        parsed = json.loads(arguments)
    except ValueError:
        parsed = None
    if not isinstance(parsed, dict):
        raise InvalidArguments(what="a job's arguments", value=arguments, allowed='a JSON object, such as {"a": 1}')
    return parsed


def _write(output: IO[str], message: Message) -> None:
    output.write(json.dumps(message, allow_nan=False) + "\n")
    output.flush()


def _follow_parent() -> None:
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()


def lines_asked() -> Iterator[bytes]:
    """Wait for what the parent writes, line by line, for ever: its end is that of this process."""
    while True:
        yield _lines.get()


def lines_so_far() -> Iterator[bytes]:
    """Give what the parent has written and nobody has taken, line by line; waits for nothing."""
    with contextlib.suppress(Empty):
        while True:
            yield _lines.get_nowait()


def _end_with_parent() -> None:
    """Standard input is a pipe from the parent: its end is the parent's end."""
    rest = b""
    while found := os.read(0, 1 << 16):
        *lines, rest = (rest + found).split(b"\n") if b"\n" in found else (rest + found,)
        for line in lines:
            _lines.put(line)
    os._exit(1)
