"""What is weighed is what dynamics moves."""

from __future__ import annotations

import pytest

from engine.formats.figure_toml import load_figure
from engine.model.inertia import body_of, total_mass
from engine.queries.weigh import mass_of, mass_of_all


def test_masses_are_those_of_the_bodies() -> None:
    human = load_figure("human")
    assert [mass_of(joint) for joint in human.joints] == [body_of(joint).mass for joint in human.joints]
    assert mass_of_all(human) == pytest.approx(total_mass(human), rel=1e-15)
