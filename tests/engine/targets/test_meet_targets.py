"""Targets are met on screen: by figures small and large, with locks, carried; and where not, it is said why."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.__main__ import main
from engine.commands.bake_layers import BakeLayers
from engine.commands.make_limit import grid_over
from engine.document import Actor, Attachment, Body, Capsule, Document, Dof, Figure, Joint, Key, Layer, Target, Track
from engine.document.limit import ConeRange, Limit
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.document.secondary import Gains, OwnGains, Secondary
from engine.document.validation import validate
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.formats.figure_toml import load_figure
from engine.formats.motion_toml import load_motion
from engine.ik.region_kernels import measure_field
from engine.ik.regions import pack_over
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments, InvalidDocument
from engine.runtime.progress import finish
from engine.targets.commands.meet_targets import MeetTargets, TargetMet, TargetsMet
from engine.targets.nodes import BATCH, Group
from tests.engine.evaluate.locked import LEFT, away, human, planted, track
from tests.engine.kinodynamics.test_secondary import LENGTH, pendulum
from tests.engine.queries.limit_figures import SHOULDER, arm

LOOSE = Gains(tension=1.5, damping=0.3)
WITHIN, VELOCITY_WITHIN = 1e-6, 1e-4
WEIGHT = (0.0, -LENGTH, 0.0)
AT_KEYS = Target(id="keys", source="keys")


def scene(*targets: Target, actor: Actor | None = None, gains: Gains = LOOSE, **fields: object) -> Document:
    secondary = Secondary(gains=gains, targets=targets, **fields)  # type: ignore[arg-type]
    return Document(actors=(replace(actor or pendulum(), secondary=secondary),))


def puncher() -> Actor:
    """A human whose right arm swings forward and back by its keys."""
    tracks = (
        track("shoulder_right.flexion", (0.0, 0.0), (0.6, 1.2), (1.2, 0.2), (1.8, 0.6)),
        track("elbow_right.flexion", (0.0, 0.4), (0.6, 0.3), (1.2, 1.4), (1.8, 0.5)),
    )
    return Actor(id="one", name="Puncher", figure=human(), layers=(Layer(id="pose", tracks=tracks),))


def met(document: Document, evaluator: Evaluator | None = None, **change: object) -> TargetsMet:
    asked = MeetTargets(actor="one", id="correction", **change)  # type: ignore[arg-type]
    return finish(asked.work_through(evaluator or Evaluator(), document))


def seen(document: Document, time: int, actor: str = "one") -> Array:
    return np.asarray(Evaluator().coordinates(document, actor, [time])[0])


def place(document: Document, joint: str, point: tuple[float, float, float], time: int, actor: str = "one") -> Array:
    frame = Evaluator().joint_transforms(document, actor, time)[document.actor(actor).figure.joint_index[joint]]
    return np.asarray(frame[:, :3] @ np.array(point) + frame[:, 3])


def test_every_key_is_hit_by_what_is_seen() -> None:
    document = scene(AT_KEYS)
    found = met(document)
    after = found.edit.apply(document)
    validate(after)
    assert found.met
    assert [each.time for each in found.targets] == [0, SECOND // 2, SECOND]
    for at, keyed in enumerate(pendulum().layers[0].tracks):
        for key in keyed.keys:
            assert abs(seen(after, key.time)[at] - key.value) <= WITHIN
    assert abs(seen(document, SECOND)[1] - 0.3) > 0.02
    assert found.iterations <= 10
    assert len(found.curve) == found.iterations + 1
    assert found.curve[-1] <= 1.0 < found.curve[0]


def test_a_place_and_a_velocity_of_the_humans_hand_are_met_together() -> None:
    time, apart, origin = 7 * SECOND // 20, SECOND // 10_000, (0.0, 0.0, 0.0)
    wanted = Target(id="t", kind="point", joint="wrist_right", time=time, velocity=True)
    document, keyed = (scene(wanted, actor=puncher(), gains=Gains(tension=3.0), on=on) for on in (True, False))
    found = met(document)
    after = found.edit.apply(document)
    assert found.met
    for each, share in ((after, 1.0), (document, 100.0)):
        before, now, later = (
            place(each, "wrist_right", origin, time + by) - place(keyed, "wrist_right", origin, time + by)
            for by in (-apart, 0, apart)
        )
        assert (np.linalg.norm(now) <= share * WITHIN) == (each is after)
        speed = np.linalg.norm(later - before) / (2.0 * apart / SECOND)
        assert (speed <= 2.0 * share * VELOCITY_WITHIN) == (each is after)


def test_a_whole_pose_with_straight_knees_is_met_up_to_their_stops() -> None:
    """A human at rest stands on the limits of its knees, where stops press."""
    document = scene(Target(id="t", time=SECOND), actor=puncher(), gains=Gains(tension=8.0))
    found = met(document)
    assert found.met
    keyed, after = (seen(each, SECOND) for each in (scene(actor=puncher(), on=False), found.edit.apply(document)))
    assert np.abs(after - keyed).max() <= 2e-3 + WITHIN
    assert np.abs(seen(document, SECOND) - keyed).max() > 0.01


def test_a_rule_for_some_joints_asks_for_nothing_at_the_keys_of_others() -> None:
    keys = Target(id="k", source="keys", joints=("neck",))
    arm = puncher()
    nodding = replace(arm.layers[0], tracks=(*arm.layers[0].tracks, track("neck.flexion", (0.3, 0.1), (0.9, -0.1))))
    found = met(scene(keys, actor=replace(arm, layers=(nodding,))))
    assert [each.time for each in found.targets] == [3 * SECOND // 10, 9 * SECOND // 10]


def test_a_pose_with_rates_is_met() -> None:
    time, apart = 7 * SECOND // 10, SECOND // 10_000
    target = Target(id="t", time=time, velocity=True, values=(("swing", 0.8),), rates=(("swing", -1.5),))
    document = scene(target)
    found = met(document)
    after = found.edit.apply(document)
    assert found.met
    assert abs(seen(after, time)[1] - 0.8) <= WITHIN
    rate = (seen(after, time + apart)[1] - seen(after, time - apart)[1]) / (2.0 * apart / SECOND)
    assert abs(rate + 1.5) <= 2.0 * VELOCITY_WITHIN


def test_points_and_turns_of_the_humans_arm_are_met() -> None:
    hand = Target(id="hand", kind="point", joint="wrist_right", time=3 * SECOND // 5)
    turn = Target(id="turn", kind="turn", joint="wrist_right", time=6 * SECOND // 5)
    document = scene(hand, turn, actor=puncher(), gains=Gains(tension=3.0))
    keyed = scene(actor=puncher(), on=False)
    found = met(document)
    after, origin = found.edit.apply(document), (0.0, 0.0, 0.0)
    assert found.met
    missed = place(after, "wrist_right", origin, hand.time) - place(keyed, "wrist_right", origin, hand.time)
    assert np.linalg.norm(missed) <= WITHIN
    index = human().joint_index["wrist_right"]
    frames = [Evaluator().joint_transforms(each, "one", turn.time)[index, :, :3] for each in (after, keyed, document)]
    assert np.abs(frames[0] - frames[1]).max() <= WITHIN
    assert np.abs(frames[2] - frames[1]).max() > 1e-2


def test_of_keys_of_one_joint_alone_the_others_are_free() -> None:
    document = scene(AT_KEYS, actor=puncher(), gains=Gains(tension=3.0))
    found = met(document)
    after, figure = found.edit.apply(document), human()
    assert found.met
    for time, value in ((0.6, 1.2), (1.2, 0.2), (1.8, 0.6)):
        q = seen(after, round(time * SECOND))
        assert abs(q[figure.coordinate_index["shoulder_right.flexion"]] - value) <= WITHIN
    assert {*after.actors[0].layers[-1].correction.coordinates} == {  # type: ignore[union-attr]
        "shoulder_right.flexion",
        "elbow_right.flexion",
    }


def test_bells_of_later_targets_that_begin_before_a_held_motion_does_are_met_on_screen() -> None:
    times = (SECOND // 10, SECOND // 5, 3 * SECOND // 10)
    joints = ("shoulder_right", "elbow_right")
    targets = tuple(Target(id=str(at), time=at, joints=joints) for at in times)
    document = scene(*targets, actor=puncher(), gains=Gains(tension=3.0))
    found = met(document)
    assert found.met
    assert found.iterations <= 10
    after, keyed = found.edit.apply(document), scene(actor=puncher(), on=False)
    for name in ("shoulder_right.flexion", "elbow_right.flexion"):
        at = human().coordinate_index[name]
        for time in times:
            assert abs(seen(after, time)[at] - seen(keyed, time)[at]) <= WITHIN


def test_the_wave_that_ships_meets_every_key_within_ten_iterations() -> None:
    layers = tuple(replace(each, id=f"motion_{place}") for place, each in enumerate(load_motion("wave").layers))
    document = scene(AT_KEYS, actor=Actor(id="one", name="One", figure=human(), layers=layers), gains=Gains())
    found = met(document)
    assert found.met
    assert len(found.targets) == 20
    assert found.iterations <= 10
    assert found.curve[0] > 1e4


def test_the_job_never_simulates_more_than_a_batch_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, follow = [0], Group._follow

    def counting(self: Group, goals: Array) -> Array:
        counted[-1] += len(goals)
        return follow(self, goals)

    monkeypatch.setattr(Group, "_follow", counting)
    every = Target(id="k", source="every", frames=2)
    change = MeetTargets(actor="one", id="correction")
    for _ in change.work_through(Evaluator(), scene(every)):
        counted.append(0)
    assert BATCH // 2 < max(counted) <= BATCH
    assert sum(counted) > 4 * BATCH


def test_zero_width_and_a_target_before_the_window_fits() -> None:
    with pytest.raises(InvalidDocument, match="width"):
        Target(id="t", time=SECOND, width=0)
    early = Target(id="t", time=SECOND // 20, values=(("swing", 0.3),))
    document = scene(early)
    found = met(document)
    assert found.met
    assert abs(seen(found.edit.apply(document), early.time)[1] - 0.3) <= WITHIN


def test_keys_that_jump_are_met_or_missed_by_a_number_with_a_sentence() -> None:
    keys = (Key(0, 0.0), Key(SECOND // 2, 0.0, interpolation="stepped"), Key(SECOND // 2 + SECOND // 30, 0.8))
    jumping = replace(pendulum(), layers=(Layer(id="pose", tracks=(Track(coordinate="swing", keys=keys),)),))
    found = met(scene(AT_KEYS, actor=jumping))
    assert all(np.isfinite(each.missed) for each in found.targets)
    assert all(each.met or each.text for each in found.targets)


def test_frames_outside_of_bells_and_windows_are_the_same_bytes() -> None:
    document = scene(Target(id="t", time=SECOND, width=SECOND // 5))
    after = met(document).edit.apply(document)
    window = document.actors[0].secondary.memory  # type: ignore[union-attr]
    for time in (SECOND // 2, SECOND - SECOND // 5, SECOND + SECOND // 5 + window, 3 * SECOND):
        assert seen(after, time).tobytes() == seen(document, time).tobytes()
    assert seen(after, SECOND).tobytes() != seen(document, SECOND).tobytes()


def test_the_correction_is_a_layer_that_can_be_muted_undone_and_baked() -> None:
    document = scene(AT_KEYS)
    after = met(document).edit.apply(document)
    layer = after.actors[0].layers[-1]
    muted = edit("mute_layer", actor="one", layer=layer.id, mute=True).apply(after)
    for time in (SECOND // 3, SECOND // 2, SECOND):
        assert seen(muted, time).tobytes() == seen(document, time).tobytes()
    bake = BakeLayers(id="baked", actor="one", layers=tuple(each.id for each in after.actors[0].layers), name="Baked")
    baked = finish(bake.work_through(Evaluator(), after)).apply(after)
    assert all(each.correction is None for each in baked.actors[0].layers)
    plain = [edit("set_secondary", actor="one", on=False).apply(each) for each in (after, baked)]
    for frame in (5, 15, 24):
        time = frame_time(frame, document.rate)
        assert np.abs(seen(plain[0], time) - seen(plain[1], time)).max() <= 1e-12


def test_meeting_again_finds_the_same_correction_to_the_last_bit() -> None:
    document = scene(AT_KEYS)
    once = met(document).edit.apply(document)
    again = met(once)
    assert again.edit.apply(once) is once
    moved = edit("move_keys", actor="one", layer="pose", keys=(("swing", (SECOND,)),), ticks=SECOND // 10).apply(once)
    assert (
        met(moved).edit.apply(moved).actors[0].layers[-1]
        == met(
            edit("move_keys", actor="one", layer="pose", keys=(("swing", (SECOND,)),), ticks=SECOND // 10).apply(
                document
            )
        )
        .edit.apply(document)
        .actors[0]
        .layers[-1]
    )


def test_targets_that_have_gone_take_the_layer_with_them() -> None:
    document = scene(AT_KEYS)
    after = met(document).edit.apply(document)
    none = edit("remove_targets", actor="one", targets=("keys",)).apply(after)
    found = met(none)
    assert found.targets == ()
    assert found.text == "There is no target to meet"
    assert [each.id for each in found.edit.apply(none).actors[0].layers] == ["pose"]


def test_a_target_that_is_met_as_it_is_keyed_changes_nothing() -> None:
    document = scene(AT_KEYS, own=(OwnGains(joint="rod", exact=True),))
    found = met(document)
    assert found.met
    assert found.edit.apply(document) is document


def test_errors_are_counted_after_the_locks() -> None:
    actor = planted().actors[0]
    hand = Target(id="hand", kind="point", joint="wrist_right", time=3 * SECOND // 2)
    document, keyed = scene(hand, actor=actor), Document(actors=(actor,))
    found, origin = met(document), (0.0, 0.0, 0.0)
    after = found.edit.apply(document)
    assert found.met
    missed = place(after, "wrist_right", origin, hand.time) - place(keyed, "wrist_right", origin, hand.time)
    assert np.linalg.norm(missed) <= WITHIN
    for lock in actor.locks:
        assert away(Evaluator(), after, lock, "one", hand.time) < 1e-3


def test_a_target_that_a_lock_holds_back_is_missed_and_it_is_said() -> None:
    actor = planted().actors[0]
    there = place(Document(actors=(actor,)), LEFT, (0.0, 0.0, 0.0), SECOND)
    foot = Target(id="foot", kind="point", joint=LEFT, time=SECOND, position=(there[0], there[1] + 0.1, there[2]))
    (report,) = met(scene(foot, actor=actor)).targets
    assert not report.met
    assert report.missed == pytest.approx(0.1, abs=0.02)
    assert report.text.startswith("Locks keep it") or "nearest" in report.text


def test_layers_that_hold_a_target_back_are_named() -> None:
    wanted = Target(id="t", time=SECOND, values=(("swing", 0.6),))
    document = scene(wanted)
    after = met(document).edit.apply(document)
    fixed = Layer(id="fixed", values=(("swing", 0.1),))
    above = after.with_actor(replace(after.actors[0], layers=(*after.actors[0].layers, fixed)))
    (report,) = met(above).targets
    assert not report.met
    assert report.text.startswith("Layers above the correction keep it")


def test_limits_over_several_angles_that_keys_keep_are_kept_by_what_corrections_reach() -> None:
    figure = coned()
    actor = Actor(id="one", name="Arm", figure=figure, layers=(Layer(id="pose"),))
    beyond = Target(id="t", time=SECOND, values=tuple((name, 0.9) for name in SHOULDER))
    document = scene(beyond, actor=actor)
    found = met(document)
    pack = pack_over(figure, figure.limits_on, figure.coordinates)
    kept, reached = (
        measure_field(pack.ints, pack.floats, 0, seen(each, SECOND)) for each in (document, found.edit.apply(document))
    )
    assert kept < -0.1
    assert -0.1 < reached <= 1e-9  # at the limit
    (report,) = found.missed
    assert report.text.startswith("Joint limits over several angles keep it")


def test_a_figure_without_freedom_is_told_how_far_it_is() -> None:
    bare = pendulum()
    fixed = replace(bare.figure, joints=tuple(replace(joint, dofs=()) for joint in bare.figure.joints))
    actor = Actor(id="one", name="Statue", figure=fixed, layers=(Layer(id="pose"),))
    wanted = Target(id="t", kind="point", joint="rod", time=SECOND, place=True, velocity=True, position=(0.0, 0.5, 0.0))
    (report,) = met(scene(wanted, actor=actor)).targets
    assert not report.met
    assert report.missed == pytest.approx(0.5)


def test_keys_that_leap_within_the_window_are_named_where_a_target_is_missed() -> None:
    def report_of(swing: tuple[tuple[float, float], ...]) -> TargetMet:
        layer = Layer(id="pose", tracks=(track("slide", (0.0, 0.0), (1.0, 0.3)), track("swing", *swing)))
        far = Target(id="t", kind="point", joint="rod", time=SECOND, position=(0.0, 5.0, 0.0))
        return met(scene(far, actor=replace(pendulum(), layers=(layer,)))).targets[0]

    leaping = report_of(((0.0, 3.1), (0.88, 3.1), (0.9, -3.1), (1.0, -3.1)))
    assert "The keys of Rod, Swing, leap at 0.89 s, in the window before it" in leaping.text
    even = report_of(((0.0, 3.1), (1.0, 2.0)))
    assert not even.met
    assert "leap" not in even.text


def test_what_follows_exactly_is_asked_for_no_more_than_its_limit() -> None:
    bare = pendulum()
    joints = tuple(
        replace(joint, dofs=tuple(replace(dof, upper=0.1) if dof.id == "swing" else dof for dof in joint.dofs))
        for joint in bare.figure.joints
    )
    actor = replace(bare, figure=replace(bare.figure, joints=joints))
    report = met(scene(Target(id="t", time=SECOND), actor=actor, gains=Gains(exact=True)))
    assert [each.met for each in report.targets] == [True]


def coned() -> Figure:
    """An arm with weights, and a cone that its shoulder keeps in."""
    lump = Body(mass=1.0, centre=(0.0, -0.1, 0.0), inertia=(0.01, 0.01, 0.01, 0.0, 0.0, 0.0))
    figure = arm().figure
    cone = ConeRange(swing=(0.7, 0.5), twist=(-0.6, 0.6))
    grid = grid_over(figure, SHOULDER, cone, (12, 12, 12), 0.0)
    limit = Limit(id="limit", name="Cone", dofs=SHOULDER, range=cone, grid=grid)
    return replace(figure, joints=tuple(replace(each, body=lump) for each in figure.joints), limits=(limit,))


def test_what_hangs_on_another_meets_its_targets_in_the_world() -> None:
    carrier = replace(pendulum("two"), secondary=None)
    rod = replace(pendulum(), layers=(Layer(id="pose", values=(("swing", 0.2),)),))
    hung = replace(rod, attachments=(Attachment(id="a", joint="base", target="two", target_joint="rod"),))
    wanted = Target(id="t", kind="point", joint="rod", point=WEIGHT, time=3 * SECOND // 5)
    document = Document(actors=(carrier, replace(hung, secondary=Secondary(gains=LOOSE, targets=(wanted,)))))
    found = met(document)
    after, keyed = found.edit.apply(document), Document(actors=(carrier, hung))
    validate(after)
    assert found.met
    missed = place(after, "rod", WEIGHT, wanted.time) - place(keyed, "rod", WEIGHT, wanted.time)
    assert np.linalg.norm(missed) <= WITHIN
    before = place(document, "rod", WEIGHT, wanted.time) - place(keyed, "rod", WEIGHT, wanted.time)
    assert np.linalg.norm(before) > 1e-2


def test_contradictory_targets_and_those_before_the_first_key_end_at_the_nearest_with_a_sentence() -> None:
    two = (Target(id="a", time=SECOND, values=(("swing", 0.2),)), Target(id="b", time=SECOND, values=(("swing", 0.6),)))
    document = scene(*two)
    found = met(document)
    assert [each.met for each in found.targets] == [False, False]
    assert all("something else" in each.text for each in found.targets)
    assert seen(found.edit.apply(document), SECOND)[1] == pytest.approx(0.4, abs=1e-3)
    early = met(scene(Target(id="e", time=-SECOND, values=(("swing", 0.6),))))
    assert "before the first key" in early.targets[0].text


def test_what_cannot_be_solved_is_refused_by_name() -> None:
    with pytest.raises(InvalidArguments, match="one has no target that counts"):
        met(scene())
    with pytest.raises(InvalidArguments, match="secondary motion is on"):
        met(scene(AT_KEYS, on=False))
    document = scene(AT_KEYS)
    after = met(document).edit.apply(document)
    muted = edit("mute_layer", actor="one", layer="correction", mute=True).apply(after)
    with pytest.raises(InvalidArguments, match="muted"):
        met(muted)
    wild = Track(coordinate="swing", keys=(Key(0, 0.0), Key(SECOND // 2, 1e14), Key(SECOND, 0.0)))
    jumping = replace(pendulum(), layers=(Layer(id="pose", tracks=(wild,)),))
    found = met(scene(AT_KEYS, actor=jumping))
    assert not found.met, "the wildest key that a document takes breaks nothing"
    assert "leap" in found.text


def test_a_coarse_search_goes_on_from_what_is_there_within_a_millimetre() -> None:
    def wanted(time: float) -> tuple[Target, ...]:
        rest = (Target(id="b", kind="point", joint="wrist_right", time=6 * SECOND // 5),)
        return (Target(id="a", kind="point", joint="wrist_right", time=round(time * SECOND)), *rest)

    document = scene(*wanted(0.6), actor=puncher(), gains=Gains(tension=3.0))
    after, evaluator = met(document).edit.apply(document), Evaluator()
    whole = met(after, evaluator, moved=wanted(0.62)[0])
    coarse = met(after, evaluator, moved=wanted(0.62)[0], coarse=True)
    assert coarse.met
    assert max(each.missed for each in coarse.targets) <= 1e-3
    assert coarse.iterations < whole.iterations
    dragged = coarse.edit.apply(after)
    assert dragged.actors[0].secondary.targets == wanted(0.62)  # type: ignore[union-attr]
    assert coarse.edit.label(after) == "Place targets"


# The command


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "swing.sinew"
    sinew.write(path, scene(AT_KEYS))
    return path


def test_meet_tells_how_near_each_target_comes_and_keeps_the_project(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = project.with_name("met.sinew")
    assert main(["meet", str(project), "--out", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("one: 3 targets met after ")
    assert lines[2].split() == ["0.5000", "s", f"keys@{SECOND // 2}:", "met"]
    written, expected = sinew.read(out), met(scene(AT_KEYS)).edit.apply(scene(AT_KEYS))
    assert written.actors[0].layers[-1].correction == expected.actors[0].layers[-1].correction
    assert sinew.read(project) == scene(AT_KEYS)


@pytest.mark.parametrize(
    ("iterations", "text"),
    [
        (0, "1 target met without a search"),
        (1, "1 target met after 1 iteration"),
        (2, "1 target met after 2 iterations"),
    ],
)
def test_how_often_it_was_tried_is_said_as_a_person_would(iterations: int, text: str) -> None:
    report = TargetMet(target="tip", time=0, met=True, missed=0.0, unit="m", text="")
    found = TargetsMet(edit("set_secondary", actor="one"), "one", (report,), iterations, 1, (), False)
    assert found.text == text


def test_meet_ends_with_1_where_a_target_is_missed_or_there_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "far.sinew"
    far = Target(id="far", kind="point", joint="rod", point=WEIGHT, time=SECOND, position=(9.0, 0.0, 0.0))
    sinew.write(path, scene(far))
    assert main(["meet", str(path), "--actor", "one"]) == 1
    said = capsys.readouterr()
    assert "missed by" in said.out
    assert len(said.err.splitlines()) == 1
    sinew.write(path, Document(actors=(pendulum(),)))
    assert main(["meet", str(path)]) == 1
    assert "the targets of the project is 'none'" in capsys.readouterr().err


def test_meet_goes_on_where_an_actor_has_nothing_to_meet_and_tells_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "some.sinew", tmp_path / "met.sinew"
    still = replace(pendulum("still"), layers=(Layer(id="pose", values=(("swing", 0.2),)),))
    aiming = scene(AT_KEYS).actors[0]
    off = replace(pendulum("off"), secondary=Secondary(on=False, targets=(AT_KEYS,)))
    sinew.write(path, Document(actors=(off, replace(still, secondary=Secondary(targets=(AT_KEYS,))), aiming)))
    assert main(["meet", str(path), "--out", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("one: 3 targets met")
    assert lines[-2] == "off: left as it is, since its secondary motion is off"
    assert lines[-1].startswith("still: left as it is, since none of its targets is on")
    assert sinew.read(out).actor("one").layers[-1].correction is not None
    assert main(["meet", str(path), "--actor", "off"]) == 1
    assert "whose secondary motion is on" in capsys.readouterr().err


def test_meet_meets_what_hangs_on_another_behind_that(tmp_path: Path) -> None:
    """The carrier's own correction moves what hangs on it, however they are listed."""
    path, out = tmp_path / "hung.sinew", tmp_path / "met.sinew"
    carrier = replace(pendulum("two"), secondary=Secondary(gains=LOOSE, targets=(AT_KEYS,)))
    wanted = Target(id="t", kind="point", joint="rod", point=WEIGHT, time=17 * SECOND // 20)
    hanging = (Attachment(id="a", joint="base", target="two", target_joint="rod"),)
    rod = replace(pendulum(), layers=(Layer(id="pose", values=(("swing", 0.2),)),), attachments=hanging)
    document = Document(actors=(replace(rod, secondary=Secondary(gains=LOOSE, targets=(wanted,))), carrier))
    sinew.write(path, document)
    assert main(["meet", str(path), "--out", str(out)]) == 0
    after = sinew.read(out)
    keyed, first = (
        each.with_actor(replace(each.actor("one"), secondary=None, layers=rod.layers)) for each in (after, document)
    )
    moved = place(keyed, "rod", WEIGHT, wanted.time) - place(first, "rod", WEIGHT, wanted.time)
    assert np.linalg.norm(moved) > 1e-2
    missed = place(after, "rod", WEIGHT, wanted.time) - place(keyed, "rod", WEIGHT, wanted.time)
    assert np.linalg.norm(missed) <= WITHIN


def test_importing_the_job_loads_no_kernel() -> None:
    code = "import sys, engine.targets.commands.meet_targets; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_lamp_meets_a_pose_of_some_joints() -> None:
    figure = load_figure("lamp")
    name = next(dof.id for dof in figure.dofs if figure.dof_joint[dof.id].parent is not None)
    layers = (Layer(id="pose", tracks=(track(name, (0.0, 0.0), (0.5, 0.4), (1.0, 0.0)),)),)
    actor = Actor(id="one", name="Lamp", figure=figure, layers=layers)
    joint = figure.dof_joint[name].id
    document = scene(Target(id="t", time=SECOND // 2, joints=(joint,)), actor=actor)
    found = met(document)
    assert found.met
    at = figure.coordinate_index[name]
    assert abs(seen(found.edit.apply(document), SECOND // 2)[at] - 0.4) <= WITHIN


def test_with_contact_a_target_below_the_floor_is_missed_and_it_is_said_that_the_motion_jumps() -> None:
    """A ball on an upright rail, keyed 10 cm above the floor, is to be 3 cm under it."""
    rail = Dof(id="rail", name="Rail", kind="slide", axis=(0.0, 1.0, 0.0))
    shape = Capsule(start=(0.0, 0.0, 0.0), end=(0.0, 0.0, 0.0), radius=0.05)
    ball = Joint(id="ball", name="Ball", parent="base", dofs=(rail,), body=Body(mass=1.0), shapes=(shape,))
    figure = Figure(name="Rail", joints=(Joint(id="base", name="Base"), ball))
    layer = Layer(id="pose", tracks=(track("rail", (0.0, 0.15), (1.0, 0.15)),))
    still = Actor(id="one", name="Rail", figure=figure, layers=(layer,))
    low = Target(id="low", kind="point", joint="ball", position=(0.0, 0.02, 0.0), time=SECOND)
    loose, touching = (met(scene(low, actor=still, contact=contact)) for contact in (False, True))
    assert loose.met
    assert not loose.note
    (report,) = touching.targets
    assert not report.met
    assert report.missed == pytest.approx(0.03, abs=2e-3)
    assert "jumps" in report.text
    assert "the nearest that was found misses by 2" in report.text or "misses by 3" in report.text
    seen_there = float(seen(touching.edit.apply(scene(low, actor=still, contact=True)), SECOND)[0])
    assert seen_there - 0.02 == pytest.approx(report.missed, abs=1e-6)


def test_with_contact_it_is_said_where_what_came_before_would_matter() -> None:
    document = scene(Target(id="there", kind="point", joint="wrist_right", time=SECOND), actor=puncher(), contact=True)
    found = met(document)
    assert "Left ankle" in found.note
    assert "what came before would matter" in found.text
    assert "1.00 s" in found.text


def test_every_key_of_a_walk_at_every_frame_is_met_but_where_a_knee_snaps_straight() -> None:
    tracks = load_motion("walk").layers[0].tracks
    walker = Actor(id="one", name="Walker", figure=human(), layers=(Layer(id="pose", tracks=tracks),))
    document = scene(AT_KEYS, actor=walker, gains=Gains(tension=8.0, damping=1.0))
    found = met(document)
    after = found.edit.apply(document)
    assert len(found.targets) == 33
    assert [each.time for each in found.missed] == [frame_time(at, (30, 1)) for at in (15, 31)]
    assert all("its stop" in each.text and each.missed < 0.05 for each in found.missed)
    assert "33 targets that are close together are narrowed to 33 ms or less" in found.note
    index = walker.figure.coordinate_index
    for at in (8, 20, 28):
        pose = seen(after, frame_time(at, (30, 1)))
        for each in tracks:
            if each.coordinate.endswith("flexion"):
                key = next(key for key in each.keys if key.time == frame_time(at, (30, 1)))
                assert abs(pose[index[each.coordinate]] - key.value) <= WITHIN


def test_eases_far_apart_are_not_told_of() -> None:
    assert "narrowed" not in met(scene(AT_KEYS)).text
