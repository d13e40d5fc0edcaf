"""export: write actors of a document as a file of any format, whole or not at all.

A format of one figure gets one file for each actor; their names are added where there are several. The actor's place
in the scene goes into the figure's root, so that every joint stands where it was seen.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from engine.document import Actor, Document, Figure, Layer
from engine.document.frames import product
from engine.document.order import targets_of
from engine.document.validation import validate
from engine.document.values import Vector3
from engine.formats.format import Contents, Format, Options
from engine.formats.losses import listed
from engine.formats.table import by_suffix, writers
from engine.formats.turns import turned
from engine.jobs.lock_here import is_locked, locked_layers
from engine.runtime import progress
from engine.runtime.errors import InvalidArguments, UnwritableFile


def export(path: Path, document: Document, actors: Sequence[str], options: Options) -> tuple[Path, ...]:
    """Write the actors; the files that now hold them. A failure or a cancel leaves what stood there before."""
    format = by_suffix(path)
    if format is None or format.write is None:
        known = ", ".join(each.suffixes[0] for each in writers())
        found = f"no format that Sinew writes ends in {path.suffix or 'nothing'!r}"
        raise UnwritableFile(path=path, found=found, remedy=f"It writes {known}.")
    if not path.parent.is_dir():
        raise UnwritableFile(path=path, found="there is no such folder", remedy="Choose a folder that is there.")
    parts = list(_parts(path, format, document, actors, options))
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".sinew-") as folder:
            for place, (name, contents) in enumerate(parts):
                with progress.part(place / len(parts), (place + 1) / len(parts)):
                    format.write(Path(folder) / name, contents, _with_rate(options, document, contents))
            return _move(Path(folder), path)
    except UnwritableFile as problem:
        raise UnwritableFile(path=path, found=problem.found, remedy=problem.remedy) from problem
    except OSError as problem:
        found = problem.strerror or str(problem)
        raise UnwritableFile(path=path, found=found, remedy="Choose another name or folder.") from problem


def left_out(format: Format, document: Document, actors: Sequence[str]) -> tuple[str, ...]:
    """What the format cannot carry of these actors, known before anything is written."""
    chosen = [document.actor(id) for id in actors]
    lost: list[str] = []
    for _, contents in _parts(Path("export"), format, document, actors, None):
        lost += format.omits(contents) if format.omits is not None else ()
    others = _others(chosen)
    if format.kind == "document":
        lost += [f"what hangs on or holds on to actors that are not exported: {listed(others)}"] if others else []
    elif any(actor.attachments for actor in chosen):
        hanging = [actor.name for actor in chosen if actor.attachments]
        lost.append(f"what hangs on other actors stays at its own place: {listed(hanging)}")
    drafted = [actor.name for actor in chosen if any(layer.drafts for layer in actor.layers)]
    if drafted and format.kind != "document":
        lost.append(f"drafts, poses that are not keyed: {listed(drafted)}")
    locked = [actor.name for actor in chosen if is_locked(document, actor.id)]
    if locked and format.kind != "document":
        lost.append(f"locks, written as the motion that keeps them: {listed(locked)}")
    return tuple(dict.fromkeys(lost))


def _parts(
    path: Path, format: Format, document: Document, actors: Sequence[str], options: Options | None
) -> Iterator[tuple[str, Contents]]:
    """The name of each file and what it is to hold; without options locked motions are left as their layers."""
    chosen = [document.actor(id) for id in actors]
    if not chosen:
        raise InvalidArguments(what="the actors to export", value=(), allowed="at least one")
    if format.kind == "document":
        yield path.name, Contents(document=_document_of(document, chosen))
        return
    suffix = next((each for each in format.suffixes if path.name.lower().endswith(each)), "")
    stem = path.name[: len(path.name) - len(suffix)]
    taken: set[str] = set()
    for actor in chosen:
        name = stem if len(chosen) == 1 else f"{stem}-{_plain(actor.name)}"
        while name in taken:
            name += "_"
        taken.add(name)
        layers = actor.layers if options is None else _seen(document, actor, options)
        yield f"{name}{suffix}", Contents(figure=standing(actor), layers=layers)


def _seen(document: Document, actor: Actor, options: Options) -> tuple[Layer, ...]:
    """The layers, or, where locks have a part in the motion, the frames that are seen."""
    if not is_locked(document, actor.id):
        return actor.layers
    from engine.evaluate.evaluator import Evaluator

    return locked_layers(Evaluator(), document, actor.id, options.rate)


def standing(actor: Actor) -> Figure:
    """The actor's figure with its roots where they stand in the world; the same one if that changes nothing."""
    placement, figure = actor.placement, actor.figure
    if placement == type(placement)():
        return figure
    joints = (
        replace(
            joint,
            offset=_sum(placement.position, turned(placement.rotation, joint.offset)),
            rest=product(placement.rotation, joint.rest),
        )
        if joint.parent is None
        else joint
        for joint in figure.joints
    )
    return replace(figure, joints=tuple(joints))


def _document_of(document: Document, chosen: Sequence[Actor]) -> Document:
    """These actors alone, hanging on nothing that is left behind."""
    kept = {actor.id for actor in chosen}
    actors = (
        replace(
            actor,
            attachments=tuple(each for each in actor.attachments if each.target in kept),
            locks=tuple(each for each in actor.locks if each.target is None or each.target in kept),
        )
        for actor in chosen
    )
    alone = replace(document, actors=tuple(actors))
    validate(alone)
    return alone


def _others(chosen: Sequence[Actor]) -> list[str]:
    kept = {actor.id for actor in chosen}
    return [actor.name for actor in chosen if not kept.issuperset(targets_of(actor))]


def _with_rate(options: Options, document: Document, contents: Contents) -> Options:
    """Keys are written at the document's rate, samples at their own, unless another one was asked for."""
    if options.rate is None and all(layer.samples is None for layer in contents.layers):
        return replace(options, rate=document.rate)
    return options


def _move(folder: Path, path: Path) -> tuple[Path, ...]:
    """Put the files in their places. Only the one that was named may replace another file."""
    files = {each: path.parent / each.name for each in sorted(folder.iterdir())}
    for made, place in files.items():
        if place != path and place.exists() and place.read_bytes() != made.read_bytes():
            remedy = "Choose another name, or move that file away first."
            raise UnwritableFile(path=path, found=f"{place.name} would be overwritten", remedy=remedy)
    for made, place in files.items():
        os.replace(made, place)
    return tuple(files.values())


def _plain(name: str) -> str:
    """A name that every file system takes."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name) or "actor"


def _sum(a: Vector3, b: Vector3) -> Vector3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])
