"""A glTF file opened: the GLB container, its buffers, and accessors as arrays.

After the Khronos Group's glTF 2.0 specification: sections 3.6 (buffers, views, accessors, sparse ones, normalised
integers) and 4.4 (GLB). Buffers come from the file itself, from `data:` URIs, or from files inside the folder of the
file; nothing else is opened. Every size is checked against the bytes that are there before an array is made.
"""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from engine.formats.binary import read_bytes
from engine.formats.gltf_json import JsonItem, parse
from engine.formats.text import LARGEST, shown
from engine.runtime.errors import UnreadableFile

MOST_NUMBERS = 100_000_000  # in all arrays of a file together

_JSON, _BIN = 0x4E4F534A, 0x004E4942
_TYPES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_NUMPY = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_BESIDE = "Put the file into the folder of the glTF file and name it there."
_UNDERSTOOD = ("KHR_mesh_quantization", "KHR_texture_transform", "KHR_lights_punctual")


class GltfFile:
    """The JSON of a file, and the arrays that it names."""

    def __init__(self, path: Path, data: bytes | None = None) -> None:
        """`data`: its bytes, where they were made of a file of another kind."""
        self.path = path
        data = read_bytes(path, "a glTF file") if data is None else data
        text, self._binary = _chunks(path, data) if data[:4] == b"glTF" else (data, None)
        self.root = parse(path, text)
        self._check_asset()
        self._buffers: dict[int, bytes] = {}
        self._arrays: dict[int, NDArray[np.float64]] = {}
        self._numbers = 0
        self._views = self.root.items("bufferViews")
        self._accessors = self.root.items("accessors")
        self._buffer_items = self.root.items("buffers")

    def array(self, owner: JsonItem, name: str, kinds: tuple[str, ...]) -> NDArray[np.float64]:
        """The accessor that `owner` names, as numbers of shape [count, components]; normalised integers divided."""
        index = owner.index(name, len(self._accessors))
        accessor = self._accessors[index]
        kind = accessor.text("type")
        if kind not in kinds:
            accessor.refuse(shown(kind), f"Write {' or '.join(kinds)}.", "type")
        if index not in self._arrays:
            self._arrays[index] = self._read(accessor, _TYPES[kind])
        return self._arrays[index]

    def _check_asset(self) -> None:
        asset = self.root.item("asset")
        version = asset.text("version") if asset is not None else ""
        if not version.startswith("2."):
            found = f"version {shown(version)}" if version else "no version"
            self.root.refuse(found, "Only glTF 2.0 is read: export the file again.", "asset.version")
        needed = self.root.texts("extensionsRequired")
        unknown = [each for each in needed if each not in _UNDERSTOOD and not each.startswith("KHR_materials_")]
        if unknown:
            found = f"what Sinew does not read: {', '.join(unknown[:4])}"
            self.root.refuse(found, "Export the file without compression or extensions.", "extensionsRequired")

    def _read(self, accessor: JsonItem, width: int) -> NDArray[np.float64]:
        code = accessor.whole("componentType")
        if code not in _NUMPY:
            accessor.refuse(str(code), f"Write one of {', '.join(map(str, _NUMPY))}.", "componentType")
        kind, count = np.dtype(_NUMPY[code]), accessor.whole("count", least=1)
        self._numbers += count * width
        if self._numbers > MOST_NUMBERS:
            accessor.refuse(f"more than {MOST_NUMBERS:,} numbers in the file", "Split it into smaller ones.", "count")
        padded = code < 5125 and kind.itemsize * width != 4 and accessor.text("type").startswith("MAT")
        if padded:
            accessor.refuse("matrices of small integers", "Write matrices as float.", "componentType")
        if accessor.has("bufferView"):
            values = self._elements(accessor, kind, count, width).astype(float)
        else:
            values = np.zeros((count, width))
        sparse = accessor.item("sparse")
        if sparse is not None:
            self._put_sparse(sparse, values, kind)
        if accessor.is_true("normalized") and kind.kind != "f":
            values = np.maximum(values / np.iinfo(kind).max, -1.0)
        if not (np.abs(values) <= LARGEST).all():
            accessor.refuse("numbers that are not finite or far too large", "Write finite numbers.")
        return values

    def _put_sparse(self, sparse: JsonItem, values: NDArray[np.float64], kind: np.dtype[np.generic]) -> None:
        count = sparse.whole("count", least=1, most=len(values))
        places, news = sparse.item("indices"), sparse.item("values")
        if places is None or news is None:
            sparse.refuse("no indices or no values", "Write both.")
        code = places.whole("componentType")
        if code not in (5121, 5123, 5125):
            places.refuse(str(code), "Write 5121, 5123 or 5125.", "componentType")
        indices = self._elements(places, np.dtype(_NUMPY[code]), count, 1).ravel().astype(int)
        if indices.max() >= len(values):
            places.refuse(f"{indices.max()} of {len(values)}", "Get the whole file.")
        values[indices] = self._elements(news, kind, count, values.shape[1])

    def _elements(self, owner: JsonItem, kind: np.dtype[np.generic], count: int, width: int) -> NDArray[np.generic]:
        """Read so many elements of a view, still in their own type."""
        view = self._views[owner.index("bufferView", len(self._views))]
        data = self._buffer(view)
        start, length = view.whole("byteOffset", 0), view.whole("byteLength", least=1)
        if start + length > len(data):
            view.refuse(f"bytes {start} to {start + length} of a buffer of {len(data)}", "Get the whole file.")
        size = kind.itemsize * width
        stride = view.whole("byteStride", size, least=size, most=4096) if view.has("byteStride") else size
        first = owner.whole("byteOffset", 0)
        if first + stride * (count - 1) + size > length:
            found = f"{count:,} elements of {stride} bytes in a view of {length:,}"
            owner.refuse(found, "Get the whole file, or correct the count.")
        block = np.ndarray((count, width), kind, data, start + first, (stride, kind.itemsize))
        return np.array(block)

    def _buffer(self, view: JsonItem) -> bytes:
        index = view.index("buffer", len(self._buffer_items))
        if index not in self._buffers:
            item = self._buffer_items[index]
            data, length = self._bytes(item, index), item.whole("byteLength", least=1)
            if len(data) < length:
                item.refuse(f"{len(data)} bytes where it states {length}", "Get the whole file.", "byteLength")
            self._buffers[index] = data
        return self._buffers[index]

    def _bytes(self, item: JsonItem, index: int) -> bytes:
        if not item.has("uri"):
            if index != 0 or self._binary is None:
                item.refuse("no uri", "A buffer without uri is the binary part of a GLB file.")
            return self._binary
        uri = item.text("uri")
        if uri.startswith("data:"):
            data = _unpacked(uri)
            if data is None:
                item.refuse("data that is no base64", "Get the whole file.", "uri")
            return data
        target = self._outside(item, uri)
        if target is None:
            item.refuse(f"no file {shown(uri)}", _BESIDE, "uri")
        return read_bytes(target, "the data of the glTF file")

    def image(self, item: JsonItem) -> bytes | None:
        """The bytes of a picture file: of a view, of the JSON itself, or of a file beside; None where they are not
        there."""
        if item.has("bufferView"):
            view = self._views[item.index("bufferView", len(self._views))]
            data, start = self._buffer(view), view.whole("byteOffset", 0)
            return data[start : start + view.whole("byteLength", least=1)]
        uri = item.text("uri")
        if uri.startswith("data:"):
            return _unpacked(uri)
        target = self._outside(item, uri) if uri else None
        try:
            return None if target is None else read_bytes(target, "a picture")
        except UnreadableFile:
            return None

    def _outside(self, item: JsonItem, uri: str) -> Path | None:
        """The file of that name in the folder of this one, or below it; None where there is none, refused elsewhere."""
        name, folder = unquote(uri), self.path.parent.resolve()
        if "\0" in name or "\\" in name or ":" in name.split("/")[0] or name.startswith("/"):
            item.refuse(f"{shown(uri)} leads out of the folder", _BESIDE, "uri")
        try:
            target = (folder / name).resolve()
            is_there = target.is_file()
        except (OSError, RuntimeError) as error:  # a name that no file has, a ring of links
            item.refuse(f"no file {shown(uri)} ({error.__class__.__name__})", _BESIDE, "uri")
        if not target.is_relative_to(folder):
            item.refuse(f"{shown(uri)} leads out of the folder", _BESIDE, "uri")
        return target if is_there else None


def _unpacked(uri: str) -> bytes | None:
    """The data of a `data:` URI."""
    head, _, body = uri.partition(",")
    try:
        return base64.b64decode(body, validate=True) if head.endswith(";base64") else unquote(body).encode("l1")
    except (binascii.Error, ValueError, UnicodeEncodeError):
        return None


def _chunks(path: Path, data: bytes) -> tuple[bytes, bytes | None]:
    """The JSON and the binary part of a GLB container."""
    remedy = "Get the whole file."
    version, length = (int.from_bytes(data[at : at + 4], "little") for at in (4, 8))
    if len(data) < 20 or version != 2:
        found = "the beginning of a GLB file" if len(data) < 20 else f"GLB version {version}"
        raise UnreadableFile(path=path, found=found, remedy="Only GLB version 2 is read.")
    if length > len(data):
        raise UnreadableFile(path=path, found=f"{len(data)} bytes where it states {length}", remedy=remedy)
    found_chunks: dict[int, bytes] = {}
    at = 12
    while at + 8 <= length:
        size, kind = (int.from_bytes(data[each : each + 4], "little") for each in (at, at + 4))
        if at + 8 + size > length:
            raise UnreadableFile(path=path, found=f"a chunk of {size} bytes that is cut off", remedy=remedy)
        found_chunks.setdefault(kind, data[at + 8 : at + 8 + size])
        at += 8 + size
    if _JSON not in found_chunks:
        raise UnreadableFile(path=path, found="a GLB file without JSON", remedy=remedy)
    return found_chunks[_JSON], found_chunks.get(_BIN)
