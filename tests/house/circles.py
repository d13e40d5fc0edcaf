"""Circles of imports: modules, or rooms, that need each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from tests.house.sources import parsed

Graph = Mapping[str, set[str]]

TOPS = ("engine", "app")
FOR_TYPES = "TYPE_CHECKING"
_HOLDING = ("body", "orelse", "finalbody", "handlers", "cases")  # fields that hold statements


def module_circle(root: Path) -> list[str]:
    """One circle of modules that need each other when they run, imports inside functions counted; empty if none."""
    modules = _modules(root)
    return _circle({name: _imports(path, modules, types=False) - {name} for name, path in modules.items()})


def room_circle(root: Path) -> list[str]:
    """One circle of rooms, imports for types alone counted as well; empty if there is none."""
    modules = _modules(root)
    rooms: dict[str, set[str]] = {}
    for name, path in modules.items():
        own = _room(name)
        rooms.setdefault(own, set()).update({_room(each) for each in _imports(path, modules, types=True)} - {own})
    return _circle(rooms)


def typed_circles(root: Path) -> list[set[str]]:
    """The circles of modules of which each leads to every other, imports for types alone counted as well."""
    modules = _modules(root)
    numbers = {name: number for number, name in enumerate(modules)}
    pairs = [(numbers[name], numbers[to]) for name, at in modules.items() for to in _imports(at, modules, types=True)]
    graph = coo_matrix((np.ones(len(pairs)), tuple(zip(*pairs, strict=True))), shape=(len(modules), len(modules)))
    _, labels = connected_components(graph, directed=True, connection="strong")
    names = np.array(list(modules))
    return [set(names[labels == label].tolist()) for label in np.flatnonzero(np.bincount(labels) > 1)]


def _modules(root: Path) -> dict[str, Path]:
    """Every module of the application by its name."""
    found = {}
    for path in (path for top in TOPS for path in sorted((root / top).rglob("*.py"))):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _room(module: str) -> str:
    return ".".join(module.split(".")[:2])


def _imports(path: Path, modules: Mapping[str, Path], *, types: bool) -> set[str]:
    """The modules that a file imports anywhere; those that only type checkers read if `types`."""
    found: set[str] = set()
    for node in _nodes(parsed(path), types=types):
        if isinstance(node, ast.Import):
            found.update(each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = (f"{node.module}.{each.name}" for each in node.names)
            found.update(each if each in modules else node.module for each in names)
    return found & modules.keys()


def _nodes(node: ast.AST, *, types: bool) -> Iterator[ast.AST]:
    """The statements below a node: no expression imports anything, and most nodes are expressions."""
    for child in (child for name in _HOLDING for child in getattr(node, name, ())):
        yield child
        if types or not (isinstance(child, ast.If) and FOR_TYPES in ast.dump(child.test)):
            yield from _nodes(child, types=types)


def _circle(graph: Graph) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        return circle
    return []
