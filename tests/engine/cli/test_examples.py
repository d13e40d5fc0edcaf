"""`python -m engine example`: the scenes that come with Sinew, listed and written."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.__main__ import main
from engine.formats import sinew
from engine.queries.examples import EXAMPLES, example


def test_without_a_name_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["example"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [each.id for each in EXAMPLES]


def test_one_is_written_as_a_project_that_reads_back(tmp_path: Path) -> None:
    place = tmp_path / "my ball.sinew"
    assert main(["example", "hanging_ball", str(place)]) == 0
    assert sinew.read(place).digest == example("hanging_ball").build().digest


def test_all_are_written_by_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = EXAMPLES[:2]
    monkeypatch.setattr("engine.cli.examples.EXAMPLES", some)
    assert main(["example", "--all", str(tmp_path / "made")]) == 0
    assert {path.name for path in (tmp_path / "made").iterdir()} == {f"{each.id}.sinew" for each in some}


def test_an_unknown_one_is_refused_with_the_names_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["example", "unicorn"]) == 1
    said = capsys.readouterr().err
    assert "'unicorn'" in said
    assert EXAMPLES[0].id in said
