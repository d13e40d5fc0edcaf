"""`.sinewlog`: everything that was done to a document, as text that can be done again.

One JSON object a line. The first line is `{"sinewlog": 1}`; the others are

    {"start": DOCUMENT, "how": "New document"}            the document as it stood, arrays and all
    {"edit": "set_value", "arguments": {"actor": "human", ...}}
    {"step": "undo", "count": 1}                          or "redo"

Reading a log does all of it again and gives the document that comes out. Nothing in it is code: an edit is the name of
one of Sinew's own and plain arguments.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.document import Document, validate
from engine.document.part_reader import decode
from engine.document.parts import encode
from engine.edits import from_record
from engine.edits.command_log import LoggedCommand, Replay, Start, Step
from engine.formats.format import Contents, Format, Options
from engine.formats.text import TextFile, read_text, shown, write_text
from engine.runtime.errors import EngineError

SUFFIX = ".sinewlog"
VERSION = 1
_HEAD = "sinewlog"
_REMEDY = "Open a log that Sinew has saved, whole and unchanged."
_UNFIT = (EngineError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError)


def read_log(path: Path) -> list[LoggedCommand]:
    """Read the commands of a log, not done yet."""
    text = read_text(path, "a Sinew log")
    _check_head(text)
    return [_command(text, line) for line in range(2, len(text.lines) + 1) if text.lines[line - 1].strip()]


def write_log(path: Path, commands: Iterable[LoggedCommand]) -> None:
    """Write a log whole, or leave what stood there; opened as a document, it is done again."""
    write_text(path, log_text(commands))


def log_text(commands: Iterable[LoggedCommand]) -> str:
    """Write commands as the text of a log."""
    rows = [{_HEAD: VERSION}, *map(_record, commands)]
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def read(path: Path, options: Options) -> Contents:
    """The document that comes out when all of it is done again."""
    text = read_text(path, "a Sinew log")
    _check_head(text)
    again, commands = Replay(), 0
    for line in range(2, len(text.lines) + 1):
        if text.lines[line - 1].strip():
            command = _command(text, line)
            try:
                again.do(command)
            except _UNFIT as problem:
                text.refuse(f"a command that cannot be done again: {problem}", _REMEDY, line)
            commands += 1
    if not commands:
        text.refuse("no command", _REMEDY, 1)
    document = again.document
    try:
        validate(document)
    except _UNFIT as problem:
        text.refuse(f"commands that make no sound document: {problem}", _REMEDY, len(text.lines))
    return Contents(document=document, rate=document.rate, notes=(f"{commands - 1} commands were done again",))


def _record(command: LoggedCommand) -> dict[str, Any]:
    if isinstance(command, Start):
        return {"start": encode(command.document), "how": command.how}
    return {"step": command.way, "count": command.count} if isinstance(command, Step) else command.record()


def _check_head(text: TextFile) -> None:
    head = _object(text, 1) if text.lines else {}
    if _HEAD not in head:
        text.refuse("no Sinew log", _REMEDY, 1)
    if head[_HEAD] != VERSION:
        text.refuse(f"a log of version {shown(str(head[_HEAD]))}", f"This Sinew reads version {VERSION}.", 1)


def _command(text: TextFile, line: int) -> LoggedCommand:
    row = _object(text, line)
    try:
        if "start" in row:
            document = decode(row["start"])
            if not isinstance(document, Document):
                text.refuse("a start that is no document", _REMEDY, line)
            return Start(document, str(row.get("how", "")))
        if "step" in row:
            way, count = row["step"], row.get("count", 1)
            if way not in ("undo", "redo") or type(count) is not int:
                text.refuse(f"a step {shown(str(way))}", "A step is undo or redo, and how many.", line)
            return Step(way, count)
        return from_record(row)
    except _UNFIT as problem:
        text.refuse(f"no command: {problem}", _REMEDY, line)


def _object(text: TextFile, line: int) -> dict[str, Any]:
    try:
        row = json.loads(text.lines[line - 1], strict=False)
    except (ValueError, RecursionError) as problem:
        text.refuse(f"no JSON: {problem}", _REMEDY, line)
    if not isinstance(row, dict):
        text.refuse("something else than a JSON object", _REMEDY, line)
    return row


FORMAT = Format(
    name="Sinew log",
    suffixes=(SUFFIX,),
    kind="document",
    read=read,
    about="All that was done to a document, step by step; opening it does it again.",
    limits="256 MB",
)
