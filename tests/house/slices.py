"""Slices: where code outside of a system's folders names the system. What still does stands below, with why; a number
may be lowered, never raised, and nothing is added.

Names are those of Python: modules, classes, functions, arguments, attributes, imports. Free are `engine/document`, the
two tables, systems that are built upon the one, and what is recorded. "Target" is a word of inverse kinematics,
attachments and files, too: of the targets of secondary motion the class of the part is looked for, and their folder.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from engine.systems import SYSTEMS, systems
from tests.house.rules import name_of, python_files
from tests.house.sources import parsed

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
        "app/features/cameras/": "a camera that goes with its view",
        "app/shell/keymaps.py": "keys of the keyboard",
        "app/timeline/graph/": "a curve that is not dragged",
        "app/features/timeline/curve_actions.py": "a curve that is not dragged",
        "engine/dynamics/mechanics.py": "a joint that does not move",
        "engine/formats/osim_": "a coordinate that does not move",
        "engine/maths/": "gimbal lock",
        "engine/motion/euler_kernels.py": "gimbal lock",
        "engine/project/arrays.py": "a lock between threads",
        "engine/project/bakes.py": "a file that is held against other processes",
        "engine/project/claim.py": "a file that is held against other processes",
        "engine/project/disk.py": "a file that is held against other processes",
        "engine/project/locking.py": "a file that is held against other processes",
        "engine/project/own_folder.py": "a file that is held against other processes",
        "engine/project/save.py": "a file that is held against other processes",
        "engine/project/past_rows.py": "a file that is held against other processes",
        "engine/project/runs.py": "a file that is held against other processes",
        "engine/project/schema.py": "a file that is held against other processes",
        "engine/runtime/": "a lock between threads",
        "engine/long/prepare.py": "a lock between threads",
        "engine/water/baked_file.py": "a file that is held against other processes",
    }
}

# What stands outside, and why: reason, then files and how often they name the system.
ALLOWED = {
    "locks": {
        "the item of snapshots that shows a lock, and its symbol, which films draw without a window": {
            "engine/model/__init__.py": 1,
            "engine/model/snapshot.py": 9,
            "app/scene/held_symbols.py": 5,
            "engine/cli/command_line.py": 5,
        },
        "a drag of a body is one solve with the locks that hold it": {
            "engine/commands/bend_trail.py": 1,
            "engine/commands/reach.py": 4,
            "app/session/reaching.py": 2,
        },
        "reads what locks a document has: spans and keys that count in time, or how they are kept": {
            "app/features/sequences/actions.py": 1,
            "engine/evaluate/baked.py": 4,
            "engine/measure/moving.py": 4,
            "engine/physics/uses.py": 1,
            "engine/queries/needs.py": 3,
            "engine/queries/seen.py": 9,
            "engine/queries/tangents.py": 1,
        },
        "tells a person in words what becomes of locks": {
            "app/session/actors.py": 9,
            "engine/long/export.py": 3,
            "engine/project/salvage.py": 7,
        },
        "mutes locks that a simulation did not keep": {"engine/physics/edits.py": 4},
        "a card of the keys panel that plants feet": {"app/features/keys/planting.py": 3},
        "the tour teaches locks": {"app/shell/tour.py": 4, "app/shell/tour_steps.py": 5},
        "a published experiment on locks": {"engine/experiments/kinodynamic_locks.py": 22},
    },
    "secondary": {
        "asks for ghosts, the keyed figures behind bodies that swing": {"app/session/engine_steps.py": 1},
        "the command that meets targets, and what a retargeted file loses": {
            "engine/cli/meet.py": 6,
            "engine/commands/retarget.py": 1,
        },
        "poses are set without it": {"engine/edits/poses.py": 1},
        "what is worn pushes it": {"engine/evaluation.py": 1, "engine/soft/changes.py": 7, "engine/soft/uses.py": 3},
        "tells a person in words what a file loses": {"engine/long/export.py": 3},
        "measures over a step of its simulation": {"engine/measure/moving.py": 3},
        "published experiments on it": {
            "engine/experiments/kinodynamic_contact.py": 11,
            "engine/experiments/kinodynamic_grasp.py": 1,
            "engine/experiments/kinodynamic_letters.py": 1,
            "engine/experiments/kinodynamic_locks.py": 11,
            "engine/experiments/kinodynamic_punch.py": 3,
            "engine/experiments/kinodynamic_widths.py": 7,
            "engine/experiments/kinodynamic_windows.py": 7,
            "engine/experiments/meeting.py": 12,
        },
    },
    "physics": {},
}


def named(root: Path, system: str) -> dict[str, int]:
    """Count how often each file outside of a system's slice names it."""
    found = Counter[str]()
    for path in python_files(root):
        name = name_of(root, path)
        if not name.startswith(("app/", "engine/")) or name.startswith((*SLICES[system], *FREE)):
            continue
        if name.startswith((*OTHER_MEANINGS.get(system, ()), *_built_upon(system))):
            continue
        inside, parts = _read(path, path.stat().st_mtime_ns)
        names = ((name.removesuffix(".py"), 1), *inside.items())
        folders = tuple(each.rstrip("/").replace("/", ".") for each in SLICES[system])
        for each, count in names:
            if each.startswith(folders) or not WORDS[system].isdisjoint(_words(each)):
                found[name] += count
        found[name] += sum(each in PARTS.get(system, ()) for each in parts)
    return {name: count for name, count in sorted(found.items()) if count}


def _built_upon(system: str) -> tuple[str, ...]:
    """Give the folders of the systems that say that they are built upon this one."""
    found = zip(SYSTEMS, systems(), strict=True)
    mine = SLICES[system]
    return tuple(f"engine/{name}/" for name, each in found if any(f"engine/{one}/" in mine for one in each.upon))


@cache
def _read(path: Path, _changed: int) -> tuple[Counter[str], tuple[str, ...]]:
    """Return the names in a module and how often each is there, and those that it imports from the document."""
    every = list(ast.walk(parsed(path)))
    return Counter(_names(every)), tuple(_parts(every))


def _names(every: Iterable[ast.AST]) -> Iterator[str]:
    for node in every:
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.ImportFrom(module=str(module), names=names):
                yield from (module, *(each.name for each in names))
            case ast.Import(names=names):
                yield from (each.name for each in names)


def _parts(every: Iterable[ast.AST]) -> Iterator[str]:
    imports = (node for node in every if isinstance(node, ast.ImportFrom))
    yield from (
        each.name for node in imports if (node.module or "").startswith("engine.document") for each in node.names
    )


@cache
def _words(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def features_imported(root: Path) -> list[str]:
    """List where a room beside the features imports one of them; their table alone knows them."""
    folders = {path.parent.name for path in (root / "app" / "features").glob("*/__init__.py")}
    found = []
    for path in python_files(root):
        name = name_of(root, path)
        if name.startswith("app/") and not name.startswith("app/features/"):
            parts = (each.split(".") for each in _read(path, path.stat().st_mtime_ns)[0].elements())
            found += [
                f"{name}: {each[2]}" for each in parts if each[:2] == ["app", "features"] and folders & {*each[2:3]}
            ]
    return found
