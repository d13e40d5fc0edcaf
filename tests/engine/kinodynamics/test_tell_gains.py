"""What gains mean is told in numbers that a swing has: checked against one that is solved in closed form."""

from __future__ import annotations

import math
import re

import pytest

from engine.document.secondary import Gains
from engine.kinodynamics.queries.tell_gains import tell_gains


def number(pattern: str, text: str) -> float:
    found = re.search(pattern, text)
    assert found is not None, text
    return float(found.group(1))


@pytest.mark.parametrize(("tension", "relaxation", "damping"), [(4.0, 0.0, 0.5), (1.5, 0.4, 0.2), (6.0, 0.1, 2.0)])
def test_the_sentence_tells_the_overshoot_and_the_rest_of_a_swing(
    tension: float, relaxation: float, damping: float
) -> None:
    text = tell_gains(Gains(tension=tension, relaxation=relaxation, damping=damping, gravity=0.0))
    square, decay = (2.0 * math.pi * tension) ** 2 * (1.0 - relaxation), damping
    w = math.sqrt(square)
    x, v, dt, least, late = 1.0, 0.0, 1e-5, 0.0, 0.0
    for step in range(400_000):
        v += dt * (-square * x - 2.0 * decay * w * v)
        x += dt * v
        least = min(least, x)
        late = (step + 1) * dt if abs(x) > 0.01 else late
    assert number(r"about (\d+\.\d+) s after", text) == pytest.approx(1.0 / w, abs=0.006)
    if damping < 1.0:
        assert number(r"by (\d+) %", text) == pytest.approx(-100.0 * least, abs=1.0)
    else:
        assert "does not swing past" in text
    assert number(r"rests after (\d+\.\d+) s", text) == pytest.approx(late, rel=0.35)
    assert "sags" not in text


def test_what_sags_follows_exactly_or_is_limp_is_told() -> None:
    w = 2.0 * math.pi * 4.0
    text = tell_gains(Gains())
    assert number(r"about (\d+)°", text) == round(math.degrees(9.81 / (0.3 * w * w)))
    assert tell_gains(Gains(exact=True)) == "Follows its keys exactly."
    assert tell_gains(Gains(relaxation=1.0)).startswith("Limp")
    assert "as if nothing held it" in tell_gains(Gains(tension=0.5))
    assert "never comes to rest" in tell_gains(Gains(damping=0.0))
