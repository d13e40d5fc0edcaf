"""Secondary motion in the document: what gains a joint has, what is refused, presets by region, times of targets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.document import (
    Actor,
    Bell,
    Correction,
    Document,
    Figure,
    Gains,
    Joint,
    Key,
    Layer,
    OwnGains,
    Secondary,
    Span,
    Target,
    Term,
    Track,
    decode_document,
    encode_document,
    validate,
)
from engine.document.presets import GAINS, PRESETS, joints_in, preset_gains, region_of, regions_of
from engine.document.target_times import placed_null_space_edits, placed_targets, target_times
from engine.document.ticks import TICKS_LIMIT, TICKS_PER_SECOND
from engine.runtime.errors import InvalidDocument, UnknownPart
from tests.engine.figures import scene
from tests.engine.motion.motions import BALL, walker

SECOND = TICKS_PER_SECOND
RATE = (30, 1)


def keyed(*times: float, marked: tuple[float, ...] = (), coordinate: str = "knee") -> Track:
    keys = tuple(Key(round(time * SECOND), 0.1, mark=time in marked) for time in times)
    return Track(coordinate=coordinate, keys=keys)


def actor(*layers: Layer, secondary: Secondary | None = None) -> Actor:
    return Actor(id="walker", name="Walker", figure=walker(), layers=layers, secondary=secondary)


def checked(secondary: Secondary) -> None:
    validate(Document(actors=(actor(secondary=secondary),)))


def test_a_joint_has_its_own_gains_and_else_those_of_all_and_a_root_follows_exactly() -> None:
    secondary = Secondary(
        gains=Gains(tension=5.0, gravity=0.5), own=(OwnGains(joint="knee", tension=2.0, exact=False),)
    )
    root, hip, knee = (secondary.gains_of(joint) for joint in walker().joints)
    assert root == Gains(tension=5.0, gravity=0.5, exact=True)
    assert hip == Gains(tension=5.0, gravity=0.5)
    assert knee == Gains(tension=2.0, gravity=0.5)
    loose = replace(secondary, own=(OwnGains(joint="root", exact=False),))
    assert not loose.gains_of(walker().joints[0]).exact


def test_the_window_is_divided_evenly_by_at_most_the_step() -> None:
    assert Secondary(window=SECOND, step=SECOND // 100).steps == 100
    assert Secondary(window=SECOND, step=SECOND // 100 - 1).steps == 101
    assert Secondary(window=1, step=SECOND).steps == 1


def test_motions_are_told_apart_but_not_by_targets_nor_while_both_are_off() -> None:
    one = Secondary()
    assert one.moves_like(replace(one, targets=(Target(id="t"),)))
    assert not one.moves_like(replace(one, window=SECOND))
    assert not one.moves_like(replace(one, on=False))
    assert replace(one, on=False).moves_like(replace(one, on=False, window=SECOND))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"window": 0}, "the window"),
        ({"window": -SECOND}, "the window"),
        ({"window": 61 * SECOND}, "at most a minute"),
        ({"window": 0.3}, "the window"),
        ({"step": 0}, "the step"),
        ({"window": 60 * SECOND, "step": 1}, "times into the window"),
        ({"lead": "jump"}, "before the first key"),
        ({"own": (OwnGains(joint="a"), OwnGains(joint="a"))}, "joints with gains"),
        ({"targets": (Target(id="a"), Target(id="a"))}, "target ids"),
    ],
)
def test_an_unsound_secondary_motion_is_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidDocument, match=message):
        Secondary(**given)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("tension", value) for value in (0.0, -1.0, float("nan"), float("inf"))),
        *(("relaxation", 1.1), ("damping", -0.1), ("gravity", float("inf")), ("gravity", -1.0)),
    ],
)
def test_gains_that_no_joint_can_have_are_named(name: str, value: float) -> None:
    given: dict[str, Any] = {name: value}
    for make in (lambda: Gains(**given), lambda: OwnGains(joint="knee", **given)):
        with pytest.raises(InvalidDocument, match=name):
            make()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"width": 0}, "the width"),
        ({"width": -5}, "the width"),
        ({"after": 0}, "after its time"),
        ({"time": 0.5}, "the time"),
        ({"width": TICKS_LIMIT, "time": -5}, "an end of a bell"),
        ({"bell": "square"}, "the kind of a bell"),
        ({"kind": "wing"}, "the kind of a target"),
        ({"source": "somewhere"}, "where a target comes from"),
        ({"place": False}, "what a target asks for"),
        ({"joint": "knee"}, "the joint of a target"),
        ({"kind": "point"}, "the joint of a target"),
        ({"frames": 0}, "from one target"),
        ({"position": (0.0, 0.0, 0.0)}, "what is wanted"),
        ({"kind": "point", "joint": "knee", "rotation": (1.0, 0.0, 0.0, 0.0)}, "what is wanted"),
        ({"kind": "point", "joint": "knee", "position": (0.0, float("nan"), 0.0)}, "the position"),
        ({"kind": "point", "joint": "knee", "position": (0.0, 2e9, 0.0)}, "the position"),
        ({"kind": "turn", "joint": "knee", "rotation": (0.0, 0.0, 0.0, 0.0)}, "norm 1"),
        ({"values": ()}, "the values"),
        ({"values": (("knee", float("inf")),)}, "a target's knee"),
        ({"rates": (("knee", 0.1), ("knee", 0.2))}, "the rates"),
        ({"joints": ()}, "the joints"),
        ({"kind": "wish"}, "a null-space edit"),
        ({"kind": "wish", "change": ()}, "the change"),
        ({"kind": "wish", "change": (("knee", 0.1),), "source": "keys"}, "a null-space edit"),
        ({"kind": "wish", "change": (("knee", 0.1),), "velocity": True}, "a null-space edit"),
        ({"kind": "wish", "change": (("knee", 0.1),), "joint": "knee"}, "the joint of a target"),
        ({"kind": "wish", "change": (("knee", float("nan")),)}, "a target's knee"),
        ({"change": (("knee", 0.1),)}, "what is wanted"),
    ],
)
def test_an_unsound_target_is_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidDocument, match=message):
        Target(id="t", **given)


@pytest.mark.parametrize(
    ("secondary", "message"),
    [
        (Secondary(own=(OwnGains(joint="wing"),)), "gains of its own"),
        (Secondary(targets=(Target(id="t", kind="point", joint="wing"),)), "a joint of target"),
        (Secondary(targets=(Target(id="t", joints=("knee", "wing")),)), "a joint of target"),
        (Secondary(targets=(Target(id="t", values=(("wing", 0.1),)),)), "a value of target"),
        (Secondary(targets=(Target(id="t", rates=(("turn.w", 0.1),)),)), "a rate of target"),
        (Secondary(targets=(Target(id="t", values=(("turn.w", 1.0),)),)), "all four numbers"),
        (Secondary(targets=(Target(id="t", kind="wish", change=(("wing", 0.1),)),)), "a change of target"),
        (Secondary(targets=(Target(id="t", kind="wish", change=(("turn.w", 0.1),)),)), "a change of target"),
        (Secondary(targets=(Target(id="t", values=tuple((name, 1.0) for name in BALL)),)), "norm 1"),
    ],
)
def test_what_names_nothing_of_the_figure_is_refused(secondary: Secondary, message: str) -> None:
    with pytest.raises(InvalidDocument, match=message):
        checked(secondary)


def test_a_sound_one_passes_and_comes_back_from_its_texts() -> None:
    targets = (
        Target(id="pose", source="keys", values=tuple(zip(BALL, (0.6, 0.0, 0.8, 0.0), strict=True)), velocity=True),
        Target(id="hand", kind="point", joint="knee", time=SECOND, position=(0.1, 0.2, 0.3), speed=(0.0, 0.0, 0.0)),
        Target(id="head", kind="turn", joint="hip", source="every", frames=5, rotation=(1.0, 0.0, 0.0, 0.0), after=9),
        Target(id="spin", kind="turn", joint="hip", velocity=True, place=False, speed=(0.0, -1.5, 3.0)),
    )
    secondary = Secondary(own=(OwnGains(joint="knee", tension=2.0),), lead="run_in", targets=targets)
    bell = Bell(time=0, before=SECOND, after=1, kind="polynomial")
    correction = Correction(terms=(Term(bell=bell, amplitudes=(("knee", 0.1), ("turn.x", 0.2))),))
    document = Document(actors=(actor(Layer(id="c", mode="add", correction=correction), secondary=secondary),))
    validate(document)
    encoded = encode_document(document)
    again = decode_document(document.digest, encoded.texts, lambda digest: encoded.blobs[digest])
    assert again == document


def test_a_document_without_secondary_motion_reads_and_writes_as_before() -> None:
    assert all("secondary" not in each.text and each.secondary is None for each in scene().actors)
    assert "correction" not in Layer(id="pose").text
    assert "mark" not in keyed(0.0, 1.0).text


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ((), "the bells"),
        ((Term(bell=Bell(time=5, before=1, after=1), amplitudes=(("turn.w", 0.1),)),), "x, y and z of a ball"),
        ((Term(bell=Bell(time=5, before=1, after=1), amplitudes=(("wing", 0.1),)),), "a coordinate of Walker"),
    ],
)
def test_an_unsound_correction_is_named(terms: tuple[Term, ...], message: str) -> None:
    with pytest.raises(InvalidDocument, match=message):
        validate(Document(actors=(actor(Layer(id="c", correction=Correction(terms=terms))),)))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Bell(time=0, before=0, after=1),
        lambda: Bell(time=0, before=1, after=-1),
        lambda: Bell(time=0.5, before=1, after=1),  # type: ignore[arg-type]
        lambda: Term(bell=Bell(time=0, before=1, after=1)),
        lambda: Term(bell=Bell(time=0, before=1, after=1), wiggles=(("knee", float("nan")),)),
        lambda: Term(bell=Bell(time=0, before=1, after=1), wiggles=(("knee", 0.1), ("knee", 0.2))),
    ],
)
def test_an_unsound_bell_is_named(make: Any) -> None:
    with pytest.raises(InvalidDocument):
        make()


def test_poses_and_keys_go_past_a_layer_with_a_correction_unless_it_was_chosen() -> None:
    correction = Correction(terms=(Term(bell=Bell(time=0, before=1, after=1), amplitudes=(("knee", 0.1),)),))
    below, above = Layer(id="below"), Layer(id="above", mode="add", correction=correction)
    assert actor(below, above).layer_for(0) is below
    assert actor(replace(below, mute=True), above).layer_for(0).id == "below"  # type: ignore[union-attr]
    assert actor(above).layer_for(0) is above
    assert replace(actor(below, above), receiver="above").layer_for(0) is above


def test_targets_at_keys_are_where_keys_of_layers_that_count_stand() -> None:
    layers = (
        Layer(id="a", tracks=(keyed(0.0, 1.0), keyed(0.5, coordinate="x"))),
        Layer(id="b", tracks=(keyed(0.25),), mute=True),
        Layer(id="c", tracks=(keyed(2.0, 9.0),), mode="add", span=Span(start=0, end=3 * SECOND)),
        Layer(id="d", tracks=(replace(keyed(0.75), mute=True),)),
    )
    found = target_times(actor(*layers), Target(id="t", source="keys"), RATE)
    assert found == (0, SECOND // 2, SECOND, 2 * SECOND)


def test_targets_at_marked_keys_move_with_the_keys() -> None:
    rule = Target(id="t", source="marked")
    owner = actor(Layer(id="a", tracks=(keyed(0.0, 1.0, 2.0, marked=(1.0,)),)))
    assert target_times(owner, rule, RATE) == (SECOND,)
    moved = replace(owner, layers=(Layer(id="a", tracks=(keyed(0.0, 1.5, 2.0, marked=(1.5,)),)),))
    assert target_times(moved, rule, RATE) == (3 * SECOND // 2,)


def test_targets_every_few_frames_are_within_the_motion_and_on_frames_counted_from_their_own() -> None:
    owner = actor(Layer(id="a", tracks=(keyed(0.0, 1.0),)))
    found = target_times(owner, Target(id="t", source="every", frames=10, time=SECOND // 30), RATE)
    assert found == tuple(SECOND // 30 * frame for frame in (1, 11, 21))
    ntsc = target_times(owner, Target(id="t", source="every", frames=1), (30000, 1001))
    assert ntsc == tuple(SECOND * 1001 // 30000 * frame for frame in range(30))
    assert target_times(actor(), Target(id="t", source="every"), RATE) == ()
    far = actor(Layer(id="a", tracks=(keyed(0.0, 1e6),)))
    with pytest.raises(InvalidDocument, match="from one target"):
        target_times(far, Target(id="t", source="every"), RATE)


def test_one_that_asks_for_the_same_on_a_tick_counts_before_those_of_a_rule() -> None:
    rule = Target(id="keys", source="keys", width=SECOND)
    own = Target(id="own", time=SECOND, width=SECOND // 4)
    stopping = Target(id="stop", time=0, place=False, velocity=True)
    off = Target(id="off", time=0, on=False)
    secondary = Secondary(targets=(rule, own, stopping, off))
    found = placed_targets(actor(Layer(id="a", tracks=(keyed(0.0, 1.0),)), secondary=secondary), RATE)
    assert [(each.id, each.time, each.source) for each in found] == [
        ("stop", 0, "own"),
        ("keys@0", 0, "own"),
        ("own", SECOND, "own"),
    ]
    assert found[1].bell_at(found[1].time) == Bell(time=0, before=SECOND, after=SECOND)
    assert placed_targets(actor(), RATE) == ()


def test_a_wish_is_no_target_that_is_to_be_met() -> None:
    late, early, off = (
        Target(id=id, kind="wish", time=time * SECOND, change=(("knee", 0.1),), on=id != "off")
        for id, time in (("late", 3), ("early", 1), ("off", 2))
    )
    owner = actor(secondary=Secondary(targets=(late, Target(id="t", time=SECOND), early, off)))
    assert [each.id for each in placed_targets(owner, RATE)] == ["t"]
    assert placed_null_space_edits(owner) == (early, late)
    assert placed_null_space_edits(actor()) == ()


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_tells_every_joint_that_moves_but_the_root_its_gains(preset: str) -> None:
    named = [("root", "Hips"), ("spine", "Spine"), ("neck", "Neck"), ("arm", "LeftForeArm"), ("hand", "LeftHandThumb1")]
    hinge = walker().joints[2].dofs
    joints = [
        Joint(id=id, name=name, parent=None if id == "root" else "root", dofs=(replace(hinge[0], id=id),))
        for id, name in (*named, ("leg", "LeftUpLeg"), ("tail", "Tail 3"), ("lamp", "Shade"))
    ]
    figure = Figure(name="Body", joints=(*joints, Joint(id="stiff", name="Foot", parent="leg")))
    regions = ["trunk", "trunk", "head", "arm", "hand", "leg", "tail", "other", "leg"]
    assert [region_of(joint) for joint in figure.joints] == regions
    assert region_of(replace(figure.joints[3], group="Front leg")) == "leg"
    own = preset_gains(preset, figure)
    assert [each.joint for each in own] == [joint.id for joint in joints[1:]]
    secondary = Secondary(own=own)
    for joint in joints[1:]:
        table = next(GAINS[each] for each in PRESETS if each == preset)
        assert secondary.gains_of(joint) == table[region_of(joint)]
    assert [each.joint for each in preset_gains(preset, figure, ("arm", "root"))] == ["arm"]
    assert regions_of(figure) == ("trunk", "head", "arm", "hand", "leg", "tail", "other")
    assert joints_in(figure, "leg") == ("leg",)
    assert joints_in(figure, "trunk") == ("spine",)
    with pytest.raises(UnknownPart):
        preset_gains(preset, figure, ("wing",))
    with pytest.raises(InvalidDocument, match="relaxed, tense, tired"):
        preset_gains("bored", figure)


def test_the_tense_follow_most_closely_and_the_tired_sag_most() -> None:
    for region, tense in GAINS["tense"].items():
        relaxed, tired = GAINS["relaxed"][region], GAINS["tired"][region]
        stiffness = [each.tension**2 * (1.0 - each.relaxation) for each in (tired, relaxed, tense)]
        assert stiffness == sorted(stiffness)
        sags = [each.gravity / (each.tension**2 * (1.0 - each.relaxation)) for each in (tense, relaxed, tired)]
        assert sags == sorted(sags)
