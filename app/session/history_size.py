"""History size: the memory that an undo list takes beside its newest document, each thing counted once.

Small things are counted where one document holds them and the next does not; arrays exactly, whoever shares them, and
only those that were read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from functools import cache
from typing import cast

from engine.document import Blob, Document
from engine.document.parts import arrays_in, field_names
from engine.edits import Edit
from engine.runtime.quick_dataclass import dataclass

_WORKED_OUT = 4  # values that an object keeps beside its fields, at most
_DIGEST = 113  # bytes of the text that each part and array is named by, once it was saved


@dataclass(frozen=True, eq=False)
class StepSize:
    """The memory that is held for the sake of a document's being the one before another."""

    bytes: int  # without arrays
    arrays: tuple[Blob, ...]


NOTHING = StepSize(0, ())


def step_size(old: Document, new: Document, done: Edit | None) -> StepSize:
    """Measure what a step from `old` to `new` keeps in memory that `new` does not hold."""
    kept, added = objects(new, old), objects(old, new)
    arrays = {id(each): each for each in old.arrays}
    if done is not None:
        kept |= {key: size for key, size in objects(None, done).items() if key not in added}
        arrays |= {id(each): each for each in arrays_in(done.arguments)}
    for each in new.arrays:
        arrays.pop(id(each), None)
    return StepSize(sum(kept.values()), tuple(arrays.values()))


def totals(newest: Document, newest_first: Iterable[StepSize]) -> Iterator[int]:
    """Sum up the bytes that the last step keeps, the last two, and so on."""
    counted, total = {each.memory[0] for each in newest.arrays}, 0
    for step in newest_first:
        total += step.bytes
        for each in step.arrays:
            place, size = each.memory
            if place not in counted:
                counted.add(place)
                total += size
        yield total


def objects(old: object, new: object) -> dict[int, int]:
    """Find what `new` holds and `old` does not, as bytes by address; arrays without their numbers. A walk over both
    that stops wherever they share an object."""
    found: dict[int, int] = {}
    _gather(old, new, found)
    return found


@cache
def _namespace(kind: type) -> int:
    """Bytes of an object's fields and of what was worked out of them where Python keeps their names with each object,
    as it does once many names were used with a class."""
    count = len(field_names(kind)) if is_dataclass(kind) else 0
    return sys.getsizeof(dict.fromkeys(range(count + _WORKED_OUT)))


def _gather(old: object, new: object, found: dict[int, int]) -> None:
    if new is old or new is None or isinstance(new, bool) or id(new) in found:
        return
    size = sys.getsizeof(new)
    if isinstance(new, tuple):
        before = old if isinstance(old, tuple) else ()
        shared = {id(each) for each in before}
        padded = before + (None,) * (len(new) - len(before))
        for was, each in zip(padded, new, strict=False):
            if id(each) not in shared:
                _gather(was, each, found)
    elif is_dataclass(new) or isinstance(new, Blob):
        names = field_names(cast(type, type(new))) if is_dataclass(new) else ()
        size += _namespace(cast(type, type(new))) * hasattr(new, "__dict__") + _DIGEST * hasattr(new, "digest")
        same = old if type(old) is type(new) else None
        for name in names:
            _gather(getattr(same, name, None), getattr(new, name), found)
    found[id(new)] = size
