"""What an experiment writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table, write_result
from engine.runtime.errors import InvalidArguments, UnwritableFile


def result(*, timed: bool) -> Result:
    table = Table(name="numbers", columns=("name", "x"), rows=(("a, b", 1.0 / 3.0), ("c", float("inf"))))
    claims = (
        Claim(source="it is so", ours="1 against 2", agrees=True),
        Claim(source="it is fast", ours="3 s", agrees=False, timed=timed),
    )
    return Result(
        title="T", tables=(table,), pictures=(ResultPlot(name="plot", svg="<svg/>"),), claims=claims, notes=("n",)
    )


def test_files_are_named_after_what_they_hold(tmp_path: Path) -> None:
    files = write_result(result(timed=False), tmp_path / "new" / "folder")
    assert [each.name for each in files] == ["numbers.csv", "plot.svg", "report.txt"]
    assert files[0].read_bytes() == b'name,x\n"a, b",0.333333333\nc,inf\n'
    assert files[2].read_text(encoding="utf-8").splitlines()[:3] == ["T", "note: n", "agrees: it is so"]
    assert "DIFFERS: it is fast" in files[2].read_text(encoding="utf-8")


def test_what_rests_on_seconds_stands_in_a_file_of_its_own(tmp_path: Path) -> None:
    files = {each.name: each.read_text(encoding="utf-8") for each in write_result(result(timed=True), tmp_path)}
    assert "it is fast" not in files["report.txt"]
    assert "it is fast" in files["times.txt"]
    assert "it is so" not in files["times.txt"]


def test_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(UnwritableFile, match="taken"):
        write_result(result(timed=False), tmp_path / "taken")


def test_negative_seed_is_refused() -> None:
    with pytest.raises(InvalidArguments, match="the seed is -1"):
        Settings(seed=-1)
