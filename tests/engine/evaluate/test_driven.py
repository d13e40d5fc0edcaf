"""Driven coordinates in what is evaluated: the last word over layers and stages, with rates and accelerations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Actor, Document, Dof, DrivenBy, Figure, Joint, Key, Layer, Lock, Track
from engine.document.motion import TICKS_PER_SECOND
from engine.evaluate.evaluator import Evaluator
from engine.maths.splines import spline_value

BY = DrivenBy(dof="knee.x", at=(0.0, 0.7, 1.4, 2.2), values=(0.0, -0.02, -0.05, -0.06))
SECOND = TICKS_PER_SECOND


def scene(driven: tuple[DrivenBy, ...] = (BY,), **fields: Any) -> Document:
    """A leg whose knee is keyed, and a kneecap that it drives; keys of the kneecap's own count for nothing."""
    slide = Dof(id="cap.y", name="Glide", kind="slide", axis=(0.0, 1.0, 0.0), driven=driven)
    figure = Figure(
        name="Leg",
        joints=(
            Joint(id="hip", name="Hip", dofs=(Dof(id="hip.x", name="Swing"),)),
            Joint(id="cap", name="Kneecap", parent="hip", offset=(0.0, -0.4, 0.05), dofs=(slide,)),
            Joint(id="knee", name="Knee", parent="hip", offset=(0.0, -0.4, 0.0), dofs=(Dof(id="knee.x", name="Flex"),)),
            Joint(id="foot", name="Foot", parent="knee", offset=(0.0, -0.4, 0.0)),
        ),
    )
    knee = Track(coordinate="knee.x", keys=(Key(0, 0.1), Key(SECOND, 1.9), Key(2 * SECOND, 0.5)))
    cap = Track(coordinate="cap.y", keys=(Key(0, 3.0),))
    actor = Actor(id="leg", name="Leg", figure=figure, layers=(Layer(id="keys", tracks=(cap, knee)),))
    return Document(actors=(replace(actor, **fields),))


def test_follows_its_driver_with_rates_and_accelerations() -> None:
    evaluator, document = Evaluator(), scene()
    motion = evaluator.motion(document.actors[0])
    times = np.linspace(0.05, 1.95, 38) * SECOND
    found, step = motion.at(times), SECOND / 1e4
    assert found[:, 0, 1] == pytest.approx([spline_value(BY.at, BY.values, x) for x in found[:, 0, 2]], abs=1e-14)
    before, after = motion.at(times - step)[:, :, 1], motion.at(times + step)[:, :, 1]
    assert found[:, 1, 1] == pytest.approx((after[:, 0] - before[:, 0]) / 2e-4, abs=1e-6)
    assert found[:, 2, 1] == pytest.approx((after[:, 1] - before[:, 1]) / 2e-4, abs=2e-4)
    assert evaluator.rows(document, SECOND // 2)["leg"][12 + 1] == motion.at(SECOND // 2)[0, 1]


def test_has_the_last_word_over_a_lock() -> None:
    """The knee is as the lock leaves it; a frame alone is that of a sequence."""
    lock = Lock(id="pin", name="Pin", joint="foot", point=(0.0, 0.0, 0.0), position=(0.0, -0.6, 0.2))
    document = scene(locks=(lock,))
    rows = [Evaluator().rows(document, time)["leg"] for time in (0, SECOND // 3, SECOND)]
    bent = [row[12 + 2] for row in rows]
    assert [abs(each) for each in bent] == pytest.approx([1.318] * 3, abs=1e-3)
    assert [row[12 + 1] for row in rows] == pytest.approx([spline_value(BY.at, BY.values, x) for x in bent], abs=1e-14)
    together = Evaluator().rows_at(document, (0, SECOND // 3, SECOND))
    assert all(np.array_equal(one, each["leg"]) for one, each in zip(rows, together, strict=True))


def test_without_drivers_the_keys_count() -> None:
    assert Evaluator().rows(scene(driven=()), 0)["leg"][12 + 1] == 3.0
