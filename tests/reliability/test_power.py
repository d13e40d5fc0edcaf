"""The power is cut at any call: what is found then is the old work or the new, whole, undo list included."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.reliability.deeds import Deed, deeds
from tests.reliability.exporting import Exporting
from tests.reliability.running import outcome

CASES, DEEP_CASES = 24, 800
EXPORTS, DEEP_EXPORTS = 8, 150


def cut(deed: Deed, folder: Path, seeds: range, *, is_soft: bool = False) -> Counter[int]:
    """How often each step was found."""
    return Counter(outcome(deed, folder / str(seed), seed, is_soft=is_soft) for seed in seeds)


@pytest.mark.parametrize("deed", deeds(), ids=lambda deed: deed.name)
def test_a_power_cut_costs_nothing_that_was_done(deed: Deed, tmp_path: Path) -> None:
    found = cut(deed, tmp_path, range(CASES))
    assert {0, deed.steps} <= set(found), "the first and the last outcome are among them"


@pytest.mark.deep
@pytest.mark.parametrize("deed", deeds(), ids=lambda deed: deed.name)
def test_thousands_of_power_cuts_cost_nothing_that_was_done(deed: Deed, tmp_path: Path) -> None:
    assert set(cut(deed, tmp_path, range(CASES, CASES + DEEP_CASES))) == set(range(deed.steps + 1))


def test_a_power_cut_leaves_no_half_film_and_no_half_picture(tmp_path: Path) -> None:
    assert len(cut(Exporting(), tmp_path, range(EXPORTS), is_soft=True)) > 1


@pytest.mark.deep
def test_many_power_cuts_leave_no_half_film_and_no_half_picture(tmp_path: Path) -> None:
    assert len(cut(Exporting(), tmp_path, range(EXPORTS, EXPORTS + DEEP_EXPORTS), is_soft=True)) > 2
