"""Study: what a sweep does, as a person writes it in TOML.

    example = "hanging_ball"                  # or document = "ball.sinew", beside the study
    draw = "grid"                             # or "random", with count = 200 and seed = 1
    start = 0.0                               # [s] what is measured; all that is played if left out
    end = 2.0

    [[edit]]
    edit = "set_gains"                        # the name and the arguments of an edit, as a log has them
    actor = "frames_5"
    tension = { from = 1.0, to = 8.0, count = 20, spacing = "log" }
    damping = { values = [0.2, 0.4, 0.8] }

    [[result]]
    quantity = "velocity.length:frames_5.ball"
    of = "max"                                # mean, max, min, last or at, with at = 1.5 [s]

What is wrong is refused with its line and what to do. docs/sweeps.md tells it all.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import cast

from engine.document.motion import Rate
from engine.formats.tables import Source, TomlTable, is_finite, read_source
from engine.runtime.quick_dataclass import dataclass
from engine.sweeps.arguments import MOST_ROWS, EditTemplate, StudyReading, read_edits, whole_number
from engine.sweeps.varied import Draw, Varied, row_count

MOST_RESULTS = 64
SUFFIX = ".toml"
REDUCTIONS = ("mean", "max", "min", "last", "at")
_TOP = ("title", "document", "example", "draw", "count", "seed", "start", "end", "rate", "edit", "result")


@dataclass(frozen=True, kw_only=True)
class StudyResult:
    """One number that is kept of each row."""

    name: str
    quantity: str  # as `python -m engine curves` has it
    of: str
    at: float | None
    line: int


@dataclass(frozen=True, kw_only=True)
class Study:
    """A study that was read."""

    source: Source
    title: str
    document: Path | None
    example: str
    draw: Draw
    count: int  # of a random draw
    seed: int
    start: float | None
    end: float | None
    rate: Rate | None
    varied: tuple[Varied, ...]
    edits: tuple[EditTemplate, ...]
    results: tuple[StudyResult, ...]

    @property
    def row_count(self) -> int:
        """Count the rows."""
        return row_count(self.draw, self.varied, self.count)


def study_and_table(name: str) -> tuple[Path, Path]:
    """The file of a study, or of one that comes with Sinew by its name; and where its table usually lies."""
    path = Path(name)
    shipped = Path(str(files("resources").joinpath("studies", f"{name}{SUFFIX}")))
    if path.suffix or path.exists() or not shipped.is_file():
        return path, path.with_suffix(".csv")
    return shipped, Path(f"{name}.csv")


def read_study(path: Path) -> Study:
    """Read a study; nothing is worked out yet."""
    source, values = read_source(path)
    top = TomlTable(source, values, "the study", _TOP)
    if ("document" in values) == ("example" in values):
        remedy = 'Name one: document = "FILE", beside the study, or example = "NAME"'
        source.refuse("a study has one document", remedy, 1)
    draw = cast(Draw, top.choice("draw", ("grid", "random"), "grid"))
    reading = StudyReading(draw)
    edits, varied = tuple(read_edits(top, source, reading)), reading.varied
    if not varied:
        remedy = "Give an argument a table, such as tension = { values = [2, 4, 8] }"
        source.refuse("nothing varies", remedy, edits[0].line)
    _check_names(source, varied, edits)
    found = Study(
        source=source,
        title=top.text("title"),
        document=None if "example" in values else path.parent / top.text("document"),
        example=top.text("example"),
        draw=draw,
        count=_count(top, draw),
        seed=whole_number(top, "seed", 0, 0),
        start=_seconds(top, "start"),
        end=_seconds(top, "end"),
        rate=_rate(top),
        varied=tuple(varied),
        edits=edits,
        results=tuple(_results(top, source, {each.name for each in varied})),
    )
    if found.row_count > MOST_ROWS:
        remedy = f"At most {MOST_ROWS:,} rows: fewer values, or draw some by chance (draw = 'random', count = 1000)"
        source.refuse(f"{found.row_count:,} rows", remedy, edits[0].line)
    return found


def _results(top: TomlTable, source: Source, names: set[str]) -> Iterator[StudyResult]:
    rows = top.rows("result")
    if not 1 <= len(rows) <= MOST_RESULTS:
        remedy = f'Write 1 to {MOST_RESULTS} tables [[result]], as quantity = "energy:human", of = "max"'
        source.refuse(f"{len(rows)} results", remedy, source.header_line("result", 0) or 1)
    for index, values in enumerate(rows):
        line = source.header_line("result", index) or 1
        table = TomlTable(source, values, f"result {index + 1}", ("quantity", "of", "at", "name"), line)
        table.need("quantity", "of")
        of, at = table.choice("of", REDUCTIONS, "last"), _seconds(table, "at")
        if (of == "at") is (at is None):
            table.refuse("of", "a time belongs to what is taken at one", "Write of = 'at' and at = SECONDS, or neither")
        usual = f"{of} {table.text('quantity')}" + ("" if at is None else f" {at:g} s")
        name = table.text("name", usual)
        if name in names:
            table.refuse("name", f"two columns are called {name!r}", "Give one another name: name = '...'")
        names.add(name)
        yield StudyResult(name=name, quantity=table.text("quantity"), of=of, at=at, line=line)


def _check_names(source: Source, varied: list[Varied], edits: tuple[EditTemplate, ...]) -> None:
    names = [*(each.name for each in varied), "row", "problem", "key"]
    for name in names:
        if names.count(name) > 1:
            found = f"two arguments vary under the name {name!r}"
            source.refuse(found, "Give one another name in its table: name = '...'", edits[0].line)


def _count(top: TomlTable, draw: Draw) -> int:
    if draw == "random":
        top.need("count")
    elif "count" in top.values:
        top.refuse("count", "a grid has as many rows as its values make", "Leave count out, or draw = 'random'")
    return whole_number(top, "count", 0, 1, MOST_ROWS)


def _seconds(table: TomlTable, key: str) -> float | None:
    if key not in table.values:
        return None
    if not is_finite(table.values[key]):
        table.wrong(key, "a number of seconds")
    return table.number(key, 0.0)


def _rate(top: TomlTable) -> Rate | None:
    from engine.cli.files import rate_from

    if "rate" not in top.values:
        return None
    try:
        return rate_from(str(top.values["rate"]))
    except ValueError:
        top.wrong("rate", "frames a second, as 60, 29.97 or '30000/1001'")
