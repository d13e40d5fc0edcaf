"""Edits of reference pictures."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Document, Reference
from engine.document.conformance import check_fields
from engine.runtime.errors import InvalidDocument, UnknownPart

_FIELDS = ("name", "facing", "size", "centre", "opacity", "in_front", "visible", "camera", "depth", "video")


def add_reference(document: Document, *, reference: Reference) -> Document:
    """Add a reference picture at the end of the list."""
    if any(each.id == reference.id for each in document.references):
        allowed = "an id that is not yet in use"
        raise InvalidDocument(what="the id of the new reference", value=reference.id, allowed=allowed)
    return replace(document, references=(*document.references, reference))


def set_reference(document: Document, *, reference: str, changes: tuple[tuple[str, object], ...]) -> Document:
    """Change fields of a reference, all but its picture and its id, each with its value."""
    old = _find(document, reference)
    for name, _ in changes:
        if name not in _FIELDS:
            raise InvalidDocument(what="what is to change of a reference", value=name, allowed=", ".join(_FIELDS))
    check_fields(Reference, changes, of=f"reference {old.name}")
    new = replace(old, **dict(changes))  # type: ignore[arg-type]
    if new == old:
        return document
    return replace(document, references=tuple(new if each is old else each for each in document.references))


def remove_reference(document: Document, *, reference: str) -> Document:
    """Take a reference picture away."""
    gone = _find(document, reference)
    return replace(document, references=tuple(each for each in document.references if each is not gone))


def _find(document: Document, id: str) -> Reference:
    for each in document.references:
        if each.id == id:
            return each
    raise UnknownPart(kind="reference", id=id, known=tuple(each.id for each in document.references))
