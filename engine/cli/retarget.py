"""The command `retarget MOTION FIGURE OUT` of `python -m engine`: a motion from a file for another figure.

What is carried over is the keyed motion. How the body followed it there, its targets and the correction that met them
are of that figure's masses and gains: they are left out, and that is said.
"""

from __future__ import annotations

import sys
from pathlib import Path

from engine.commands.bring_in import read_contents
from engine.commands.retarget import motion_of_file, read_pairs, span_of
from engine.document import Actor, Document, Figure
from engine.document.values import new_id
from engine.formats.figure_toml import load_figure
from engine.formats.format import Contents, Options
from engine.formats.table import by_suffix
from engine.ik.joint_map import map_of
from engine.ik.retarget import Retarget, Retargeting
from engine.long.scenes import scene_contents
from engine.runtime.errors import UnreadableFile, UnwritableFile


def retarget_file(
    motion: Path, figure: str, out: Path, *, reference: int | None = None, pairs: Path | None = None
) -> None:
    """Write the motion as one of the figure (the name of one that ships, or a file), its joints paired as a file says
    or as the names do; says on standard error what joint follows what, and what the format leaves out."""
    format = by_suffix(out)
    if format is None or format.write is None or format.kind not in ("document", "motion"):
        found = f"no format of motions that Sinew writes ends in {out.suffix or 'nothing'!r}"
        raise UnwritableFile(path=out, found=found, remedy="It writes .sinew, .motion.toml, .bvh and others.")
    source, layers, lost = motion_of_file(motion)
    target = _figure(figure)
    rate, start, end = span_of(layers)
    joints = None if pairs is None else map_of(source, target, read_pairs(pairs, source, target))
    options = Retarget(joints=joints, reference=reference)
    retargeting = Retargeting(source, layers, target, rate=rate, start=start, end=end, options=options)
    print(retargeting.joints.text, file=sys.stderr)
    layer = retargeting.layer(id=new_id("layer"))
    slide, sink = (1000.0 * each for each in retargeting.slip())
    held = f"{len(retargeting.contacts)} contacts that slide {slide:.2f} mm and sink {sink:.2f} mm at most"
    print(f"{retargeting.frame_count} frames, scale {retargeting.scale:.4g}, {held}", file=sys.stderr)
    contents = Contents(figure=target, layers=(layer,), rate=rate)
    if format.kind == "document" or format.takes_scene:
        actor = Actor(id=new_id("figure"), name=target.name, figure=target, layers=(layer,))
        contents = Contents(document=Document(actors=(actor,)), rate=rate)
    if format.takes_scene and contents.document is not None:
        contents = scene_contents(contents.document, [actor.id])
    for each in (*lost, *(format.omits(contents) if format.omits is not None else ())):
        print(f"left out: {each}", file=sys.stderr)
    format.write(out, contents, Options())


def _figure(name: str) -> Figure:
    path = Path(name)
    if not path.exists():
        return load_figure(name)
    figure = read_contents(path).figure
    if figure is None:
        raise UnreadableFile(path=path, found="no figure", remedy="Choose a file with a skeleton.")
    return figure
