"""The command `retarget MOTION FIGURE OUT` of `python -m engine`: a motion from a file for another figure.

What is carried over is the keyed motion. How the body followed it there, its targets and the correction that met them
are of that figure's masses and gains: they are left out, and that is said.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from engine.commands.bring_in import bring_in, read_contents
from engine.document import Actor, Document, Figure, Layer
from engine.document.extent import layer_extent
from engine.document.values import new_id
from engine.formats.figure_toml import load_figure
from engine.formats.format import Contents, Options
from engine.formats.table import by_suffix
from engine.ik.retarget import Retarget, Retargeting
from engine.long.scenes import scene_contents
from engine.runtime.errors import UnreadableFile, UnwritableFile

_RATE = (60, 1)  # of keyed motions, which have none


def retarget_file(motion: Path, figure: str, out: Path, *, reference: int | None = None) -> None:
    """Write the motion as one of the figure (the name of one that ships, or a file); says on standard error what
    joint follows what, and what the format leaves out."""
    format = by_suffix(out)
    if format is None or format.write is None or format.kind not in ("document", "motion"):
        found = f"no format of motions that Sinew writes ends in {out.suffix or 'nothing'!r}"
        raise UnwritableFile(path=out, found=found, remedy="It writes .sinew, .motion.toml, .bvh and others.")
    source, layers, lost = _motion(motion)
    target = _figure(figure)
    extents = [extent for extent in map(layer_extent, layers) if extent is not None]
    samples = next((layer.samples for layer in layers if layer.samples is not None), None)
    rate = _RATE if samples is None else samples.rate
    retargeting = Retargeting(
        source,
        layers,
        target,
        rate=rate,
        start=min(start for start, _ in extents),
        end=max(end for _, end in extents),
        options=Retarget(reference=reference),
    )
    print(retargeting.joints.text, file=sys.stderr)
    held = f"{len(retargeting.contacts)} contacts, scale {retargeting.scale:.4g}"
    print(f"{retargeting.frame_count} frames, {held}", file=sys.stderr)
    layer = retargeting.layer(id=new_id("layer"))
    contents = Contents(figure=target, layers=(layer,), rate=rate)
    if format.kind == "document" or format.takes_scene:
        actor = Actor(id=new_id("figure"), name=target.name, figure=target, layers=(layer,))
        contents = Contents(document=Document(actors=(actor,)), rate=rate)
    if format.takes_scene and contents.document is not None:
        contents = scene_contents(contents.document, [actor.id])
    for each in (*lost, *(format.omits(contents) if format.omits is not None else ())):
        print(f"left out: {each}", file=sys.stderr)
    format.write(out, contents, Options())


def _motion(path: Path) -> tuple[Figure, tuple[Layer, ...], tuple[str, ...]]:
    """Read a motion: its figure, its layers, and what of it is not carried over."""
    found = bring_in(path)
    actors = found.document.actors if found.document is not None else (found.actor,)
    for actor in actors:
        figure = None if actor is None else actor.figure
        if actor is not None and figure is not None:
            layers = tuple(replace(layer, solo=False, correction=None) for layer in actor.layers)
            if any(layer_extent(layer) is not None for layer in layers):
                corrected = any(layer.correction is not None for layer in actor.layers)
                lost = ["corrections that meet targets"] if corrected else []
                lost += ["secondary motion with its targets"] if actor.secondary is not None else []
                return figure, layers, tuple(lost)
    raise UnreadableFile(path=path, found="no figure that moves", remedy="Choose a file with a motion.")


def _figure(name: str) -> Figure:
    path = Path(name)
    if not path.exists():
        return load_figure(name)
    figure = read_contents(path).figure
    if figure is None:
        raise UnreadableFile(path=path, found="no figure", remedy="Choose a file with a skeleton.")
    return figure
