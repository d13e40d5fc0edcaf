"""The child's side of `python -m engine job NAME JSON`: run one job to its end and write its messages, one JSON object
a line. What the parent writes to a job that asks for it: `parent.py`."""

import contextlib
import json
import sys
import traceback
from collections.abc import Mapping
from typing import IO

from engine.long import JOBS
from engine.long.parent import follow_parent
from engine.runtime.child import Json, Message
from engine.runtime.errors import EngineError, InvalidArguments, UnknownJob


def run_job(name: str, arguments: str, *, as_child: bool) -> int:
    """Exit code of the job. `as_child`: run at low priority, and end when the parent process does."""
    if as_child:
        follow_parent()
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
