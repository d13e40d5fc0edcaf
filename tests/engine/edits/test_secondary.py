"""Edits of secondary motion: gains, targets, marks and corrections, and what keeps them in step with all else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import (
    Actor,
    Bell,
    Correction,
    Document,
    Gains,
    Key,
    Layer,
    OwnGains,
    Secondary,
    Target,
    Term,
    Track,
    validate,
)
from engine.document.presets import GAINS
from engine.document.target_times import placed_targets, target_times
from engine.edits import edit
from engine.maths.arrays import Array
from engine.motion.bells import bell_motion
from engine.motion.motion import compile_motion
from engine.runtime.errors import EngineError, InvalidDocument, UnknownPart
from tests.engine.motion.motions import HIP, SECOND, walker

BELL = Bell(time=2 * SECOND, before=SECOND // 2, after=SECOND // 4)
TERM = Term(bell=BELL, amplitudes=(("knee", 0.3), ("turn.x", 0.1)), wiggles=(("knee", 0.05), ("hip.0", 0.02)))
EARLY = Term(bell=replace(BELL, time=SECOND), amplitudes=(("x", 0.2),))
CORRECTION = Correction(terms=(EARLY, TERM))
KNEE = Track(coordinate="knee", keys=tuple(Key(each * SECOND, 0.1 * each) for each in range(5)))


def scene(*layers: Layer, secondary: Secondary | None = None) -> Document:
    made = layers or (Layer(id="walk", tracks=(KNEE,)),)
    return Document(actors=(Actor(id="one", name="One", figure=walker(), layers=made, secondary=secondary),))


def done(document: Document, name: str, /, **arguments: Any) -> Document:
    made = edit(name, actor="one", **arguments).apply(document)
    validate(made)
    return made


def secondary_of(document: Document) -> Secondary:
    found = document.actors[0].secondary
    assert found is not None
    return found


def correction_of(document: Document, layer: str = "fix") -> Correction:
    found = next(each for each in document.actors[0].layers if each.id == layer).correction
    assert found is not None
    return found


def corrected(document: Document, correction: Correction = CORRECTION) -> Document:
    return done(document, "set_correction", layer="fix", correction=correction)


def knee(document: Document, times: Array) -> Array:
    actor = document.actors[0]
    rows = compile_motion(actor.figure, actor.layers).at(times)
    return np.asarray(rows[:, 0, actor.figure.coordinate_index["knee"]])


def test_the_first_edit_gives_secondary_motion_and_what_is_not_told_stays() -> None:
    made = done(scene(), "set_secondary", window=SECOND, lead="run_in", contact=True)
    assert secondary_of(made) == Secondary(window=SECOND, lead="run_in", contact=True)
    off = done(made, "set_secondary", on=False)
    assert secondary_of(off) == Secondary(window=SECOND, lead="run_in", contact=True, on=False)
    assert done(off, "set_secondary", on=False) is off
    assert done(off, "remove_secondary").actors[0].secondary is None
    plain = scene()
    assert done(plain, "remove_secondary") is plain


def test_gains_of_a_joint_are_its_own_until_all_are_set() -> None:
    made = done(scene(), "set_gains", joints=("knee", "hip"), tension=2.0, exact=False)
    assert [each.joint for each in secondary_of(made).own] == ["hip", "knee"]
    more = done(made, "set_gains", joints=("knee",), gravity=0.5)
    assert secondary_of(more).own_of["knee"] == OwnGains(joint="knee", tension=2.0, gravity=0.5, exact=False)
    every = done(more, "set_gains", tension=6.0, exact=False)
    assert secondary_of(every).gains == Gains(tension=6.0)
    assert secondary_of(every).own == (OwnGains(joint="knee", gravity=0.5),)
    assert done(every, "set_gains", tension=6.0) is every
    assert secondary_of(done(every, "clear_gains", joints=("hip",))) == secondary_of(every)
    assert secondary_of(done(every, "clear_gains")).own == ()
    one = done(more, "clear_gains", joints=("knee",), names=("gravity",))
    assert secondary_of(one).own_of["knee"] == OwnGains(joint="knee", tension=2.0, exact=False)
    assert secondary_of(one).own_of["hip"] == secondary_of(more).own_of["hip"]
    nothing = done(more, "clear_gains", names=("tension", "gravity", "exact"))
    assert secondary_of(nothing).own == ()


def test_a_preset_sets_the_joints_it_is_given() -> None:
    made = done(scene(), "apply_preset", preset="tired", joints=("knee",))
    assert [each.joint for each in secondary_of(made).own] == ["knee"]
    every = done(made, "apply_preset", preset="tense")
    secondary = secondary_of(every)
    assert {each.joint for each in secondary.own} == {"hip", "knee"}
    knee = walker().joint("knee")
    assert secondary.gains_of(knee) == GAINS["tense"]["leg"]
    assert edit("apply_preset", actor="one", preset="tired").label(scene()) == "Make One tired"


def test_targets_are_added_changed_moved_and_removed() -> None:
    own, rule = Target(id="own", time=SECOND), Target(id="rule", source="keys")
    made = done(scene(), "add_targets", targets=(own, rule))
    assert secondary_of(made).targets == (own, rule)
    wide = done(made, "set_targets", targets=("own", "rule"), changes=(("width", SECOND), ("velocity", True)))
    assert [(each.width, each.velocity) for each in secondary_of(wide).targets] == [(SECOND, True)] * 2
    moved = done(wide, "move_targets", targets=("own", "rule"), ticks=SECOND)
    assert [each.time for each in secondary_of(moved).targets] == [2 * SECOND, 0]
    assert target_times(moved.actors[0], rule, (30, 1)) == tuple(each * SECOND for each in range(5))
    assert [each.id for each in secondary_of(done(moved, "remove_targets", targets=("own",))).targets] == ["rule"]
    assert done(moved, "move_targets", targets=("rule",), ticks=SECOND) is moved


def test_marks_make_targets_that_follow_their_keys_through_edits() -> None:
    rule = Target(id="marked", source="marked")
    made = done(scene(), "add_targets", targets=(rule,))
    assert target_times(made.actors[0], rule, (30, 1)) == ()
    chosen = (("one", "walk", (("knee", (SECOND, 3 * SECOND)),)),)
    made = edit("mark_chosen", chosen=chosen, mark=True).apply(made)
    assert target_times(made.actors[0], rule, (30, 1)) == (SECOND, 3 * SECOND)
    place = {"layer": "walk"}
    moved = done(made, "move_keys", **place, keys=(("knee", (SECOND,)),), ticks=SECOND // 2, value=0.1)
    assert target_times(moved.actors[0], rule, (30, 1)) == (3 * SECOND // 2, 3 * SECOND)
    scaled = done(made, "scale_keys", **place, keys=(("knee", (SECOND, 3 * SECOND)),), pivot=0, factor=1.25)
    assert target_times(scaled.actors[0], rule, (30, 1)) == (5 * SECOND // 4, 15 * SECOND // 4)
    later = done(made, "insert_time", **place, time=2 * SECOND, length=SECOND)
    assert target_times(later.actors[0], rule, (30, 1)) == (SECOND, 4 * SECOND)
    reset = done(made, "set_key", **place, coordinate="knee", time=SECOND, value=0.7, tangent="flat")
    assert target_times(reset.actors[0], rule, (30, 1)) == (SECOND, 3 * SECOND)
    gone = done(made, "remove_keys", **place, keys=(("knee", (SECOND,)),))
    assert target_times(gone.actors[0], rule, (30, 1)) == (3 * SECOND,)
    unmarked = edit("mark_chosen", chosen=chosen, mark=False).apply(made)
    assert unmarked.actors[0].layers == made.actors[0].layers[:0] + scene().actors[0].layers


def test_a_switch_makes_every_key_a_target_in_step_with_the_keys() -> None:
    made = done(scene(), "add_targets", targets=(Target(id="every", source="keys"),))
    moved = done(made, "move_keys", layer="walk", keys=(("knee", (4 * SECOND,)),), ticks=SECOND)
    assert [each.time for each in placed_targets(moved.actors[0], (30, 1))] == [
        each * SECOND for each in (0, 1, 2, 3, 5)
    ]
    off = done(moved, "set_targets", targets=("every",), changes=(("on", False),))
    assert placed_targets(off.actors[0], (30, 1)) == ()


def test_a_correction_becomes_a_layer_and_the_next_takes_its_place() -> None:
    first = corrected(scene())
    layer = first.actors[0].layers[-1]
    assert (layer.id, layer.mode, layer.correction) == ("fix", "add", CORRECTION)
    weighed = done(done(first, "set_layer_weight", layer="fix", weight=0.5), "mute_layer", layer="fix", mute=True)
    again = corrected(weighed, Correction(terms=(TERM,)))
    layer = again.actors[0].layers[-1]
    assert (layer.weight, layer.mute, layer.correction) == (0.5, True, Correction(terms=(TERM,)))
    assert corrected(again, Correction(terms=(TERM,))) is again
    gone = done(again, "set_correction", layer="fix", correction=None)
    assert [each.id for each in gone.actors[0].layers] == ["walk"]


def test_taking_a_correction_away_leaves_what_else_is_in_its_layer() -> None:
    keyed = done(corrected(scene()), "set_key", layer="fix", coordinate="knee", time=0, value=0.1)
    left = done(keyed, "set_correction", layer="fix", correction=None).actors[0].layers[-1]
    assert (left.id, left.correction, len(left.tracks)) == ("fix", None, 1)


def test_a_correction_is_seen_beside_layers_that_count_alone() -> None:
    alone = scene(Layer(id="walk", tracks=(KNEE,), solo=True))
    time = np.array([2.0 * SECOND])
    assert knee(corrected(alone), time)[0] == pytest.approx(knee(alone, time)[0] + 0.3)


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("set_secondary", {"window": 0}, InvalidDocument),
        ("set_secondary", {"window": -SECOND}, InvalidDocument),
        ("set_secondary", {"window": "long"}, InvalidDocument),
        ("set_secondary", {"on": 2}, InvalidDocument),
        ("set_gains", {"tension": float("nan")}, InvalidDocument),
        ("set_gains", {"tension": float("inf")}, InvalidDocument),
        ("set_gains", {"damping": "firm"}, InvalidDocument),
        ("set_gains", {"joints": ("wing",), "tension": 1.0}, UnknownPart),
        ("clear_gains", {"joints": ("wing",)}, UnknownPart),
        ("clear_gains", {"names": ("colour",)}, InvalidDocument),
        ("apply_preset", {"preset": "bored"}, InvalidDocument),
        ("add_targets", {"targets": (Target(id="t", kind="point", joint="wing"),)}, InvalidDocument),
        ("add_targets", {"targets": (Target(id="t"), Target(id="t"))}, InvalidDocument),
        ("set_targets", {"targets": ("nothing",), "changes": ()}, UnknownPart),
        ("move_targets", {"targets": ("nothing",), "ticks": 5}, UnknownPart),
        ("remove_targets", {"targets": ("nothing",)}, UnknownPart),
        ("set_targets", {"targets": ("there",), "changes": (("width", 0),)}, InvalidDocument),
        ("set_targets", {"targets": ("there",), "changes": (("width", 0.5),)}, InvalidDocument),
        ("set_targets", {"targets": ("there",), "changes": (("id", "other"),)}, InvalidDocument),
        ("set_targets", {"targets": ("there",), "changes": (("joints", ("wing",)),)}, InvalidDocument),
        ("move_targets", {"targets": ("there",), "ticks": 0.5}, InvalidDocument),
        ("move_targets", {"targets": ("there",), "ticks": 2**53}, InvalidDocument),
        ("set_correction", {"layer": "walk", "correction": CORRECTION}, InvalidDocument),
        ("set_correction", {"layer": "none", "correction": None}, UnknownPart),
        (
            "set_correction",
            {"layer": "fix", "correction": Correction(terms=(Term(bell=BELL, amplitudes=(("wing", 0.1),)),))},
            InvalidDocument,
        ),
    ],
)
def test_bad_arguments_are_refused_by_name(name: str, arguments: dict[str, Any], error: type[EngineError]) -> None:
    document = done(scene(), "add_targets", targets=(Target(id="there"),))
    with pytest.raises(error):
        edit(name, actor="one", **arguments).apply(document)


def test_joints_that_go_take_their_gains_targets_and_corrections_along() -> None:
    targets = (
        Target(id="knee", kind="point", joint="knee"),
        Target(id="hip", kind="turn", joint="hip"),
        Target(id="some", joints=("hip", "knee"), values=(("hip.0", 0.1), ("knee", 0.2)), rates=(("knee", 0.2),)),
        Target(id="part", joints=("hip", "knee"), values=(("hip.0", 0.1), ("knee", 0.2))),
        Target(id="leg", joints=("knee",)),
        Target(id="all"),
        Target(id="bent", kind="wish", change=(("knee", 0.2),)),
        Target(id="wish", kind="wish", change=(("hip.0", 0.1), ("knee", 0.2))),
    )
    made = done(scene(), "set_gains", joints=("hip", "knee"), tension=2.0)
    made = corrected(done(made, "add_targets", targets=targets))
    gone = done(made, "remove_joint", joint="knee")
    secondary = secondary_of(gone)
    assert [each.joint for each in secondary.own] == ["hip"]
    assert [each.id for each in secondary.targets] == ["hip", "part", "all", "wish"]
    assert secondary.targets[-1].change == (("hip.0", 0.1),)
    assert secondary.targets[1] == Target(id="part", joints=("hip",), values=(("hip.0", 0.1),))
    kept = Term(bell=BELL, amplitudes=(("turn.x", 0.1),), wiggles=(("hip.0", 0.02),))
    assert correction_of(gone).terms == (EARLY, kept)


def test_a_correction_of_nothing_that_is_left_goes_from_its_layer() -> None:
    made = corrected(scene(), Correction(terms=(Term(bell=BELL, amplitudes=(("knee", 0.3),)),)))
    assert done(made, "remove_joint", joint="knee").actors[0].layers[-1].correction is None


def test_rerooting_carries_gains_with_their_freedoms_and_keeps_targets_where_they_were() -> None:
    targets = (
        Target(id="foot", kind="point", joint="knee", point=(0.0, -0.4, 0.0)),
        Target(id="leg", joints=("knee",)),
        Target(id="shin", kind="turn", joint="knee", velocity=True, speed=(0.5, -1.0, 2.0)),
    )
    made = done(scene(), "set_gains", joints=("knee",), tension=2.0)
    made = done(corrected(made), "add_targets", targets=targets)
    turned = done(made, "reroot_figure", joint="knee", layer="path")
    figure, secondary = turned.actors[0].figure, secondary_of(turned)
    carrier = figure.dof_joint["knee"].id
    assert [each.joint for each in secondary.own] == [carrier]
    assert secondary.targets[0] == targets[0]
    assert carrier in (secondary.targets[1].joints or ())
    assert secondary.targets[2] == targets[2]
    times = np.linspace(0.0, 4.0, 30) * SECOND
    np.testing.assert_allclose(knee(turned, times), knee(made, times), atol=1e-12)


def test_inserted_and_removed_time_moves_targets_and_bells() -> None:
    targets = (
        Target(id="early", time=SECOND),
        Target(id="late", time=3 * SECOND),
        Target(id="keys", source="keys"),
        Target(id="every", source="every", frames=9, time=3 * SECOND),
    )
    made = corrected(done(scene(), "add_targets", targets=targets))
    place = {"actors": ("one",)}
    later = edit("insert_everywhere", **place, time=2 * SECOND, length=SECOND).apply(made)
    assert [each.time / SECOND for each in secondary_of(later).targets] == [1, 4, 0, 4]
    assert [term.bell.time / SECOND for term in correction_of(later).terms] == [1, 3]
    sooner = edit("delete_everywhere", **place, start=SECOND // 2, end=3 * SECOND // 2).apply(made)
    assert [(each.id, each.time / SECOND) for each in secondary_of(sooner).targets] == [
        ("late", 2),
        ("keys", 0),
        ("every", 2),
    ]
    assert [term.bell.time / SECOND for term in correction_of(sooner).terms] == [1]


def test_targets_follow_a_range_that_shifts_all_that_moves() -> None:
    made = corrected(done(scene(), "add_targets", targets=(Target(id="t", time=3 * SECOND),)))
    parts = (("one", "walk", None), ("one", "fix", None))
    longer = edit("stretch_ranges", parts=parts, start=0, end=SECOND, length=2 * SECOND).apply(made)
    assert secondary_of(longer).targets[0].time == 4 * SECOND
    part = edit("stretch_ranges", parts=parts[:1], start=0, end=SECOND, length=2 * SECOND).apply(made)
    assert secondary_of(part).targets[0].time == 3 * SECOND


def test_a_stretched_range_shows_the_same_correction_slower_and_a_reversed_one_backwards() -> None:
    made = corrected(scene(Layer(id="walk")))
    start, end = SECOND // 4, 3 * SECOND
    slower = done(made, "stretch_range", layer="fix", start=start, end=end, length=2 * (end - start))
    times = np.linspace(start, end, 41)[:-1]
    np.testing.assert_allclose(knee(slower, start + 2.0 * (times - start)), knee(made, times), atol=1e-12)
    back = done(made, "reverse_range", layer="fix", start=start, end=end)
    np.testing.assert_allclose(knee(back, float(start + end) - times), knee(made, times), atol=1e-12)
    assert np.abs(knee(made, times)).max() > 0.2


def test_a_loop_repeats_bells_and_a_slide_moves_them() -> None:
    made = corrected(scene(Layer(id="walk")))
    looped = done(made, "loop_range", layer="fix", start=3 * SECOND // 2, end=5 * SECOND // 2, count=3)
    assert [term.bell.time / SECOND for term in correction_of(looped).terms] == [1, 2, 3, 4]
    slid = done(made, "slide_range", layer="fix", start=3 * SECOND // 2, end=5 * SECOND // 2, ticks=SECOND // 2)
    assert [term.bell.time / SECOND for term in correction_of(slid).terms] == [1, 2.5]
    over = done(made, "slide_range", layer="fix", start=3 * SECOND // 2, end=5 * SECOND // 2, ticks=-SECOND)
    assert [(term.bell.time / SECOND, len(term.wiggles)) for term in correction_of(over).terms] == [(1, 2)]
    cut = done(made, "cut_range", layer="fix", start=3 * SECOND // 2, end=5 * SECOND // 2)
    assert correction_of(cut).terms == (EARLY,)


def test_ranges_of_some_joints_leave_the_bells_of_others() -> None:
    made = corrected(scene(Layer(id="walk")))
    parts = (("one", "fix", ("knee",)),)
    slid = edit("slide_ranges", parts=parts, start=SECOND // 4, end=4 * SECOND, ticks=SECOND).apply(made)
    validate(slid)
    moved = Term(bell=replace(BELL, time=3 * SECOND), amplitudes=(("knee", 0.3),), wiggles=(("knee", 0.05),))
    stays = Term(bell=BELL, amplitudes=(("turn.x", 0.1),), wiggles=(("hip.0", 0.02),))
    assert correction_of(slid).terms == (EARLY, stays, moved)
    same = edit("slide_ranges", parts=parts, start=6 * SECOND, end=7 * SECOND, ticks=SECOND).apply(made)
    assert correction_of(same) == CORRECTION


def test_a_pasted_range_leaves_corrections_as_they_are() -> None:
    from engine.edits.ranges import copy_range

    made = corrected(scene())
    clip = copy_range(made, "one", "walk", 0, SECOND)
    pasted = done(made, "paste_range", layer="fix", clip=clip, time=2 * SECOND - SECOND // 2)
    assert correction_of(pasted) == CORRECTION


def test_undo_gives_the_identical_document_since_edits_change_none() -> None:
    document = corrected(done(scene(), "add_targets", targets=(Target(id="t"),)))
    digest = document.digest
    for name, arguments in (
        ("set_gains", {"tension": 1.0}),
        ("move_targets", {"targets": ("t",), "ticks": 5}),
        ("set_correction", {"layer": "fix", "correction": None}),
    ):
        edit(name, actor="one", **arguments).apply(document)
        assert document.digest == digest


def test_a_bell_of_the_document_is_what_the_motion_adds() -> None:
    times = np.linspace(1.4, 2.3, 37) * SECOND
    rows = bell_motion(BELL, times)
    plain = scene()
    wanted = knee(plain, times) + 0.3 * rows[:, 0] + 0.05 * rows[:, 1]
    np.testing.assert_allclose(knee(corrected(plain), times), wanted, atol=1e-12)
    assert HIP[0] in corrected(plain).actors[0].figure.coordinates
