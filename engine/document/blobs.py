"""Blobs: arrays inside a document, read-only and named by a digest of their bytes, shape and type.

A part's text holds the digest only; the bytes are stored once, beside the texts. numpy is loaded with the first
array, not with this module: the window is painted before it.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from engine.runtime.errors import InvalidDocument

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

TYPES = ("<f8", "<f4", "<i4", "<i8")


class Blob:
    """A read-only array; equal when its content is."""

    __slots__ = ("__dict__", "array")

    def __init__(self, array: ArrayLike) -> None:
        import numpy as np

        self.array = np.array(array, order="C")
        if self.array.dtype.newbyteorder("<").str not in TYPES:
            raise InvalidDocument(what="the type of an array", value=self.array.dtype.str, allowed=", ".join(TYPES))
        if self.array.dtype.kind == "f" and not np.isfinite(self.array).all():
            raise InvalidDocument(what="an array", value="with numbers that are not finite", allowed="finite numbers")
        self.array.flags.writeable = False

    @cached_property
    def digest(self) -> str:
        """64 hexadecimal digits."""
        content = blake2b(f"{self.type} {self.array.shape} ".encode(), digest_size=32)
        content.update(self.data)
        return content.hexdigest()

    @property
    def type(self) -> str:
        """Type of the numbers, little-endian."""
        return self.array.dtype.newbyteorder("<").str

    @property
    def data(self) -> bytes:
        """The bytes, little-endian, last index fastest."""
        return self.array.astype(self.type, copy=False).tobytes()

    @classmethod
    def from_data(cls, data: bytes, type: str, shape: tuple[int, ...]) -> Blob:
        """The array that `data` holds; refused when type, shape and length do not agree."""
        import numpy as np

        if (
            type not in TYPES
            or min(shape, default=0) < 0
            or np.dtype(type).itemsize * int(np.prod(shape, dtype=object)) != len(data)
        ):
            raise InvalidDocument(what="an array", value=(type, shape, len(data)), allowed="type and shape that fit it")
        return cls(np.frombuffer(data, dtype=type).reshape(shape))

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Blob):
            return NotImplemented
        return self is other or self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Blob({self.digest[:12]}, {self.type}, {self.array.shape})"
