"""Computed muscle control: activations that physics plays forward along a motion, and what cannot be followed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.cli.curves import document_in
from engine.cli.measured_trial import MeasuredTrial
from engine.cli.muscle_activations import find_activations
from engine.cli.muscles import muscled
from engine.document import Body, Document, Dof, Figure, Key, Layer, Track
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.muscles.commands.activate import ActivationsFromMotion, FoundActivations
from engine.muscles.control import PERIOD
from engine.muscles.excitation import FALLING, RISING
from engine.muscles.hill import step_activation
from engine.physics.parts import Physics
from engine.queries.examples import example
from engine.runtime.errors import InvalidArguments
from engine.runtime.progress import finish
from tests.engine.muscles.test_driving import EXTENSOR, FLEXOR, MASS, G, arm
from tests.engine.muscles.test_static import swinging
from tests.engine.shared_data import shared


def followed(document: Document, *, end: float, method: str = "control") -> FoundActivations:
    command = ActivationsFromMotion(actor=document.actors[0].id, start=0, end=round(end * SECOND), method=method)
    return finish(command.work_through(Evaluator(), document))


def played(document: Document, found: FoundActivations, *, free: bool = True) -> Array:
    """The coordinates that the motion has with the activations, or without physics, at some times."""
    actor = found.edit.apply(document).actors[0]
    part = Physics(start=0) if free else Physics(role="obstacle")
    scene = replace(document, actors=(actor.with_part(part),))
    return Evaluator().coordinates(scene, actor.id, list(found.shares.times[::4]))


def test_the_arm_of_the_example_follows_its_keys_by_its_muscles_within_two_degrees() -> None:
    curl = example("curl").build()
    found = followed(curl, end=4.0)
    off = np.degrees(played(curl, found) - played(curl, found, free=False))
    assert np.sqrt((off**2).mean(axis=0)).max() < 2.0
    assert np.degrees(played(curl, found)).std(axis=0).max() > 20.0, "it moves"
    assert found.shares.off is not None
    assert np.degrees(found.shares.off[::4]) == pytest.approx(-off, abs=2.0), "nearly as the search had it"


def test_what_is_too_heavy_is_named_with_how_far_it_is_off() -> None:
    found = followed(example("curl").build(), end=5.0)
    lacking = found.lacking
    assert lacking[0].startswith("Shoulder, flexion: muscles lack ")
    assert any(": follows within " in each and "° RMS" in each for each in lacking)


def test_activations_change_no_faster_than_excitation_lets_them() -> None:
    shares = followed(swinging(), end=1.0).shares
    seconds = PERIOD / SECOND
    assert shares.activations.max() > 0.3
    for before, after in zip(shares.activations[:-1].ravel(), shares.activations[1:].ravel(), strict=True):
        least, most = (step_activation(u, before, RISING, FALLING, seconds) for u in (0.0, 1.0))
        assert least - 1e-9 <= after <= most + 1e-9


SLOW = Track(coordinate="bend", keys=(Key(0, 0.0), Key(SECOND // 2, -0.6), Key(SECOND, -0.2)))


def slow(figure: Figure | None = None) -> Document:
    """An arm with strong muscles that moves as far as they can."""
    document = swinging(replace(FLEXOR, force=1500.0), replace(EXTENSOR, force=1500.0))
    actor = replace(document.actors[0], layers=(Layer(id="keys", name="Keys", tracks=(SLOW,)),))
    return replace(document, actors=(replace(actor, figure=figure or actor.figure),))


def test_a_motion_is_followed_from_its_start_with_the_speed_that_it_has() -> None:
    found = followed(slow(), end=1.0)
    off = np.degrees(played(slow(), found) - played(slow(), found, free=False))
    assert abs(off[0, 0]) < 1e-6
    assert np.sqrt((off**2).mean()) < 2.0


def test_a_root_that_moves_freely_is_pushed_by_its_residual_which_is_told() -> None:
    axes = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
    slides = tuple(Dof(id=name, name=name, kind="slide", axis=axis) for name, axis in axes.items())
    turns = tuple(Dof(id=f"turn_{name}", name=f"Turn {name}", axis=axis) for name, axis in axes.items())
    post, rod = arm().joints
    body = Body(mass=5.0, centre=(0.0, 0.0, 0.0), inertia=(0.1, 0.1, 0.1, 0.0, 0.0, 0.0))
    loose = replace(arm(), joints=(replace(post, dofs=(*slides, *turns), body=body), rod))
    found = followed(slow(loose), end=0.6)
    off = found.shares.off
    assert off is not None
    assert np.sqrt((np.degrees(off[:, 6]) ** 2).mean()) < 2.0
    assert np.abs(off[:, 1]).max() < 0.01, "it does not fall"
    up = next(each for each in found.shares.lacks(root=True) if each.rate == "y")
    assert up.most == pytest.approx((5.0 + MASS) * G, rel=0.3)
    assert any("at the root" in each for each in found.lacking)


def test_motors_give_what_muscles_lack_where_that_is_wanted() -> None:
    curl = example("curl").build()
    alone, assisted = (followed(curl, end=5.0, method=method).shares.off for method in ("control", "assisted"))
    assert alone is not None
    assert assisted is not None
    assert np.degrees(np.abs(alone)).max() > 5.0
    assert np.degrees(np.abs(assisted)).max() < 3.0


def test_a_measured_walk_of_opensim_is_followed_with_its_forces_and_motors() -> None:
    folder = shared("mocap", "opensim_gait2354_walk")
    document = document_in(folder / "subject01_scaled.osim")
    owner, _ = muscled(document, None)
    trial = MeasuredTrial(
        motion=folder / "reference_ik.mot", low_pass=6.0, felt=True, forces=folder / "subject01_walk1_grf.mot"
    )
    document, _ = trial.put_on(document, owner.id)
    shares = find_activations(document, start=0.5, end=1.0, method="assisted").shares
    assert shares.off is not None
    led = [rate for rate, name in enumerate(shares.figure.rates) if shares.turning[rate] and "mtp" not in name]
    assert np.sqrt((np.degrees(shares.off[:, led]) ** 2).mean(axis=0)).max() < 2.0
    force = np.abs(shares.reserves[:, [shares.figure.rate_index[f"pelvis_t{axis}"] for axis in "xyz"]]).max()
    assert force < 0.1 * np.linalg.norm(shares.ground, axis=1).max()


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(InvalidArguments, match="static or control or assisted or held"):
        ActivationsFromMotion(actor="me", method="guess")
