"""A disk that is full, may not be written to or does not answer, from any call on: the old work stays, the error has a
name, and once the disk is well the same work is done."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.reliability.deeds import Deed, Recovering, deeds
from tests.reliability.exporting import Exporting
from tests.reliability.faults import DEAF, FORBIDDEN, FULL
from tests.reliability.running import calls_of, withstand

MOST_CALLS = 3
SAMPLE = 2  # calls of each deed and error, of some dozens, of which each second one fails once
CODES = {FULL: "full", FORBIDDEN: "read-only", DEAF: "deaf"}
WAYS = [(code, once) for code in CODES for once in (False, True)]
NAMES = [f"{CODES[code]}{' once' if once else ''}" for code, once in WAYS]


@pytest.mark.parametrize(("code", "once"), WAYS, ids=NAMES)
@pytest.mark.parametrize("deed", deeds(), ids=lambda deed: deed.name)
def test_a_disk_that_fails_harms_nothing(deed: Deed, code: int, once: bool, tmp_path: Path) -> None:
    count = calls_of(deed, tmp_path, code)
    for at in Random(code).sample(range(count), min(SAMPLE, count))[once::2]:
        withstand(deed, tmp_path / str(at), code, at, once=once)
    assert withstand(deed, tmp_path / "first", code, 0, once=once)
    withstand(deed, tmp_path / "last", code, count - 1, once=once)


@pytest.mark.parametrize(("code", "once"), WAYS, ids=NAMES)
def test_a_recovery_copy_is_begun_once_the_disk_is_well(code: int, once: bool, tmp_path: Path) -> None:
    for at in range(0, 45, 9):
        withstand(Recovering(), tmp_path / str(at), code, at, once=once, before=0)


@pytest.mark.deep
@pytest.mark.parametrize(("code", "once"), WAYS, ids=NAMES)
@pytest.mark.parametrize("deed", deeds(), ids=lambda deed: deed.name)
def test_a_disk_that_fails_at_whichever_call_harms_nothing(deed: Deed, code: int, once: bool, tmp_path: Path) -> None:
    for at in range(calls_of(deed, tmp_path, code)):
        withstand(deed, tmp_path / str(at), code, at, once=once)


@pytest.mark.parametrize(("code", "once"), WAYS, ids=NAMES)
def test_an_export_that_fails_leaves_no_half_file(code: int, once: bool, tmp_path: Path) -> None:
    deed = Exporting()
    for at in range(min(calls_of(deed, tmp_path, code), MOST_CALLS)):
        withstand(deed, tmp_path / str(at), code, at, once=once)
