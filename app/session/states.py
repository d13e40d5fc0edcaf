"""Reports of the session to its listeners: small frozen values, one for each kind of report."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Literal

from engine.runtime.quick_dataclass import dataclass
from engine.runtime.time_left import TimeLeft

LOG_KEPT = 5000  # lines
LogKind = Literal["edit", "note", "warning", "error"]
FileKind = Literal["open", "save", "export", "log", "example", "plot", "recover", "salvage", "pack", "past"]


@dataclass(frozen=True, kw_only=True)
class EngineState:
    """The engine's readiness to compute poses, in words for the status line."""

    text: str
    ready: bool = False
    waiting_for: str = ""  # what is being prepared; empty when nothing is


@dataclass(frozen=True, kw_only=True)
class JobState:
    """A long job in a process of its own."""

    name: str
    text: str
    fraction: float = 0.0  # 0 to 1
    running: bool = True
    can_cancel: bool = True
    left: TimeLeft | None = field(default=None, compare=False)  # of one that knows its steps; else it is guessed


@dataclass(frozen=True, kw_only=True)
class LogEntry:
    """One line of the log; `line` is the Python that does the same, where there is one."""

    kind: LogKind
    text: str
    line: str = ""


@dataclass(frozen=True, kw_only=True)
class FileOutcome:
    """The end of reading or writing a file; `problem` is empty when it went well."""

    kind: FileKind
    path: Path
    problem: str = ""
    cause: Literal["", "damaged", "changed"] = ""  # of a problem that leaves something to choose

    @property
    def went_well(self) -> bool:
        """True if the file was read or written."""
        return not self.problem
