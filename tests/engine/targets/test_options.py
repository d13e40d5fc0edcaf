"""Rules, efforts and the fixes for comparison: named, checked, and each of them does what it says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.runtime.errors import InvalidArguments
from engine.runtime.options import about
from engine.targets.options import UPDATES, Effort, Scaled, Secant


@pytest.mark.parametrize("name", UPDATES)
def test_every_rule_has_a_label_and_a_source_and_can_be_made_of_its_defaults(name: str) -> None:
    made = UPDATES[name]()
    assert made.label
    assert made.source
    for told in about(made).values():
        assert told.label
        assert told.note


@pytest.mark.parametrize(
    "make",
    [
        lambda: Effort(iterations=0),
        lambda: Effort(tolerance=0.0),
        lambda: Effort(halvings=-1),
        lambda: Secant(stall=2.0),
        lambda: Scaled(most=0.5),
    ],
)
def test_values_out_of_range_are_refused(make: Callable[[], object]) -> None:
    with pytest.raises(InvalidArguments):
        make()
