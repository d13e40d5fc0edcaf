"""Layouts: what each range edit makes of time, as stretches. None where nothing changes.

With `shifts` what comes after a range moves along. Without, it stays: a range that grows runs over it, and over the
time that one leaves curves lead from one end to the other.
"""

from __future__ import annotations

from engine.edits.stretches import BEGIN, END, Layout, Stretch, check_range
from engine.runtime.errors import InvalidDocument

MOST_RUNS = 10_000


def insertion(time: int, length: int) -> Layout:
    """Time that stands still from a tick on."""
    check_range(time, time + length)
    middle = Stretch(start=time, end=time + length, source=time, source_end=time, origin="hold")
    return Layout(stretches=around(middle, time))


def deletion(start: int, end: int) -> Layout:
    """Time without a range."""
    check_range(start, end)
    return Layout(stretches=(_until(start), _rest(start, end)))


def stretching(start: int, end: int, length: int, *, shifts: bool = True) -> Layout | None:
    """A range that lasts so many ticks."""
    check_range(start, end)
    check_range(start, start + length)
    if length == end - start:
        return None
    middle = Stretch(start=start, end=start + length, source=start, source_end=end)
    if shifts:
        return Layout(stretches=around(middle, end))
    if middle.end > end:
        return Layout(stretches=around(middle, middle.end), shifts=False)
    left = Stretch(start=middle.end, end=end, source=end, source_end=end, origin="bridge")
    return Layout(stretches=(_until(start), middle, left, _rest(end, end)), shifts=False)


def sliding(start: int, end: int, ticks: int) -> Layout | None:
    """A range that stands so many ticks later, over what was there."""
    check_range(start, end)
    check_range(start + ticks, end + ticks)
    if not ticks:
        return None
    moved = Stretch(start=start + ticks, end=end + ticks, source=start, source_end=end)
    if ticks > 0:
        left = Stretch(start=start, end=start + ticks, source=start, source_end=start, origin="bridge")
        return Layout(stretches=(_until(start), left, moved, _rest(end + ticks, end + ticks)), shifts=False)
    left = Stretch(start=end + ticks, end=end, source=end, source_end=end, origin="bridge")
    return Layout(stretches=(_until(start + ticks), moved, left, _rest(end, end)), shifts=False)


def reversing(start: int, end: int) -> Layout:
    """A range that runs backwards."""
    check_range(start, end)
    middle = Stretch(start=start, end=end, source=start, source_end=end, backward=True)
    return Layout(stretches=around(middle, end), shifts=False)


def looping(start: int, end: int, count: int, *, offset: bool = False, shifts: bool = True) -> Layout | None:
    """A range that runs so many times, with `offset` on from where it ended each time."""
    check_range(start, end)
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST_RUNS:
        raise InvalidDocument(what="how often a range runs", value=count, allowed=f"1 to {MOST_RUNS} times")
    if count == 1:
        return None
    length = end - start
    check_range(start, start + count * length)
    runs = tuple(
        Stretch(
            start=start + each * length,
            end=start + (each + 1) * length,
            source=start,
            source_end=end,
            repeat=each if offset else 0,
        )
        for each in range(count)
    )
    follows = end if shifts else runs[-1].end
    return Layout(stretches=(_until(start), *runs, _rest(runs[-1].end, follows)), shifts=shifts)


def around(middle: Stretch, follows: int) -> tuple[Stretch, ...]:
    """The stretch, what comes before it, and after it the old time from a tick on."""
    return _until(middle.start), middle, _rest(middle.end, follows)


def _until(end: int) -> Stretch:
    return Stretch(start=BEGIN, end=end, source=BEGIN, source_end=end)


def _rest(start: int, source: int) -> Stretch:
    return Stretch(start=start, end=END, source=source, source_end=END - start + source)
