"""Measures of muscles against time: power, work, what they use, by numbers worked by hand; torques, what is lacking."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.cli.curves import write_curves
from engine.document import Document, Key
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.maths.arrays import Array
from engine.measure import Quantity
from engine.measure.measuring import measure
from engine.model.compile import compile_model
from engine.muscles.compiled import MuscledFigure
from engine.muscles.measures import measurable
from engine.muscles.metabolic import heat_rates, metabolic_rates, muscle_masses
from engine.muscles.parts import Muscle, Muscles, PathPoint
from engine.runtime.progress import finish
from tests.engine.muscles.arms import bent_arm
from tests.engine.muscles.test_driving import EXTENSOR, FLEXOR, arm
from tests.engine.muscles.test_static import found_for, human, swinging

TIMES = [each * SECOND // 20 for each in range(1, 20)]


def active_arm() -> Document:
    document = Document(actors=(bent_arm(),))
    return edit("set_muscle_keys", actor="arm", muscle="biceps", keys=(Key(0, 0.1), Key(SECOND, 0.9))).apply(document)


def numbers(document: Document, *kinds: str, part: str = "biceps", times: list[int] = TIMES) -> list[Array]:
    wanted = tuple(Quantity(kind=kind, actor=document.actors[0].id, part=part) for kind in kinds)
    return [each.values for each in finish(measure(Evaluator(), document, wanted, times))]


def one(value: float) -> Array:
    return np.array([value])


def test_heat_is_that_of_the_equations_worked_by_hand() -> None:
    # Half of the fibres fast: 1.28 50 + 25 = 89 W/kg fully active, times 1.5.
    assert heat_rates(one(1.0), one(1.0), one(0.9), one(0.0), one(10.0)) == pytest.approx(133.5)
    # 0.5^0.6 = 0.6597540
    assert heat_rates(one(0.5), one(1.0), one(1.0), one(0.0), one(10.0)) == pytest.approx(88.07716, abs=1e-4)
    # Beyond the best length, f_L = 0.5: (0.4 + 0.3) 133.5
    assert heat_rates(one(1.0), one(0.5), one(1.3), one(0.0), one(10.0)) == pytest.approx(93.45)
    # Shortening by 2 lengths a second, v_F 10, v_S 4: 25 2 / 2 + 15.3 2 / 2 = 40.3; 1.5 0.25 40.3 = 15.1125 beside.
    assert heat_rates(one(0.5), one(1.0), one(1.0), one(-2.0), one(10.0)) == pytest.approx(88.07716 + 15.1125, abs=1e-4)
    # By 6: slow fibres at most 100 W/kg: 100 / 2 + 15.3 6 / 2 = 95.9
    assert heat_rates(one(1.0), one(1.0), one(1.0), one(-6.0), one(10.0)) == pytest.approx(133.5 + 1.5 * 95.9)
    # Lengthening by 1: 4 25 = 100; 1.5 0.5 100 = 75 beside; beyond the best length f_L times as much.
    assert heat_rates(one(0.5), one(1.0), one(1.0), one(1.0), one(10.0)) == pytest.approx(88.07716 + 75.0, abs=1e-4)
    assert heat_rates(one(1.0), one(0.5), one(1.3), one(1.0), one(10.0)) == pytest.approx(93.45 + 0.5 * 150.0)


def test_what_a_muscle_uses_is_heat_and_work_of_its_mass() -> None:
    points = (PathPoint(joint="post", point=(0.0, 0.3, 0.0)), PathPoint(joint="post", point=(0.0, 0.0, 0.0)))
    muscle = Muscle(id="one", name="One", points=points, force=1000.0, fibre=0.1, tendon=0.2, fastest=10.0)
    figure = MuscledFigure(compile_model(arm()), Muscles(muscles=(muscle,), model="thelen"))
    # 1000 N / 0.25 MPa 0.1 m 1059.7 kg/m3
    assert muscle_masses(figure) == pytest.approx([0.42388])
    held = metabolic_rates(figure, np.array([0.3]), np.array([0.0]), np.array([1.0]))
    assert held == pytest.approx([133.5 * 0.42388])
    # Shortening by 0.2 m/s: f_V = (1 - 0.2)/(1 + 0.2/0.25) = 4/9, of 1000 N, 0.2 m/s: 88.889 W; heat 133.5 + 60.45.
    driving = metabolic_rates(figure, np.array([0.3]), np.array([-0.2]), np.array([1.0]))
    assert driving == pytest.approx([193.95 * 0.42388 + 88.8889], abs=1e-3)
    relaxed = metabolic_rates(figure, np.array([0.3]), np.array([0.0]), np.array([0.0]))
    assert relaxed == pytest.approx([0.42388]), "1 W/kg at least"


def test_forces_are_of_two_parts_and_power_is_that_of_a_shortening_path() -> None:
    length, rate, force, active, passive, power = numbers(
        active_arm(), "muscle_length", "muscle_rate", "muscle_force", "muscle_active", "muscle_passive", "muscle_power"
    )
    assert active + passive == pytest.approx(force)
    assert active.min() > 10.0
    assert rate == pytest.approx(np.gradient(length, 0.05), rel=0.05, abs=1e-3)
    assert power == pytest.approx(-force * rate)
    assert power.min() > 0.0, "it shortens as the arm bends"


def test_work_and_energy_are_integrals_from_the_first_time() -> None:
    power, work, rate, energy = numbers(
        active_arm(), "muscle_power", "muscle_work", "muscle_metabolic", "muscle_energy"
    )
    for per_second, total in ((power, work), (rate, energy)):
        assert total[0] == 0.0
        assert total[-1] == pytest.approx(float(np.trapezoid(per_second, dx=0.05)), rel=0.01)
    assert energy[-1] > work[-1] > 0.0
    (together,) = numbers(active_arm(), "muscles_metabolic", part="")
    each = [numbers(active_arm(), "muscle_metabolic", part=id)[0] for id in ("biceps", "triceps", "brachialis")]
    assert together == pytest.approx(np.sum(each, axis=0))


def test_torque_of_muscles_and_what_they_lack_are_together_what_the_motion_takes() -> None:
    document = swinging()
    required, given, lacking = numbers(document, "torque", "muscles_torque", "muscles_lack", part="bend")
    assert given + lacking == pytest.approx(required)
    assert np.abs(lacking).max() > 2.0
    strong = swinging(replace(FLEXOR, force=2000.0), replace(EXTENSOR, force=2000.0))
    found = found_for(strong, rate=(200, 1))
    (left,) = numbers(found.edit.apply(strong), "muscles_lack", part="bend")
    rows = [found.shares.times.index(time) for time in TIMES]
    assert left == pytest.approx(found.shares.reserves[rows, 0], abs=0.6)  # by keys within their tolerance


def test_who_has_no_muscles_has_none_of_it_and_roots_lack_nothing_of_muscles() -> None:
    actor = bent_arm()
    assert measurable(human(0.0).actors[0], "muscle_power") == {}
    assert measurable(actor, "muscle_power")["biceps"] == "Biceps"
    assert measurable(actor, "muscles_energy") == {"": ""}
    assert measurable(actor, "muscles_lack") == {"shoulder.lift": "Shoulder, lift", "elbow.bend": "Elbow, bend"}


def test_the_command_line_writes_them(tmp_path: Path) -> None:
    scene, out = tmp_path / "arm.sinew", tmp_path / "arm.csv"
    sinew.write(scene, active_arm())
    write_curves(scene, out, ("muscle_power:arm.biceps", "muscles_energy:arm", "muscles_lack:arm.elbow.bend"), end=0.5)
    head, *rows = out.read_text().splitlines()
    assert "Biceps, power of a muscle" in head
    assert "metabolic energy of all muscles" in head
    assert len(rows) == 16
