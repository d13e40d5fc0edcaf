"""Tanks in documents: what is refused, what an edit touches, what is kept, what a bake holds after a kill."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.document import Box, Document, Span
from engine.document.motion import frame_time
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.model.snapshot import LiquidSurface
from engine.motion.changed import changed_span
from engine.runtime.errors import EngineError, InvalidDocument
from engine.water import bakes
from engine.water.baked_file import FRAME, BakedFile, BakedWriter
from engine.water.making import tank_actor
from engine.water.moments import pack, unpack
from engine.water.parts import WaterTank
from engine.water.running import WaterRun
from engine.water.stage import WaterStage
from tests.water_examples import thing

TINY = WaterTank(size=(0.5, 0.5, 0.5), resolution=12.0, begins="dam", level=0.1, block_length=0.2, block_height=0.35)


def tank(**given: object) -> Document:
    """Make a scene with one small tank."""
    made = replace(TINY, **given)  # type: ignore[arg-type]
    return Document(actors=(tank_actor("tank", "Tank", made),), play=Span(start=0, end=frame_time(8, (30, 1))))


def at(document: Document, frame: int) -> int:
    """The tick of a frame."""
    return frame_time(frame, document.rate)


def water_of(evaluator: Evaluator, document: Document, frame: int) -> LiquidSurface:
    """The water at a frame."""
    (found,) = evaluator.snapshot(document, at(document, frame)).liquids
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for bakes, empty."""
    monkeypatch.setattr(bakes, "folder_of_bakes", lambda: tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"begins": "still", "level": 0.0}, "the level of water"),
        ({"begins": "still", "level": 0.5}, "the height of water"),
        ({"block_height": 0.6}, "the height of water"),
        ({"size": (0.2, 0.5, 0.5)}, "how many cells wide"),
        ({"resolution": 400.0, "size": (2.0, 2.0, 2.0)}, "which take 200.3 GB"),
        ({"resolution": 400.0, "size": (50.0, 2.0, 50.0), "surface": "height_field"}, "which take 156.5 GB"),
        ({"size": (0.2, 0.5, 0.5), "planar": True}, "how many cells wide"),
        ({"begins": "drop", "drop_height": 0.3, "surface": "height_field"}, "water of a height field begins"),
        ({"ends": "open", "level": 0.0}, "by open ends water comes in"),
        ({"ends": "open", "surface": "flip"}, "particles alone do not come in"),
        ({"ends": "open", "stroke": 0.1}, "the stroke of the wave maker"),
    ],
)
def test_a_tank_without_water_or_air_or_cells_or_beyond_memory_is_refused(given: dict[str, object], says: str) -> None:
    with pytest.raises(InvalidDocument, match=says):
        replace(TINY, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("begins", ["still", "dam", "drop", "wave"])
@pytest.mark.parametrize("high", [0.5, 0.3])
def test_each_first_shape_fits_into_a_small_tank(begins: str, high: float) -> None:
    small = WaterTank(size=(0.5, high, 0.5), resolution=12.0, level=0.2)
    fitting: dict[str, Any] = dict(small.fitting(begins))
    made = replace(small, begins=begins, **fitting)
    assert made.highest <= high - 1.0 / 12.0 + 1e-12


def test_a_frame_alone_is_the_same_bytes_as_in_sequence(folder: Path) -> None:
    document = tank()
    one, other = Evaluator(), Evaluator()
    for frame in range(4):
        last = water_of(one, document, frame)
    alone = water_of(other, document, 3)
    assert alone.positions.tobytes() == last.positions.tobytes()
    assert alone.triangles.tobytes() == last.triangles.tobytes()
    back = water_of(one, document, 1)
    assert back.positions.tobytes() == water_of(Evaluator(), document, 1).positions.tobytes()


def test_what_is_seen_of_the_flow_is_no_reason_to_step_anew(folder: Path) -> None:
    document, evaluator = tank(), Evaluator()
    before = water_of(evaluator, document, 3)
    sliced = edit("show_water", actor="tank", slice="speed", arrows=True).apply(document)
    snapshot = evaluator.snapshot(sliced, at(document, 3))
    assert snapshot.liquids[0].positions is before.positions
    (sheet,) = snapshot.sheets
    assert np.nanmax(sheet.values) == pytest.approx(sheet.high)
    assert np.isnan(sheet.values).any(), "air has no speed"
    assert changed_span(document, edit("set_water", actor="tank", viscosity=1.0).apply(document))


def test_a_body_that_is_moved_later_leaves_the_frames_before_as_they_are(folder: Path) -> None:
    block = thing("block", "Block", Box(half=(0.05, 0.05, 0.05)), (0.1, 0.05, 0.0))
    document = replace(tank(), actors=(*tank().actors, block))
    evaluator = Evaluator()
    before = water_of(evaluator, document, 2)
    renamed = edit("rename_actor", actor="block", name="Stone").apply(document)
    assert water_of(evaluator, renamed, 2).positions is before.positions
    gone = edit("remove_actor", actor="block").apply(document)
    assert water_of(evaluator, gone, 2).positions.tobytes() != before.positions.tobytes()


@pytest.mark.parametrize(
    ("floats", "given"), [(False, {}), (True, {}), (True, {"surface": "height_field"}), (True, {"planar": True})]
)
def test_a_bake_that_was_cut_off_goes_on_to_the_same_bytes_and_is_read(
    floats: bool, given: dict[str, object], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bakes, "STATES", 3)
    document, end = tank(**given), at(tank(), 7)
    if floats:
        box = thing("box", "Box", Box(half=(0.06, 0.04, 0.06)), (0.1, 0.2, 0.0), density=400.0)
        document = replace(document, actors=(*document.actors, box))
    steps = Evaluator().stage("water").bake(document, "tank", end)
    shares = [each.share for each in steps]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    for kept in (len(whole) // 2, len(whole) - 5, 3):
        path.write_bytes(whole[:kept])
        for _ in Evaluator().stage("water").bake(document, "tank", end):
            pass
        assert path.read_bytes() == whole
    evaluator = Evaluator()
    stage = evaluator.stage("water")
    assert isinstance(stage, WaterStage)
    read = water_of(evaluator, document, 6)
    assert stage.simulation(document, "tank").seconds is None, "nothing was stepped"
    rows = evaluator.rows(document, end)
    monkeypatch.setattr(bakes, "folder_of_bakes", lambda: None)
    fresh = Evaluator()
    assert water_of(fresh, document, 6).positions.tobytes() == read.positions.tobytes()
    assert all(row.tobytes() == rows[actor].tobytes() for actor, row in fresh.rows(document, end).items())


def test_a_damaged_record_is_missing_and_never_an_error(tmp_path: Path) -> None:
    digest = "0" * 64
    writer = BakedWriter.open(tmp_path, digest)
    content = pack({"a": np.arange(5.0)})
    writer.append(FRAME, 0, content)
    with pytest.raises(EngineError, match="another program bakes"):
        BakedWriter.open(tmp_path, digest)
    writer.close()
    found = BakedFile(writer.file.path, digest)
    assert found.look()
    read = found.frame(0)
    assert read is not None
    assert unpack(read)["a"].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    data = bytearray(writer.file.path.read_bytes())
    data[-1] ^= 1
    writer.file.path.write_bytes(bytes(data))
    assert found.frame(0) is None


def test_water_that_would_be_no_number_is_stopped_with_its_last_sound_frame(folder: Path) -> None:
    document, evaluator = tank(), Evaluator()
    water_of(evaluator, document, 1)
    stage = evaluator.stage("water")
    assert isinstance(stage, WaterStage)
    simulation = stage.simulation(document, "tank")
    run = simulation.run_at(1)
    assert isinstance(run, WaterRun)
    run._state.u[:] = np.nan
    simulation._live = (1, run)
    kept = water_of(evaluator, document, 1)
    shown = water_of(evaluator, document, 4)
    assert np.isfinite(shown.positions).all()
    assert shown.positions is kept.positions
    (said,) = stage.said(document, "tank")
    assert "stopped at frame 1" in said
