"""Batches: `convert`, `retarget`, `curves`, `meet` and both bakes of `python -m engine` for every file of a folder,
wherever there is room.

A file is a piece of work (`engine.long.pieces`): what is wrong with one is said with its name, and the others go on.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from engine.formats.table import by_suffix
from engine.long.percent import Percent, say
from engine.long.pieces import PieceRunner, Task, Work
from engine.project.schema import SUFFIX
from engine.runtime.child import Json
from engine.runtime.errors import EngineError, InvalidArguments, NothingThere, UnreadableFile, UnwritableFile
from engine.runtime.progress import QUIET
from engine.runtime.quick_dataclass import dataclass

MAKE = "engine.cli.batch:begin"


@dataclass(frozen=True)
class BatchEnd:
    """The result of a batch."""

    written: int
    failed: tuple[str, ...]  # names of files
    how: str = "written"

    @property
    def text(self) -> str:
        """The result, for a person."""
        failed = f"; {len(self.failed)} failed: {', '.join(self.failed[:8])}" if self.failed else ""
        return f"{self.written} of {self.written + len(self.failed)} files {self.how}{failed}"


def run_batch(
    pieces: PieceRunner, work: str, source: Path, target: Path, suffix: str | None, options: Mapping[str, Json]
) -> BatchEnd:
    """Do one kind of work with each file of a folder that can be read, into another folder, under the same names with
    another ending; says on standard error what it says of each file."""
    files = _files(source, target, suffix)
    target.mkdir(parents=True, exist_ok=True)
    return _run(pieces, work, files, options)


def run_projects(
    pieces: PieceRunner, work: str, source: Path, target: Path | None, options: Mapping[str, Json]
) -> BatchEnd:
    """Do one kind of work with each project of a folder; what it writes goes into another one, if there is any."""
    files = [path for path in readable_files(source) if path.name.lower().endswith(SUFFIX)]
    if not files:
        raise NothingThere(f"there is no project ({SUFFIX}) in {source}", remedy="Choose another folder")
    if target is not None:
        if target.exists() and not target.is_dir():
            raise UnwritableFile(path=target, found="it is a file", remedy="Name a folder.")
        target.mkdir(parents=True, exist_ok=True)
    end = _run(pieces, work, [(path, None if target is None else target / path.name) for path in files], options)
    return end if target is not None else replace(end, how="done")


def _run(
    pieces: PieceRunner, work: str, files: Sequence[tuple[Path, Path | None]], options: Mapping[str, Json]
) -> BatchEnd:
    shared: Json = {"work": work, "options": dict(options)}
    each = [{"source": str(path.absolute()), "target": out and str(out.absolute())} for path, out in files]
    tell, failed = Percent(work), list[str]()
    for count, done in enumerate(pieces.run(Task(MAKE, shared), cast(list[Json], each)), 1):
        path, out = files[done.place]
        for line in cast(list[str], done.result or []):
            say(f"{path.name}: {line}")
        if done.problem:
            failed.append(path.name)
            say(f"{path.name}: {done.problem}")
        elif out is not None:
            say(f"wrote {out}")
        tell(count / len(files))
    order = [path.name for path, _ in files]
    return BatchEnd(len(files) - len(failed), tuple(sorted(failed, key=order.index)))


def begin(shared: Json) -> Work:
    """The function that does one file, and gives what is to be said of it."""
    told = cast(dict[str, Any], shared)
    do, options = _WORK[str(told["work"])], told["options"]

    def work(piece: Json) -> Json:
        paths = cast(dict[str, Any], piece)
        target = paths["target"]
        heard, before = io.StringIO(), os.environ.get(QUIET)
        os.environ[QUIET] = "1"
        try:
            with contextlib.redirect_stderr(heard):
                do(Path(paths["source"]), Path("" if target is None else target), options)
        finally:
            if before is None:
                del os.environ[QUIET]
            else:
                os.environ[QUIET] = before
        usual = ("reading ", "writing ", "done")
        return [line for line in heard.getvalue().splitlines() if not line.startswith(usual)]

    return work


def _files(source: Path, target: Path, suffix: str | None) -> list[tuple[Path, Path]]:
    """The files of a folder that have a reader, and what each becomes."""
    if suffix is None:
        allowed = "the ending of the files that are written, as in --to .bvh"
        raise InvalidArguments(what="--to, with a folder", value="nothing", allowed=allowed)
    if target.exists() and not target.is_dir():
        raise UnwritableFile(path=target, found="it is a file", remedy="Name a folder.")
    suffix = f".{suffix.removeprefix('.')}"
    there = readable_files(source)
    found = dict[str, Path]()
    for path in there:
        format = by_suffix(path)
        assert format is not None, "it can be read"
        stem = path.name[: -len(_suffix(path, format.suffixes))]
        if stem in found:
            remedy = "Keep them in two folders."
            raise UnwritableFile(
                path=target / f"{stem}{suffix}",
                found=f"{found[stem].name} and {path.name} would both be it",
                remedy=remedy,
            )
        found[stem] = path
    return [(path, target / f"{stem}{suffix}") for stem, path in found.items()]


def readable_files(source: Path) -> list[Path]:
    """The files of a folder that Sinew reads, by name."""
    try:
        there = sorted(path for path in source.iterdir() if path.is_file())
    except OSError as problem:
        remedy = "Check that the folder is there and may be read."
        raise UnreadableFile(path=source, found=problem.strerror or str(problem), remedy=remedy) from problem
    found = [path for path in there if (format := by_suffix(path)) is not None and format.read is not None]
    if not found:
        raise NothingThere(f"no file in {source} is of a format that Sinew reads", remedy="Choose another folder")
    return found


def _suffix(path: Path, suffixes: tuple[str, ...]) -> str:
    return max((each for each in suffixes if path.name.lower().endswith(each)), key=len)


def _convert(source: Path, target: Path, options: Mapping[str, Any]) -> None:
    from engine.cli.convert import convert
    from engine.formats.format import Options

    read, write = (Options(**_as_options(options[each])) for each in ("read", "write"))
    actors = options["actors"]
    convert(source, target, read=read, write=write, actors=None if actors is None else tuple(actors))


def _as_options(told: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a reader or writer as they were before they were JSON."""
    found = dict(told)
    if found.get("rate") is not None:
        found["rate"] = tuple(found["rate"])
    if found.get("figure") is not None:
        found["figure"] = Path(found["figure"])
    return found


def _retarget(source: Path, target: Path, options: Mapping[str, Any]) -> None:
    from engine.cli.retarget import retarget_file

    pairs = None if options["pairs"] is None else Path(options["pairs"])
    retarget_file(source, options["figure"], target, reference=options["reference"], pairs=pairs)


def _curves(source: Path, target: Path, options: Mapping[str, Any]) -> None:
    from engine.cli.curves import write_curves

    rate = None if options["rate"] is None else tuple(options["rate"])
    write_curves(source, target, options["quantities"], start=options["start"], end=options["end"], rate=rate)


def _meet(source: Path, target: Path, options: Mapping[str, Any]) -> None:
    from engine.cli.meet import meet_file

    lines, met = meet_file(source, actor=options["actor"], out=target if target.name else None)
    for line in lines:
        say(line)
    if not met:
        raise EngineError("not every target is met; the nearest result is what was found")


def _bake(source: Path, target: Path, options: Mapping[str, Any]) -> None:
    from engine.long.bake import bake_project

    rate = None if options["rate"] is None else tuple(options["rate"])
    say(bake_project(source, start=options["start"], end=options["end"], rate=rate).text)


def _bake_water(source: Path, target: Path, options: Mapping[str, Any]) -> None:
    from engine.cli.water import bake_water

    for line in bake_water(source, end=options["end"]):
        say(line)


_WORK: Mapping[str, Callable[[Path, Path, Mapping[str, Any]], None]] = {
    "convert": _convert,
    "retarget": _retarget,
    "curves": _curves,
    "meet": _meet,
    "bake": _bake,
    "bake water": _bake_water,
}
