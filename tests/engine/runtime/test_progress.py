"""Long work says how far it is to whoever listens, and a listener can end it."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob, Layer, Samples
from engine.formats.format import Contents, Format, Options
from engine.formats.table import writers
from engine.runtime.progress import Cancelled, Pace, each, finish, listening, part, report, within
from tests.conformance.test_formats import biped, walking


def test_shares_of_parts_are_shares_of_the_whole() -> None:
    heard: list[float] = []
    with listening(heard.append):
        with part(0.0, 0.5):
            assert list(each("ab")) == ["a", "b"]
        with part(0.5, 1.0), part(0.5, 1.0):
            report(0.0)
        report(1.0)
    assert heard == [0.0, 0.25, 0.75, 1.0]


def test_nobody_hears_what_is_said_outside() -> None:
    heard: list[float] = []
    with listening(heard.append):
        pass
    report(0.5)
    assert heard == []


def test_a_long_run_reports_seldom() -> None:
    heard: list[float] = []
    with listening(heard.append):
        assert sum(each(range(100_000))) == sum(range(100_000))
    assert 100 <= len(heard) <= 300
    assert heard == sorted(heard)


WRITERS = tuple(format for format in writers() if format.suffixes[0] in (".bvh", ".amc", ".csv"))


@pytest.mark.parametrize("format", WRITERS, ids=lambda format: format.name)
def test_a_cancelled_writer_leaves_nothing(format: Format, tmp_path: Path) -> None:
    def cancel(share: float) -> None:
        if share > 0.5:
            raise Cancelled(what="the test")

    assert format.write is not None
    figure = biped()
    samples = Samples(
        coordinates=figure.coordinates, values=Blob(np.zeros((500, len(figure.coordinates)))), rate=(30, 1)
    )
    contents = Contents(figure=figure, layers=(walking(figure), Layer(id="more", samples=samples)))
    with listening(cancel), pytest.raises(Cancelled):
        format.write(tmp_path / f"a{format.suffixes[0]}", contents, Options())
    assert list(tmp_path.iterdir()) == []


def counted(to: int) -> Generator[float, None, str]:
    for number in range(to):
        yield number / to
    return "done"


def test_slices_within_a_larger_whole_tell_its_shares_and_give_what_they_made() -> None:
    def whole() -> Generator[float, None, list[str]]:
        return [(yield from within(counted(2), 0.0, 0.5)), (yield from within(counted(2), 0.5, 1.0))]

    assert list(whole()) == [0.0, 0.25, 0.5, 0.75]
    assert finish(whole()) == ["done", "done"]


def test_closed_between_slices_they_end_there() -> None:
    ended: list[bool] = []

    def told() -> Generator[float, None, None]:
        try:
            yield from counted(9)
        finally:
            ended.append(True)

    steps = within(told(), 0.0, 1.0)
    next(steps)
    steps.close()
    del steps
    assert ended == [True]


def test_a_slice_is_due_to_end_once_it_has_lasted_long_enough() -> None:
    assert not Pace(3600.0).due()
    assert Pace(0.0).due()
