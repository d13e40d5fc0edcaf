"""Water in the library: a tank is made, its surface seen and its volume measured."""

from __future__ import annotations

import pytest

import sinew


def test_a_tank_is_made_seen_and_measured() -> None:
    dam = sinew.water_tank("dam", size=(0.5, 0.5, 0.5), resolution=10.0, level=0.1, block_length=0.2, block_height=0.3)
    first, _ = sinew.surface(dam, 0.0)
    places, triangles = sinew.surface(dam, 0.1)
    assert places.shape[1] == triangles.shape[1] == 3
    assert places[:, 0].max() >= first[:, 0].max()
    two = sinew.water_tank("still", scene=dam, name="Pool", position=(2.0, 0.0, 0.0), level=0.4)
    assert [each.name for each in two.actors] == ["Water tank", "Pool"]
    with pytest.raises(sinew.EngineError, match="the height of water"):
        sinew.water_tank("still", level=5.0)
