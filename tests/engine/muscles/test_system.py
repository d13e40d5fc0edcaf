"""Muscles in a document: refused where they cannot be, kept through files and general edits, seen and measured."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from engine.cli.muscles import muscled
from engine.commands.bring_in import bring_in
from engine.document import Document, Key
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.formats.figure_toml import read_whole, write
from engine.model.snapshot import Spindles
from engine.motion.changed import changed_span
from engine.muscles.follows import MusclesFollows
from engine.muscles.parts import (
    Muscle,
    MuscleActivation,
    Muscles,
    MuscleSet,
    MuscleWrap,
    PathPoint,
    PathWrap,
)
from engine.muscles.ranges import arms_over
from engine.muscles.spindles import TENSION
from engine.muscles.stage import MeasuredMuscles, MusclesStage
from engine.muscles.uses import activations_of, muscles_of
from engine.runtime.errors import InvalidDocument, UnknownPart, UnreadableFile
from tests.engine.muscles.arms import BEND, arm_figure, arm_muscles, bent_arm

POINTS = (PathPoint(joint="shoulder", point=(0.0, 0.0, 0.1)), PathPoint(joint="elbow", point=(0.0, -0.1, 0.0)))
BALL = MuscleWrap(id="ball", name="Ball", joint="shoulder", shape="sphere", radii=(0.2,))
NAMED = {"id": "one", "name": "One", "points": POINTS, "force": 1.0, "fibre": 0.1, "tendon": 0.1}


def scene() -> Document:
    return Document(actors=(bent_arm(),))


def measured(document: Document, *times: int) -> MeasuredMuscles:
    return cast(MusclesStage, Evaluator().stage("muscles")).measured(document, "arm", times)


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"fibre": -0.1}, "the fibre of muscle one"), ({"force": 0.0}, "the force of muscle one"),
        ({"tendon": -1.0}, "the tendon of muscle one"), ({"pennation": 2.0}, "the pennation of muscle one"),
        ({"tendon": math.nan}, "the tendon of muscle one"), ({"points": POINTS[:1]}, "the points of muscle one"),
    ],
)  # fmt: skip
def test_a_muscle_that_cannot_be_is_refused_by_its_name(changes: dict[str, object], word: str) -> None:
    with pytest.raises(InvalidDocument, match=word):
        Muscle(**{**NAMED, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [-0.1, 1.5])
def test_activations_outside_of_0_to_1_are_refused(value: float) -> None:
    for change in (
        edit("set_muscle_activation", actor="arm", muscle="biceps", value=value),
        edit("set_muscle_keys", actor="arm", muscle="biceps", keys=(Key(0, value),)),
    ):
        with pytest.raises(InvalidDocument):
            change.apply(scene())


def test_what_a_figure_does_not_have_is_refused_with_what_it_has() -> None:
    def adding(**changes: object) -> None:
        made = Muscle(**{**NAMED, **changes})  # type: ignore[arg-type]
        edit("add_muscle", actor="arm", muscle=made).apply(scene())

    with pytest.raises(UnknownPart, match="joint of muscle one"):
        adding(points=(POINTS[0], PathPoint(joint="knee", point=(0.0, 0.0, 0.0))))
    with pytest.raises(UnknownPart, match="degree of freedom of muscle one"):
        adding(points=(POINTS[0], replace(POINTS[1], dof="elbow.twist", lower=0.0)))
    with pytest.raises(InvalidDocument, match="wrap"):
        adding(wraps=(PathWrap(wrap="nothing"),))
    with pytest.raises(InvalidDocument, match="each once"):
        adding(id="biceps")
    with pytest.raises(InvalidDocument, match="the muscles of set Two"):
        edit("put_muscle_set", actor="arm", set=MuscleSet(id="two", name="Two", muscles=("none",))).apply(scene())


@pytest.mark.parametrize(
    "wrap",
    [
        BALL,
        replace(BALL, shape="cylinder", radii=(0.2,), length=0.4),
        replace(BALL, shape="ellipsoid", radii=(0.05, 0.05, 0.2)),
        replace(BALL, shape="torus", radii=(0.1, 0.02), rotation=(math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)),
    ],
)
def test_a_wrap_with_a_point_of_the_path_inside_is_refused(wrap: MuscleWrap) -> None:
    made = Muscle(**NAMED, wraps=(PathWrap(wrap="ball"),))  # type: ignore[arg-type]
    muscles = Muscles(muscles=(made,), wraps=(wrap,))
    with pytest.raises(InvalidDocument, match="point 0, counted from 0, of One, inside of Ball"):
        edit("put_muscles", actor="arm", muscles=muscles).apply(scene())
    outside = replace(muscles, wraps=(replace(wrap, centre=(1.0, 0.0, 0.0)),))
    edit("put_muscles", actor="arm", muscles=outside).apply(scene())


def test_a_project_and_a_figure_file_give_back_the_same_muscles(tmp_path: Path) -> None:
    document = edit("set_muscle_activation", actor="arm", muscle="biceps", value=0.25).apply(scene())
    sinew.write(tmp_path / "arm.sinew", document)
    assert sinew.read(tmp_path / "arm.sinew").digest == document.digest
    for model in ("de_groote", "thelen"):
        given = replace(arm_muscles(), model=model)
        write(tmp_path / "arm.figure.toml", arm_figure(), (given,))
        figure, (found,) = read_whole(tmp_path / "arm.figure.toml")
        assert figure.digest == arm_figure().digest
        assert found == given
    brought = bring_in(tmp_path / "arm.figure.toml").actor
    assert brought is not None
    assert muscles_of(brought) == given


SIDED = """
name = "Arms"
angles = "degrees"

[[joint]]
id = "trunk"

[[joint]]
id = "elbow"
parent = "trunk"
sides = "both"
offset = [0.2, 0, 0]
dofs = [{ name = "Bend", axis = "-x", limits = [0, 140] }]

[[wrap]]
id = "bone"
joint = "elbow"
sides = "both"
shape = "cylinder"
radii = [0.02]
centre = [0.01, 0.1, 0]
rest = [["y", 90]]

[[muscle]]
id = "biceps"
sides = "both"
force = 500
fibre = 0.1
tendon = 0.1
points = [
  { joint = "trunk", at = [0.2, 0.2, 0.03] },
  { joint = "elbow", at = [0.01, -0.05, 0.03], dof = "elbow.bend", range = [10, inf] },
  { joint = "elbow", at = [0, 0, 0.03], moves = [{ axis = "x", dof = "elbow.bend", knots = [[0, 0.02], [90, 0.1]] }] },
]
wraps = ["bone"]
"""


def test_both_sides_of_a_file_are_mirror_images(tmp_path: Path) -> None:
    (tmp_path / "arms.figure.toml").write_text(SIDED)
    figure, (muscles,) = read_whole(tmp_path / "arms.figure.toml")
    assert isinstance(muscles, Muscles)
    assert [each.mirror for each in muscles.muscles] == ["biceps_right", "biceps_left"]
    actor = replace(bent_arm(), figure=figure, layers=(replace(bent_arm().layers[0], tracks=()),), parts=(muscles,))
    muscled = cast(MusclesStage, Evaluator().stage("muscles")).compiled(actor, muscles)
    for angle in (0.0, 0.5, 2.0):
        q = np.array([angle, angle])
        lengths, gradient = muscled.measure(q)
        assert lengths[0] == pytest.approx(lengths[1], abs=1e-15)
        assert gradient[0, 0] == pytest.approx(gradient[1, 1], abs=1e-15)
        left, right = muscled.trace(q)[0][: muscled.trace(q)[1][1]], muscled.trace(q)[0][muscled.trace(q)[1][1] :]
        assert left * (-1.0, 1.0, 1.0) == pytest.approx(right, abs=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('joint = "trunk", at', 'joint = "head", at', "unknown joint 'head'"),
        ('dof = "elbow.bend", range', 'dof = "elbow.turn", range', "unknown degree of freedom 'elbow.turn'"),
        ("fibre = 0.1", "fibre = -0.1", "the fibre of muscle biceps"),
        ('wraps = ["bone"]', 'wraps = ["stone"]', "stone"),
        ("force = 500\n", "", "has no 'force'"),
        ("radii = [0.02]", "radii = [0.02, 1]", "the radii of wrap bone"),
        ('shape = "cylinder"', 'shape = "cube"', "shape of wrap 'bone'"),
    ],
)
def test_what_is_wrong_in_a_figure_file_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in SIDED
    (tmp_path / "arms.figure.toml").write_text(SIDED.replace(old, new, 1))
    with pytest.raises(UnreadableFile, match=said):
        read_whole(tmp_path / "arms.figure.toml")


def test_what_goes_takes_with_it_what_names_it() -> None:
    document = edit("key_muscles", actor="arm", keys=(("biceps", Key(0, 1.0)), ("triceps", Key(0, 0.5)))).apply(scene())
    document = edit("remove_muscle", actor="arm", muscle="biceps").apply(document)
    arm = document.actors[0]
    muscles = muscles_of(arm)
    assert muscles is not None
    assert muscles.sets[0].muscles == ("brachialis",)
    assert [each.muscle for each in activations_of(arm).activations] == ["triceps"]
    document = edit("remove_muscle_wrap", actor="arm", wrap="bone").apply(document)
    assert muscles_of(document.actors[0]) is not None
    assert all(not each.wraps for each in muscles_of(document.actors[0]).muscles)  # type: ignore[union-attr]
    for muscle in ("triceps", "brachialis"):
        assert muscles_of(document.actors[0]) is not None
        document = edit("remove_muscle", actor="arm", muscle=muscle).apply(document)
    assert document.actors[0].parts == ()
    assert edit("remove_muscles", actor="arm").apply(scene()).actors[0].parts == ()


def test_wraps_stay_without_muscles_and_the_last_takes_the_part_with_it() -> None:
    document = scene()
    for muscle in ("biceps", "triceps", "brachialis"):
        document = edit("remove_muscle", actor="arm", muscle=muscle).apply(document)
    assert muscles_of(document.actors[0]).wraps  # type: ignore[union-attr]
    second = replace(bent_arm(), id="second", name="Second")
    owner, _ = muscled(Document(actors=(*document.actors, second)), None)
    assert owner.id == "second"
    document = edit("remove_muscle_wrap", actor="arm", wrap="bone").apply(document)
    assert document.actors[0].parts == ()


def test_points_that_come_and_go_keep_wraps_between_the_same_ones() -> None:
    def triceps(document: Document) -> Muscle:
        found = muscles_of(document.actors[0])
        assert found is not None
        return next(each for each in found.muscles if each.id == "triceps")

    point = PathPoint(joint="shoulder", point=(0.0, -0.1, -0.04))
    longer = edit("add_path_point", actor="arm", muscle="triceps", place=1, point=point).apply(scene())
    assert triceps(longer).wraps == (PathWrap(wrap="bone", first=2),)
    assert triceps(edit("remove_path_point", actor="arm", muscle="triceps", place=1).apply(longer)) == triceps(scene())
    shorter = edit("remove_path_point", actor="arm", muscle="triceps", place=2).apply(scene())
    assert triceps(shorter).wraps == ()


def test_a_figure_without_the_forearm_keeps_no_muscle_that_goes_there() -> None:
    document = edit("set_muscle_activation", actor="arm", muscle="biceps", value=1.0).apply(scene())
    gone = edit("remove_joint", actor="arm", joint="elbow").apply(document)
    muscles = muscles_of(gone.actors[0])
    assert muscles is not None
    assert (muscles.muscles, muscles.sets, len(muscles.wraps)) == ((), (), 1)
    assert activations_of(gone.actors[0]).activations == ()


def test_keys_go_with_their_time_and_change_pictures_while_they_count() -> None:
    keys = tuple(Key(time * SECOND, 0.5) for time in (1, 3))
    old = edit("set_muscle_keys", actor="arm", muscle="biceps", keys=keys).apply(scene())
    new = edit("set_muscle_keys", actor="arm", muscle="biceps", keys=(Key(2 * SECOND, 0.5),)).apply(old)
    assert changed_span(old, new) == ()  # no pose is another
    moved = edit("insert_everywhere", actors=("arm",), time=2 * SECOND, length=SECOND).apply(old)
    (active,) = activations_of(moved.actors[0]).activations
    assert active.track is not None
    assert [active.track.keys[place].time for place in (0, -1)] == [SECOND, 4 * SECOND]


def test_keys_of_left_and_right_are_exchanged_within_a_span() -> None:
    biceps, triceps, brachialis = arm_muscles().muscles
    sides = (replace(biceps, mirror="triceps"), replace(triceps, mirror="biceps"), brachialis)
    arm = bent_arm().with_part(replace(arm_muscles(), muscles=sides))
    keys = (("biceps", Key(0, 1.0)), ("biceps", Key(SECOND, 0.5)), ("brachialis", Key(0, 0.25)))
    document = edit("key_muscles", actor="arm", keys=keys).apply(Document(actors=(arm,)))
    document = edit("set_muscle_activation", actor="arm", muscle="triceps", value=0.75).apply(document)
    old = activations_of(document.actors[0])
    arm = MusclesFollows().mirrored(document.actors[0], 0, SECOND)
    new = activations_of(arm)
    tracks = {each.muscle: [(key.time, key.value) for key in each.track.keys] for each in new.activations if each.track}
    assert tracks == {"biceps": [(SECOND, 0.5)], "triceps": [(0, 1.0)], "brachialis": [(0, 0.25)]}
    assert new.of("triceps").value == 0.75  # type: ignore[union-attr]
    assert activations_of(MusclesFollows().mirrored(arm, 0, SECOND)) == old
    assert MusclesFollows().mirrored(arm, 2 * SECOND, 3 * SECOND) is arm


def test_lengths_change_as_moment_arms_and_rates_say() -> None:
    found = measured(scene(), SECOND)
    arms = arms_over(found.figure, np.array([0.0, 1.0]), BEND, span=(0.0, 2.0), steps=3).arms[1]
    # The arm bends by one radian a second.
    assert found.rates[0] == pytest.approx(-arms, abs=1e-6)
    assert arms[0] > 0.0 > arms[1]


def test_forces_are_those_of_the_activation() -> None:
    document = edit("set_muscle_activation", actor="arm", muscle="biceps", value=1.0).apply(scene())
    document = edit("set_muscle_keys", actor="arm", muscle="triceps", keys=(Key(0, 0.0), Key(2 * SECOND, 1.0))).apply(
        document
    )
    relaxed, active = measured(scene(), SECOND), measured(document, SECOND)
    assert active.activations[0] == pytest.approx([1.0, 0.5, 0.0])
    assert (active.forces[0, :2] > relaxed.forces[0, :2] + 20.0).all()
    assert active.forces[0, 2] == relaxed.forces[0, 2]
    assert measured(document, 0, SECOND).forces[1].tobytes() == active.forces[0].tobytes()


def drawn(document: Document, time: int) -> Spindles:
    (found,) = Evaluator().snapshot(document, time).spindles
    return found


def volumes(spindles: Spindles) -> list[float]:
    """The volume inside of the triangles of each muscle [m3]."""
    corners = spindles.positions.astype(np.float64)[spindles.triangles]
    cones = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    return [float(cones[spindles.muscle[spindles.triangles[:, 0]] == each].sum()) for each in range(3)]


def test_spindles_keep_the_volume_of_their_fibres_and_swell_as_they_shorten() -> None:
    muscles, before, after = arm_muscles().muscles, drawn(scene(), 0), drawn(scene(), SECOND)
    for place, muscle in enumerate(muscles):
        flesh = muscle.force / TENSION * muscle.fibre
        for found in (before, after):
            assert flesh < volumes(found)[place] < 1.2 * flesh  # the tendons beside
        assert volumes(after)[place] == pytest.approx(volumes(before)[place], rel=0.06)
    assert widest(after, 0) > 1.04 * widest(before, 0)


def widest(spindles: Spindles, muscle: int) -> float:
    """How wide across a muscle is [m], along x, in which nothing moves."""
    x = spindles.positions[spindles.muscle == muscle, 0]
    return float(x.max() - x.min())


def test_spindles_begin_and_end_where_their_muscles_do_and_point_outwards() -> None:
    found = drawn(scene(), SECOND)
    own = found.positions[found.muscle == 0]
    assert own[:14].mean(axis=0) == pytest.approx([0.0, 0.03, 0.02], abs=1e-5)
    lengths = np.linalg.norm(found.normals, axis=1)
    assert lengths == pytest.approx(np.ones(len(lengths)), abs=1e-5)
    corners = found.positions.astype(np.float64)[found.triangles]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (np.einsum("ij,ij->i", faces, found.normals[found.triangles[:, 0]]) > -1e-9).mean() > 0.98


def test_a_traced_path_is_as_long_as_it_is_measured() -> None:
    """Points along the arc of a wrap are chords of it, so the trace is a little shorter."""
    stage = cast(MusclesStage, Evaluator().stage("muscles"))
    muscled = stage.compiled(bent_arm(), arm_muscles())
    for bend in (0.1, 0.8, 2.0):
        q = np.array([0.3, bend])
        points, starts = muscled.trace(q)
        pieces = np.linalg.norm(np.diff(points, axis=0), axis=1)
        traced = [pieces[start : end - 1].sum() for start, end in pairwise(starts)]
        assert traced == pytest.approx(muscled.lengths(q), abs=2e-4)


@pytest.mark.parametrize(
    ("shape", "radii"), [("sphere", (0.06,)), ("ellipsoid", (0.05, 0.06, 0.055)), ("cylinder", (0.06,))]
)
def test_traces_lie_on_what_they_bend_around(shape: str, radii: tuple[float, ...]) -> None:
    wrap = MuscleWrap(id="ball", name="Ball", joint="trunk", shape=shape, radii=radii)  # type: ignore[arg-type]
    ends = PathPoint(joint="trunk", point=(-0.2, 0.01, 0.02)), PathPoint(joint="trunk", point=(0.2, 0.02, -0.01))
    muscle = Muscle(**{**NAMED, "points": ends}, wraps=(PathWrap(wrap="ball"),))  # type: ignore[arg-type]
    muscled = cast(MusclesStage, Evaluator().stage("muscles")).compiled(
        bent_arm(), Muscles(muscles=(muscle,), wraps=(wrap,))
    )
    points = muscled.trace(np.zeros(2))[0]
    assert len(points) > 8
    scaled = points[1:-1] / (np.array([*radii, *radii, *radii])[:3] if shape != "ellipsoid" else np.array(radii))
    axes = scaled[:, :2] if shape == "cylinder" else scaled
    assert np.linalg.norm(axes, axis=1) == pytest.approx(np.ones(len(axes)), abs=1e-9)


def test_edits_leave_activations_sorted_and_none_that_says_nothing() -> None:
    document = scene()
    for muscle, value in (("triceps", 0.5), ("biceps", 0.25), ("triceps", 0.0)):
        document = edit("set_muscle_activation", actor="arm", muscle=muscle, value=value).apply(document)
    assert activations_of(document.actors[0]).activations == (MuscleActivation(muscle="biceps", value=0.25),)
    assert edit("set_muscle_activation", actor="arm", muscle="biceps", value=0.25).apply(document) is document
