"""The command `water`: a tank is made, and its water baked where the window reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.__main__ import main
from engine.cli.water import bake_water, make_water
from engine.document import Document
from engine.formats import sinew
from engine.runtime.errors import InvalidArguments
from engine.water import bakes
from engine.water.uses import water_actors


def test_a_tank_is_made_baked_and_found_baked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bakes, "folder_of_bakes", lambda: tmp_path / "cache")
    project = tmp_path / "dam.sinew"
    make_water(project, begins="dam", size=(0.5, 0.5, 0.5), resolution=10.0, level=0.2)
    ((_, tank),) = water_actors(sinew.read(project))
    assert (tank.begins, tank.cells) == ("dam", (5, 5, 5))
    (line,) = bake_water(project, end=0.1)
    assert "4 frames, 4 of them worked out now" in line
    (line,) = bake_water(project, end=0.1)
    assert "4 frames, 0 of them worked out now" in line


def test_a_pond_and_a_stream_in_a_plane_are_made(tmp_path: Path) -> None:
    words = ["water", "make", str(tmp_path / "pond.sinew"), "--surface", "height_field", "--size", "3", "0.5", "2"]
    assert main([*words, "--stroke", "0.1", "--level", "0.2"]) == 0
    ((_, pond),) = water_actors(sinew.read(tmp_path / "pond.sinew"))
    assert (pond.cells, pond.is_height_field, pond.stroke) == ((60, 1, 40), True, 0.1)
    make_water(
        tmp_path / "plane.sinew", begins="still", size=(1.0, 0.5, 0.4), resolution=10.0, level=0.2, planar=True,
        current=0.3, ends="open",
    )  # fmt: skip
    ((_, plane),) = water_actors(sinew.read(tmp_path / "plane.sinew"))
    assert (plane.cells, plane.current, plane.ends) == ((10, 5, 1), 0.3, "open")


def test_a_project_without_water_is_refused(tmp_path: Path) -> None:
    sinew.write(tmp_path / "dry.sinew", Document())
    with pytest.raises(InvalidArguments, match="one with a tank of water"):
        bake_water(tmp_path / "dry.sinew")
