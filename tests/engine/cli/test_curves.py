"""`python -m engine curves`: what is asked for by name is what is measured, and nonsense is refused in one line."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.__main__ import main
from engine.cli.curves import quantity_named
from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.formats import sinew
from engine.measure import KINDS, Quantity
from tests.engine.measure.motions import all_of, pendulum


@pytest.fixture
def file(tmp_path: Path) -> Path:
    sinew.write(tmp_path / "swing.sinew", pendulum())
    return tmp_path / "swing.sinew"


def named() -> Document:
    document = pendulum()
    return document.with_actor(replace(document.actors[0], name="Big Swing"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.rod.z", Quantity(kind="value", actor="a", part="rod.z")),
        ("rate:big_swing.rod.z", Quantity(kind="rate", actor="a", part="rod.z")),
        ("place.y:a.rod", Quantity(kind="place", actor="a", part="rod", component="y")),
        ("velocity.length:a.tip", Quantity(kind="velocity", actor="a", part="tip", component="length", handle=True)),
        ("energy:a", Quantity(kind="energy", actor="a")),
    ],
)
def test_a_quantity_is_named_by_kind_actor_and_part(name: str, expected: Quantity) -> None:
    assert quantity_named(named(), name) == expected


def test_a_table_holds_what_is_measured_at_the_frames_that_were_asked_for(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "swing.csv"
    asked = ["curves", str(file), str(out), "a.rod.z", "energy:a", "--start", "0.5", "--end", "1", "--fps", "24"]
    assert main(asked) == 0
    rows = np.array(list(csv.reader(out.read_text(encoding="utf-8").splitlines()))[1:], dtype=np.float64)
    times = [frame_time(frame, (24, 1)) for frame in range(12, 25)]
    wanted = (Quantity(kind="value", actor="a", part="rod.z"), Quantity(kind="energy", actor="a"))
    np.testing.assert_array_equal(rows[:, 0], np.array(times) / SECOND)
    for column, each in enumerate(all_of(pendulum(), wanted, times), start=1):
        np.testing.assert_allclose(rows[:, column], each.values, rtol=1e-13)


def test_all_that_is_played_is_written_unless_told(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "swing.svg"
    assert main(["curves", str(file), str(out), "energy:a"]) == 0
    assert "mechanical energy [J]" in out.read_text(encoding="utf-8")


def test_arrays_are_written_for_numpy(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "swing.npz"
    assert main(["curves", str(file), str(out), "energy:a", "rate:a.rod.z", "--fps", "60"]) == 0
    with np.load(out, allow_pickle=False) as found:
        assert found["units"].tolist() == ["J", "rad/s"]
        assert found["values"].shape == (len(found["places"]), 2)
        assert np.diff(found["places"]) == pytest.approx(1.0 / 60.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dance:a"], "the kind of a quantity is 'dance'; allowed: value, anatomical"),
        (["place:a.rod"], "the component of place is ''; allowed: x, y, z, length"),
        (["energy:nobody"], "there is no actor 'nobody'"),
        (["a.rod.x"], "there is no coordinate 'rod.x'"),
        (["place.x:a.hand"], "there is no joint 'hand'"),
        (["energy:a", "--start", "2", "--end", "1"], "the end of a plot is 1.0; allowed: at or after 2 seconds"),
        (["energy:a", "--start", "nan"], "the start of the curves is nan"),
        (["energy:a", "--end", "1e30"], "the end of the curves is 1e+30"),
    ],
)
def test_nonsense_is_refused_in_one_line_and_nothing_is_written(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["curves", str(file), str(tmp_path / "out.csv"), *arguments]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(message)
    assert not (tmp_path / "out.csv").exists()


def test_the_kinds_are_listed_with_their_units(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["quantities"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(" ")[0].partition(".")[0] for line in lines] == list(KINDS)
    assert any(line.startswith("velocity.x|y|z|length") and "[m/s]" in line for line in lines)
