"""Packed bakes: bakes inside a project file, for one that is given to others; and out of it again.

They stand among its arrays, noted by name: a save that writes the file anew leaves them out, since whoever opened it
has them beside it by then. What is taken out is looked at like any bake: frames by their checksums.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from engine.document import Blob
from engine.project import disk
from engine.project.bakes import BakeFile, is_bake_name
from engine.project.store import Store
from engine.runtime.errors import EngineError

NOTE = "bakes"
_DIGEST = re.compile("[0-9a-f]{64}")


def pack_bakes(project: Path, files: Iterable[Path]) -> int:
    """Put bakes into a project file; how many were sound and are in it now. Raises `UnwritableFile`."""
    import numpy as np

    packed = dict[str, str]()
    with Store.open(project, writable=True) as store, store.together():
        for path in files:
            found = BakeFile.open(path)
            if found is None:
                continue
            found.close()
            try:
                blob = Blob(np.fromfile(path, np.uint8), copy=False)
            except OSError:  # it went meanwhile
                continue
            store.put_array(blob)
            packed[path.name] = blob.digest
        if packed:
            store.note(NOTE, json.dumps({**_noted(store), **packed}))
    return len(packed)


def packed_bakes(project: Path) -> tuple[str, ...]:
    """The names of the bakes in a project file; none where it cannot be read."""
    try:
        with Store.open(project) as store:
            return tuple(_noted(store))
    except EngineError:
        return ()


def unpack_bakes(project: Path, folders: Iterable[Path], *, only: str | None = None) -> int:
    """Take the bakes out of a project file into the first of the folders that can be written to, but for those that are
    in one; how many there were to take. What is damaged is left. `only`: none but that of this name."""
    folders, count, why = tuple(folders), 0, None
    with Store.open(project) as store:
        for name, digest in _noted(store).items():
            if only not in (None, name) or any((folder / name).exists() for folder in folders):
                continue
            try:
                blob = store.array(digest)
            except EngineError:
                blob = None
            why = None if blob is None else _written(folders, name, blob)
            count += blob is not None and why is None
    if why is not None:
        raise disk.unwritable(why[0], why[1]) from why[1]
    return count


def _written(folders: tuple[Path, ...], name: str, blob: Blob) -> tuple[Path, OSError] | None:
    """Write it where it can be; else where it could not, and why."""
    why = None
    for folder in folders:
        try:
            disk.make_folder(folder)
            disk.write_beside(folder / name, blob.data)
            return None
        except OSError as error:
            why = (folder / name, error)
    return why


def _noted(store: Store) -> dict[str, str]:
    """Digests by name; a name that no bake has never becomes that of a file."""
    try:
        found = json.loads(store.meta(NOTE) or "{}")
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {name: str(each) for name, each in found.items() if is_bake_name(name) and _DIGEST.fullmatch(str(each))}
