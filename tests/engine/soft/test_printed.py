"""The transfers of forces that the source prints, stepped: what they move, and what they lose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Document
from engine.soft.making import soft_actor, soft_box
from engine.soft.parts import ActivationSpline, SoftBody, SoftWorld
from tests.engine.soft.test_simulation import SECOND, scene, simulation

PRINTED = ("pseudo_inverse", "conjugate_gradients", "one_step")


def bent(transfer: str) -> Document:
    """A beam with a spline along one side, afloat."""
    spline = ActivationSpline(
        id="side", name="Side", points=((-0.15, 0.03, 0.0), (0.15, 0.04, 0.02)), samples=4, alpha=0.8, stiffness=0.1,
        transfer=transfer,
    )  # fmt: skip
    body = soft_box((0.4, 0.1, 0.1), (6, 2, 2), stiffness_damping=0.02, mass_damping=0.0, splines=(spline,))
    return scene(soft_actor("beam", "Beam", body), gravity=0.0, ground=False, world=SoftWorld(step=1.0 / 960.0))


def drift(document: Document) -> tuple[float, float]:
    """How far the middle has gone [m], and the length of the spline beside that at rest."""
    found = simulation(document)
    (member,) = found.scene.members
    points = found.points(SECOND // 16)
    assert found.stopped is None
    middle = member.masses @ points / member.masses.sum()
    return float(np.linalg.norm(middle)), float(member.springs.contractions(points).mean())


@pytest.mark.parametrize("transfer", PRINTED)
def test_a_printed_form_shortens_the_body_and_loses_what_the_conserving_one_keeps(transfer: str) -> None:
    kept, shorter = drift(bent("conserving"))
    lost, moved = drift(bent(transfer))
    assert kept < 1e-6
    assert max(shorter, moved) < 0.999
    assert (lost > 1e-5) == (transfer != "one_step"), "the one step has the right sum, and a wrong torque"


def test_a_printed_form_has_the_same_bytes_alone_and_in_sequence() -> None:
    document = bent("iterated")
    times = (SECOND // 20, SECOND // 10)
    whole = simulation(document)
    before = [whole.points(time).tobytes() for time in times]
    assert [simulation(document).points(time).tobytes() for time in times] == before


def test_bodies_pass_through_each_other_where_they_are_not_to_touch() -> None:
    apart = []
    for together in (True, False):
        low = soft_actor("low", "Low", soft_box((0.3, 0.1, 0.3), (3, 1, 3)), position=(0.0, 0.06, 0.0))
        high = soft_actor("high", "High", soft_box((0.1, 0.1, 0.1), (1, 1, 1)), position=(0.0, 0.3, 0.0))
        document = scene(low, high, world=SoftWorld(step=1.0 / 60.0, together=together))
        found = simulation(document)
        below, above = (found.points(SECOND // 2)[each.points, 1].mean() for each in found.scene.members)
        apart.append(above - below)
    assert apart[0] > 0.07
    assert apart[1] < 0.03
    (part,) = replace(document.actors[0]).parts
    assert isinstance(part, SoftBody)
