"""The pictures and fonts that come with the application, and the memory file system that serves them to Qt.

Recoloured icons are handed to Qt as a resource tree in memory (`:/sinew/<theme>/<colour>/<icon>.svg`): style sheets and
icons name them by path, Qt draws the SVG sharp at every scale factor, and nothing is written to disk.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cache
from pathlib import Path

from PySide6.QtCore import qRegisterResourceData

from engine.runtime.quick_dataclass import dataclass

FOLDER = Path(__file__).resolve().parents[2] / "resources"
FORMAT_VERSION = 1
DIRECTORY = 2
_REGISTERED: list[tuple[bytes, bytes, bytes]] = []  # Qt keeps pointers into these bytes


@dataclass
class _Node:
    name: str
    content: bytes | None = None
    children: dict[str, _Node] = field(default_factory=dict)
    first_child: int = 0


def register_tree(files: Mapping[str, bytes]) -> None:
    """Serve files under ':/' by their path, for as long as the process lives."""
    packed = pack_tree(files)
    _REGISTERED.append(packed)
    qRegisterResourceData(FORMAT_VERSION, *packed)


def pack_tree(files: Mapping[str, bytes]) -> tuple[bytes, bytes, bytes]:
    """Return the three tables of Qt's compiled resources: nodes, names and contents."""
    nodes = list(_breadth_first(_tree(files)))
    names, name_places = _name_table({node.name for node in nodes})
    contents, rows = bytearray(), bytearray()
    for node in nodes:
        place = name_places[node.name]
        if node.content is None:
            rows += struct.pack(">IHII", place, DIRECTORY, len(node.children), node.first_child)
        else:
            rows += struct.pack(">IHHHI", place, 0, 0, 1, len(contents))
            contents += struct.pack(">I", len(node.content)) + node.content
    return bytes(rows), names, bytes(contents)


@cache
def name_hash(name: str) -> int:
    """Return Qt's hash of a name in a resource tree; siblings are sorted by it."""
    value = 0
    for letter in name:
        value = (value << 4) + ord(letter)
        value ^= (value & 0xF0000000) >> 23
        value &= 0x0FFFFFFF
    return value


def _tree(files: Mapping[str, bytes]) -> _Node:
    root = _Node("")
    for path, content in files.items():
        *folders, name = path.split("/")
        node = root
        for folder in folders:
            node = node.children.setdefault(folder, _Node(folder))
        node.children[name] = _Node(name, content)
    return root


def _breadth_first(root: _Node) -> Iterator[_Node]:
    """Yield nodes in the order of the table: the children of one node follow each other, sorted by hash."""
    queue, place = [root], 1
    for node in queue:
        node.first_child = place
        children = sorted(node.children.values(), key=lambda child: name_hash(child.name))
        place += len(children)
        queue.extend(children)
        yield node


def _name_table(names: set[str]) -> tuple[bytes, dict[str, int]]:
    table, offsets = bytearray(), {}
    for name in sorted(names):
        offsets[name] = len(table)
        table += struct.pack(">HI", len(name), name_hash(name)) + name.encode("utf-16-be")
    return bytes(table), offsets
