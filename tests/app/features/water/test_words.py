"""What the dock says of a tank."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.features.water.words import CALM, NO_TANK, NO_TANKS, about
from engine.water.making import tank_actor
from engine.water.parts import WaterTank


@pytest.mark.parametrize("moving", [{"begins": "dam"}, {"stroke": 0.2}, {"current": 0.5}])
def test_calm_water_alone_is_told_apart_from_water_that_moves(moving: dict[str, str | float]) -> None:
    tank = WaterTank()
    owner = tank_actor("tank", "Tank", tank)
    assert about(owner, tank, any_tank=True, alone=True) == CALM
    assert about(owner, replace(tank, current=0.5, ends="open"), any_tank=True, alone=True) == CALM
    assert "moves from there" in about(owner, tank, any_tank=True, alone=False)
    changed = replace(tank, **moving)  # type: ignore[arg-type]
    assert "moves from there" in about(owner, changed, any_tank=True, alone=True)
    assert about(None, None, any_tank=True) == NO_TANK
    assert about(None, None, any_tank=False) == NO_TANKS
