"""needs: which purposes of kernels a document's pictures and drags use beside posing by hand, by the names in WARM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.document import Actor, Document
from engine.measure import KINDS
from engine.systems import load, systems

if TYPE_CHECKING:
    from engine.queries.plots import PlotWanted


def needs_of(document: Document) -> frozenset[str]:
    """Names of the purposes whose kernels run when the document is shown, or when something of it is dragged."""
    used = {name for name, is_used in _USED.items() if any(map(is_used, document.actors))}
    for each in systems():
        if each.kernels is not None and not each.kernels.on_request and load(each.uses)(document, document.actors):
            used.add(each.kernels.name)
    return frozenset(used)


def needs_of_plot(wanted: PlotWanted) -> frozenset[str]:
    """Names of those that what is plotted uses beside the document's: forces are found by inverse dynamics."""
    return frozenset({"dynamics"} if any(KINDS[each.kind].of_forces for each in wanted.quantities) else ())


def _plays(actor: Actor) -> bool:
    moves = (layer.tracks or layer.samples is not None or layer.correction is not None for layer in actor.layers)
    return any(moves) or any(lock.tracks for lock in actor.locks)


_USED = {
    "playing": _plays,
    "driven": lambda actor: bool(actor.figure.driven),
    "limits": lambda actor: bool(actor.figure.limits_on),
}
