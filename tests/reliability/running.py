"""Running a deed on a machine whose power is cut or whose disk fails, and looking at what is left."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

from engine.runtime.errors import EngineError
from tests.reliability.deeds import Deed, Unsound
from tests.reliability.faults import Faults
from tests.reliability.power import NEVER, Power
from tests.reliability.tap import PowerCut, Tap, through

LAST = 400  # changes of a deed that forgets some
EACH = 8  # cases of which one is cut after all was done
_counts: dict[str, int] = {}
_calls: dict[tuple[str, int], int] = {}


def outcome(
    deed: Deed, folder: Path, seed: int, *, is_soft: bool = False, careless: Callable[[Power], Tap] | None = None
) -> int:
    """Do it until the power is cut, at a call and with an end that the seed tells; look at what is found then. Gives
    the number of the step that was found."""
    random, now, then = Random(seed), folder / "now", folder / "then"
    for each in (now, then):
        each.mkdir(parents=True)
    deed.prepare(now)
    last = LAST if careless is not None else changes_of(deed, folder / "first")
    at = last if seed % EACH == 0 else random.randint(0, last - 1)
    power = Power(now, at=at, is_soft=is_soft)
    done, begun = run(deed, now, power if careless is None else careless(power), power)
    power.survivors(then, seed)
    try:
        return deed.check(then, done, begun)
    except (EngineError, Unsound) as error:
        raise Unsound(f"{deed.name}, seed {seed}, change {at}: {error}") from error


def changes_of(deed: Deed, folder: Path) -> int:
    """How many changes it makes in all; one that never ends is cut nowhere."""
    if deed.name not in _counts:
        folder.mkdir()
        deed.prepare(folder)
        power = Power(folder, at=NEVER)
        run(deed, folder, power, power)
        _counts[deed.name] = power.count
    return _counts[deed.name]


def run(deed: Deed, folder: Path, tap: Tap, power: Power) -> tuple[int, int]:
    """How many steps were done and begun until the power was cut."""
    done = begun = 0
    with through(tap):
        try:
            deed.begin(folder)
            for begun in range(1, deed.steps + 1):
                deed.step(folder, begun)
                done = begun
        except PowerCut:
            pass
        except EngineError:
            if not power.is_off:
                raise
        finally:
            deed.end()
    return done, begun


def withstand(deed: Deed, folder: Path, code: int, at: int, *, once: bool, before: int = 2) -> bool:
    """Do a step, after so many `before`, while the disk fails from that call on, look at what is there then, and do it
    again when the disk is well; gives whether it failed at all. Raises `Unsound` for what may not be, and for an error
    without a name."""
    now, then = folder / "now", folder / "then"
    now.mkdir(parents=True)
    deed.prepare(now)
    faults, done, is_done = Faults(code, at=at, once=once), min(deed.steps - 1, before), True
    with through(faults):
        try:
            deed.begin(now)
            for number in range(1, done + 1):
                deed.step(now, number)
            faults.arm()
            try:
                deed.step(now, done + 1)
            except EngineError:
                is_done = False
            except (OSError, sqlite3.Error) as error:
                raise Unsound(f"{deed.name}, call {at}: {error!r} has no name for a person") from error
            faults.disarm()
            shutil.copytree(now, then)
            if not is_done:
                deed.step(now, done + 1)
        finally:
            deed.end()
    try:
        deed.check(then, done + is_done, done + 1)
        deed.check(now, done + 1, done + 1)
    except (EngineError, Unsound) as error:
        raise Unsound(f"{deed.name}, error {code}{' once' if once else ''} at call {at}: {error}") from error
    return faults.has_failed


def calls_of(deed: Deed, folder: Path, code: int) -> int:
    """How many calls of that step may fail so."""
    if (deed.name, code) not in _calls:
        _calls[deed.name, code] = _count_calls(deed, folder, code)
    return _calls[deed.name, code]


def _count_calls(deed: Deed, folder: Path, code: int) -> int:
    now = folder / deed.name / str(code)
    now.mkdir(parents=True)
    deed.prepare(now)
    faults = Faults(code, at=NEVER, once=False)
    with through(faults):
        try:
            deed.begin(now)
            for number in range(1, min(deed.steps - 1, 2) + 2):
                faults.arm()
                deed.step(now, number)
        finally:
            deed.end()
    return faults.count
