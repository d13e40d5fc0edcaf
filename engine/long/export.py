"""export: write actors of a document as a file of any format, whole or not at all.

A format of one figure gets one file for each actor; their names are added where there are several. The actor's place
in the scene goes into the figure's root, so that every joint stands where it was seen; locks and what an actor hangs
on go into its motion (`engine.queries.seen`).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from engine.document import Actor, Document
from engine.document.extent import stated_extent
from engine.document.order import targets_of
from engine.document.validation import validate
from engine.edits.attachments import let_go
from engine.formats.format import Contents, Format, Options
from engine.formats.losses import listed
from engine.formats.scene_losses import has_surface, is_remeshed
from engine.formats.table import by_suffix, writers
from engine.long.scenes import camera_contents, camera_of, scene_contents, surface_contents
from engine.project import disk
from engine.project.own_folder import own_folder
from engine.queries.seen import is_constrained, is_more_than_layers, seen_extent, seen_gradually, standing
from engine.runtime import progress
from engine.runtime.errors import InvalidArguments, UnwritableFile

LONGEST_NAME = 40  # letters of an actor's name in that of its file
SAMPLED = 0.6  # the share of writing an actor that is done once its motion is worked out, where that is needed


def export(path: Path, document: Document, actors: Sequence[str], options: Options) -> tuple[Path, ...]:
    """Write the actors; the files that now hold them. A failure or a cancel leaves what stood there before."""
    format = writer_of(path)
    if format.takes_scene:
        assert format.write is not None, "it is a writer"
        format.write(path, scene_contents(document, actors), options)
        return (path,)
    if not path.parent.is_dir():
        raise UnwritableFile(path=path, found="there is no such folder", remedy="Choose a folder that is there.")
    if path.is_dir():
        raise UnwritableFile(path=path, found="it is a folder", remedy="Choose the name of a file.")
    parts = list(_parts(path, format, document, actors))
    try:
        with own_folder(path) as folder:
            for place, (name, contents, actor) in enumerate(parts):
                with progress.part(place / len(parts), (place + 1) / len(parts)):
                    _write(folder / name, format, document, contents, actor, options)
            return _move(folder, path)
    except UnwritableFile as problem:
        raise UnwritableFile(path=path, found=problem.found, remedy=problem.remedy) from problem
    except OSError as problem:
        raise disk.unwritable(path, problem, at_work=False) from problem


def export_gradually(
    path: Path, document: Document, actors: Sequence[str], options: Options
) -> Generator[float, None, tuple[Path, ...]]:
    """Write actors to a file, in slices where the format is written so; yields the share that is done."""
    format = writer_of(path)
    if format.gradually is None:
        return export(path, document, actors, options)
    yield from format.gradually(path, scene_contents(document, actors), options)
    return (path,)


def writer_of(path: Path) -> Format:
    """The format that a file's name asks for; refused where Sinew does not write it."""
    format = by_suffix(path)
    if format is None or format.write is None:
        known = ", ".join(each.suffixes[0] for each in writers())
        found = f"no format that Sinew writes ends in {path.suffix or 'nothing'!r}"
        raise UnwritableFile(path=path, found=found, remedy=f"It writes {known}.")
    return format


def left_out(format: Format, document: Document, actors: Sequence[str]) -> tuple[str, ...]:
    """List what the format cannot carry of these actors, known before anything is written."""
    chosen = [document.actor(id) for id in actors]
    lost: list[str] = []
    for _, contents, _ in _parts(Path("export"), format, document, actors):
        lost += format.omits(contents) if format.omits is not None else ()
    if format.kind == "document":
        others = _others(chosen)
        lost += [f"what hangs on or holds on to actors that are not exported: {listed(others)}"] if others else []
        return tuple(dict.fromkeys(lost))
    hanging = [actor.name for actor in chosen if actor.attachments]
    if hanging:
        lost.append(f"{_hanging(format)}: {listed(hanging)}")
    drafted = [actor.name for actor in chosen if any(layer.drafts for layer in actor.layers)]
    if drafted:
        lost.append(f"working poses, which are not keyed: {listed(drafted)}")
    locked = [actor.name for actor in chosen if is_constrained(document, actor.id)]
    if locked:
        how = "pins, written as the motion that meets them" if _moves(format) else "pins"
        lost.append(f"{how}: {listed(locked)}")
    flowing = [actor.name for actor in chosen if is_remeshed(actor)]
    if flowing and (format.moves_surfaces or format.kind == "mesh"):
        how = "how surfaces move whose triangles are others in each frame, written as they are seen first"
        lost.append(f"{how}; USD text and OBJ sequences hold all of it: {listed(flowing)}")
    swinging = [actor.name for actor in chosen if actor.swings]
    if swinging:
        how = "secondary motion, written as the motion that is seen" if _moves(format) else "secondary motion"
        lost.append(f"{how}: {listed(swinging)}")
    return tuple(dict.fromkeys((*lost, *_of_the_scene(document, chosen))))


def _hanging(format: Format) -> str:
    """Describe what becomes of what hangs on other actors."""
    if format.takes_scene:
        return "what hangs on other actors, written as the motion that is seen"
    if _carries(format):
        return "what hangs on other actors, written as the motion of a joint above its root"
    return "what hangs on other actors stays at its own place"


def _of_the_scene(document: Document, chosen: Sequence[Actor]) -> Iterator[str]:
    """Name what belongs to no actor."""
    if document.sound is not None:
        yield "the sound"
    if document.references:
        yield f"pictures and videos in the views: {listed([each.name for each in document.references])}"
    kept = {actor.id for actor in chosen}
    sets = [each.name for each in document.selection_sets if any(actor in kept for actor, _ in each.items)]
    if sets:
        yield f"selection sets: {listed(sets)}"


def _moves(format: Format) -> bool:
    """Tell whether the format's files hold motion."""
    return format.kind in ("motion", "curves")


def _carries(format: Format) -> bool:
    """Tell whether the format's files hold a figure together with frames of its motion."""
    return format.kind == "motion" and "rate" in format.write_options


def _parts(
    path: Path, format: Format, document: Document, actors: Sequence[str]
) -> Iterator[tuple[str, Contents, Actor | None]]:
    """The name of each file and what it is to hold, its motion as the layers of the actor have it."""
    chosen = [document.actor(id) for id in actors]
    if not chosen:
        raise InvalidArguments(what="the actors to export", value=(), allowed="at least one")
    if format.kind == "document":
        yield path.name, Contents(document=_document_of(document, chosen)), None
        return
    if format.takes_scene:
        yield path.name, scene_contents(document, actors), None
        return
    suffix = next((each for each in format.suffixes if path.name.lower().endswith(each)), "")
    stem = path.name[: len(path.name) - len(suffix)]
    taken: set[str] = set()
    for actor in chosen:
        name = stem if len(chosen) == 1 else f"{stem}-{_plain(actor.name)}"
        while name.casefold() in taken:
            name += "_"
        taken.add(name.casefold())
        camera = camera_of(actor) if format.takes_cameras else None
        if camera is not None:
            yield f"{name}{suffix}", Contents(cameras=(camera,)), actor
            continue
        contents = Contents(
            figure=standing(actor), layers=actor.layers, parts=actor.parts, span=stated_extent(document)
        )
        yield f"{name}{suffix}", contents, actor


def _write(
    path: Path, format: Format, document: Document, contents: Contents, actor: Actor | None, options: Options
) -> None:
    """Write one file, of an actor as it is seen where its layers alone do not tell that."""
    assert format.write is not None, "it is a writer"
    share = 0.0
    if actor is not None and contents.cameras:
        share = SAMPLED
        with progress.part(0.0, share):
            contents = camera_contents(path, document, actor, options)
    elif actor is not None and has_surface(actor) and (format.moves_surfaces or format.kind == "mesh"):
        share = SAMPLED
        with progress.part(0.0, share):
            contents = surface_contents(path, document, actor, options, moving=format.moves_surfaces)
    elif actor is not None and _moves(format) and (actor.attachments or is_more_than_layers(document, actor.id)):
        share = SAMPLED
        with progress.part(0.0, share):
            contents = _as_seen(format, document, actor, options)
    with progress.part(share, 1.0):
        format.write(path, contents, _with_rate(options, document, contents))


def _as_seen(format: Format, document: Document, actor: Actor, options: Options) -> Contents:
    from engine.evaluate.evaluator import Evaluator

    if actor.attachments and not _carries(format):
        document = document.with_actor(replace(actor, attachments=()))
    span = stated_extent(document)
    if span is not None or options.start is not None or options.end is not None:
        span = options.span_of(span or seen_extent(document.with_all_that_hold(actor.id)))
    steps = seen_gradually(Evaluator(), document, actor.id, options.rate, span)
    while True:
        try:
            progress.report(next(steps))
        except StopIteration as stop:
            figure, layers = stop.value
            return Contents(figure=figure, layers=layers, span=span)


def _document_of(document: Document, chosen: Sequence[Actor]) -> Document:
    """These actors alone, hanging on nothing that is left behind."""
    kept = {actor.id for actor in chosen}
    sets = []
    for each in document.selection_sets:
        items = tuple(item for item in each.items if item[0] in kept)
        sets += [replace(each, items=items)] if items else []
    alone = let_go(replace(document, actors=tuple(chosen), selection_sets=tuple(sets)), lambda other, _: other in kept)
    validate(alone)
    return alone


def _others(chosen: Sequence[Actor]) -> list[str]:
    kept = {actor.id for actor in chosen}
    return [actor.name for actor in chosen if not kept.issuperset(targets_of(actor))]


def _with_rate(options: Options, document: Document, contents: Contents) -> Options:
    """Keys are written at the document's rate, samples at their own, unless another one is chosen."""
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
    new = []
    try:
        for made, place in sorted(files.items(), key=lambda each: each[1] == path):  # the one that may replace: last
            new += [] if place.exists() else [place]
            disk.replace(made, place)
    except OSError:
        for place in new:
            with suppress(OSError):
                disk.remove(place)
        raise
    disk.sync_folder(path.parent)
    return tuple(files.values())


def _plain(name: str) -> str:
    """A name that every file system takes."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name[:LONGEST_NAME]) or "actor"
