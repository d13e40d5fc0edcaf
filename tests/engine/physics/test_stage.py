"""Simulated actors in the stack: what is seen, what hangs on them, what edits touch, bakes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Actor, Attachment, Document, Placement
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.measure.moving import moving
from engine.model.compile import ROW
from engine.model.snapshot import Arrows
from engine.motion.changed import changed_span
from engine.physics import stage as stages
from engine.physics.commands.bake_physics import BakePhysics
from engine.physics.parts import Physics, PhysicsWorld
from engine.physics.simulation import SceneSimulation
from engine.physics.stage import PhysicsStage
from engine.runtime.errors import InvalidArguments, InvalidDocument
from engine.runtime.progress import finish
from tests.engine.physics.scenes import BALL, CRATE, SECOND, actor

HIGH = (0.0, 5.0, 0.0)
THROWN = actor("thrown", at=(0.0, 1.0, 0.0), physics=Physics(start=SECOND // 2), keys=((0.0, 0.0), (1.0, 2.0)))


def height(document: Document, seconds: float, of: str = "thrown", evaluator: Evaluator | None = None) -> float:
    rows = (evaluator or Evaluator()).rows(document, round(seconds * SECOND))[of]
    return float(rows[10] + rows[ROW + 1])


def test_keys_are_seen_until_the_start_and_a_fall_from_there() -> None:
    document = Document(actors=(THROWN,))
    assert height(document, 0.25) == pytest.approx(1.5)
    assert height(document, 1.2) == pytest.approx(2.0 + 1.4 - 0.5 * 9.80665 * 0.49, abs=0.02)
    assert height(document, 1.2) < height(replace(document, actors=(THROWN.without_part(Physics),)), 1.2) - 1.0


def test_what_hangs_on_a_simulated_actor_goes_with_it_and_is_no_obstacle() -> None:
    held = Attachment(id="hold", joint="body", target="thrown", target_joint="body", position=(0.0, 0.3, 0.0))
    rider = replace(actor("rider", physics=None), attachments=(held,))
    document, evaluator = Document(actors=(THROWN, rider)), Evaluator()
    rows = evaluator.rows(document, SECOND)
    assert rows["rider"][10] + rows["rider"][ROW + 1] == pytest.approx(height(document, 1.0) + 0.3, abs=1e-6)
    assert height(document, 1.0) == height(Document(actors=(THROWN,)), 1.0)


def test_one_actor_alone_is_asked_for_with_all_that_it_may_touch() -> None:
    below = actor("below", CRATE, at=(0.0, 0.4, 0.0), physics=None)
    document, evaluator = Document(actors=(actor("ball", at=(0.0, 0.9, 0.0)), below)), Evaluator()
    alone = evaluator.coordinates(document, "ball", (SECOND,))[0]
    assert alone.tobytes() == evaluator.rows(document, SECOND)["ball"][ROW:].tobytes()
    assert 0.9 + alone[1] == pytest.approx(0.65, abs=2e-3)


def test_frames_are_the_same_bytes_alone_and_in_sequence_and_prepared_in_slices() -> None:
    document = Document(actors=(actor("one", CRATE, at=(0.1, 0.9, 0.0)), actor("two", CRATE, at=(0.0, 0.4, 0.0))))
    whole = Evaluator()
    frames = [whole.rows(document, time)["one"].tobytes() for time in (0, SECOND // 2, SECOND)]
    prepared = Evaluator()
    assert len(list(prepared.prepare(document, SECOND))) > 3
    assert (
        prepared.rows(document, SECOND)["one"].tobytes()
        == frames[2]
        == Evaluator().rows(document, SECOND)["one"].tobytes()
    )


def test_an_edit_steps_anew_from_its_time_and_gives_what_a_fresh_start_would() -> None:
    lift = actor("lift", CRATE, at=(0.0, 0.4, 0.0), physics=None, keys=((0.0, 0.0), (2.0, 0.0), (3.0, 0.5)))
    old = Document(actors=(actor("ball", at=(0.0, 0.9, 0.0)), lift))
    evaluator = Evaluator()
    before = height(old, 2.9, "ball", evaluator)
    new = edit("set_key", actor="lift", layer="keys", coordinate="body.move_y", time=3 * SECOND, value=0.9).apply(old)
    after = height(new, 2.9, "ball", evaluator)
    assert after > before + 0.2
    assert after == height(new, 2.9, "ball")


def test_documents_that_are_asked_for_in_turn_are_stepped_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lift = actor("lift", CRATE, at=(0.0, 0.4, 0.0), physics=None, keys=((0.0, 0.0), (2.0, 0.0), (3.0, 0.5)))
    one = Document(actors=(actor("ball", at=(0.0, 0.9, 0.0)), lift))
    two = edit("set_key", actor="lift", layer="keys", coordinate="body.move_y", time=3 * SECOND, value=0.9).apply(one)
    evaluator, stepped, advance = Evaluator(), [], SceneSimulation._advance

    def counted(simulation: SceneSimulation, point: Any, end: int) -> Any:
        stepped.append(end - point.step)
        return advance(simulation, point, end)

    monkeypatch.setattr(SceneSimulation, "_advance", counted)
    first = [height(each, 2.9, "ball", evaluator) for each in (one, two)]
    alone = sum(stepped)
    again = [height(each, 2.9, "ball", evaluator) for each in (one, two) * 3]
    assert (again, sum(stepped)) == (first * 3, alone)
    stepped.clear()
    height(one, 2.9, "ball", Evaluator())
    assert alone < 2 * sum(stepped), "the second goes on from where the first is the same"


def test_simulations_of_earlier_documents_are_kept_up_to_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [Document(actors=(actor("ball", at=(0.0, 1.0 + each, 0.0)),)) for each in range(3)]
    for most, kept in ((1 << 30, 3), (0, 1)):
        monkeypatch.setattr(stages, "_KEPT_BYTES", most)
        evaluator = Evaluator()
        for each in (*documents, *documents):
            height(each, 0.5, "ball", evaluator)
        stage = evaluator.stage("physics")
        assert isinstance(stage, PhysicsStage)
        assert len(stage._kept) == kept


def test_times_that_an_edit_touches_go_from_it_to_the_end() -> None:
    obstacle = actor("lift", CRATE, physics=None, keys=((0.0, 0.0), (1.0, 0.0), (2.0, 0.5), (3.0, 0.5)))
    old = Document(actors=(actor("ball", at=HIGH), obstacle))
    new = edit("set_key", actor="lift", layer="keys", coordinate="body.move_y", time=2 * SECOND, value=0.9).apply(old)
    spans = {id: (start, end) for id, start, end in changed_span(old, new)}
    start, end = spans["ball"]
    assert start is not None
    assert SECOND <= start <= 2 * SECOND
    assert end is None
    for changed in (
        edit("set_physics_world", friction=0.1).apply(old),
        edit("set_physics", actor="lift", role="none").apply(old),
        edit("set_physics", actor="ball", role="obstacle").apply(old),
        edit("remove_actor", actor="lift").apply(old),
    ):
        assert ("ball", 0, None) in changed_span(old, changed)
    assert changed_span(old, edit("rename_actor", actor="lift", name="Other").apply(old)) == ()


def test_a_bake_holds_what_was_seen_and_the_actor_is_an_obstacle_then() -> None:
    document = edit("set_play_range", start=0, end=2 * SECOND).apply(Document(actors=(THROWN,)))
    evaluator = Evaluator()
    change = finish(BakePhysics(id="baked", actor="thrown").work_through(evaluator, document))
    baked = change.apply(document)
    part = baked.actor("thrown").part(Physics)
    assert part is not None
    assert part.role == "obstacle"
    for seconds in (0.0, 0.5, 1.0, 1.5, 2.0):
        assert height(baked, seconds) == pytest.approx(height(document, seconds), abs=1e-9)
    with pytest.raises(InvalidArguments, match="Thrown"):
        finish(BakePhysics(id="again", actor="thrown").work_through(evaluator, baked))


def test_forces_of_contact_are_drawn_as_arrows() -> None:
    document = Document(actors=(actor("ball", at=(0.0, 0.15, 0.0)),))
    (arrows,) = Evaluator().snapshot(document, 2 * SECOND).of(Arrows)
    assert arrows.role == "force"
    assert arrows.vectors[0, 1] > 0.0
    assert not Evaluator().snapshot(document, 0).of(Arrows)


def test_parts_say_what_they_do_not_allow() -> None:
    document = Document(actors=(THROWN,))
    with pytest.raises(InvalidArguments, match="Role"):
        edit("set_physics", actor="thrown", role="flying").apply(document)
    with pytest.raises(InvalidArguments, match="Follow keys"):
        edit("set_physics", actor="thrown", follow=-1.0).apply(document)
    with pytest.raises(InvalidArguments, match="Follow keys"):
        Physics(follow=math.nan)
    with pytest.raises(InvalidArguments, match="Time step"):
        PhysicsWorld(step=0.0)
    with pytest.raises(InvalidDocument, match="ticks"):
        edit("set_physics", actor="thrown", start=2**60).apply(document)


def test_a_figure_without_mass_is_led_and_not_refused() -> None:
    bare = replace(BALL, joints=(replace(BALL.joints[0], shapes=()),))
    document = Document(actors=(actor("ghost", bare, at=HIGH), actor("ball", at=HIGH)))
    assert np.isfinite(Evaluator().rows(document, SECOND)["ghost"]).all()


def test_the_stage_is_the_one_of_the_table() -> None:
    assert isinstance(Evaluator().stage("physics"), PhysicsStage)
    assert Actor(id="a", name="A", figure=BALL, placement=Placement()).part(Physics) is None


def test_what_falls_is_measured_as_it_falls() -> None:
    document = Document(actors=(actor("ball", at=(0.0, 50.0, 0.0)),))
    found = moving(Evaluator(), document, "ball", [SECOND, 2 * SECOND])
    index = BALL.coordinate_index["body.move_y"]
    _, speeds, accelerations = found.coordinates[:, :, index].T
    assert speeds == pytest.approx([-9.80665, -19.6133], rel=0.01)
    assert accelerations == pytest.approx([-9.80665, -9.80665], rel=0.2)


def test_a_draft_that_is_made_after_the_simulation_is_seen_in_its_place() -> None:
    document, evaluator = Document(actors=(actor("ball", at=HIGH),)), Evaluator()
    assert evaluator.rows(document, SECOND)["ball"][ROW + 1] < -4.0
    values = (("body.move_y", 0.5),)
    drafted = edit("set_draft", actor="ball", layer="keys", time=SECOND, values=values).apply(document)
    assert evaluator.rows(drafted, SECOND)["ball"][ROW + 1] == pytest.approx(0.5)
    assert evaluator.rows(drafted, 2 * SECOND)["ball"][ROW + 1] < -4.0
