"""Slices: where code outside of a system's folders names the system. What still does stands below, with why; a number
may be lowered, never raised, and nothing is added.

Names are those of Python: modules, classes, functions, arguments, attributes, imports. Free are `engine/document`, the
two tables, and what is recorded: names of edits, of parts and their fields as they stand in a document.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.house.rules import name_of, python_files

SLICES = {
    "locks": ("engine/locks/", "app/features/locks/"),
    "secondary": ("engine/kinodynamics/", "engine/targets/", "app/features/secondary/"),
    "physics": ("engine/physics/", "app/features/physics/"),
}
WORDS = {
    "locks": {"lock", "locks", "locked", "unlock", "locking"},
    "secondary": {"secondary", "kinodynamics", "kinodynamic", "swinging", "aiming"},
    "physics": {"physics"},
}
PARTS = {"secondary": {"Target", "OwnGains", "Gains"}}  # classes of parts, where they are imported from the document
FREE = ("engine/document/", "engine/systems.py", "app/features/table.py")

OTHER_MEANINGS = {
    "locks": {
        "app/session/project_file.py": "a file that is held against other processes",
        "app/session/speaker.py": "a lock between threads",
        "app/shell/instance.py": "a file that is held against other processes",
        "app/shell/keymaps.py": "keys of the keyboard",
        "app/timeline/graph/": "a curve that is not dragged",
        "app/features/timeline/curve_actions.py": "a curve that is not dragged",
        "engine/dynamics/mechanics.py": "a joint that does not move",
        "engine/maths/": "gimbal lock",
        "engine/motion/euler_kernels.py": "gimbal lock",
        "engine/project/arrays.py": "a lock between threads",
        "engine/project/bakes.py": "a file that is held against other processes",
        "engine/project/claim.py": "a file that is held against other processes",
        "engine/project/disk.py": "a file that is held against other processes",
        "engine/project/locking.py": "a file that is held against other processes",
        "engine/project/past_rows.py": "a file that is held against other processes",
        "engine/project/runs.py": "a file that is held against other processes",
        "engine/project/schema.py": "a file that is held against other processes",
        "engine/runtime/": "a lock between threads",
        "engine/long/prepare.py": "a lock between threads",
    }
}


def named(root: Path, system: str) -> dict[str, int]:
    """Count how often each file outside of a system's slice names it."""
    found = Counter[str]()
    for path in python_files(root):
        name = name_of(root, path)
        if not name.startswith(("app/", "engine/")) or name.startswith((*SLICES[system], *FREE)):
            continue
        if name.startswith(tuple(OTHER_MEANINGS.get(system, ()))):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = [name.removesuffix(".py"), *_names(tree)]
        found[name] += sum(not WORDS[system].isdisjoint(_words(each)) for each in names)
        found[name] += sum(each in PARTS.get(system, ()) for each in _parts(tree))
        folders = tuple(each.rstrip("/").replace("/", ".") for each in SLICES[system])
        found[name] += sum(each.startswith(folders) and WORDS[system].isdisjoint(_words(each)) for each in names)
    return {name: count for name, count in sorted(found.items()) if count}


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.ImportFrom(module=str(module), names=names):
                yield from (module, *(each.name for each in names))
            case ast.Import(names=names):
                yield from (each.name for each in names)


def _parts(tree: ast.AST) -> Iterator[str]:
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    yield from (
        each.name for node in imports if (node.module or "").startswith("engine.document") for each in node.names
    )


def _words(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
