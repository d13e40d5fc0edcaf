"""Blobs: arrays inside a document, read-only and named by a digest of their bytes, shape and type.

A part's text holds the digest only; the bytes are stored once, beside the texts. An array that ships with Sinew is
brought in when it is first needed, and no file stores it. numpy is loaded with the first array, not with this
module: the window is painted before it.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from math import prod
from typing import TYPE_CHECKING, Any

from engine.document.conformance import LARGEST
from engine.runtime.errors import InvalidDocument
from engine.runtime.once import once

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

TYPES = ("<f8", "<f4", "<i4", "<i8", "|u1")


class Blob:
    """A read-only array; equal when its content is."""

    ships = False  # whether Sinew brings it along, so that no file need hold it
    shape: tuple[int, ...]
    _array: NDArray[Any] | None = None

    def __init__(self, array: ArrayLike, *, copy: bool = True) -> None:
        """Take an array; without a copy one that nobody else holds is taken as it is, if its rows stand one after the
        other."""
        import numpy as np

        self._array = found = np.array(array, order="C") if copy else np.asarray(array, order="C")
        self.shape = found.shape
        if self.type not in TYPES:
            raise InvalidDocument(what="the type of an array", value=found.dtype.str, allowed=", ".join(TYPES))
        if found.dtype.kind == "f" and found.size and not -LARGEST <= found.min() <= found.max() <= LARGEST:
            value, allowed = (
                "with numbers that are not finite or far too large",
                f"finite numbers of at most {LARGEST:g}",
            )
            raise InvalidDocument(what="an array", value=value, allowed=allowed)
        found.flags.writeable = False

    @property
    def array(self) -> NDArray[Any]:
        """The numbers, read-only."""
        if self._array is None:
            self._array = self._brought()
        return self._array

    @property
    def memory(self) -> tuple[int, int]:
        """The address of what holds the numbers in memory, and how many bytes that takes: none if they were not read,
        or are there anyway."""
        owner: Any = None if self.ships else self._array
        while (below := getattr(owner, "base", getattr(owner, "obj", None))) is not None:
            owner = below
        return id(self if owner is None else owner), 0 if owner is None else memoryview(owner).nbytes

    def _brought(self) -> NDArray[Any]:
        raise NotImplementedError

    def check(self, test: Callable[[NDArray[Any]], None]) -> None:
        """Have the content tested, now or as soon as it is here; `test` raises what is wrong."""
        test(self.array)

    @once
    def digest(self) -> str:
        """64 hexadecimal digits."""
        content = blake2b(f"{self.type} {self.shape} ".encode(), digest_size=32)
        content.update(self.raw)
        return content.hexdigest()

    @once
    def type(self) -> str:
        """Type of the numbers, little-endian."""
        return self.array.dtype.newbyteorder("<").str

    @property
    def raw(self) -> memoryview:
        """The bytes, little-endian, last index fastest, without a copy where there need be none."""
        return self.array.astype(self.type, copy=False).reshape(-1).view("u1").data

    @property
    def data(self) -> bytes:
        """The bytes as a value of their own."""
        return self.raw.tobytes()

    @classmethod
    def from_data(cls, data: bytes | NDArray[Any], type: str, shape: tuple[int, ...]) -> Blob:
        """The array that `data` holds, which nobody changes; refused when type, shape and length do not agree."""
        import numpy as np

        if length_of(type, shape) != len(data):
            raise InvalidDocument(what="an array", value=(type, shape, len(data)), allowed="type and shape that fit it")
        return cls(np.frombuffer(data, dtype=type).reshape(shape), copy=False)

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Blob):
            return NotImplemented
        return self is other or self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Blob({self.digest[:12]}, {self.type}, {self.shape})"


class LazyBlob(Blob):
    """An array that is named before it is read; `read` gives it."""

    def __init__(self, digest: str, type: str, shape: tuple[int, ...], read: Callable[[], Blob]) -> None:
        if length_of(type, shape) is None:
            raise InvalidDocument(what="an array", value=(type, shape), allowed=f"{', '.join(TYPES)} and its lengths")
        self.digest, self.type, self.shape = digest, type, shape
        self._read = read
        self._tests: list[Callable[[NDArray[Any]], None]] = []

    @property
    def is_here(self) -> bool:
        """True if it was read."""
        return self._array is not None

    def check(self, test: Callable[[NDArray[Any]], None]) -> None:
        """Tested as soon as it is read."""
        if self._array is None:
            self._tests.append(test)
        else:
            test(self._array)

    def _brought(self) -> NDArray[Any]:
        """Read now; refused when it is not the one that was named."""
        found = self._read()
        if found.digest != self.digest:
            raise InvalidDocument(
                what=f"the content of array {self.digest[:12]}", value=found.digest, allowed="its own digest"
            )
        for test in self._tests:
            test(found.array)
        return found.array


class ShippedBlob(LazyBlob):
    """An array that Sinew brings along."""

    ships = True


def length_of(type: str, shape: tuple[int, ...]) -> int | None:
    """Number of bytes; None for a type or a shape that no array has."""
    return int(type[-1]) * prod(shape) if type in TYPES and min(shape, default=0) >= 0 else None


def check_form(what: str, blob: Blob, type: str, shape: tuple[int, ...]) -> None:
    """Refuse an array of another type or shape."""
    if (blob.type, blob.shape) != (type, shape):
        raise InvalidDocument(what=what, value=(blob.type, blob.shape), allowed=f"{type} of shape {shape}")


def check_range(what: str, least: float, most: float, array: NDArray[Any]) -> None:
    """Refuse an array with numbers below the least or above the most."""
    if array.size and not least <= array.min() <= array.max() <= most:
        ends = (array.min().item(), array.max().item())
        raise InvalidDocument(what=what, value=ends, allowed=f"{least:g} to {most:g}")
