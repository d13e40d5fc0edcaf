"""Edits of selection sets. Whoever takes joints or actors away calls `drop_missing`, so that no set names them."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Document, SelectionSet
from engine.document.selection_sets import Chosen
from engine.document.validation import validate_sets
from engine.runtime.errors import InvalidDocument, UnknownPart


def add_selection_set(document: Document, *, selection_set: SelectionSet) -> Document:
    """Add a selection set at the end of the list."""
    if any(each.id == selection_set.id for each in document.selection_sets):
        allowed = "an id that is not yet in use"
        raise InvalidDocument(what="the id of the new selection set", value=selection_set.id, allowed=allowed)
    return _with_sets(document, (*document.selection_sets, selection_set))


def set_selection_set(document: Document, *, selection_set: str, items: tuple[Chosen, ...]) -> Document:
    """Put other items into a selection set."""
    return _changed(document, selection_set, items=items)


def rename_selection_set(document: Document, *, selection_set: str, name: str) -> Document:
    """Give a selection set another name; names need not be unique."""
    return _changed(document, selection_set, name=name)


def remove_selection_set(document: Document, *, selection_set: str) -> Document:
    """Forget a selection set; what it names stays."""
    gone = _find(document, selection_set)
    return _with_sets(document, tuple(each for each in document.selection_sets if each is not gone))


def drop_missing(document: Document) -> Document:
    """The document whose sets name only what is there; a set of which nothing is left goes."""
    kept = []
    for each in document.selection_sets:
        items = tuple(item for item in each.items if _is_there(document, item))
        if items:
            kept.append(each if len(items) == len(each.items) else replace(each, items=items))
    if len(kept) == len(document.selection_sets) and all(
        new is old for new, old in zip(kept, document.selection_sets, strict=True)
    ):
        return document
    return replace(document, selection_sets=tuple(kept))


def _is_there(document: Document, item: Chosen) -> bool:
    actor, joint = item
    return actor in document.actor_index and (joint is None or joint in document.actor(actor).figure.joint_index)


def _changed(document: Document, id: str, **fields: object) -> Document:
    old = _find(document, id)
    new = replace(old, **fields)  # type: ignore[arg-type]
    if new == old:
        return document
    return _with_sets(document, tuple(new if each is old else each for each in document.selection_sets))


def _with_sets(document: Document, sets: tuple[SelectionSet, ...]) -> Document:
    changed = replace(document, selection_sets=sets)
    validate_sets(changed)
    return changed


def _find(document: Document, id: str) -> SelectionSet:
    for each in document.selection_sets:
        if each.id == id:
            return each
    raise UnknownPart(kind="selection set", id=id, known=tuple(each.id for each in document.selection_sets))
