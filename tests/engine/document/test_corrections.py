"""Corrections taken apart by coordinates and put together again, and how far they reach."""

from __future__ import annotations

from engine.document import Bell, Correction, Layer, Term
from engine.document.correction import joined, restricted
from engine.document.extent import acting_extent, layer_extent
from tests.engine.motion.motions import walker

ONE = Term(bell=Bell(time=5, before=3, after=9), amplitudes=(("x", 0.1), ("knee", 0.2)), wiggles=(("knee", 0.3),))
OTHER = Term(bell=Bell(time=7, before=6, after=1), amplitudes=(("knee", 0.4),))
BOTH = Correction(terms=(ONE, OTHER))
ORDER = walker().coordinate_index


def test_parts_of_a_correction_make_it_whole_again() -> None:
    knee, rest = restricted(BOTH, {"knee"}), restricted(BOTH, set(ORDER) - {"knee"})
    assert knee is not None
    assert rest is not None
    assert (knee.coordinates, rest.coordinates) == (("knee",), ("x",))
    assert joined(ORDER, rest, knee) == BOTH
    assert joined(ORDER, knee, rest) == BOTH


def test_a_correction_that_is_meant_whole_stays_the_object_and_one_of_nothing_is_none() -> None:
    assert restricted(BOTH, set(ORDER)) is BOTH
    assert restricted(BOTH, {"hip.0"}) is None
    assert restricted(None, {"knee"}) is None
    assert joined(ORDER, BOTH, None) is BOTH
    assert joined(ORDER, None, BOTH) is BOTH


def test_bells_of_the_same_coordinate_stay_two() -> None:
    twice = joined(ORDER, Correction(terms=(OTHER,)), Correction(terms=(OTHER,)))
    assert twice is not None
    assert twice.terms == (OTHER, OTHER)


def test_a_correction_changes_what_is_seen_but_not_how_long_the_motion_is() -> None:
    layer = Layer(id="fix", correction=BOTH)
    assert BOTH.extent == (1, 14)
    assert acting_extent(layer) == (1, 14)
    assert layer_extent(layer) is None
    assert acting_extent(Layer(id="fix", correction=BOTH, mute=True)) is None
