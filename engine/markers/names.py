"""Names of markers: capitals, white space and what stands before a colon (`Subject:LASI`) do not matter."""

from __future__ import annotations

from collections.abc import Iterable

from engine.document import Figure, Handle


def plain(name: str) -> str:
    """The part of a name that counts."""
    return "_".join(name.rpartition(":")[2].casefold().split())


def handles_by_name(figure: Figure) -> dict[str, Handle]:
    """The handles of a figure by their ids and names; a name goes before an id."""
    found = {plain(each.id): each for each in figure.handles}
    return found | {plain(each.name): each for each in figure.handles}


def pairs_of(labels: Iterable[str], figure: Figure) -> tuple[tuple[str, str | None], ...]:
    """Each marker with the name of its handle, None where the figure has none."""
    handles = handles_by_name(figure)
    found = ((label, handles.get(plain(label))) for label in labels)
    return tuple((label, None if handle is None else handle.name) for label, handle in found)
