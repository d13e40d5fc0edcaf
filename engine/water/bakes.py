"""Bakes of water: where they lie, which one a tank has, and how one is made."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.document import Document
from engine.document.drafts import without_drafts
from engine.runtime.errors import EngineError, UnwritableFile
from engine.runtime.folders import writable_cache
from engine.water.baked_file import FOLDER, FRAME, STATE, SUFFIX, BakedFile, BakedWriter, prune, remove
from engine.water.compile import bake_digest
from engine.water.moments import pack, pack_moment

if TYPE_CHECKING:
    from engine.water.simulation import WaterSimulation

STATES = 24  # frames between two states in a file
EASE = 0.15  # of the first frames, which tell little of how long others take


@dataclass(frozen=True)
class Baked:
    """How far a bake is."""

    done: int  # frames that are there
    frames: int  # that are wanted
    made: int  # worked out by this process
    path: Path

    @property
    def share(self) -> float:
        """Of all that is wanted, 0 to 1."""
        return self.done / self.frames


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


def bake(simulation: WaterSimulation, end: int) -> Generator[Baked, None, Baked]:
    """Keep the frames of a tank up to a tick on the disk, going on where an earlier bake was left; yields how far it is
    after each frame."""
    folder = folder_of_bakes()
    found = simulation.baked
    if folder is None or found is None:
        raise UnwritableFile(path="the cache folder", found="it cannot be written", remedy="Make room for it.")
    count, made = simulation.frame_of(end) + 1, 0
    writer = BakedWriter.open(folder, found.digest)
    try:
        done = len(writer.file.frames)
        yield Baked(min(done, count), count, 0, writer.file.path)
        run = None
        if done < count:
            run = simulation.run_at(max(done - 1, 0))
        for frame in range(done, count):
            assert run is not None, "there is something to do"
            if frame > 0:
                for _ in simulation.step_on(run, frame - 1):
                    pass
            writer.append(FRAME, frame, pack_moment(run.moment()))
            if frame % STATES == 0:
                writer.append(STATE, frame, pack(run.save()))
            made += 1
            yield Baked(frame + 1, count, made, writer.file.path)
    except EngineError:
        raise
    finally:
        writer.close()
        prune(folder)
    return Baked(count, count, made, writer.file.path)
