"""Sweeps: the same bytes in whatever order rows come, what is there is kept, each row is a document."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.document import Document
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew, sinew_log
from engine.long.pieces import Cores, Doing, Done, Here, Task
from engine.runtime.child import Json
from engine.runtime.errors import EngineError, UnreadableFile, UnwritableFile
from engine.runtime.progress import finish
from engine.sweeps import job
from engine.sweeps.row import numbers
from engine.sweeps.study import read_study
from engine.sweeps.sweep import Sweep, sweep_of
from engine.sweeps.table import rows_beside

STUDY = """document = "ball.sinew"
end = 0.2

[[edit]]
edit = "set_value"
actor = "ball"
layer = "pose"
coordinate = "link_1.swing"
value = { from = 0.0, to = 0.5, count = 6, name = "angle" }

[[result]]
quantity = "place.y:ball.ball"
of = "mean"

[[result]]
quantity = "place.x:ball.ball"
of = "at"
at = 0.1
name = "x"
"""


class Shuffled:
    """Pieces in another order, of which only the first come: the process is killed then."""

    def __init__(self, most: int = 1000, lost: int | None = None) -> None:
        self.most, self.lost, self.done = most, lost, 0

    def run(self, task: Task, pieces: Sequence[Json]) -> Doing:
        found = list(Here().run(task, pieces))
        random.Random(5).shuffle(found)
        for each in found:
            if self.done == self.most:
                raise KeyboardInterrupt
            self.done += 1
            yield Done(each.place, problem="it died", lost=True) if each.place == self.lost else each


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A chain of hinges with a ball, and a study of how it hangs."""
    from dataclasses import replace

    from engine.queries.examples import example

    one = example("hanging_ball").build().actors[0]
    plain = replace(one, id="ball", name="Ball", secondary=None)
    layer = replace(plain.layers[0], id="pose", tracks=(), values=())
    sinew.write(tmp_path / "ball.sinew", Document(actors=(replace(plain, layers=(layer,)),)))
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    return path


def ready(study: Path, old: str = "", new: str = "") -> Sweep:
    study.write_text(STUDY.replace(old, new) if old else STUDY, encoding="utf-8")
    return sweep_of(read_study(study))


def test_the_table_is_the_same_in_whatever_order_rows_come_and_what_is_there_is_kept(study: Path) -> None:
    alone, other = study.with_name("alone.csv"), study.with_name("other.csv")
    end = finish(ready(study).run(Here(), alone))
    assert (end.rows, end.made, end.failed) == (6, 6, 0)
    killed = Shuffled(most=4)
    with pytest.raises(KeyboardInterrupt):
        finish(ready(study).run(killed, other))
    assert not other.exists()
    beside = rows_beside(other)
    torn = beside.read_bytes()
    assert torn.count(b"\n") == 6, "two lines of head, and the four rows that were known"
    beside.write_bytes(torn[:-9])  # the last of them was being written
    end = finish(ready(study).run(Shuffled(), other))
    assert end.made == 3
    assert other.read_bytes() == alone.read_bytes()
    assert not beside.exists()
    assert finish(ready(study).run(Here(), other)).made == 0
    grown = ready(study, "count = 6", "count = 11")  # each second one is there
    end = finish(grown.run(Here(), other))
    assert (end.rows, end.made) == (11, 5)
    lines = alone.read_text().splitlines()
    assert lines[1] == "row,angle,mean place.y:ball.ball [m],x [m],problem,key"
    assert lines[2].partition(",")[2] in other.read_text()


def test_numbers_are_those_of_the_document_of_the_row(study: Path) -> None:
    sweep, table = ready(study), study.with_suffix(".csv")
    finish(sweep.run(Here(), table))
    saved, log = study.with_name("row.sinew"), study.with_name("row.sinewlog")
    for path in (saved, log):
        assert main(["sweep", str(study), "--row", "4", "--save", str(path)]) == 0
    found = sinew.read(saved)
    assert found.digest == sinew_log.read(log, None).document.digest == sweep.document(4).digest  # type: ignore[arg-type, union-attr]
    assert found.actor("ball").layers[0].by_coordinate["link_1.swing"] == pytest.approx(0.3, abs=1e-15)
    mean, x = numbers(
        Evaluator(), found, [("place.y:ball.ball", "mean", None), ("place.x:ball.ball", "at", 0.1)], None, 0.2
    )
    row = table.read_text().splitlines()[5].split(",")
    assert [float(row[2]), float(row[3])] == [mean, x]


def test_a_row_that_cannot_be_says_why_and_one_that_was_lost_is_done_another_time(study: Path) -> None:
    table = study.with_suffix(".csv")
    impossible = ready(
        study, 'coordinate = "link_1.swing"', 'coordinate = { values = ["link_1.swing", "link_9.swing"] }'
    )
    impossible.study.edits[0].filled((0.0, "x"))
    end = finish(impossible.run(Here(), table))
    assert (end.rows, end.failed) == (12, 6)
    assert "6 without numbers" in end.text
    assert "there is no coordinate 'link_9.swing'" in table.read_text().splitlines()[8]
    other = study.with_name("other.csv")
    with pytest.raises(EngineError, match=r"a row is missing, row 3: it died\. The others are kept"):
        finish(ready(study).run(Shuffled(lost=2), other))
    assert finish(ready(study).run(Here(), other)).made == 1


def test_a_table_of_something_else_is_never_written_over(study: Path) -> None:
    table = study.with_suffix(".csv")
    table.write_text("time,value\n0,1\n")
    with pytest.raises(UnreadableFile, match="no table of a sweep"):
        finish(ready(study).run(Here(), table))
    assert table.read_text() == "time,value\n0,1\n"
    table.unlink()
    finish(ready(study).run(Here(), table))
    others = ready(study, "to = 0.5", "to = 0.4")
    with pytest.raises(UnwritableFile, match="4 rows of another study"):
        finish(others.run(Here(), table))
    assert finish(others.run(Here(), table, replace=True)).made == 4
    for name, said in (("table.txt", "no table ends in"), ("nowhere/table.csv", "no such folder")):
        with pytest.raises(UnwritableFile, match=said):
            finish(others.run(Here(), study.parent / name))


def test_a_table_is_parquet_where_pyarrow_is_and_else_says_what_to_install(study: Path) -> None:
    table = study.with_suffix(".parquet")
    if find_spec("pyarrow") is None:
        with pytest.raises(UnwritableFile, match=r"Parquet needs the package pyarrow. Install pyarrow"):
            finish(ready(study).run(Here(), table))
        return
    import pyarrow.parquet

    finish(ready(study).run(Shuffled(), table))
    finish(ready(study).run(Here(), study.with_suffix(".csv")))
    found, sweep = pyarrow.parquet.read_table(table).to_pydict(), ready(study)
    assert list(found) == list(sweep.columns.names)
    lines = [each.split(",") for each in study.with_suffix(".csv").read_text().splitlines()[2:]]
    assert found["x [m]"] == [float(each[3]) for each in lines]
    assert finish(sweep.run(Here(), table)).made == 0
    table.write_bytes(table.read_bytes()[:100])
    with pytest.raises(UnreadableFile):
        finish(sweep.run(Here(), table))


def test_the_command_says_what_it_would_do_and_does_it(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", str(study), "--check"]) == 0
    assert capsys.readouterr().out.startswith("6 rows, 6 of them to be worked out; row, angle")
    assert main(["sweep", str(study), "--workers", "1"]) == 0
    assert "6 rows, 6 of them worked out now" in capsys.readouterr().out
    assert main(["sweep", str(study), "--row", "7"]) == 1
    assert "allowed: 1 to 6" in capsys.readouterr().err
    assert main(["edits"]) == 0
    assert "set_value: actor, layer, coordinate, value" in capsys.readouterr().out


@pytest.mark.deep
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_processes_that_are_killed_cost_no_row(study: Path) -> None:
    alone, other = study.with_name("alone.csv"), study.with_name("other.csv")
    grown = ready(study, "count = 6", "count = 40")
    finish(grown.run(Here(), alone))
    steps = grown.run(Cores(2), other)
    for place, _ in enumerate(steps):
        if place in (3, 12):
            os.kill(_processes(os.getpid())[0], signal.SIGKILL)
    assert other.read_bytes() == alone.read_bytes()


def _processes(parent: int) -> list[int]:
    """The processes of the engine that this one has started."""
    found = Path(f"/proc/{parent}/task").glob("*/children")
    return [int(each) for path in found for each in path.read_text().split()]


def test_the_job_says_what_there_is_and_each_row_as_it_comes(study: Path) -> None:
    table = study.with_suffix(".csv")
    arguments: dict[str, Json] = {"study": str(study), "table": str(table), "workers": 1, "scheduler": None}
    first, *rows = job.sweep(arguments)
    assert first["parameters"] == ("angle",)
    assert (first["results"], first["rows"]) == (("mean place.y:ball.ball [m]", "x [m]"), 6)
    assert [each["row"] for each in rows] == [1, 2, 3, 4, 5, 6]
    assert rows[-1]["progress"] == 1.0
    _, *again = job.sweep(arguments)
    assert [(each["row"], each["values"], each["numbers"]) for each in again] == [
        (each["row"], each["values"], each["numbers"]) for each in rows
    ]
    assert "progress" not in again[0], "it was there"
