"""Parts: content digests and the plain text form that files and digests share.

A part's text is canonical JSON: its type, then its fields, nested parts replaced by their digests. The digest of a
part is the BLAKE2b-256 of that text, so equal content has one digest in every process and on every machine, and a
file stores each part once (`encode_document` gives the texts, `decode_document` the value back).
Dataclasses here that are not parts (a `Dof`, a `Shape`) are written inline.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast

from engine.document.conformance import conforms, field_hints
from engine.runtime.errors import InvalidDocument

if TYPE_CHECKING:
    from engine.document.document import Document

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


class Part:
    """A frozen dataclass with a digest of its content, computed once and kept with the object."""

    @cached_property
    def text(self) -> str:
        """Canonical JSON of this part, nested parts by digest."""
        return json.dumps(_plain(self, whole=False), separators=(",", ":"), ensure_ascii=False, allow_nan=False)

    @cached_property
    def digest(self) -> str:
        """64 hexadecimal digits."""
        return blake2b(self.text.encode(), digest_size=32).hexdigest()


def encode(value: object) -> Json:
    """A plain JSON value for an argument of an Edit: parts are written whole."""
    return _plain(value, whole=True)


def encode_document(document: Document) -> dict[str, str]:
    """Every part of the document by digest, the document's own text last."""
    texts: dict[str, str] = {}
    _gather(document, texts)
    return texts


def decode(value: Json, parts: Mapping[str, str] | None = None) -> object:
    """The value that `encode` wrote, or one whose nested parts stand by digest in `parts`."""
    return _Reader(parts or {}).read(value)


def decode_document(digest: str, parts: Mapping[str, str]) -> Document:
    """The document of that digest; every part is checked against the digest that names it."""
    from engine.document.document import Document

    value = _Reader(parts).part(digest)
    if not isinstance(value, Document):
        raise InvalidDocument(what="the root part", value=type(value).__name__, allowed="a Document")
    return value


@cache
def part_types() -> dict[str, type]:
    """Every class that may stand in a file, by name: an explicit list, since files must never name code."""
    from engine.document import actor, document, figure, shapes

    listed: tuple[type, ...] = (
        document.Document,
        actor.Actor,
        actor.Placement,
        actor.PoseLayer,
        actor.Prop,
        figure.Figure,
        figure.Joint,
        figure.Dof,
        shapes.Box,
        shapes.Capsule,
        shapes.Ellipsoid,
        shapes.Loft,
        shapes.Section,
    )
    return {each.__name__: each for each in listed}


def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def _children(value: object) -> Iterator[object]:
    if isinstance(value, tuple):
        yield from value
    elif is_dataclass(value):
        for name in _field_names(value):
            yield getattr(value, name)


def _gather(value: object, texts: dict[str, str]) -> None:
    if isinstance(value, Part) and value.digest in texts:
        return
    for child in _children(value):
        if isinstance(child, tuple) or is_dataclass(child):
            _gather(child, texts)
    if isinstance(value, Part):
        texts[value.digest] = value.text


def _plain(value: object, *, whole: bool, nested: bool = False) -> Json:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple):
        return [_plain(each, whole=whole, nested=True) for each in value]
    if isinstance(value, Part) and nested and not whole:
        return {"part": value.digest}
    if is_dataclass(value) and type(value).__name__ in part_types():
        plain: dict[str, Json] = {"type": type(value).__name__}
        for name in _field_names(value):
            plain[name] = _plain(getattr(value, name), whole=whole, nested=True)
        return plain
    raise InvalidDocument(what="a value", value=value, allowed="numbers, text, tuples and the parts of a document")


class _Reader:
    """Reads plain values back; a part that stands in several places becomes one object."""

    def __init__(self, parts: Mapping[str, str]) -> None:
        self._parts = parts
        self._done: dict[str, object] = {}

    def part(self, digest: str) -> object:
        if digest not in self._done:
            text = self._parts.get(digest)
            if not isinstance(text, str):
                raise InvalidDocument(what="a part", value=digest, allowed="a part that the file holds")
            found = blake2b(text.encode(), digest_size=32).hexdigest()
            if found != digest:
                raise InvalidDocument(what=f"the content of part {digest[:12]}", value=found, allowed="its own digest")
            self._done[digest] = self.read(cast(Json, json.loads(text)))
        return self._done[digest]

    def read(self, value: Json) -> object:
        if isinstance(value, list):
            return tuple(self.read(each) for each in value)
        if not isinstance(value, dict):
            return value
        if set(value) == {"part"}:
            return self.part(str(value["part"]))
        kind = part_types().get(str(value.get("type")))
        if kind is None:
            raise InvalidDocument(what="a part's type", value=value.get("type"), allowed=", ".join(part_types()))
        arguments = {name: self.read(each) for name, each in value.items() if name != "type"}
        unknown = set(arguments) - set(_field_names(kind))
        if unknown:
            raise InvalidDocument(
                what=f"a field of {kind.__name__}", value=sorted(unknown), allowed=", ".join(_field_names(kind))
            )
        for name, each in arguments.items():
            if not conforms(each, field_hints(kind)[name]):
                raise InvalidDocument(
                    what=f"the {name} of a {kind.__name__}", value=each, allowed=str(field_hints(kind)[name])
                )
        try:
            return kind(**arguments)
        except TypeError as error:
            raise InvalidDocument(what=f"a {kind.__name__}", value=str(error), allowed="all of its fields") from error
