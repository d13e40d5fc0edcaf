"""Targets of points of soft bodies: met by the figure that carries them, or missed by as little as can be."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Document, Target
from engine.document.values import Vector3
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.queries.examples import example
from engine.runtime.errors import InvalidArguments, InvalidDocument, UnknownPart
from engine.runtime.progress import finish
from engine.soft.parts import SoftBody
from engine.soft.stage import SoftStage
from engine.soft.windowed import WindowedBody
from engine.targets.actor_targets import spot_velocity
from engine.targets.commands.aim_spot import AimSpot
from engine.targets.commands.meet_targets import MeetTargets, TargetsMet
from engine.targets.commands.take_target import TakeTarget
from engine.targets.mirrored import mirror_targets
from engine.targets.queries.mark_targets import mark_targets
from tests import hat_example
from tests.engine.soft.driven import SECOND, reaching

THERE = SECOND * 7 // 10
AWAY = np.array((0.05, 0.08, -0.06))


def corner(document: Document) -> int:
    """The vertex that is farthest from where the slab is held."""
    (body,) = document.actor("flag").parts
    assert isinstance(body, SoftBody)
    return int(np.argmax(body.positions.array @ (1.0, 1.0, 0.1)))


def seen(evaluator: Evaluator, document: Document) -> Array:
    (place,) = evaluator.places(document, "flag", corner(document), (THERE,))
    return np.asarray(place)


def aimed(evaluator: Evaluator, document: Document, wanted: Array, speed: Vector3 | None = None) -> Document:
    x, y, z = wanted.tolist()
    change = AimSpot(id="tip", actor="flag", spot=corner(document), time=THERE, position=(x, y, z), speed=speed)
    return change.work_out(evaluator, document).apply(document)


def met(evaluator: Evaluator, document: Document) -> tuple[Document, TargetsMet]:
    found = finish(MeetTargets(actor="arm", id="correction").work_through(evaluator, document))
    return found.edit.apply(document), found


def test_a_soft_point_is_where_its_target_is_and_nothing_beyond_the_bell_and_the_windows_changes() -> None:
    document, evaluator = reaching(), Evaluator()
    wanted = seen(evaluator, document) + AWAY
    after, found = met(evaluator, aimed(evaluator, document, wanted))
    assert found.met
    assert np.linalg.norm(seen(evaluator, after) - wanted) < 1e-6
    assert np.linalg.norm(seen(Evaluator(), after) - wanted) < 1e-6, "alone, too"
    body = evaluator.stage("soft")
    assert isinstance(body, SoftStage)
    gave = body.stepped(after, "flag")
    assert isinstance(gave, WindowedBody)
    assert np.abs(gave.points(THERE) - gave.carried(THERE)).max() > 1e-3, "and gives way on the way there"
    beyond = (THERE + 2 * SECOND,)
    places = [evaluator.places(each, "flag", 0, beyond).tobytes() for each in (document, after)]
    assert places[0] == places[1]


def test_its_velocity_is_met_on_request() -> None:
    document, evaluator = reaching(), Evaluator()
    speed = (0.5, -0.2, 0.1)
    after, found = met(evaluator, aimed(evaluator, document, seen(evaluator, document) + AWAY, speed))
    assert found.met
    assert spot_velocity(evaluator, after, "flag", corner(after), THERE) == pytest.approx(speed, abs=1e-4)


def test_what_is_out_of_reach_is_missed_by_less_than_without_and_said() -> None:
    document, evaluator = reaching(), Evaluator()
    wanted = np.array((3.0, 3.0, 0.0))
    before = float(np.linalg.norm(seen(evaluator, document) - wanted))
    after, found = met(evaluator, aimed(evaluator, document, wanted))
    assert not found.met
    assert "the nearest misses by" in found.text
    assert float(np.linalg.norm(seen(evaluator, after) - wanted)) == pytest.approx(found.targets[0].missed)
    assert found.targets[0].missed < before


def test_its_marker_and_what_is_taken_from_here_are_where_the_point_is_seen() -> None:
    document, evaluator = reaching(), Evaluator()
    place = seen(evaluator, document)
    here = AimSpot(id="tip", actor="flag", spot=corner(document), time=THERE).work_out(evaluator, document)
    document = here.apply(document)
    assert np.array(document.actor("arm").secondary.targets[0].position) == pytest.approx(place)  # type: ignore[union-attr]
    marked = [each for each in mark_targets(evaluator, document, "arm", THERE) if each is not None][-1]
    (mark,) = marked.marks
    assert mark.at == pytest.approx(place)
    assert (mark.missed, mark.name) == ("", "Flag")
    take = TakeTarget(actor="arm", target="tip", what="speed", time=THERE).work_out(evaluator, document)
    taken = take.apply(document).actor("arm").secondary
    assert taken is not None
    assert taken.targets[0].speed == pytest.approx(spot_velocity(evaluator, document, "flag", corner(document), THERE))


def test_a_mirror_leaves_a_target_of_what_is_carried() -> None:
    document, evaluator = reaching(), Evaluator()
    owner = aimed(evaluator, document, seen(evaluator, document)).actor("arm")
    assert mirror_targets(owner, 0, SECOND) == owner


def test_a_target_goes_with_what_it_is_of_and_a_point_that_is_not_there_is_named() -> None:
    document, evaluator = reaching(), Evaluator()
    aiming = aimed(evaluator, document, seen(evaluator, document))
    gone = edit("remove_actor", actor="flag").apply(aiming)
    left = gone.actor("arm").secondary
    assert left is not None
    assert left.targets == ()
    hard = edit("remove_soft_body", actor="flag").apply(aiming)
    with pytest.raises(UnknownPart, match="point of Flag"):
        met(evaluator, hard)
    with pytest.raises(UnknownPart, match="'9999'"):
        AimSpot(id="tip", actor="flag", spot=9999, time=THERE).work_out(evaluator, document)
    free = edit("detach_soft_body", actor="flag", attachment="held").apply(document)
    with pytest.raises(InvalidArguments, match="what Flag hangs on"):
        AimSpot(id="tip", actor="flag", spot=0, time=THERE).work_out(evaluator, free)
    with pytest.raises(InvalidDocument, match="what a target is carried by"):
        Target(id="half", kind="point", joint="j7", carried="flag")


def test_the_hat_clears_the_door_frame_by_a_change_of_posture_and_hits_it_without() -> None:
    document, evaluator = example("hat").build(), Evaluator()
    bare = edit("set_correction", actor="human", layer="correction", correction=None).apply(document)
    assert _above(evaluator, bare) > 0.05
    assert _above(evaluator, document) < -0.01
    (place,) = evaluator.places(document, "hat", 0, (hat_example.THERE,))
    assert np.linalg.norm(place - np.array(hat_example.LOW)) < 1e-4, "met to 1e-6 by the solver that wrote it"
    (body,) = document.actor("hat").parts
    assert isinstance(body, SoftBody)
    assert body.stepped == "over_window"


def _above(evaluator: Evaluator, document: Document) -> float:
    """How far the hat is above the lower side of the lintel while it is under it [m], at most."""
    stage, found = evaluator.stage("soft"), []
    assert isinstance(stage, SoftStage)
    body = stage.stepped(document, "hat")
    for frame in range(70, 84, 2):
        skin = body.scene.member("hat").carried(body.points(frame * SECOND // 30))
        under = skin[np.abs(skin[:, 2] - hat_example.FRAME_AT) < 0.5 * hat_example.LINTEL]
        found.append(float(under[:, 1].max(initial=0.0)) - hat_example.UNDER)
    return max(found)
