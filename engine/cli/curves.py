"""curves: quantities of a scene against time as a file, without a window: the command `python -m engine curves`.

A quantity is written `KIND.COMPONENT:ACTOR.PART`, as in `velocity.y:human.hand_left` or `energy:human`; the kinds are
those of `engine.measure`, the component is x, y, z or length where there is one, and the part is a coordinate, a joint
or a handle, by its id. `ACTOR.PART` alone is the value of a coordinate. An actor is named as for `pose`; where none
is, as in `place.y:.spine`, it is the first figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from engine.commands.bring_in import bring_in
from engine.document import Actor, Document
from engine.document.extent import play_extent
from engine.document.motion import Rate
from engine.evaluate.evaluator import Evaluator
from engine.formats.format import Options
from engine.long.percent import Percent
from engine.measure import KINDS, Quantity
from engine.queries.naming import actor_named, ticks_of
from engine.queries.plots import PlotWanted, write_plot
from engine.runtime import progress


def write_curves(
    scene: Path,
    out: Path,
    names: Sequence[str],
    *,
    start: float | None = None,
    end: float | None = None,
    rate: Rate | None = None,
) -> None:
    """Write quantities of what a file holds, at every frame from one time to another [s]: of all that is played."""
    document = document_in(scene)
    document = document if rate is None else replace(document, rate=rate)
    wanted = plot_wanted(document, names, start=start, end=end)
    with progress.listening(Percent("measuring")):
        for share in write_plot(Evaluator(), out, document, wanted):
            progress.report(share)


def plot_wanted(document: Document, names: Sequence[str], *, start: float | None, end: float | None) -> PlotWanted:
    """Name quantities of a document, and the times [s] between which they are measured: all that is played."""
    first, last = play_extent(document)
    return PlotWanted(
        quantities=tuple(quantity_named(document, name) for name in names),
        first=first if start is None else ticks_of(start, "the start of the curves"),
        last=last if end is None else ticks_of(end, "the end of the curves"),
    )


def kind_lines() -> Iterator[str]:
    """The kinds of quantities, a line each."""
    for name, kind in KINDS.items():
        written = f"{name}.{'|'.join(kind.components)}" if kind.components else name
        yield f"{written:<34} [{kind.unit}] of a {kind.of}: {kind.note}"


def quantity_named(document: Document, name: str) -> Quantity:
    """The quantity that is written so."""
    what, colon, of = name.rpartition(":")
    kind, _, component = (what if colon else "value").partition(".")
    owner, _, part = of.partition(".")
    actor = actor_named(document, owner) if owner or not document.actors else _first(document)
    handles = {handle.id for handle in actor.figure.handles}
    is_handle = part in handles and part not in actor.figure.joint_index
    handle = is_handle and kind in KINDS and KINDS[kind].of == "point"
    return Quantity(kind=kind, actor=actor.id, part=part, handle=handle, component=component)


def _first(document: Document) -> Actor:
    """The first actor that is no prop, else the first."""
    return min(document.actors, key=lambda each: each.figure.is_prop)


def document_in(path: Path, options: Options | None = None) -> Document:
    """Read a file as a document; a motion in frames of its own."""
    found = bring_in(path, options)
    if found.document is not None:
        return found.document
    assert found.actor is not None, "a file brings a document or an actor"
    document = Document(actors=(found.actor, *found.props))
    return document if found.rate is None else replace(document, rate=found.rate)
