"""Blobs: arrays inside a document, read-only and named by a digest of their bytes, shape and type.

A part's text holds the digest only; the bytes are stored once, beside the texts. An array that ships with Sinew is
brought in when it is first asked for, and no file stores it. numpy is loaded with the first array, not with this
module: the window is painted before it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from engine.runtime.errors import InvalidDocument

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

TYPES = ("<f8", "<f4", "<i4", "<i8", "|u1")


class Blob:
    """A read-only array; equal when its content is."""

    ships = False  # whether Sinew brings it along, so that no file need hold it

    def __init__(self, array: ArrayLike, *, copy: bool = True) -> None:
        """Without a copy an array that nobody else holds is taken as it is, if its rows stand one after the other."""
        import numpy as np

        self.array = found = np.array(array, order="C") if copy else np.asarray(array, order="C")
        self.shape: tuple[int, ...] = found.shape
        if self.type not in TYPES:
            raise InvalidDocument(what="the type of an array", value=found.dtype.str, allowed=", ".join(TYPES))
        if found.dtype.kind == "f" and not np.isfinite(found).all():
            raise InvalidDocument(what="an array", value="with numbers that are not finite", allowed="finite numbers")
        found.flags.writeable = False

    @cached_property
    def array(self) -> NDArray[Any]:
        """The numbers, read-only."""
        return self._brought().array

    def _brought(self) -> Blob:
        return self

    @cached_property
    def digest(self) -> str:
        """64 hexadecimal digits."""
        content = blake2b(f"{self.type} {self.shape} ".encode(), digest_size=32)
        content.update(self.data)
        return content.hexdigest()

    @cached_property
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
        return f"Blob({self.digest[:12]}, {self.type}, {self.shape})"


class ShippedBlob(Blob):
    """An array that Sinew brings along, named before it is read; `read` gives it."""

    ships = True

    def __init__(self, digest: str, type: str, shape: tuple[int, ...], read: Callable[[], Blob]) -> None:
        self.digest, self.type, self.shape = digest, type, shape
        self._read = read

    def _brought(self) -> Blob:
        """Read now; refused when it is not the one that was named."""
        found = self._read()
        if found.digest != self.digest:
            raise InvalidDocument(
                what=f"the content of array {self.digest[:12]}", value=found.digest, allowed="its own digest"
            )
        return found
