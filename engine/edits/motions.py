"""Motion put in the place of all that some layers do with some coordinates, as one change."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Document, Samples, Track
from engine.edits.find import check_coordinates, find_layer, with_layer
from engine.edits.spans import put_together, taken_apart
from engine.runtime.errors import InvalidDocument

Motions = tuple[tuple[str, str, tuple[str, ...], tuple[Track, ...], Samples | None], ...]


def put_motions(document: Document, *, parts: Motions) -> Document:
    """Put tracks and samples in the place of those that layers have for some coordinates; all else of them stays."""
    if not parts:
        raise InvalidDocument(what="the layers whose motion is put", value=parts, allowed="one or more")
    for actor, id, names, tracks, samples in parts:
        owner, figure, layer = find_layer(document, actor, id)
        given = (*(track.coordinate for track in tracks), *(() if samples is None else samples.coordinates))
        check_coordinates(figure, (*names, *given))
        strange = next((name for name in given if name not in names), None)
        if strange is not None:
            raise InvalidDocument(what="a coordinate of the motion put", value=strange, allowed=", ".join(names))
        own, others = taken_apart(figure, layer, frozenset(names))
        changed = put_together(figure, others, replace(own, tracks=tracks, samples=samples))
        if changed != layer:
            document = with_layer(document, owner, changed)
    return document
