"""Whatever edits and readers let in can be saved, drawn and read back; whatever they refuse is named."""

from __future__ import annotations

from random import Random

import pytest

from tests.reliability.gate import Tally, try_edits, try_inputs


def check(tally: Tally) -> None:
    assert not tally.wrong
    assert not tally.unforeseen
    assert sum(tally.let_in.values()) > sum(tally.tried.values()) // 50


@pytest.mark.filterwarnings("ignore:.*encountered in cast:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:Casting complex values")
@pytest.mark.parametrize("count", [1000, pytest.param(100_000, marks=pytest.mark.deep)])
def test_mutated_files_are_read_or_refused_by_name(count: int) -> None:
    tally = Tally()
    try_inputs(count, 7 if count == 1000 else Random().randrange(10**6), tally)
    check(tally)


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.deep)])
def test_edits_with_extreme_values_are_done_or_refused_by_name(count: int) -> None:
    tally = Tally()
    try_edits(count, 7 if count == 300 else Random().randrange(10**6), tally)
    check(tally)
