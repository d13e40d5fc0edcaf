"""A random example of each edit of water."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engine.document import Document
from engine.edits import Edit, edit
from engine.water.making import tank_actor
from engine.water.parts import WaterTank
from engine.water.system import SYSTEM
from engine.water.uses import water_tank
from tests.engine.edits.examples import SECOND, new_id

WATER_EDITS = tuple(name for _, name, _ in SYSTEM.edits)
SMALL = WaterTank(size=(0.5, 0.5, 0.5), resolution=10.0, level=0.2, block_height=0.3, drop_height=0.2, drop_radius=0.1)


def water_edit(random: Random, name: str, document: Document) -> Edit:
    """Make an edit of that name, or one that has to come before it."""
    if name == "add_water_tank":
        return edit(name, actor=tank_actor(new_id(random), "Tank", SMALL))
    wet = [actor for actor in document.actors if water_tank(actor) is not None]
    actor = random.choice(wet or document.actors)
    if name == "put_water_tank" or water_tank(actor) is None:
        return edit("put_water_tank", actor=actor.id, tank=SMALL)
    return edit(name, actor=actor.id, **_EXAMPLES[name](random))


_EXAMPLES: dict[str, Callable[[Random], dict[str, Any]]] = {
    "remove_water_tank": lambda random: {},
    "set_water_tank": lambda random: {
        "resolution": random.choice((8.0, 10.0)), "step": 0.02, "start": random.randrange(9) * SECOND,
        "planar": random.random() < 0.2,
        "touches": random.random() < 0.5, "coupling": random.choice(("strong", "interleaved")),
    },
    "stretch_water_tank": lambda random: {
        "size": (random.choice((0.5, 0.7)), 0.6, 0.5), "move": (random.random(), 0.0, 0.0),
    },
    "shape_water": lambda random: {
        "begins": random.choice(("still", "dam", "drop", "wave")), "level": 0.2, "block_length": 0.2,
        "block_height": 0.3, "drop_radius": 0.1, "drop_height": 0.25, "wave_height": 0.1, "wave_length": 0.5,
    },
    "move_water": lambda random: {"stroke": random.choice((0.0, 0.1)), "period": 1.0, "current": 0.0, "ends": "closed"},
    "set_water": lambda random: {
        "density": 998.0, "viscosity": random.choice((0.001, 1.0)), "advection": "semi-lagrangian",
        "surface": random.choice(("level_set", "flip")), "spray": False, "keep_volume": random.random() < 0.5,
    },
    "show_water": lambda random: {
        "slice": random.choice(("none", "speed", "pressure")), "slice_place": random.random(), "arrows": True,
        "shown": random.choice(("pseudo", "raw", "both")),
    },
}  # fmt: skip
