"""Locks moved, turned and keyed from where they hold at a time."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Actor, Document, Layer, Lock, Placement
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.locks.commands.lock_here import LockHere
from engine.locks.commands.move_lock import KeyLock, MoveLock, TieLock
from engine.model.snapshot import LockMark
from engine.runtime.errors import InvalidDocument

HAND, FOOT = "wrist_left", "ankle_left"


def two() -> Document:
    """Two humans; the second stands turned and aside."""
    layers, figure = (Layer(id="pose"),), load_figure("human")
    aside = Placement(position=(0.9, 0.0, 0.3), rotation=(math.cos(0.4), 0.0, math.sin(0.4), 0.0))
    one, other = (Actor(id=id, name=id, figure=figure, layers=layers) for id in ("one", "other"))
    return Document(actors=(one, replace(other, placement=aside)))


def locked(**fields: object) -> tuple[Evaluator, Document]:
    wish = LockHere(id="lock", name="Lock", actor="one", joint=HAND, time=0)
    evaluator, document = Evaluator(), two()
    return evaluator, replace(wish, **fields).work_out(evaluator, document).apply(document)  # type: ignore[arg-type]


def mark(evaluator: Evaluator, document: Document, time: int = 0) -> LockMark:
    (found,) = evaluator.snapshot(document, time, skins=False).locks
    return found


def lock_of(document: Document) -> Lock:
    return document.actor("one").locks[0]


@pytest.mark.parametrize("target", [{}, {"target": "other", "target_joint": "pelvis"}])
def test_a_place_given_in_the_world_is_where_the_part_goes(target: dict[str, str]) -> None:
    evaluator, document = locked(**target)
    wanted = np.add(mark(evaluator, document).at, (0.0, 0.05, 0.08))
    x, y, z = wanted.tolist()
    change = MoveLock(actor="one", lock="lock", time=0, to=(x, y, z)).work_out(evaluator, document)
    assert change.name == "set_lock_target"
    assert np.abs(np.array(mark(evaluator, change.apply(document)).at) - wanted).max() < 1e-6


def test_a_lock_with_keys_is_keyed_where_it_is_moved() -> None:
    evaluator, document = locked()
    for time in (0, SECOND):
        document = (
            KeyLock(actor="one", lock="lock", time=time, what=("place",)).work_out(evaluator, document).apply(document)
        )
    before = mark(evaluator, document)
    x, y, z = before.position
    change = MoveLock(actor="one", lock="lock", time=SECOND, to=(x, y + 0.05, z)).work_out(evaluator, document)
    assert change.name == "key_lock"
    moved = change.apply(document)
    assert mark(evaluator, moved, 0).position == pytest.approx(before.position, abs=1e-12)
    assert mark(evaluator, moved, SECOND).position == pytest.approx((x, y + 0.05, z), abs=1e-12)


def test_a_turn_is_keyed_as_it_is_and_goes_the_short_way_past_half_a_turn() -> None:
    evaluator, document = locked(held="turn", axes=("i", "j"))
    for step, angle in enumerate((2.8, 3.4)):
        rotation = (math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0)
        if step == 0:
            document = (
                MoveLock(actor="one", lock="lock", time=0, rotation=rotation)
                .work_out(evaluator, document)
                .apply(document)
            )
            document = (
                KeyLock(actor="one", lock="lock", time=0, what=("turn",)).work_out(evaluator, document).apply(document)
            )
        else:
            document = (
                MoveLock(actor="one", lock="lock", time=SECOND, rotation=rotation)
                .work_out(evaluator, document)
                .apply(document)
            )
    turns = [key.value for key in lock_of(document).track_of["turn_y"].keys]
    assert turns == pytest.approx([2.8, 3.4], abs=1e-12)


def test_the_weight_is_keyed_as_it_is() -> None:
    evaluator, document = locked()
    change = KeyLock(actor="one", lock="lock", time=5, what=("weight",)).work_out(evaluator, document)
    (key,) = lock_of(change.apply(document)).track_of["weight"].keys
    assert (key.time, key.value) == (5, 1.0)


def test_a_centre_of_mass_is_held_where_it_is() -> None:
    evaluator, document = locked(held="centre", joint="pelvis")
    found = mark(evaluator, document)
    assert found.at == pytest.approx(lock_of(document).position, abs=1e-9)
    assert found.off < 1e-9


def test_a_plane_given_in_the_world_is_told_as_such() -> None:
    slope = (0.0, 0.6, 0.8)
    for target in ({}, {"target": "other", "target_joint": "pelvis"}):
        evaluator, document = locked(held="plane", normal=slope, **target)
        found = mark(evaluator, document)
        assert found.held == "plane"
        assert found.normal == pytest.approx(slope, abs=1e-9)


def test_a_mark_tells_where_the_held_axes_point() -> None:
    evaluator, document = locked(held="turn", axes=("k",))
    ((axis, direction),) = mark(evaluator, document).axes
    at = document.actor("one").figure.joint_index[HAND]
    assert axis == "k"
    assert direction == pytest.approx(tuple(evaluator.joint_transforms(document, "one")[at][:, 2]), abs=1e-9)


def test_a_lock_is_tied_elsewhere_where_it_holds_and_back_again() -> None:
    slope = (0.0, 0.6, 0.8)
    evaluator, document = locked(held="plane", axes=("i", "j"), normal=slope)
    before = mark(evaluator, document)
    tied = TieLock(actor="one", lock="lock", target="other", target_joint="pelvis", time=0).work_out(
        evaluator, document
    )
    after = mark(evaluator, tied.apply(document))
    assert lock_of(tied.apply(document)).target == "other"
    assert after.target == pytest.approx(before.target, abs=1e-9)
    assert after.normal == pytest.approx(slope, abs=1e-9)
    for (_, one), (_, two) in zip(before.axes, after.axes, strict=True):
        assert one == pytest.approx(two, abs=1e-9)
    loose = TieLock(actor="one", lock="lock", target=None, time=0).work_out(evaluator, tied.apply(document))
    again = lock_of(loose.apply(tied.apply(document)))
    assert again.position == pytest.approx(lock_of(document).position, abs=1e-9)
    assert again.normal == pytest.approx(slope, abs=1e-9)


def test_a_lock_is_not_tied_to_its_own_part() -> None:
    evaluator, document = locked()
    with pytest.raises(InvalidDocument, match="itself"):
        TieLock(actor="one", lock="lock", target="one", target_joint=HAND, time=0).work_out(evaluator, document).apply(
            document
        )
