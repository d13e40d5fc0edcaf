"""A drafted change of a corrected motion is kept as a wish, and targets are met around it: edits in null space."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from engine.document import Document, Target
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.secondary import Gains
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.model.compile import ROW
from engine.runtime.errors import InvalidArguments
from engine.runtime.progress import finish
from engine.targets.commands.keep_change import KeepChange
from engine.targets.commands.meet_targets import TargetsMet
from tests.engine.targets.test_meet_targets import WITHIN, met, place, puncher, scene, seen

HAND, ELBOW, SHOULDER = "wrist_right", "elbow_right.flexion", "shoulder_right.flexion"
ORIGIN = (0.0, 0.0, 0.0)
WHEN, EARLIER = SECOND, 7 * SECOND // 10
AIM = Target(id="hand", kind="point", joint=HAND, time=WHEN)


@cache
def punching(*targets: Target) -> Document:
    """The arm meets its target already."""
    document = scene(*(targets or (AIM,)), actor=puncher(), gains=Gains(tension=3.0))
    return met(document).edit.apply(document)


def drafted(document: Document, time: int, **by: float) -> tuple[Document, dict[str, float]]:
    """What is seen, with some coordinates moved, as a draft; and what is seen of them then."""
    index, q = document.actors[0].figure.coordinate_index, seen(document, time)
    names = {name.replace("__", "."): number for name, number in by.items()}
    values = tuple((name, float(q[index[name]]) + number) for name, number in names.items())
    made = edit("set_draft", actor="one", layer="pose", time=time, values=values).apply(document)
    row = Evaluator().rows(made, time)["one"][ROW:]
    return made, {name: float(row[index[name]]) for name in names}


def kept(document: Document, time: int, id: str = "wish") -> TargetsMet:
    change = KeepChange(actor="one", layer="pose", time=time, id=id, correction="correction")
    return finish(change.work_through(Evaluator(), document))


def listed(document: Document) -> tuple[Target, ...]:
    secondary = document.actors[0].secondary
    assert secondary is not None
    return secondary.targets


def off(document: Document, values: dict[str, float], time: int) -> float:
    index, q = document.actors[0].figure.coordinate_index, seen(document, time)
    return max(abs(float(q[index[name]]) - value) for name, value in values.items())


def test_what_was_drafted_is_seen_and_the_target_is_still_met() -> None:
    before = punching()
    document, values = drafted(before, EARLIER, elbow_right__flexion=0.25, shoulder_right__flexion=-0.15)
    found = kept(document, EARLIER)
    after = found.edit.apply(document)
    assert found.met
    assert [(each.kind, each.time) for each in listed(after)] == [("point", WHEN), ("wish", EARLIER)]
    assert not after.actors[0].layers[0].drafts
    assert off(before, values, EARLIER) > 0.1
    assert off(after, values, EARLIER) <= WITHIN
    keyed = scene(actor=puncher(), on=False)
    assert np.linalg.norm(place(after, HAND, ORIGIN, WHEN) - place(keyed, HAND, ORIGIN, WHEN)) <= WITHIN


def test_at_the_time_of_a_target_only_its_null_space_is_edited() -> None:
    before = punching()
    document, _ = drafted(before, WHEN, elbow_right__flexion=0.2, shoulder_right__abduction=0.5)
    found = kept(document, WHEN)
    after = found.edit.apply(document)
    assert found.met
    change = np.abs(seen(after, WHEN) - seen(before, WHEN)).max()
    assert change > 0.05
    assert np.linalg.norm(place(after, HAND, ORIGIN, WHEN) - place(before, HAND, ORIGIN, WHEN)) <= 2.0 * WITHIN


def test_a_second_change_at_that_time_takes_the_place_of_the_first_and_keeps_its_ease() -> None:
    document, _ = drafted(punching(), EARLIER, elbow_right__flexion=0.25)
    first = kept(document, EARLIER).edit.apply(document)
    eased = edit("set_targets", actor="one", targets=("wish",), changes=(("width", SECOND // 3),)).apply(first)
    document, values = drafted(eased, EARLIER, elbow_right__flexion=-0.1)
    found = kept(document, EARLIER, id="other")
    after = found.edit.apply(document)
    assert [each.id for each in listed(after)] == ["hand", "wish"]
    assert listed(after)[1].width == SECOND // 3
    assert off(after, values, EARLIER) <= WITHIN
    assert found.met


def test_targets_are_met_again_around_a_wish_when_keys_move_and_when_it_goes() -> None:
    start = punching()
    document, _ = drafted(start, EARLIER, elbow_right__flexion=0.25)
    wished = kept(document, EARLIER).edit.apply(document)
    moved = edit("set_key", actor="one", layer="pose", coordinate=ELBOW, time=6 * SECOND // 5, value=1.2).apply(wished)
    again = met(moved)
    assert again.met
    (change,) = (each.change for each in listed(moved) if each.kind == "wish")
    layer = again.edit.apply(moved).actors[0].layers[-1]
    assert layer.correction is not None
    assert EARLIER in [term.bell.time for term in layer.correction.terms]
    assert change is not None
    gone = edit("remove_targets", actor="one", targets=("wish",)).apply(wished)
    without = met(gone).edit.apply(gone)
    assert np.abs(seen(without, EARLIER) - seen(start, EARLIER)).max() <= 1e-9


def test_a_wish_alone_moves_the_motion_and_one_that_is_off_does_not() -> None:
    change = Target(id="wish", kind="wish", time=SECOND, change=(("swing", 0.3),))
    document = scene(change)
    found = met(document)
    after = found.edit.apply(document)
    assert found.met
    assert found.targets == ()
    assert abs(seen(after, SECOND)[1] - seen(document, SECOND)[1]) > 0.05
    silent = scene(replace(change, on=False), actor=after.actors[0])
    corrected = met(silent).edit.apply(silent)
    assert all(layer.correction is None for layer in corrected.actors[0].layers)


def test_a_wish_is_saved_with_its_project(tmp_path: object) -> None:
    document, _ = drafted(punching(), EARLIER, elbow_right__flexion=0.25)
    after = kept(document, EARLIER).edit.apply(document)
    path = tmp_path / "wish.sinew"  # type: ignore[operator]
    sinew.write(path, after)
    assert sinew.read(path).digest == after.digest


def test_a_draft_of_what_is_seen_anyway_is_refused_where_nothing_is_corrected() -> None:
    document = scene(AIM, actor=puncher(), gains=Gains(tension=3.0))
    far, _ = drafted(document, 6 * SECOND, elbow_right__flexion=0.0)
    alone = edit("remove_targets", actor="one", targets=("hand",)).apply(far)
    with pytest.raises(InvalidArguments, match="was changed"):
        kept(alone, 6 * SECOND)
