"""scene_contents: actors of a document as they are seen, for formats that hold a whole scene.

Importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.document import Actor, Document
from engine.document.drafts import without_drafts
from engine.document.extent import stated_extent
from engine.document.motion import TICKS_PER_SECOND
from engine.formats.format import Contents, FileCamera, FileMesh, Options
from engine.formats.scene import Scene, Seen
from engine.formats.scene_losses import is_remeshed
from engine.queries.seen import seen_extent
from engine.runtime import progress
from engine.runtime.errors import UnwritableFile
from engine.systems import load, systems

MOST_TARGETS = 2000  # frames of a surface in one file
STILL = 1e-9  # [m], or of a direction: less is no motion


def scene_contents(document: Document, actors: Sequence[str]) -> Contents:
    """These actors, moved by all that they depend on: what is played, at the rate of the fastest samples, else of the
    document. Drafts are poses without motion: left out."""
    needed = {each.id for id in actors for each in document.with_all_that_hold(id).actors}
    kept = without_drafts(replace(document, actors=tuple(each for each in document.actors if each.id in needed)))
    layers = (layer for id in actors for layer in document.actor(id).layers if not layer.mute)
    rates = [layer.samples.rate for layer in layers if layer.samples is not None]
    start, end = seen_extent(kept)
    first, last = stated_extent(document) or (min(start, 0), end)
    rate = max(rates, key=lambda rate: rate[0] / rate[1], default=document.rate)
    return Contents(
        scene=Scene(document=kept, chosen=tuple(actors), seen=_evaluator, rate=rate, first=first, last=last)
    )


def surface_contents(path: Path, document: Document, actor: Actor, options: Options, *, moving: bool) -> Contents:
    """The surfaces of an actor that a system draws, as they are seen at the start, with `moving` in every frame, unless
    their triangles are others in each."""
    import numpy as np

    from engine.model.snapshot import LiquidSurface, SkinSurface

    scene = scene_contents(document, (actor.id,)).scene
    assert scene is not None, "it was just made"
    times = scene.times(path, options.rate, options.start, options.end)
    moving = moving and not is_remeshed(actor)
    if not moving:
        times = replace(times, numbers=times.numbers[:1])
    if len(times) > MOST_TARGETS:
        remedy = f"Write at a lower rate, or a part of it: at most {MOST_TARGETS:,} frames."
        raise UnwritableFile(path=path, found=f"a surface of {len(times):,} frames", remedy=remedy)
    seen, found, liquids = scene.seen(), dict[str, list[SkinSurface]](), list[LiquidSurface]()
    for place, time in enumerate(times):
        snapshot = seen.snapshot(scene.document, time)
        liquids += (each for each in snapshot.liquids if each.owner == actor.id)
        for each in snapshot.skins:
            if each.owner == actor.id:
                found.setdefault(each.skin, []).append(each)
        progress.report((place + 1) / len(times))
    seconds = np.array(list(times), dtype=np.float64) / TICKS_PER_SECOND
    surfaces = [
        FileMesh(
            name=actor.name if len(found) == 1 else f"{actor.name} {name}",
            positions=frames[0].positions.astype(np.float64),
            triangles=frames[0].triangles.astype(np.int32),
            normals=frames[0].normals.astype(np.float64),
            frames=np.stack([each.positions for each in frames]) if moving else None,
            times=seconds if moving else None,
        )
        for name, frames in found.items()
    ]
    for liquid in liquids:
        places, normals, faces = liquid.closed
        plain = places.astype(np.float64), normals.astype(np.float64)
        surfaces.append(FileMesh(name=actor.name, positions=plain[0], triangles=faces, normals=plain[1]))
    return Contents(surfaces=tuple(surfaces), rate=times.rate)


def camera_of(actor: Actor) -> FileCamera | None:
    """Say what a file holds of an actor that is a camera; None of any other."""
    found = (load(each.filmed)(actor) for each in systems() if each.filmed is not None)
    return next((each for each in found if each is not None), None)


def camera_contents(path: Path, document: Document, actor: Actor, options: Options) -> Contents:
    """A camera as it is seen in every frame, its lens as it is at the start."""
    import numpy as np

    from engine.model.snapshot import CameraView

    scene, camera = scene_contents(document, (actor.id,)).scene, camera_of(actor)
    assert scene is not None, "it was just made"
    assert camera is not None, "asked before"
    times, seen, views = scene.times(path, options.rate, options.start, options.end), scene.seen(), list[CameraView]()
    for place, time in enumerate(times):
        views += (each for each in seen.snapshot(scene.document, time, skins=False).cameras if each.owner == actor.id)
        progress.report((place + 1) / len(times))
    frames = np.stack([each.frame for each in views])
    if np.ptp(frames, axis=0).max() < STILL:
        frames = frames[:1]
    start = next(iter(times))
    found = replace(camera, frames=frames, rate=times.rate, start=start, focal=views[0].focal)
    return Contents(cameras=(found,), rate=times.rate)


def _evaluator() -> Seen:
    from engine.evaluate.evaluator import Evaluator

    return Evaluator()
