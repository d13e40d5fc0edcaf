"""The box of a tank that is dragged: whole cells, the other side stays, water keeps air above it."""

from __future__ import annotations

import pytest

from app.features.water.view import stretched
from engine.water.parts import WaterTank

TANK = WaterTank(size=(1.0, 1.0, 1.0), resolution=10.0, level=0.5)


@pytest.mark.parametrize(
    ("handle", "by", "size", "move"),
    [
        ((0, 1), (0.23, 0.0, 0.0), (1.2, 1.0, 1.0), (0.1, 0.0, 0.0)),
        ((0, -1), (0.23, 0.0, 0.0), (0.8, 1.0, 1.0), (0.1, 0.0, 0.0)),
        ((2, -1), (0.0, 0.0, -0.5), (1.0, 1.0, 1.5), (0.0, 0.0, -0.25)),
        ((1, 1), (0.0, 0.3, 0.0), (1.0, 1.3, 1.0), (0.0, 0.0, 0.0)),
        ((1, 1), (0.0, -5.0, 0.0), (1.0, 0.6, 1.0), (0.0, 0.0, 0.0)),
        ((0, 1), (-5.0, 0.0, 0.0), (0.3, 1.0, 1.0), (-0.35, 0.0, 0.0)),
    ],
)
def test_a_side_goes_where_it_is_pulled(
    handle: tuple[int, int], by: tuple[float, float, float], size: tuple[float, ...], move: tuple[float, ...]
) -> None:
    found, moved = stretched(TANK, handle, by)
    assert found == pytest.approx(size)
    assert moved == pytest.approx(move)
