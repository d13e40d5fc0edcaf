"""Time inserted into, and taken out of, all that actors do: their layers, locks and attachments, as one change.

A lock or an attachment whose span lies wholly in what is taken out goes with it; other spans follow with their ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.document import Actor, Document, Lock, Span
from engine.edits.layouts import deletion, insertion
from engine.edits.retime import lay_out, lay_out_span, lay_out_track
from engine.edits.stretches import Layout
from engine.runtime.errors import InvalidDocument


def insert_everywhere(
    document: Document, *, actors: tuple[str, ...], time: int, length: int, play: bool = False
) -> Document:
    """Hold actors still from a tick on for so many ticks; what comes after moves along, with `play` the range, too."""
    return _laid_out(document, actors, insertion(time, length), play=play)


def delete_everywhere(
    document: Document, *, actors: tuple[str, ...], start: int, end: int, play: bool = False
) -> Document:
    """Take a range out of the time of actors; what comes after moves up, with `play` the play range, too."""
    return _laid_out(document, actors, deletion(start, end), play=play)


def _laid_out(document: Document, actors: tuple[str, ...], layout: Layout, *, play: bool) -> Document:
    if not actors or len(set(actors)) != len(actors):
        raise InvalidDocument(what="the actors", value=actors, allowed="one or more, each once")
    for id in actors:
        old = document.actor(id)
        new = _actor(old, layout)
        if new != old:
            document = document.with_actor(new)
    span = _span(document.play, layout) if play else document.play
    return document if span == document.play else replace(document, play=span)


def _actor(actor: Actor, layout: Layout) -> Actor:
    layers = tuple(lay_out(actor.figure, each, layout) for each in actor.layers)
    hanging = tuple(
        replace(each, span=_span(each.span, layout)) for each in actor.attachments if not _goes(each.span, layout)
    )
    return replace(actor, layers=layers, locks=tuple(_locks(actor, layout)), attachments=hanging)


def _locks(actor: Actor, layout: Layout) -> Iterator[Lock]:
    for lock in actor.locks:
        if not _goes(lock.span, layout):
            tracks = (lay_out_track(track, layout) for track in lock.tracks)
            kept = tuple(track for track in tracks if track is not None)
            yield replace(lock, span=_span(lock.span, layout), tracks=kept)


def _span(span: Span | None, layout: Layout) -> Span | None:
    return None if _goes(span, layout) else lay_out_span(span, layout)


def _goes(span: Span | None, layout: Layout) -> bool:
    """Whether a span lies wholly in what is taken out."""
    return span is not None and layout.start <= span.start and span.end <= layout.source_end
