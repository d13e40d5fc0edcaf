"""Long work says how far it is to whoever listens, and a listener can end it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob, Layer, Samples
from engine.formats.format import Contents, Format, Options
from engine.formats.table import writers
from engine.runtime.progress import Cancelled, each, listening, part, report
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
