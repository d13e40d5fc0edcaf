"""The command `convert IN OUT` of `python -m engine`, for files of any format.

Of a scene actors are written as they are seen: layers, locks and what they hang on. Anything else is written as it was
read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.commands.bring_in import bring_in, read_contents
from engine.document import Document
from engine.formats.format import Contents, Format, Options
from engine.formats.losses import listed
from engine.long.export import export, left_out, writer_of
from engine.long.percent import Percent, say
from engine.queries.naming import actor_named
from engine.runtime import progress
from engine.runtime.errors import InvalidArguments, UnwritableFile


def convert(source: Path, target: Path, *, read: Options, write: Options, actors: Sequence[str] | None = None) -> None:
    """Write what one file holds as another; says on standard error what is lost, before it writes. Of a scene the
    actors that are named are written as they are seen, none named: all; None: the first figure, or all where the file
    holds whole scenes."""
    format = writer_of(target)
    if target.exists() and source.exists() and target.samefile(source):
        raise UnwritableFile(path=target, found="it is the file that is read", remedy="Choose another name.")
    if (write.start is not None or write.end is not None) and "start" not in format.write_options:
        allowed = f"none for {format.name}: it is for files that hold motion in frames"
        raise InvalidArguments(what="a range", value=target.name, allowed=allowed)
    say(f"reading {source}")
    with progress.listening(Percent("reading")):
        whole = format.kind == "document" or format.takes_scene
        contents = _as_document(source, read) if whole else read_contents(source, read)
    for note in contents.notes:
        say(f"note: {note}")
    if contents.document is not None and contents.document.actors:
        _convert_scene(contents.document, target, format, actors, write)
    elif actors is not None and contents.document is None:
        raise InvalidArguments(
            what="the actors to convert", value=", ".join(actors) or "all", allowed="those of a scene"
        )
    else:
        for lost in format.omits(contents) if format.omits is not None else ():
            say(f"left out: {lost}")
        say(f"writing {target}")
        assert format.write is not None, "it is a writer"
        with progress.listening(Percent("writing")):
            format.write(target, contents, write)
    say("done")


def _convert_scene(
    document: Document, target: Path, format: Format, actors: Sequence[str] | None, options: Options
) -> None:
    """Write actors of a scene as they are seen."""
    chosen = _chosen(document, format, actors)
    for lost in left_out(format, document, chosen):
        say(f"left out: {lost}")
    say(f"writing {target}")
    with progress.listening(Percent("writing")):
        written = export(target, document, chosen, options)
    for path in written if len(written) > 1 else ():
        say(f"wrote {path}")


def _chosen(document: Document, format: Format, actors: Sequence[str] | None) -> list[str]:
    if actors:
        return list(dict.fromkeys(actor_named(document, name).id for name in actors))
    if actors is not None or format.kind == "document" or format.takes_scene:
        return [actor.id for actor in document.actors]
    first = min(document.actors, key=lambda actor: actor.figure.is_prop)
    others = [actor.name for actor in document.actors if actor is not first]
    if others:
        say(f"note: only one figure is taken; not {listed(others)} (--actor NAME or --all tells which)")
    return [first.id]


def _as_document(source: Path, options: Options) -> Contents:
    found = bring_in(source, options)
    if found.document is not None:
        return Contents(document=found.document, rate=found.rate, notes=found.notes)
    actors = found.props if found.actor is None else (found.actor, *found.props)
    return Contents(document=Document(actors=actors), rate=found.rate, notes=found.notes)
