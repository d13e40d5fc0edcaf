"""Joint limits of a figure that is hung up at another joint.

The hinges between the old root and the new one stay, in reverse order about the opposite axes, so that every angle is
what it was; a region of angles is the same. Samples are joined through the rotations that lie between them, which are
the inverses: their limits name the hinges in the reverse order. A cone or a polygon, which is about the joint's
rotation and not its inverse, becomes the field that it gave. Limits over a hinge of the old root go with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.document import Blob, Figure, Joint
from engine.document.limit import ConeRange, GridRange, Limit, PolygonRange, SampledRange
from engine.document.mirrored_limit import mapped_limit
from engine.edits.limits import hinged_limits


def turned_limits(figure: Figure, content: Figure, chain: Sequence[Joint]) -> tuple[Limit, ...]:
    """The limits of the rerooted figure; `chain` has the joints from the old root to the new one."""
    gone = {dof.id for dof in chain[0].dofs}
    turned = {dof.id for joint in chain[1:] for dof in joint.dofs}
    kept = (limit for limit in hinged_limits(content) if not gone.intersection(limit.dofs))
    return tuple(_turned(figure, limit) if turned.issuperset(limit.dofs) else limit for limit in kept)


def _turned(figure: Figure, limit: Limit) -> Limit:
    if isinstance(limit.range, ConeRange | PolygonRange):
        return _as_field(figure, limit)
    if not isinstance(limit.range, SampledRange) or figure.depends(limit):
        return limit
    size = len(limit.dofs)
    return mapped_limit(limit, limit.dofs[::-1], (1.0,) * size, order=range(size - 1, -1, -1))


def _as_field(figure: Figure, limit: Limit) -> Limit:
    """The limit with the distances that its field has, margin and strokes among them."""
    from engine.ik.regions import axes_of
    from engine.limits.field import compile_field

    values = compile_field(limit, axes_of(figure, limit)).values
    return replace(limit, range=GridRange(distances=Blob(values)), margin=0.0, strokes=())
