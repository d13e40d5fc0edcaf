"""Activations of a STO or MOT file as keys: by names of muscles, few, in one step, with words on what differs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import sinew as library
from engine.__main__ import main
from engine.cli.muscle_activations import take_activations
from engine.cli.muscles import write_table
from engine.commands.bring_in import taken_by
from engine.document import Document
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.formats import sinew
from engine.formats.sto_table import write_sto
from engine.model.compile import compile_model
from engine.muscles.commands.take_activations import TakeActivations
from engine.muscles.compiled import MuscledFigure
from engine.muscles.keyed import activations_at
from engine.muscles.uses import activations_of
from engine.runtime.errors import InvalidArguments, UnreadableFile
from tests.engine.muscles.arms import arm_muscles, bent_arm

TIMES = np.arange(51) * 0.02
RISING, FALLING = 0.5 - 0.4 * np.cos(3.0 * TIMES), 0.2 + 0.1 * np.sin(5.0 * TIMES)


def arm() -> Document:
    return Document(actors=(bent_arm(),))


def table(path: Path, labels: tuple[str, ...], *columns: np.ndarray) -> Path:
    write_sto(path, "controls", labels, np.stack((TIMES, *columns), axis=1).tolist())
    return path


def seen(document: Document, seconds: np.ndarray) -> dict[str, np.ndarray]:
    """The activations of the arm's muscles at some times."""
    numbers = MuscledFigure(compile_model(document.actors[0].figure), arm_muscles()).numbers
    found = activations_at(activations_of(document.actors[0]), numbers, seconds * SECOND)
    return {id: found[:, number] for id, number in numbers.items()}


@pytest.mark.parametrize(
    "labels",
    [
        ("biceps", "triceps"),
        ("/forceset/biceps/activation", "/forceset/triceps/activation"),
        ("/forceset/biceps", "/forceset/triceps"),
        ("biceps.activation", "triceps_activation"),
        ("Biceps", "Triceps.excitation"),
    ],
)
def test_columns_named_after_muscles_are_few_keys_of_their_activations(tmp_path: Path, labels: tuple[str, str]) -> None:
    before = arm()
    found = take_activations(before, table(tmp_path / "in.sto", labels, RISING, FALLING))
    after = found.edit.apply(before)
    for id, wanted in (("biceps", RISING), ("triceps", FALLING)):
        assert seen(after, TIMES)[id] == pytest.approx(wanted, abs=0.0101)
    assert 4 <= found.keys <= 12
    assert found.words[0] == f"{found.keys} keys of 2 muscles"


def test_what_is_missing_and_what_is_no_muscle_is_said_and_the_others_stay(tmp_path: Path) -> None:
    before = edit("set_muscle_activation", actor="arm", muscle="triceps", value=0.3).apply(arm())
    path = table(tmp_path / "in.sto", ("biceps", "/forceset/biceps/fiber_length", "soleus"), RISING, RISING, FALLING)
    found = take_activations(before, path)
    words = "; ".join(found.words)
    assert "without a column, left as they are: triceps" in words
    assert "no muscles of Arm, left out: /forceset/biceps/fiber_length, soleus" in words
    assert seen(found.edit.apply(before), TIMES)["triceps"] == pytest.approx(0.3)


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    """As `muscles --activations --out` writes them, beside torques and forces."""
    labels = ("biceps activation", "triceps activation", "elbow.bend required [N m]", "biceps force [N]")
    rows: list[Sequence[object]] = [("time [s]", *labels), *zip(TIMES, RISING, FALLING, RISING, FALLING, strict=True)]
    write_table(rows, tmp_path / "out.sto")
    after = take_activations(arm(), tmp_path / "out.sto").edit.apply(arm())
    assert seen(after, TIMES)["biceps"] == pytest.approx(RISING, abs=0.0101)


def test_where_keys_are_excitations_activations_become_those_that_lead_to_them(tmp_path: Path) -> None:
    excited = edit("set_excitation_keys", actor="arm", excited=True).apply(arm())
    path = table(tmp_path / "in.sto", ("biceps.activation", "triceps.excitation"), RISING, FALLING)
    after = take_activations(excited, path).edit.apply(excited)
    late = TIMES[10:]
    assert seen(after, late)["biceps"] == pytest.approx(RISING[10:], abs=0.02)
    keyed = edit("set_excitation_keys", actor="arm", excited=False).apply(after)
    assert seen(keyed, TIMES)["triceps"] == pytest.approx(FALLING, abs=0.0101)
    assert np.abs(seen(keyed, late)["biceps"] - RISING[10:]).max() > 0.02


@pytest.mark.parametrize(
    ("labels", "columns", "said"),
    [
        (("biceps", "triceps"), (RISING, 2.0 * RISING), "triceps is 1.0"),
        (("biceps", "triceps"), (RISING, FALLING * np.nan), "in.sto"),
        (("biceps", "biceps.activation"), (RISING, RISING), "two columns of the muscle biceps"),
        (("soleus", "elbow.bend"), (RISING, RISING), "no column of a muscle of Arm"),
    ],
)
def test_what_is_wrong_in_a_file_is_said(
    tmp_path: Path, labels: tuple[str, ...], columns: tuple[np.ndarray, ...], said: str
) -> None:
    with pytest.raises(UnreadableFile, match=said):
        take_activations(arm(), table(tmp_path / "in.sto", labels, *columns))


def test_an_import_of_activations_is_taken_by_the_figure_that_has_the_muscles(tmp_path: Path) -> None:
    path = table(tmp_path / "in.sto", ("biceps", "soleus"), RISING, RISING)
    assert taken_by(arm(), path) == TakeActivations(actor="arm", path=path)
    assert taken_by(Document(), path) is None
    assert taken_by(arm(), table(tmp_path / "motion.sto", ("elbow.bend", "biceps"), RISING, RISING)) is None
    (tmp_path / "bad.sto").write_text("nothing\n", encoding="utf-8")
    assert taken_by(arm(), tmp_path / "bad.sto") is None


def test_the_command_line_and_the_library_take_activations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = table(tmp_path / "in.sto", ("biceps", "triceps"), RISING, FALLING)
    sinew.write(tmp_path / "arm.sinew", arm())
    assert (
        main(["muscles", str(tmp_path / "arm.sinew"), "--take", str(path), "--save", str(tmp_path / "out.sinew")]) == 0
    )
    assert "keys of 2 muscles" in capsys.readouterr().out
    kept = sinew.read(tmp_path / "out.sinew")
    given, words = library.put_activations(arm(), path)
    assert activations_of(kept.actors[0]) == activations_of(given.actors[0])
    assert words[0].endswith("keys of 2 muscles")
    assert main(["muscles", str(tmp_path / "arm.sinew"), "--take", str(path)]) != 0
    with pytest.raises(InvalidArguments, match="tolerance"):
        library.put_activations(arm(), path, tolerance=0.0)
