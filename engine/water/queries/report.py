"""TankReport: how large a tank's grid is, what it takes, how its water does, and how much of it is baked.

Importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.document import Document
from engine.document.drafts import without_drafts
from engine.document.ticks import Rate
from engine.runtime.quick_dataclass import dataclass
from engine.water.parts import WaterTank
from engine.water.uses import water_tank

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

PER_CELL = 6e-7  # [s] that a sub-step takes for a cell, on two cores of a usual machine
PER_STEP, PER_COLUMN = 2e-4, 1e-7  # [s] that one of a height field takes, and for each column


@dataclass(frozen=True, kw_only=True)
class TankReport:
    """Numbers of a tank."""

    actor: str
    takes: float | None  # [s] that a frame takes; None: none was made yet
    volume: float | None  # [m3] at that time; None: it is not known yet
    first_volume: float | None  # [m3] at the start
    put_back: float  # [m3] by corrections, up to that time
    divergence: float  # that the last projection left
    force: float  # [N] on all that is in the water
    baked: int  # frames on the disk
    said: tuple[str, ...]  # what a person should know of it


def foreseen(tank: WaterTank, rate: Rate) -> float:
    """Guess how long a frame takes [s] before any was made: falling water crosses so many cells in it."""
    fall = math.sqrt(2.0 * 9.81 * max(tank.highest, 0.05))
    sub_steps = max(1.0, fall * rate[1] / rate[0] * tank.resolution)
    if tank.is_height_field:
        return sub_steps * (PER_STEP + math.prod(tank.cells) * PER_COLUMN)
    return math.prod(tank.cells) * sub_steps * PER_CELL


def report_tank(
    evaluator: Evaluation, document: Document, actor: str, time: int
) -> Generator[TankReport | None, None, None]:
    """Report on a tank as far as it is simulated already; nothing is stepped for it."""
    from engine.water.moments import DIVERGENCE, LOST, VOLUME
    from engine.water.stage import WaterStage

    stage = evaluator.stage("water")
    if actor not in document.actor_index or not isinstance(stage, WaterStage):
        return
    if water_tank(document.actor(actor)) is None:
        return
    said = stage.said(document, actor)
    simulation = stage.found(document, actor)
    if simulation is None:
        yield TankReport(
            actor=actor, takes=None, volume=None, first_volume=None, put_back=0.0, divergence=0.0, force=0.0,
            baked=0, said=said,
        )  # fmt: skip
        return
    if simulation.baked is not None:
        simulation.baked.look()
    first, now = simulation.known(0), simulation.known(simulation.frame_of(time))
    yield TankReport(
        actor=actor,
        takes=simulation.seconds,
        volume=None if now is None else float(now.numbers[VOLUME]),
        first_volume=None if first is None else float(first.numbers[VOLUME]),
        put_back=0.0 if now is None else float(now.numbers[LOST]),
        divergence=0.0 if now is None else float(now.numbers[DIVERGENCE]),
        force=0.0 if now is None else float((now.forces[:, :3].sum(axis=0) ** 2).sum() ** 0.5),
        baked=0 if simulation.baked is None else len(simulation.baked.frames),
        said=said,
    )


def remove_tank_bake(document: Document, actor: str) -> Generator[bool, None, None]:
    """Take the bake of a tank off the disk; yields whether it is gone."""
    from engine.water.bakes import remove_bake

    yield remove_bake(without_drafts(document), actor)
