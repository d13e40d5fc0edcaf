"""scene_contents: actors of a document as they are seen, for formats that hold a whole scene.

Importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.document import Document
from engine.document.drafts import without_drafts
from engine.formats.format import Contents
from engine.formats.scene import Scene, Seen
from engine.queries.seen import seen_extent


def scene_contents(document: Document, actors: Sequence[str]) -> Contents:
    """These actors, moved by all that they depend on: what is played, at the rate of the fastest samples, else of the
    document. Drafts are poses without motion: left out."""
    needed = {each.id for id in actors for each in document.with_all_that_hold(id).actors}
    kept = without_drafts(replace(document, actors=tuple(each for each in document.actors if each.id in needed)))
    layers = (layer for id in actors for layer in document.actor(id).layers if not layer.mute)
    rates = [layer.samples.rate for layer in layers if layer.samples is not None]
    start, end = seen_extent(kept)
    first, last = (min(start, 0), end) if document.play is None else (document.play.start, document.play.end)
    rate = max(rates, key=lambda rate: rate[0] / rate[1], default=document.rate)
    return Contents(
        scene=Scene(document=kept, chosen=tuple(actors), seen=_evaluator, rate=rate, first=first, last=last)
    )


def _evaluator() -> Seen:
    from engine.evaluate.evaluator import Evaluator

    return Evaluator()
