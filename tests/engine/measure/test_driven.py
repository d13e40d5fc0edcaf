"""Inverse dynamics with driven coordinates: drivers bear all of it."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Actor, Document, Key, Layer, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.measure.quantities import Quantity
from tests.engine.driven_leg import BODY, leg
from tests.engine.measure.motions import all_of


def quantities(kind: str, names: tuple[str, ...]) -> list[Quantity]:
    return [Quantity(kind=kind, actor="a", part=name) for name in names]


def test_torques_of_what_is_free_do_all_work() -> None:
    """The power of the torques is the change of the energy."""
    tracks = [Track(coordinate=name, keys=(Key(0, a), Key(SECOND, b))) for name, a, b in TRACKS]
    actor = Actor(id="a", name="Leg", figure=leg(BODY), layers=(Layer(id="keys", tracks=tuple(tracks)),))
    document, step = Document(actors=(actor,)), SECOND // 4000
    times = [round(share * SECOND) for share in (0.2, 0.37, 0.5, 0.81)]
    near = [time + side * step for time in times for side in (-1, 1)]
    (energy,) = all_of(document, [Quantity(kind="energy", actor="a")], near)
    change = np.diff(energy.values.reshape(-1, 2), axis=1)[:, 0] * SECOND / (2.0 * step)
    names = tuple(actor.figure.coordinates)
    torques, rates = (
        np.array([each.values for each in all_of(document, quantities(kind, names), times)])
        for kind in ("torque", "rate")
    )
    driven = [names.index(name) for name in ("glide", "cap", "toes.x")]
    assert not torques[driven].any()
    assert np.abs(rates[driven]).min() > 1e-3
    assert (torques * rates).sum(axis=0) == pytest.approx(change, rel=1e-5)


TRACKS = (("hip.x", -0.3, 0.6), ("hip.z", 0.1, -0.4), ("knee.x", 0.2, 1.7))
