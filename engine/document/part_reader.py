"""Reading parts back from the texts that `engine.document.parts` writes; nothing unsound gets in."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Mapping
from enum import Enum
from hashlib import blake2b
from typing import cast

from engine.document.blobs import Blob
from engine.document.conformance import field_hints, field_tests, note_checked, refusal
from engine.document.document import Document
from engine.document.part_types import PART_TYPES
from engine.document.parts import Json, Part, children, field_names
from engine.runtime.errors import InvalidDocument

ReadBlob = Callable[[str, str, tuple[int, ...]], bytes | Blob]


def decode(value: Json) -> object:
    """The value that `encode` wrote."""
    return PartReader({}, _no_blob).read(value)


def decode_document(digest: str, texts: Mapping[str, str], blob: Callable[[str], bytes | Blob]) -> Document:
    """The document of that digest; every part and array is checked against the digest that names it.

    `blob` gives the bytes of an array, by digest, or the array itself.
    """
    return PartReader(texts, lambda digest, *_: blob(digest)).document(digest)


_NESTED = (list, dict)


class _Lost(Enum):
    """A stand-in for a value that could not be read where the rest is wanted nevertheless."""

    LOST = 0


class PartReader:
    """Reads plain values back; a part that stands in several places becomes one object, for all documents that one
    reader reads.

    `blob` gives an array, or its bytes, by digest, type of number and shape. What is not sound is refused; or, where
    `lost` is a list, it is named there and left out, if what it stands in can be without it.
    """

    def __init__(self, texts: Mapping[str, str], blob: ReadBlob, lost: list[str] | None = None) -> None:
        self._texts, self._blob, self._lost = texts, blob, lost
        self._done: dict[str, object] = {}
        self._whose: list[str] = []

    def know(self, document: Document) -> None:
        """Share the parts of a document that is here already."""
        waiting: list[object] = [document]
        while waiting:
            value = waiting.pop()
            if isinstance(value, Part | Blob):
                if value.digest in self._done:
                    continue
                self._done[value.digest] = value
            waiting += children(value)

    def document(self, digest: str) -> Document:
        """The document of that digest."""
        value = self.part(digest)
        if not isinstance(value, Document):
            raise InvalidDocument(what="the root part", value=type(value).__name__, allowed="a Document")
        return value

    def part(self, digest: str) -> object:
        """The part of that digest."""
        if digest not in self._done:
            self._done[digest] = self.read(_from_json(self._text(digest)))
        return self._done[digest]

    def read(self, value: Json, field: str = "") -> object:
        """The value that was written so, in a field of that name."""
        if isinstance(value, list):
            read = self.read if self._lost is None else self._try
            found = [read(each, field) if type(each) in _NESTED else each for each in value]
            return tuple(each for each in found if each is not _Lost.LOST) if self._lost else tuple(found)
        if not isinstance(value, dict):
            return value
        if len(value) == 1 and "part" in value:
            return self.part(str(value["part"]))
        if "blob" in value:
            return self._read_blob(value)
        type_name = value.get("type")
        kind = PART_TYPES.get(type_name) if isinstance(type_name, str) else None
        if kind is None:
            raise InvalidDocument(what="a part's type", value=type_name, allowed=", ".join(PART_TYPES))
        if self._lost is None:
            return self._make(kind, value)
        name = value.get("name", value.get("coordinate", getattr(kind, "name", "")))
        self._whose.append(f"{kind.__name__} {name!s:.60}".strip())
        try:
            return self._make(kind, value)
        finally:
            self._whose.pop()

    def _text(self, digest: str) -> str:
        text = self._texts.get(digest)
        if not isinstance(text, str):
            raise InvalidDocument(what="a part", value=digest, allowed="a part that the file holds")
        found = blake2b(text.encode(), digest_size=32).hexdigest()
        if found != digest:
            raise InvalidDocument(what=f"the content of part {digest[:12]}", value=found, allowed="its own digest")
        return text

    def _read_blob(self, value: dict[str, Json]) -> Blob:
        digest, numbers, shape, data = (value.get(each) for each in ("blob", "numbers", "shape", "data"))
        if not (isinstance(digest, str) and isinstance(numbers, str) and isinstance(data, str | None)):
            raise InvalidDocument(what="an array", value=value, allowed="its digest and the type of its numbers")
        if not isinstance(shape, list) or not all(type(each) is int for each in shape):
            raise InvalidDocument(what="the shape of an array", value=shape, allowed="whole numbers")
        if digest not in self._done:
            lengths = tuple(cast(list[int], shape))
            content = self._blob(digest, numbers, lengths) if data is None else _from_base64(data)
            blob = content if isinstance(content, Blob) else Blob.from_data(content, numbers, lengths)
            if blob.digest != digest:
                raise InvalidDocument(
                    what=f"the content of array {digest[:12]}", value=blob.digest, allowed="its own digest"
                )
            self._done[digest] = blob
        return cast(Blob, self._done[digest])

    def _make(self, kind: type, value: dict[str, Json]) -> object:
        arguments, tests = {}, field_tests(kind)
        read = self.read if self._lost is None else self._try
        for name, each in value.items():
            found = read(each, name) if type(each) in _NESTED else each
            if name == "type" or found is _Lost.LOST:
                continue
            test = tests.get(name)
            if test is not None and test(found):
                arguments[name] = found
            else:
                self._lose(name, _misfit(kind, name, found))
        try:
            made: object = kind(**arguments)
        except (TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise InvalidDocument(what=f"a {kind.__name__}", value=str(error), allowed="all of its fields") from error
        note_checked(made)
        return made

    def _try(self, value: Json, field: str) -> object:
        if self._lost is None:
            return self.read(value, field)
        before = len(self._lost)
        try:
            return self.read(value, field)
        except (InvalidDocument, ValueError, RecursionError) as error:
            del self._lost[before:]  # what stood in it is lost with it
            self._lose(field, error)
            return _Lost.LOST

    def _lose(self, field: str, error: Exception) -> None:
        if self._lost is None:
            raise error
        whose = self._whose[1:] or self._whose  # all stands in the document
        self._lost.append(f"{field} of {' of '.join(reversed(whose))}")


def _misfit(kind: type, name: str, value: object) -> InvalidDocument:
    """The error for a value that a part cannot have in a field, or for a field that it does not have."""
    if name not in field_names(kind):
        allowed = ", ".join(field_names(kind))
        return InvalidDocument(what=f"a field of {kind.__name__}", value=[name], allowed=allowed)
    return refusal(f"the {name} of a {kind.__name__}", value, field_hints(kind)[name])


def _from_base64(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError as error:
        raise InvalidDocument(what="the bytes of an array", value=text[:40], allowed="base 64") from error


def _no_blob(digest: str, type: str, shape: tuple[int, ...]) -> bytes:
    raise InvalidDocument(what="an array", value=digest, allowed="one written with its bytes")


def _refuse_constant(name: str) -> None:
    raise InvalidDocument(what="a number", value=name, allowed="finite numbers")


_from_json: Callable[[str], Json] = json.JSONDecoder(parse_constant=_refuse_constant).decode
