"""Quantities of soft bodies, by the way that all quantities are measured."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Document
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.measure import KINDS, Quantity, label_of
from engine.measure.measuring import measure
from engine.physics.parts import PhysicsWorld
from engine.runtime.errors import EngineError
from engine.runtime.progress import finish
from engine.soft.compile import compile_scene
from engine.soft.elastic import elastic_energy
from engine.soft.making import soft_actor, soft_box
from engine.soft.parts import SoftWorld
from engine.soft.system import SYSTEM
from tests.engine.figures import scene
from tests.engine.soft.test_simulation import SECOND, told


def falling(ground: bool = True) -> Document:
    body = soft_box(
        (0.2, 0.2, 0.2), (2, 2, 2), young=5e4, stiffness_damping=0.05, mass_damping=0.0, splines=(told(0.8),)
    )
    jelly = soft_actor("jelly", "Jelly", body, position=(0.0, 0.6, 0.0))
    return Document(
        actors=(*scene().actors[:1], jelly), parts=(SoftWorld(step=1.0 / 30.0), PhysicsWorld(ground=ground))
    )


def measured(document: Document, kind: str, times: tuple[int, ...], part: str = "", component: str = "") -> Array:
    wanted = Quantity(kind=kind, actor="jelly", part=part, component=component)
    (found,) = finish(measure(Evaluator(), document, [wanted], times))
    return found.values


def test_each_quantity_of_a_soft_body_has_finite_numbers() -> None:
    document = falling()
    wanted = [
        Quantity(kind=each.name, actor="jelly", part=part, component=component)
        for each in SYSTEM.measured
        for part in (("up",) if each.name in ("soft_contraction", "soft_alpha") else ("",))
        for component in each.components or ("",)
    ]
    found = finish(measure(Evaluator(), document, wanted, (0, SECOND // 2, SECOND)))
    assert all(np.isfinite(each.values).all() and each.unit for each in found)
    labels = [label_of(each, document.actor("jelly")) for each in wanted]
    assert len(set(labels)) == len(labels)
    assert labels[-1] == "Up, activation"
    assert all(KINDS[each.name].of == "system" for each in SYSTEM.measured)


def test_numbers_agree_with_closed_forms() -> None:
    document, mass = falling(ground=False), 8.0
    times = (0, SECOND // 2)
    assert measured(document, "soft_volume", (0,))[0] == pytest.approx(0.008)
    assert measured(document, "soft_momentum", times, component="y") == pytest.approx(
        [0.0, -mass * 9.80665 * 0.5], abs=1e-3
    )
    assert measured(document, "soft_potential", (0,))[0] == pytest.approx(mass * 9.80665 * 0.6, rel=1e-6)
    assert measured(document, "soft_spin", times, component="length") == pytest.approx([0.0, 0.0], abs=1e-4)
    assert measured(document, "soft_alpha", times, part="up") == pytest.approx([0.8, 0.8])
    assert 0.8 < measured(document, "soft_contraction", (SECOND // 2,), part="up")[0] < 1.0
    weight = measured(falling(), "soft_contact", (4 * SECOND,), component="y")[0]
    assert weight == pytest.approx(mass * 9.80665, rel=0.02)


def test_what_is_no_soft_body_has_none_and_splines_are_named() -> None:
    document = falling()
    for actor, part, told_ in (("one", "", "an actor that has one"), ("jelly", "down", "down")):
        wanted = Quantity(kind="soft_contraction", actor=actor, part=part)
        with pytest.raises(EngineError, match=told_):
            finish(measure(Evaluator(), document, [wanted], (0,)))


def test_the_elastic_energy_is_that_of_the_body_on_its_own() -> None:
    body = soft_box((0.2, 0.2, 0.2), (2, 2, 2), young=5e4, poisson=0.0, stiffness_damping=0.3)
    member = compile_scene(Document(actors=(soft_actor("jelly", "Jelly", body),))).members[0]
    stretched = member.mesh.points * (1.01, 1.0, 1.0)
    assert elastic_energy(member, stretched) == pytest.approx(0.5 * 5e4 * 0.01**2 * 0.008, rel=1e-6)
    other = soft_actor("other", "Other", body, position=(2.0, 0.1, 0.0))
    both = falling()
    both = Document(actors=(*both.actors, other), parts=both.parts)
    alone, beside = (measured(each, "soft_elastic", (SECOND // 2,))[0] for each in (falling(), both))
    assert beside == pytest.approx(alone, rel=1e-3)
