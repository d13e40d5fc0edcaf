"""Found: what was worked out for one golden, what was recorded of it, and in what the two differ.

Three strengths. `exact` is the same on every machine: texts, names, counts, digests of what no kernel computed. `close`
are numbers: the same bytes where the machine code is the same (`machine` says so), within a tolerance elsewhere, since
compilers may round otherwise for another processor. `bytes` are digests that hold where the machine is the same alone.
Where the last bit of a placement decides (a lock far out of reach may end in one of several poses), `frail` names what
no other machine need agree on.

A long array is recorded thinned: some of its numbers in even steps, and means over all of it (plain, squared, and with
weights that swing along it), in which a change between them shows.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from importlib import metadata
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

DATA = Path(__file__).parent / "data"
WITHIN = 2e-5  # a number x may differ by this times (1 + |x|) where the machine is another one
MOST = 240  # numbers that are kept of an array
MEANS = 4
UNSTEADY = "balance "  # in names of numbers that numpy sums: where arrays lie in memory decides their last bit
LISTED = 12  # differences that are told

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Found:
    """What one golden holds."""

    exact: dict[str, Any] = field(default_factory=dict)  # plain JSON
    close: dict[str, NDArray[Any]] = field(default_factory=dict)
    bytes: dict[str, str] = field(default_factory=dict)
    frail: Callable[[], frozenset[str]] = frozenset  # entries that the last bit of a placement changes; asked if needed

    def add(self, name: str, other: Found) -> None:
        """Take in another one, its entries named `name: entry`."""
        self.exact.update({f"{name}: {key}": value for key, value in other.exact.items()})
        self.close.update({f"{name}: {key}": value for key, value in other.close.items()})
        self.bytes.update({f"{name}: {key}": value for key, value in other.bytes.items()})


@dataclass(frozen=True)
class Recorded:
    """What a file of `data` holds."""

    machine: str
    exact: dict[str, Any]
    bytes: dict[str, str]  # those of `close` among them
    close: dict[str, Array]  # thinned


def digest(content: bytes | ArrayLike) -> str:
    """Of bytes, or of an array with its type and shape."""
    if not isinstance(content, bytes):
        array = np.asarray(content)
        content = f"{array.dtype.str} {array.shape} ".encode() + np.ascontiguousarray(array).tobytes()
    return blake2b(content, digest_size=12).hexdigest()


def thin(array: ArrayLike) -> Array:
    """What is recorded of an array: as many numbers as `MOST`, and means over all of a longer one."""
    flat = np.asarray(array, dtype=np.float64).ravel()
    if flat.size <= MOST:
        return flat
    swings = [np.cos(np.arange(flat.size) * step) for step in (0.7, 2.3)]
    means = [flat.mean(), (flat * flat).mean(), *((flat * swing).mean() for swing in swings)]
    some = flat[np.linspace(0, flat.size - 1, MOST - MEANS).round().astype(np.int64)]
    return np.concatenate((some, means))


@cache
def machine() -> str:
    """Names whatever decides how numbers are rounded: processor, compiler, libraries of mathematics."""
    config: Any = numba.config
    features = config.CPU_FEATURES or llvm.get_host_cpu_features().flatten()
    versions = (f"{name} {metadata.version(name)}" for name in ("numba", "llvmlite", "numpy", "scipy"))
    target = f"{config.CPU_NAME or llvm.get_host_cpu_name()} {digest(features.encode())[:8]}"
    told = (platform.machine(), llvm.get_host_cpu_name(), target, *versions, " ".join(platform.libc_ver()))
    return ", ".join(told)


def place(kind: str, name: str) -> Path:
    """The file of a golden; its arrays lie beside it."""
    return DATA / kind / f"{name}.json"


def recorded(kind: str, name: str) -> Recorded | None:
    """What was recorded; None: nothing."""
    path = place(kind, name)
    if not path.exists():
        return None
    told, arrays = json.loads(path.read_text(encoding="utf-8")), path.with_suffix(".npz")
    close = {}
    if arrays.exists():
        with np.load(arrays) as file:
            close = {key: file[key].astype(np.float64) for key in file.files}
    named = dict(zip(told["close"], (close[f"a{number}"] for number in range(len(told["close"]))), strict=True))
    return Recorded(told["machine"], told["exact"], told["bytes"], named)


def record(kind: str, name: str, found: Found, *, kept: Recorded | None = None) -> None:
    """Write what was found over what was recorded, but for what is kept of it."""
    path = place(kind, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    made = {key: each for key, each in digests(found).items() if UNSTEADY not in key}
    close = {key: thin(each) for key, each in found.close.items()} | ({} if kept is None else kept.close)
    told = {
        "machine": machine() if kept is None else kept.machine,
        "exact": found.exact if kept is None else found.exact | kept.exact,
        "bytes": made if kept is None else made | kept.bytes,
        "close": list(close),
    }
    path.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    arrays = {f"a{number}": each.astype(np.float32) for number, each in enumerate(close.values())}
    if arrays:
        np.savez_compressed(path.with_suffix(".npz"), **arrays)  # type: ignore[arg-type]
    else:
        path.with_suffix(".npz").unlink(missing_ok=True)


def remove_others(kind: str, names: Iterable[str]) -> None:
    """Take away what was recorded under names that are no more."""
    kept = set(names)
    for path in place(kind, "x").parent.glob("*.json"):
        if path.stem not in kept:
            path.unlink()
            path.with_suffix(".npz").unlink(missing_ok=True)


def digests(found: Found) -> dict[str, str]:
    """All that is compared where the machine is the same."""
    return found.bytes | {key: digest(each) for key, each in found.close.items()}


def differences(before: Recorded | None, found: Found) -> list[str]:
    """In what a golden differs from its record, a line each; none where it is as it was."""
    if before is None:
        return ["nothing is recorded (python3 start.py goldens --record)"]
    lines = list(_differences(before, found))
    rest = [f"... and {len(lines) - LISTED} more"] if len(lines) > LISTED else []
    return lines[:LISTED] + rest


def _differences(before: Recorded, found: Found) -> Iterator[str]:
    plain = json.loads(json.dumps(found.exact))
    yield from _of_names("entries", before.exact, plain)
    yield from _of_names("numbers", before.close, found.close)
    texts = {key: _of_texts(each, plain[key]) for key, each in before.exact.items() if key in plain}
    numbers = {
        key: _of_numbers(each, thin(found.close[key])) for key, each in before.close.items() if key in found.close
    }
    apart = {key for key in (*texts, *numbers) if texts.get(key) or numbers.get(key)}
    if apart and before.machine != machine():
        apart -= found.frail()
    yield from (f"{key}: {line}" for each in (texts, numbers) for key, line in each.items() if line and key in apart)
    if before.machine == machine():
        for key, each in digests(found).items():
            if key not in apart and key in before.bytes and before.bytes[key] != each:
                yield f"{key}: other bytes{', values within tolerance' if key in found.close else ''}"
        yield from _of_names("bytes", before.bytes.keys() - before.close.keys(), found.bytes)


def _of_names(what: str, before: Any, now: Any) -> Iterator[str]:
    for word, names in (("gone", set(before) - set(now)), ("new", set(now) - set(before))):
        if names:
            yield f"{what} that are {word}: {', '.join(sorted(names)[:4])}{' ...' if len(names) > 4 else ''}"


def _of_texts(before: Any, now: Any) -> str:
    return "" if before == now else f"{_short(before)} became {_short(now)}"


def _of_numbers(before: Array, now: Array) -> str:
    if before.shape != now.shape:
        return f"{before.size} numbers became {now.size}"
    apart = np.abs(now - before) / (1.0 + np.abs(before))
    same = np.isclose(now, before, rtol=0.0, atol=0.0, equal_nan=True) | (apart <= WITHIN)
    if same.all():
        return ""
    worst = int(np.argmax(np.where(same, 0.0, np.nan_to_num(apart, nan=np.inf))))
    return f"{(~same).sum()} of {same.size} numbers differ, the most {before[worst]:.6g} became {now[worst]:.6g}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
