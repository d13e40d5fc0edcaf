"""Bakes of water: where they lie, which one a tank has, and how one is made."""

from __future__ import annotations

import math
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

from engine.document import Document
from engine.document.drafts import without_drafts
from engine.evaluation import BakeProgress
from engine.runtime.errors import Diverged, UnwritableFile
from engine.runtime.folders import writable_cache
from engine.runtime.quick_dataclass import dataclass
from engine.water.baked_file import FOLDER, FRAME, STATE, SUFFIX, BakedFile, BakedWriter, prune, remove
from engine.water.compile import bake_digest
from engine.water.moments import SUB_STEPS, pack, pack_moment
from engine.water.pace import FramePace
from engine.water.rehearsal import Rehearsal

if TYPE_CHECKING:
    from engine.water.compile import TankScene
    from engine.water.simulation import WaterSimulation

STATES = 24  # frames between two states in a file
CALMING = 1.6  # [s] in which water calms down in a tank a metre wide, with the root of the width


@dataclass(frozen=True)
class WaterBaked:
    """The end of a bake."""

    frames: int  # that are wanted
    made: int  # of them, worked out by this process
    path: Path


def folder_of_bakes() -> Path | None:
    """Give the folder in which bakes lie; None where nothing can be kept."""
    cache = writable_cache()
    return None if cache is None else cache / FOLDER


def find_bake(document: Document, actor: str) -> BakedFile | None:
    """Give the file that the bake of a tank has, or would have."""
    folder = folder_of_bakes()
    if folder is None:
        return None
    digest = bake_digest(document, actor)
    found = BakedFile(folder / f"{digest}{SUFFIX}", digest)
    found.look()
    return found


def remove_bake(document: Document, actor: str) -> bool:
    """Take the bake of a tank off the disk; tell whether it is gone."""
    found = find_bake(without_drafts(document), actor)
    return found is None or remove(found.path)


def bake_frames(simulation: WaterSimulation, end: int) -> Generator[BakeProgress, None, WaterBaked]:
    """Keep the frames of a tank up to a tick on the disk, going on where an earlier bake was left; yields how far it is
    after each sub-step."""
    folder, found = folder_of_bakes(), simulation.baked
    if folder is None or found is None:
        raise UnwritableFile(path="the cache folder", found="it cannot be written", remedy="Make room for it.")
    count = simulation.frame_of(end) + 1
    found.look()
    if all(frame in found.frames for frame in range(count)):
        return WaterBaked(count, 0, found.path)
    writer = BakedWriter.open(folder, found.digest)
    try:
        found.look()
        first = len(writer.file.frames)
        yield BakeProgress(first / count, None)
        pace = pace_of(simulation.scene, count - first)
        rehearsal = Rehearsal(simulation, first, count, pace)
        simulation.keep_states(STATES)
        run = None if simulation.alongside is not None else simulation.run_at(max(first - 1, 0))
        for frame in range(first, count):
            if run is None:
                for part in simulation.reach(simulation.tick(frame)):
                    yield BakeProgress((frame + part) / count, pace.left(frame - first + part))
            elif frame > 0:
                for part in simulation.steps_of(frame - 1, run):
                    yield BakeProgress((frame + part) / count, pace.left(frame - first + part))
            if simulation.stopped is not None:
                raise Diverged(what="the water of this tank", value=simulation.stopped[1])
            moment = simulation.moment(simulation.tick(frame)) if run is None else run.moment()
            pace.note(moment.numbers[SUB_STEPS] * simulation.scene.steps)
            writer.append(FRAME, frame, pack_moment(moment))
            if frame % STATES == 0:
                writer.append(STATE, frame, pack(simulation.state(frame) if run is None else run.save()))
            yield BakeProgress((frame + 1) / count, pace.left(frame - first + 1))
            for _ in rehearsal.when_worth(frame - first + 1):
                yield BakeProgress((frame + 1) / count, None)
    finally:
        writer.close()
        prune(folder)
    return WaterBaked(count, count - first, writer.file.path)


def pace_of(scene: TankScene, frames: int) -> FramePace:
    """Begin to guess how long frames of a tank take: without a wave maker and a current it calms down."""
    tank = scene.tank
    driven = scene.paddle is not None or tank.current != 0.0
    seconds = math.inf if driven else CALMING * math.sqrt(tank.size[0])
    return FramePace(frames, scene.steps, seconds * scene.rate[0] / scene.rate[1])
