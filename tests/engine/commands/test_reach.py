"""Requests of handles: the figure follows, what is held stays, the edit holds the result, and drags go on smoothly."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from app.session.actors import human, stick
from engine.commands.reach import PullHandle, Reach, Reached
from engine.document import Attachment, Document, Handle, Key, Layer, Samples, Track
from engine.document.blobs import Blob
from engine.document.correction import Bell, Correction, Term
from engine.document.lock import Lock
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.secondary import Gains, Secondary
from engine.document.values import Vector3
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.ik import solver
from engine.ik.goals import PositionGoal, Spot
from engine.ik.methods import Card, Method, Terms, describe_methods
from engine.model.snapshot import Bodies
from engine.runtime.errors import InvalidArguments, UnknownPart

pytestmark = pytest.mark.usefixtures("unhurried")


def person(*layers: Layer) -> Document:
    exact = replace(human(Document()), natural=0.0, floor=False)
    return Document(actors=(replace(exact, id="me", layers=layers or (Layer(id="pose"),)),))


def handle(document: Document, id: str, actor: str = "me") -> Handle:
    return next(each for each in document.actor(actor).figure.handles if each.id == id)


def spot(document: Document, id: str) -> Spot:
    found = handle(document, id)
    return Spot(actor="me", joint=found.joint, point=found.point)


def place(document: Document, id: str, time: int = 0) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    found, figure = handle(document, id), document.actor("me").figure
    frame = Evaluator().joint_transforms(document, "me", time)[figure.joint_index[found.joint]]
    return np.asarray(frame[:, :3] @ found.point + frame[:, 3])


def pull(document: Document, id: str, by: Vector3, **more: object) -> PullHandle:
    x, y, z = (place(document, id) + by).tolist()
    goal = PositionGoal(spot=spot(document, id), target=(x, y, z))
    return PullHandle(**{"drag": "1", "actor": "me", "goals": (goal,), "terms": Terms(), **more})  # type: ignore[arg-type]


def answered(reach: Reach, document: Document, request: PullHandle, time: int = 0) -> Reached:
    *before, last = reach.answer(document, time, request)
    assert not any(before)
    assert last is not None
    return last


def test_the_hand_goes_where_it_is_pulled_and_the_edit_holds_the_pose() -> None:
    document = person()
    request = pull(document, "hand_left", (0.05, 0.3, 0.2))
    reached = answered(Reach(Evaluator()), document, request)
    edited = reached.edit.apply(document)
    goal = request.goals[0]
    assert isinstance(goal, PositionGoal)
    assert reached.edit.name == "set_pose"
    assert reached.outcome.report.state == "reached"
    assert np.abs(place(edited, "hand_left") - goal.target).max() < 1e-3
    assert reached.outcome.places[0] == pytest.approx(tuple(place(edited, "hand_left")), abs=1e-12)
    assert reached.snapshot.document == edited


def test_only_what_moved_is_in_the_edit_and_nothing_leaves_its_limits() -> None:
    document = person()
    reached = answered(Reach(Evaluator()), document, pull(document, "hand_left", (0.0, 0.9, 0.9)))
    values = dict(reached.edit.apply(document).actor("me").layers[0].values)
    limb = ("collar_left", "shoulder_left", "elbow_left", "forearm_left", "wrist_left")
    assert values
    assert all(name.startswith(limb) for name in values)
    dofs = document.actor("me").figure.coordinate_dof
    assert all(dofs[name].clamp(value) == value for name, value in values.items())
    assert all(value != 0.0 for value in values.values())


def test_what_cannot_be_reached_is_told_with_its_miss_and_its_limits() -> None:
    document = person()
    request = pull(document, "hand_left", (1.5, 0.0, 0.0))
    reached = answered(Reach(Evaluator()), document, request)
    goal, (missed,) = request.goals[0], reached.outcome.report.missed
    assert isinstance(goal, PositionGoal)
    assert reached.outcome.places[0] is not None
    assert missed.by == pytest.approx(math.dist(reached.outcome.places[0], goal.target), abs=1e-6)
    assert missed.text.startswith("missed by ")
    assert all(", " in name for name in reached.outcome.active)


@pytest.mark.parametrize("down", [0.02, 0.05, 0.1, 0.12, 0.15, 0.2, 0.3])
def test_held_spots_stay_while_the_pelvis_goes_down(down: float) -> None:
    document = person()
    held = (spot(document, "foot_left"), spot(document, "foot_right"))
    reached = answered(Reach(Evaluator()), document, pull(document, "pelvis", (0.0, -down, 0.0), held=held))
    edited = reached.edit.apply(document)
    for foot in ("foot_left", "foot_right"):
        assert np.abs(place(edited, foot) - place(document, foot)).max() < 1e-3
    assert place(edited, "pelvis")[1] == pytest.approx(place(document, "pelvis")[1] - down, abs=1e-3)
    assert len(reached.goals) == 3


@pytest.mark.parametrize("lost", [1, 6])
@pytest.mark.parametrize("solver_name", ["euler", "levenberg"])
def test_a_drag_that_got_no_time_for_a_while_comes_as_near_once_it_has_some(
    solver_name: str, lost: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a busy machine: so many looks at the clock find that all of the time is over."""
    document = person()
    request = pull(document, "hand_left", (-0.3, 0.7, 0.5), method=Method(solver=solver_name))
    monkeypatch.setattr(solver, "perf_counter", itertools.count(0.0, 1e-7).__next__)
    calm = answered(Reach(Evaluator()), document, request).outcome.report
    clock = itertools.chain((100.0 * each for each in range(lost)), itertools.count(100.0 * lost, 1e-7))
    monkeypatch.setattr(solver, "perf_counter", clock.__next__)
    reach = Reach(Evaluator())
    reports = [answered(reach, document, request).outcome.report]
    while reports[-1].state == "out of time" and len(reports) < 20:
        reports.append(answered(reach, document, request).outcome.report)
    assert reports[-1].missed[0].by < max(1.05 * calm.missed[0].by, 1e-3)


def test_a_drag_goes_on_from_its_last_answer_and_a_new_one_from_the_document() -> None:
    document, reach = person(), Reach(Evaluator())
    far = answered(reach, document, pull(document, "hand_left", (0.0, 0.5, 0.3)))
    back = answered(reach, document, pull(document, "hand_left", (0.0, 0.0, 0.0)))
    assert dict(back.edit.arguments)["values"], "the way back goes on from the pose that was reached"
    fresh = answered(reach, document, pull(document, "hand_left", (0.0, 0.0, 0.0), drag="2"))
    assert dict(fresh.edit.arguments)["values"] == ()
    again = answered(Reach(Evaluator()), document, pull(document, "hand_left", (0.0, 0.5, 0.3)))
    assert again.edit == far.edit, "the same request gives the same pose"


def test_a_goal_that_moves_a_millimetre_turns_no_joint_by_more_than_five_degrees() -> None:
    document, reach = person(), Reach(Evaluator())
    before: dict[str, float] = {}
    for step in range(60):
        reached = answered(reach, document, pull(document, "hand_right", (-0.3 - 0.001 * step, 0.5, 0.0)))
        values = dict(reached.edit.apply(document).actor("me").layers[0].values)
        if step and not reached.outcome.report.branch_changed:
            assert max(abs(value - before.get(name, 0.0)) for name, value in values.items()) < math.radians(5.0) + 1e-9
        before = values


def test_a_second_method_stands_beside_the_first_as_a_ghost() -> None:
    document = person()
    request = pull(document, "hand_left", (0.0, 0.4, 0.3), compared=Method(solver="ccd"))
    reached = answered(Reach(Evaluator()), document, request)
    assert reached.compared is not None
    assert (reached.outcome.label, reached.compared.label) == ("Levenberg-Marquardt", "Cyclic coordinate descent")
    ghosts = [item for item in reached.snapshot.bodies if item.role == "ghost"]
    assert [ghost.owner for ghost in ghosts] == ["me"]
    result = next(item for item in reached.snapshot.bodies if item.role == "result")
    assert np.abs(ghosts[0].transforms - result.transforms).max() > 1e-3
    plain = answered(Reach(Evaluator()), document, replace(request, compared=None))
    assert plain.edit == reached.edit, "the ghost changes nothing of the answer"


@pytest.mark.parametrize("preference", ["as it was", "rest", "comfort"])
def test_what_the_goals_leave_free_is_drawn_as_told(preference: Literal["as it was", "rest", "comfort"]) -> None:
    document = person()
    nothing = replace(Terms(), extent="whole", preference="nothing")
    free = pull(document, "hand_left", (0.0, 0.2, 0.2), terms=nothing)
    drawn = replace(free, terms=replace(Terms(), extent="whole", preference=preference))
    one, other = (answered(Reach(Evaluator()), document, each) for each in (free, drawn))
    assert other.outcome.report.state == "reached"
    assert one.edit != other.edit


def test_a_layer_with_keys_gets_keys_at_the_time() -> None:
    track = Track(coordinate="elbow_left.flexion", keys=(Key(0, 0.2), Key(1000, 0.6)))
    document = person(Layer(id="keyed", tracks=(track,)))
    found = handle(document, "hand_left")
    x, y, z = place(document, "hand_left", 500).tolist()
    goal = PositionGoal(spot=Spot(actor="me", joint=found.joint, point=found.point), target=(x, y + 0.1, z + 0.1))
    request = PullHandle(drag="1", actor="me", goals=(goal,), terms=Terms())
    reached = answered(Reach(Evaluator()), document, request, 500)
    edited = reached.edit.apply(document)
    assert reached.edit.name == "key_pose"
    assert np.abs(place(edited, "hand_left", 500) - goal.target).max() < 1e-3
    elbow = edited.actor("me").layers[0].track_of["elbow_left.flexion"]
    assert [key.time for key in elbow.keys] == [0, 500, 1000]


def test_a_layer_that_would_not_show_the_pose_is_refused_by_name() -> None:
    blob = Blob(np.zeros((2, 1)))
    samples = Samples(coordinates=("elbow_left.flexion",), values=blob, rate=(30, 1))
    document = person(Layer(id="taken", name="Capture", samples=samples))
    with pytest.raises(InvalidArguments, match="Capture"):
        answered(Reach(Evaluator()), document, pull(document, "hand_left", (0.0, 0.2, 0.2)))
    bare = Document(actors=(replace(document.actor("me"), layers=()),))
    with pytest.raises(InvalidArguments, match="no layer that can hold a pose"):
        answered(Reach(Evaluator()), bare, pull(bare, "hand_left", (0.0, 0.2, 0.2)))


def test_a_figure_that_hangs_on_another_reaches_from_where_it_stands() -> None:
    document = person()
    pole = replace(stick(document), id="pole")
    root = document.actor("me").figure.joints[0].id
    hold = Attachment(id="hold", joint=root, target="pole", target_joint=pole.figure.joints[0].id, position=(0.5, 1, 0))
    me = replace(document.actor("me"), attachments=(hold,))
    hanging = Document(actors=(me, replace(pole, layers=(Layer(id="pose"),))))
    moved = edit("place_actor", actor="pole", position=(0.0, 2.0, 0.0), rotation=(0.8, 0.6, 0.0, 0.0)).apply(hanging)
    request = pull(moved, "hand_left", (0.05, 0.1, 0.1), terms=replace(Terms(), extent="whole"))
    reached = answered(Reach(Evaluator()), moved, request)
    goal = request.goals[0]
    assert isinstance(goal, PositionGoal)
    assert np.abs(place(reached.edit.apply(moved), "hand_left") - goal.target).max() < 1e-3


def test_bad_requests_are_named() -> None:
    document, reach = person(), Reach(Evaluator())
    request = pull(document, "hand_left", (0.0, 0.1, 0.0))
    with pytest.raises(UnknownPart, match="solver"):
        answered(reach, document, replace(request, method=Method(solver="guess")))
    with pytest.raises(InvalidArguments, match="target"):
        answered(reach, document, pull(document, "hand_left", (math.nan, 0.0, 0.0)))
    with pytest.raises(InvalidArguments, match="Tolerance"):
        Terms(tolerance=-1.0)


def test_every_solver_has_a_card_with_its_options() -> None:
    *_, cards = describe_methods()
    assert cards is not None
    by_name: dict[str, Card] = {card.name: card for card in cards}
    about, value = by_name["levenberg"].options["damping"]
    assert (about.label, value) == ("Damping", 0.05)
    for card in cards:
        method = Method(solver=card.name, options=tuple((name, value) for name, (_, value) in card.options.items()))
        make = Method.make_motion if method.is_motion else Method.make
        assert make(method) == make(Method(solver=card.name))
        with pytest.raises(UnknownPart, match="there is no option of"):
            make(method.with_option("guess", 1.0))
        assert card.label
        assert card.source


def test_a_lock_that_keeps_the_hand_back_is_told_as_a_miss() -> None:
    free = person()
    hand = handle(free, "hand_left")
    x, y, z = place(free, "hand_left").tolist()
    lock = Lock(id="lock", name="Hand", joint=hand.joint, point=hand.point, position=(x, y, z))
    locked = Document(actors=(replace(free.actor("me"), locks=(lock,)),))
    reached = answered(Reach(Evaluator()), locked, pull(locked, "hand_left", (0.0, 0.3, 0.2)))
    (missed,) = reached.outcome.report.missed
    assert reached.outcome.report.state == "nearest"
    assert missed.by == pytest.approx(math.hypot(0.3, 0.2), abs=1e-3)
    assert not missed.reached


@pytest.mark.parametrize("corrected", [False, True])
def test_of_what_swings_the_keyed_pose_is_led_and_told_of(corrected: bool) -> None:
    """Without what a correction adds there: keys are what a person sets."""
    keys = Layer(
        id="pose",
        tracks=(
            Track(coordinate="shoulder_left.flexion", keys=(Key(0, 0.0), Key(SECOND // 3, -1.4), Key(SECOND, 0.2))),
        ),
    )
    still, time = person(keys), SECOND // 2
    bell = Bell(time=time, before=SECOND // 4, after=SECOND // 4)
    term = Term(bell=bell, amplitudes=(("shoulder_left.flexion", 0.3), ("elbow_left.flexion", 0.4)))
    layer = Layer(id="correction", mode="add", correction=Correction(terms=(term,)))
    layers = (*still.actors[0].layers, layer) if corrected else still.actors[0].layers
    loose = replace(still.actors[0], layers=layers, secondary=Secondary(gains=Gains(tension=1.5)))
    swinging = still.with_actor(loose)
    x, y, z = np.add(place(still, "hand_left", time), (0.0, 0.05, 0.05)).tolist()
    assert np.abs(place(swinging, "hand_left", time) - place(still, "hand_left", time)).max() > 0.05
    goal = PositionGoal(spot=spot(still, "hand_left"), target=(x, y, z))
    request = PullHandle(drag="1", actor="me", goals=(goal,), terms=Terms())
    reached = answered(Reach(Evaluator()), swinging, request, time)
    assert reached.outcome.report.state == "reached"
    edited = reached.edit.apply(swinging)
    bare = tuple(each for each in edited.actors[0].layers if each.correction is None)
    keyed = edited.with_actor(replace(edited.actors[0], layers=bare, secondary=None))
    assert np.abs(place(keyed, "hand_left", time) - (x, y, z)).max() < 1e-3
    assert reached.snapshot.document == edited, "the picture shows it swing"
    shown = Evaluator().snapshot(swinging, time).bodies[0]
    assert isinstance(shown, Bodies)
    assert shown.pose is not None
    assert np.abs(shown.pose - Evaluator().coordinates(still, "me", [time])[0]).max() < 1e-12


def test_what_is_on_its_way_is_free_to_turn_further_only_to_the_same_target(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a leap out of reach the fence is as narrow as the way, or joints would jump while the target creeps."""
    fences: list[float] = []

    def noted(*arguments: object, near: float, **more: object) -> solver.Answer:
        fences.append(near)
        return unnoted(*arguments, near=near, **more)  # type: ignore[arg-type]

    unnoted = solver.solve
    monkeypatch.setattr(solver, "solve", noted)
    document, reach = person(), Reach(Evaluator())
    answered(reach, document, pull(document, "hand_right", (-0.1, 0.0, 0.0)))
    leap = pull(document, "hand_right", (-2.0, 0.8, 0.0))
    assert answered(reach, document, leap).outcome.report.state == "on the way"
    calm = answered(reach, document, leap).outcome.report
    assert calm.state == "nearest"
    assert fences[-1] == fences[-2] > math.radians(90.0)
    answered(reach, document, pull(document, "hand_right", (-0.1, 0.0, 0.0)))
    answered(reach, document, leap)
    crept = answered(reach, document, pull(document, "hand_right", (-2.0, 0.799, 0.0))).outcome.report
    assert crept.state == "on the way"
    assert fences[-1] == pytest.approx(math.radians(5.0))


def test_what_is_let_go_of_comes_as_near_as_a_drag_that_was_never_in_a_hurry() -> None:
    document, reach = person(), Reach(Evaluator())
    for step in range(1, 40):
        request = pull(document, "hand_left", (0.02 * step, 0.01 * step, -0.03 * step))
        found = answered(reach, document, request)
    asked = 1
    while found.outcome.report.state in ("on the way", "out of time"):
        found, asked = answered(reach, document, request), asked + 1
    at_once = answered(Reach(Evaluator()), document, request).outcome.report
    assert asked <= 5
    assert found.outcome.report.missed[0].by <= 1.05 * at_once.missed[0].by + 1e-3
