"""Secondary motion on screen: after the locks, without history, locked again, and carried by what an actor hangs on."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from time import process_time

import numpy as np
import pytest

from engine.document import (
    Actor,
    Attachment,
    Body,
    Document,
    Dof,
    Draft,
    Figure,
    Joint,
    Key,
    Layer,
    Placement,
    Span,
    Track,
)
from engine.document.lock import Lock
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.document.secondary import Gains, OwnGains, Secondary
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.kinodynamics import secondary as secondaries
from engine.maths.arrays import Array
from engine.motion.changed import changed_span
from tests.engine.evaluate.locked import LEFT, RIGHT, SPAN, away, crouch, held, planted, track, walker

LOOSE = Gains(tension=1.5, damping=0.3)
LENGTH = 0.5  # [m] of the arm of the pendulum


def pendulum(id: str = "one") -> Actor:
    """A weight on a rod under a slide that is keyed to and fro."""
    rod = Joint(
        id="rod",
        name="Rod",
        parent="base",
        dofs=(Dof(id="swing", name="Swing", axis=(0.0, 0.0, 1.0)),),
        body=Body(mass=1.0, centre=(0.0, -LENGTH, 0.0)),
    )
    base = Joint(id="base", name="Base", dofs=(Dof(id="slide", name="Slide", kind="slide"),), body=Body(mass=1.0))
    tracks = (track("slide", (0.0, 0.0), (0.5, 0.4), (1.0, 0.0)), track("swing", (0.0, 0.0), (1.0, 0.3)))
    figure = Figure(name="Pendulum", joints=(base, rod))
    return Actor(id=id, name=id, figure=figure, layers=(Layer(id="pose", tracks=tracks),))


def with_secondary(actor: Actor, **fields: object) -> Actor:
    return replace(actor, secondary=Secondary(**{"gains": LOOSE, **fields}))  # type: ignore[arg-type]


def seen(document: Document, time: int, actor: str = "one") -> Array:
    return np.asarray(Evaluator().coordinates(document, actor, [time])[0])


def times(count: int = 40) -> list[int]:
    return [frame_time(each, (30, 1)) for each in range(count)]


def test_joints_swing_but_the_root_goes_where_its_keys_are() -> None:
    keyed, loose = Document(actors=(pendulum(),)), Document(actors=(with_secondary(pendulum()),))
    q, there = Evaluator().coordinates(keyed, "one", times()), Evaluator().coordinates(loose, "one", times())
    assert np.abs(q[:, 0] - there[:, 0]).max() < 1e-12
    assert np.abs(q[:, 1] - there[:, 1]).max() > 0.1


def test_an_exact_joint_and_one_that_is_off_follow_their_keys() -> None:
    keyed = Document(actors=(pendulum(),))
    q = Evaluator().coordinates(keyed, "one", times())
    exact = Document(actors=(with_secondary(pendulum(), own=(OwnGains(joint="rod", exact=True),)),))
    assert np.abs(Evaluator().coordinates(exact, "one", times()) - q).max() < 1e-12
    off = Document(actors=(with_secondary(pendulum(), on=False),))
    assert Evaluator().coordinates(off, "one", times()).tobytes() == q.tobytes()


def test_a_still_pose_hangs_as_far_as_gravity_pulls_it_against_its_tension() -> None:
    still = replace(pendulum(), layers=(Layer(id="pose", values=(("swing", 0.6),)),))
    scene = Document(actors=(with_secondary(still, gains=Gains(tension=1.5, damping=1.0), window=3 * SECOND),))
    angle = float(seen(scene, SECOND)[1])
    inertia = LENGTH**2
    stiffness = inertia * (2.0 * np.pi * 1.5) ** 2
    assert stiffness * (0.6 - angle) == pytest.approx(9.80665 * LENGTH * np.sin(angle), rel=1e-4)
    weightless = replace(scene.actors[0], secondary=Secondary(gains=Gains(tension=1.5, gravity=0.0), window=3 * SECOND))
    assert float(seen(Document(actors=(weightless,)), SECOND)[1]) == pytest.approx(0.6, abs=1e-9)


def test_a_stepped_key_is_felt_from_its_own_time_on_with_locks_and_without() -> None:
    keys = tuple(Key(round(at * SECOND), value, "stepped") for at, value in ((0.0, 0.0), (0.5, 0.2), (2.0, 0.2)))
    arm = replace(pendulum(), layers=(Layer(id="pose", tracks=(Track(coordinate="swing", keys=keys),)),))
    weightless = Gains(tension=2.0, damping=1.0, gravity=0.0)
    loose = replace(arm, secondary=Secondary(gains=weightless, window=SECOND))
    base = Lock(id="base", name="Base", joint="base", axes=("i", "j", "k"), position=(0.0, 0.0, 0.0))
    for actor in (loose, replace(loose, locks=(base,))):
        for passed in (0.011, 0.05, 0.2):
            w = 2.0 * np.pi * 2.0
            closed = 0.2 * (1.0 - (1.0 + w * passed) * np.exp(-w * passed))
            angle = seen(Document(actors=(actor,)), round((0.5 + passed) * SECOND))[1]
            assert angle == pytest.approx(closed, abs=2e-4)


def swinging_walker() -> Document:
    foot = held(walker(), LEFT, time=SECOND // 3, span=replace(SPAN, start=SECOND // 4, end=2 * SECOND))
    return Document(actors=(with_secondary(replace(walker(), locks=(foot,))),))


def test_a_frame_alone_is_the_same_bytes_as_in_sequence_with_and_without_locks() -> None:
    for document in (Document(actors=(with_secondary(pendulum()),)), swinging_walker()):
        evaluator, wanted = Evaluator(), times(12)
        sequence = [evaluator.coordinates(document, "one", [each])[0] for each in wanted]
        for place in (11, 3, 7):
            assert seen(document, wanted[place]).tobytes() == sequence[place].tobytes()


def test_planted_feet_stay_while_the_body_swings() -> None:
    actor = planted().actors[0]
    document, evaluator = Document(actors=(with_secondary(actor),)), Evaluator()
    for time in times(60)[::7]:
        for lock in actor.locks:
            assert away(evaluator, document, lock, "one", time) < 1e-3
    swung = seen(document, SECOND) - seen(Document(actors=(actor,)), SECOND)
    assert np.abs(swung).max() > 1e-3


def test_what_an_edit_touches_is_worked_out_again_and_nothing_else_is_left_over() -> None:
    before, evaluator = swinging_walker(), Evaluator()
    evaluator.coordinates(before, "one", times(30))
    layer = Layer(
        id="more", mode="add", tracks=(Track(coordinate="elbow_left.flexion", keys=(Key(SECOND // 2, 0.3),)),)
    )
    actor = before.actors[0]
    after = Document(actors=(replace(actor, layers=(*actor.layers, layer)),))
    for time in times(30)[10::6]:
        assert evaluator.coordinates(after, "one", [time])[0].tobytes() == seen(after, time).tobytes()


def test_changed_span_reaches_a_window_further() -> None:
    def scene(value: float) -> Document:
        tracks = (track("swing", (0.0, 0.0), (1.0, value), (2.0, 0.0), (9.0, 0.0), (10.0, 0.0)),)
        return Document(actors=(with_secondary(replace(pendulum(), layers=(Layer(id="pose", tracks=tracks),))),))

    old, new = scene(0.3), scene(0.5)
    (_, _, end), *others = changed_span(old, new)
    assert not others
    assert end is not None
    window = new.actors[0].secondary.window  # type: ignore[union-attr]
    later = end + window // 2
    for time in (end + 1, later, 8 * SECOND):
        assert seen(old, time).tobytes() == seen(new, time).tobytes()
    assert seen(old, 2 * SECOND + window // 4).tobytes() != seen(new, 2 * SECOND + window // 4).tobytes()


def test_before_the_first_key_the_motion_is_held_or_run_in() -> None:
    tracks = (Track(coordinate="slide", keys=(Key(0, 0.0), Key(SECOND, 1.0)), before="linear"),)
    sliding = replace(pendulum(), layers=(Layer(id="pose", tracks=tracks),))
    held_still = Document(actors=(with_secondary(sliding, lead="hold"),))
    run_in = Document(actors=(with_secondary(sliding, lead="run_in"),))
    assert abs(float(seen(held_still, 0)[1])) < 1e-12
    assert seen(held_still, -SECOND)[0] == 0.0
    assert seen(run_in, -SECOND)[0] < 0.0
    assert abs(float(seen(run_in, SECOND)[1]) - float(seen(held_still, SECOND)[1])) < 1e-9


def test_a_draft_is_shown_as_it_is_tried_out() -> None:
    actor = with_secondary(pendulum())
    draft = Draft(time=SECOND // 2, values=(("swing", 0.9),))
    document = Document(actors=(replace(actor, layers=(replace(actor.layers[0], drafts=(draft,)),)),))
    assert seen(document, SECOND // 2)[1] == 0.9
    plain = Document(actors=(actor,))
    beside = SECOND // 2 + SECOND // 30
    assert seen(document, beside).tobytes() == seen(plain, beside).tobytes()


def test_what_hangs_on_another_swings_as_that_moves() -> None:
    """A pendulum that hangs on a keyed slide swings as one that is keyed to slide itself."""
    whole = with_secondary(pendulum(), own=(OwnGains(joint="base", exact=True),))
    alone = replace(whole, layers=(Layer(id="pose", tracks=(whole.layers[0].tracks[1],)),))
    carrier = replace(pendulum("carrier"), layers=(Layer(id="pose", tracks=(pendulum().layers[0].tracks[0],)),))
    hung = replace(alone, attachments=(Attachment(id="hang", joint="base", target="carrier", target_joint="base"),))
    scene = Document(actors=(hung, carrier))
    for time in (SECOND // 3, SECOND // 2, SECOND):
        wanted = float(seen(Document(actors=(whole,)), time)[1])
        assert float(seen(scene, time)[1]) == pytest.approx(wanted, abs=5e-4)
        assert abs(wanted) > 2e-3


def test_a_placed_actor_feels_gravity_as_the_world_has_it() -> None:
    turned = replace(with_secondary(pendulum()), placement=Placement(rotation=(0.0, 1.0, 0.0, 0.0)))
    still = replace(turned, layers=(Layer(id="pose", values=(("swing", 0.4),)),))
    upright = replace(still, placement=Placement())
    up, down = (float(seen(Document(actors=(each,)), SECOND)[1]) for each in (still, upright))
    assert up > 0.4 > down


def test_rates_are_those_of_what_is_seen() -> None:
    document, evaluator, near = Document(actors=(with_secondary(pendulum()),)), Evaluator(), SECOND // 1000
    found = evaluator.motion_at(document, "one", SECOND // 2)
    before, after = evaluator.coordinates(document, "one", [SECOND // 2 - near, SECOND // 2 + near])
    assert np.abs(found[1] - (after - before) / 2e-3).max() < 1e-12
    assert abs(found[1, 1]) > 0.1


def test_feet_held_by_locks_of_several_kinds_are_missed_by_nothing_at_an_ease() -> None:
    actor = crouch()
    locks = tuple(held(actor, joint, span=SPAN) for joint in (LEFT, RIGHT))
    document = Document(actors=(with_secondary(replace(actor, locks=locks)),))
    evaluator = Evaluator()
    steps = [SPAN.start + each * SECOND // 100 for each in range(-3, 8)]
    q = evaluator.coordinates(document, "one", steps)
    assert np.abs(np.diff(q, axis=0)).max() < 0.1, "no leap where a lock begins to count"


def test_a_picture_tells_the_pose_that_a_person_sets_not_the_one_that_swings() -> None:
    """So that keying what is seen at a frame changes nothing: what swings would swing twice."""
    for document in (Document(actors=(with_secondary(pendulum()),)), swinging_walker()):
        actor, time = document.actors[0], frame_time(7, (30, 1))
        wanted = seen(Document(actors=(replace(actor, secondary=None),)), time)
        evaluator = Evaluator()
        rows = evaluator.rows(document, time)
        for picture in (evaluator.snapshot(document, time), evaluator.snapshot_of(document, time, rows)):
            assert picture.bodies[0].pose is not None
            assert picture.bodies[0].pose.tobytes() == wanted.tobytes()
        assert (
            Evaluator().snapshot_of(document, time, rows).bodies[0].transforms.tobytes()
            == picture.bodies[0].transforms.tobytes()
        )
        assert np.abs(rows["one"][12:] - wanted).max() > 1e-4


def test_what_hangs_on_another_over_a_span_alone_is_drawn_before_and_within_it() -> None:
    """Its rows get another width with the attachment, which touches no time before its span."""
    lock = Lock(id="lock", name="Lock", joint="rod", position=(0.0, -LENGTH, 0.0), point=(0.0, -LENGTH, 0.0))
    document = Document(actors=(replace(with_secondary(pendulum()), locks=(lock,)), pendulum("carrier")))
    evaluator = Evaluator()
    evaluator.snapshot(document, SECOND // 2)
    span = Span(start=2 * SECOND, end=3 * SECOND)
    hang = Attachment(id="hang", joint="base", target="carrier", target_joint="base", span=span)
    hung = edit("attach_actor", actor=document.actors[0].id, attachment=hang).apply(document)
    for changed in (hung, document):
        for time in (SECOND // 2, SECOND // 2 + SECOND // 30):
            assert evaluator.snapshot(changed, time).items


@pytest.mark.parametrize("is_locked", [False, True])
def test_a_cycle_that_jumps_every_tick_is_drawn_at_once(is_locked: bool) -> None:
    keys = (Key(0, 0.0, "stepped"), Key(1, 0.2, "stepped"), Key(2, 0.1, "stepped"))
    fast = Track(coordinate="swing", keys=keys, before="cycle", after="cycle")
    lock = Lock(id="held", name="Held", joint="base", position=(0.0, 0.0, 0.0))
    owner = replace(
        with_secondary(pendulum()), layers=(Layer(id="pose", tracks=(fast,)),), locks=(lock,) if is_locked else ()
    )
    seen(Document(actors=(with_secondary(pendulum()),)), SECOND)
    tracemalloc.start()
    started = process_time()
    assert np.isfinite(seen(Document(actors=(owner,)), SECOND)).all()
    assert process_time() - started < 20.0, "each of 200 million jumps was placed by itself"
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 100 << 20


def test_long_windows_are_worked_out_few_at_a_time_to_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = with_secondary(pendulum(), window=SECOND, step=SECOND // 1000)
    lock = Lock(id="held", name="Held", joint="base", position=(0.0, 0.0, 0.0))
    document = Document(actors=(replace(owner, locks=(lock,)),))
    whole = Evaluator().coordinates(document, "one", times(4))
    monkeypatch.setattr(secondaries, "_AT_ONCE", 100)
    monkeypatch.setattr(secondaries, "_TIMES_KEPT", 5000)
    assert Evaluator().coordinates(document, "one", times(4)).tobytes() == whole.tobytes()
    monkeypatch.setattr(secondaries, "_BYTES_KEPT", 100_000)
    evaluator = Evaluator()
    assert evaluator.coordinates(document, "one", times(4)).tobytes() == whole.tobytes()
    (known,) = secondaries.secondaries_of(evaluator)._known.kept.values()
    assert known.rows.bytes <= 100_000
