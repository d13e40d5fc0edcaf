"""needs: which purposes of kernels a document's pictures and drags use beside posing by hand, by the names in WARM."""

from __future__ import annotations

from engine.document import Actor, Document


def needs_of(document: Document) -> frozenset[str]:
    """Names of the purposes whose kernels run when the document is shown, or when something of it is dragged."""
    return frozenset(name for name, is_used in _USED.items() if any(map(is_used, document.actors)))


def _plays(actor: Actor) -> bool:
    return any(layer.tracks or layer.samples is not None or layer.correction is not None for layer in actor.layers)


_USED = {
    "playing": _plays,
    "locks": lambda actor: bool(actor.locks),
    "limits": lambda actor: bool(actor.figure.limits_on),
    "secondary": lambda actor: actor.swings,
}
