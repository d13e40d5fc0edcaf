"""The command `water` of `python -m engine`: a scene with a tank, and the water of a project worked out ahead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.document import Document
from engine.document.extent import play_extent
from engine.document.values import Vector3
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.long.percent import Percent, say
from engine.queries.naming import ticks_of
from engine.runtime.errors import InvalidArguments
from engine.water.making import tank_actor
from engine.water.parts import WaterTank
from engine.water.uses import water_actors


def make_water(
    out: Path, *, begins: str, size: Vector3, resolution: float, level: float, **options: str | float | bool
) -> None:
    """Write a project in which a tank stands; a dam and a drop fill it as far as its size lets them. `options`: others
    of `WaterTank`, by name."""
    given: dict[str, Any] = dict(options)
    high = size[1]
    tank = WaterTank(
        begins=begins,
        size=size,
        resolution=resolution,
        level=0.0 if begins == "dam" else level,
        block_length=size[0] / 3.0,
        block_height=0.7 * high,
        drop_height=0.75 * high,
        drop_radius=0.15 * min(size),
        **given,
    )
    document = edit("add_water_tank", actor=tank_actor("tank", "Water tank", tank)).apply(Document())
    sinew.write(out, document)
    wide, tall, deep = tank.cells
    of = f"{wide} x {deep} columns" if tank.is_height_field else f"{wide} x {tall} x {deep} cells"
    say(f"{of}, {tank.bytes / 2**20:.0f} MB while it is computed")


def bake_water(project: Path, *, end: float | None = None) -> list[str]:
    """Bake the water of all tanks of a project, going on where earlier bakes were left; a line for each."""
    document, lines = sinew.read(project), []
    until = play_extent(document)[1] if end is None else ticks_of(end, "the end of a bake")
    stage = Evaluator().stage("water")
    for actor, _ in water_actors(document):
        tell, steps = Percent(f"baking {actor.name}"), stage.bake(document, actor.id, until)
        while True:
            try:
                tell(next(steps).share)
            except StopIteration as stop:
                found = stop.value
                lines.append(f"{found['path']}: {found['frames']} frames, {found['made']} of them worked out now")
                break
    if not lines:
        raise InvalidArguments(what="the project to bake", value=str(project), allowed="one with a tank of water")
    return lines
