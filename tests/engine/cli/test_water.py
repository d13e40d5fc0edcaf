"""The command `water`: a tank is made, and its water baked where the window reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

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


def test_a_project_without_water_is_refused(tmp_path: Path) -> None:
    sinew.write(tmp_path / "dry.sinew", Document())
    with pytest.raises(InvalidArguments, match="one with a tank of water"):
        bake_water(tmp_path / "dry.sinew")
