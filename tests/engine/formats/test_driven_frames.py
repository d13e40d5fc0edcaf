"""Frames for other formats: driven coordinates are where their drivers put them, also without an evaluation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob, Layer, Samples
from engine.formats.format import Contents, Options
from engine.formats.frames import frames_of
from engine.model.compile import compile_model
from engine.model.driven_kernels import follow
from tests.engine.driven_leg import leg


def test_plain_samples_are_followed() -> None:
    figure = leg()
    names = ("hip.x", "knee.x")
    values = np.array([[0.1, 0.2], [0.2, 1.0], [0.3, 1.9]])
    samples = Samples(coordinates=names, values=Blob(values), rate=(30, 1))
    contents = Contents(figure=figure, layers=(Layer(id="all", samples=samples),))
    found = frames_of(Path("leg.bvh"), figure, contents, Options()).q
    assert found[:, [figure.coordinate_index[name] for name in names]] == pytest.approx(values)
    driven = compile_model(figure).driven
    assert found == pytest.approx(np.array([follow(driven, row) for row in found]), abs=1e-14)
    assert np.ptp(found[:, figure.coordinate_index["glide"]]) > 0.01
