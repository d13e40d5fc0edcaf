"""When keyed values jump: stepped keys, spans without an ease, cycles."""

from __future__ import annotations

from engine.document.motion import Extrapolation, Key, Layer, Span, Track
from engine.motion.jumps import jumps_of

STEPPED = (Key(10, 0.0, "stepped"), Key(20, 0.0, "stepped"), Key(30, 1.0, "stepped"), Key(40, 2.0), Key(50, 3.0))


def found(layer: Layer, start: float, end: float) -> list[float]:
    jumps = jumps_of([layer])
    assert jumps is not None
    return [float(each) for each in jumps.between(start, end)]


def cycled(after: Extrapolation, keys: tuple[Key, ...]) -> Layer:
    return Layer(id="pose", tracks=(Track(coordinate="turn", keys=keys, after=after),))


def test_a_stepped_key_jumps_where_it_gives_way_to_another_value() -> None:
    layer = cycled("hold", STEPPED)
    assert found(layer, -100.0, 1000.0) == [30.0, 40.0]
    assert found(layer, 30.0, 40.0) == [40.0]
    muted = Layer(id="pose", tracks=(Track(coordinate="turn", keys=STEPPED, mute=True),))
    assert jumps_of([muted]) is None
    assert jumps_of([cycled("linear", STEPPED[3:])]) is None


def test_a_span_jumps_at_an_end_that_is_not_eased() -> None:
    eased = Layer(id="pose", values=(("turn", 1.0),), span=Span(start=100, end=200, ease_out=20))
    assert found(eased, 0.0, 1000.0) == [100.0]
    sharp = Layer(id="pose", values=(("turn", 1.0),), span=Span(start=100, end=200))
    assert found(sharp, 0.0, 1000.0) == [100.0, 201.0]


def test_a_cycle_jumps_in_every_round_and_where_it_begins_anew() -> None:
    assert found(cycled("cycle", STEPPED), 60.0, 130.0) == [70.0, 80.0, 90.0, 110.0, 120.0, 130.0]
    assert found(cycled("cycle_offset", STEPPED), 60.0, 130.0) == [70.0, 80.0, 110.0, 120.0]
    assert found(cycled("cycle", STEPPED[3:]), 0.0, 75.0) == [50.0, 60.0, 70.0]
    assert jumps_of([cycled("cycle", (Key(0, 0.0), Key(10, 0.0)))]) is None


def test_a_cycle_of_a_tick_is_told_without_being_written_out() -> None:
    keys = (Key(0, 0.0, "stepped"), Key(1, 1.0, "stepped"), Key(2, 0.5))
    fast, slow = jumps_of([cycled("cycle", keys)]), jumps_of([cycled("cycle", STEPPED)])
    assert fast is not None
    assert slow is not None
    assert fast.are_between(10.0**6, 10.0**15)
    assert fast.are_between(10.0**6, 10.0**6 + 1.0)
    assert not fast.are_between(-(10.0**15), 0.0)
    assert len(fast.no_faster_than(10.0).between(10.0**6, 10.0**15)) == 0
    assert slow.no_faster_than(40.0 / 3.0) is slow
    for start in range(-30, 140):
        for length in (1, 7, 40, 95):
            assert slow.are_between(start, start + length) == (len(slow.between(start, start + length)) > 0)
