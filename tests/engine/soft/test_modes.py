"""Modes of soft bodies against closed forms and against simulated jolts, and the windows that they suggest."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array, BoolArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.progress import finish
from engine.soft.commands.set_soft_window import SetSoftWindow
from engine.soft.materials import SoftMaterial
from engine.soft.meshing import box
from engine.soft.modes import Modes, find_modes, history_window, jolt_window, response
from engine.soft.parts import SoftBody
from engine.soft.queries.suggest_soft_window import find_soft_window
from engine.soft.step import SoftModel, SoftOptions, SoftPiece, compile_soft, start, step
from tests.engine.soft.driven import SECOND, waving

YOUNG, DENSITY = 1e6, 1000.0


def beam(counts: tuple[int, int, int], size: tuple[float, float, float], **given: Any) -> tuple[SoftModel, BoolArray]:
    """A beam along x whose left end is held."""
    mesh = box(size, counts)
    options: dict[str, Any] = {
        "young": YOUNG,
        "poisson": 0.0,
        "density": DENSITY,
        "mass_damping": 0.0,
        "stiffness_damping": 0.0,
    }
    piece = SoftPiece(mesh=mesh, material=SoftMaterial(**(options | given)), touches=False)
    model = compile_soft([piece], SoftOptions(gravity=(0.0, 0.0, 0.0), tolerance=1e-8))
    held = mesh.points[:, 0] < -0.5 * size[0] + 1e-9
    return replace(model, held=np.flatnonzero(held).astype(np.int32)), held


def test_a_rod_swings_lengthwise_as_its_closed_form_says() -> None:
    modes = find_modes(*beam((16, 2, 2), (1.0, 0.1, 0.1)), count=12)
    along = int(np.argmax(np.abs(modes.driven[:, 0])))
    assert modes.frequencies[along] == pytest.approx(math.sqrt(YOUNG / DENSITY) / 4.0, rel=2e-3)
    assert modes.shares[along] == pytest.approx(8.0 / math.pi**2 / 3.0, rel=0.05), "8 / pi^2 of it, lengthwise"


def test_a_beam_bends_as_its_closed_form_says_and_comes_nearer_on_finer_meshes() -> None:
    exact = 1.8751**2 / (2.0 * math.pi) * 0.1 * math.sqrt(YOUNG / DENSITY / 12.0)
    found = [find_modes(*beam((8 * n, n, n), (1.0, 0.1, 0.1)), count=2).frequencies[0] for n in (2, 3, 4)]
    away = [each / exact - 1.0 for each in found]
    assert away == sorted(away, reverse=True)
    assert math.log(away[0] / away[2]) / math.log(2.0) == pytest.approx(2.0, abs=0.15), "of second order"
    limit = found[2] - (found[1] - found[2]) / ((4.0 / 3.0) ** 2 - 1.0)
    assert limit == pytest.approx(exact, rel=0.012), "shear makes a thick beam a little slower"


def test_modes_have_unit_mass_and_what_is_held_stays() -> None:
    model, held = beam((8, 2, 2), (0.4, 0.08, 0.08), stiffness_damping=0.03, mass_damping=0.2)
    modes = find_modes(model, held, count=8)
    flat = modes.shapes.reshape(8, -1)
    assert flat @ np.diag(np.repeat(model.masses, 3)) @ flat.T == pytest.approx(np.eye(8), abs=1e-9)
    assert np.abs(modes.shapes[:, held]).max() == 0.0
    assert modes.decays == pytest.approx(0.5 * (0.2 + 0.03 * modes.squares), rel=1e-6), "(5.9)"
    large = find_modes(*beam((24, 3, 3), (0.4, 0.08, 0.08)), count=4)
    assert (large.squares[1:] >= large.squares[:-1]).all(), "by the sparse solver"


def jolted(model: SoftModel, held: BoolArray, speed: float, dt: float, seconds: float) -> Array:
    """How far the farthest point is off at each step after a jolt."""
    state = model.new_state()
    state.v[~held] = (0.0, speed, 0.0)
    work, found = start(model, state), []
    for _ in range(round(seconds / dt)):
        step(model, state, work, dt)
        found.append(np.linalg.norm(state.x - model.rest, axis=1).max())
    return np.array(found)


@pytest.mark.parametrize("dt", [1.0 / 60.0, 1.0 / 240.0])
def test_a_simulated_jolt_dies_away_as_the_stepped_modes_say(dt: float) -> None:
    model, held = beam((8, 2, 2), (0.4, 0.08, 0.08), young=8e5, poisson=0.3, stiffness_damping=0.03)
    modes, speed = find_modes(model, held, count=40).stepped(dt), 0.1
    seen = jolted(model, held, speed, dt, 1.2)
    times = np.asarray(dt * np.arange(1, len(seen) + 1), dtype=np.float64)
    linear = np.linalg.norm(response(modes, np.array((0.0, speed, 0.0)), times), axis=2).max(axis=1)
    assert np.abs(linear - seen).max() < 0.1 * seen.max()
    for least in (1e-3, 1e-4):
        ends = [float(times[np.flatnonzero(each > least)[-1]]) + dt for each in (seen, linear)]
        assert ends[0] == pytest.approx(ends[1], abs=1.01 * dt)
        assert ends[0] <= jolt_window(modes, speed, least) <= 2.0 * ends[0]


def test_of_one_mode_the_window_is_the_closed_form() -> None:
    """(5.6), with A = v / w and g = c / 2 m."""
    decay, square, speed, least = 3.0, 400.0, 0.5, 1e-4
    shapes, driven = np.array((((0.0, 1.0, 0.0),),)), np.array(((0.0, 1.0, 0.0),))
    one = Modes(np.array((square,)), np.array((decay,)), shapes, driven, 1.0)
    swing = math.sqrt(square - decay**2)
    assert jolt_window(one, speed, least) == pytest.approx(math.log(speed / swing / least) / decay, rel=1e-6)
    assert history_window(one, 0.0, least) == 0.0
    assert history_window(replace(one, decays=np.zeros(1)), 1.0, least) == math.inf
    stiff = replace(one, decays=np.array((50.0,)))
    for window in (jolt_window, history_window):
        assert 0.0 < window(stiff, 10.0, least) < 3.0, "over-damped"
    with pytest.raises(InvalidArguments, match="the least motion that is seen"):
        jolt_window(one, 1.0, 0.0)


@pytest.mark.parametrize("hold", ["hard", "spring"])
def test_the_suggested_window_forgets_what_cannot_be_seen(hold: str) -> None:
    document, evaluator = (
        waving(stepped="from_start", young=4e5, density=200.0, mass_damping=3.0, hold=hold),
        Evaluator(),
    )
    found = list(find_soft_window(evaluator, document, "flag", time=SECOND))[-1]
    assert found is not None
    assert found.acceleration > 9.80665
    change = finish(SetSoftWindow(actor="flag", time=SECOND).work_through(evaluator, document))
    suggested = change.apply(document)
    (body,) = suggested.actor("flag").parts
    assert isinstance(body, SoftBody)
    assert body.stepped == "over_window"
    assert found.window <= body.window < found.window + 0.011
    times = [SECOND + each * SECOND // 10 for each in range(6)]
    ways = [evaluator.places(each, "flag", 3, times) for each in (document, suggested)]
    assert np.linalg.norm(ways[0] - ways[1], axis=1).max() < 0.002


def test_a_body_that_swings_on_for_long_is_given_no_window() -> None:
    document = waving(stepped="from_start", young=300.0, stiffness_damping=0.0, mass_damping=0.0, step=0.001)
    with pytest.raises(InvalidArguments, match="more damping, or a stiffer body"):
        finish(SetSoftWindow(actor="flag").work_through(Evaluator(), document))
    with pytest.raises(InvalidArguments, match="'Arm'"):
        list(find_soft_window(Evaluator(), waving(), "arm"))
